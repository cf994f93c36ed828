"""Saves and what becomes of them: bytes inserted, deleted, moved, overwritten, zeroed, counted and stepped."""

from random import Random

from hypothesis import strategies as st

_FEW = st.lists(st.sampled_from(b"\0\0\1\2\xff"), max_size=300).map(bytes)
_MANY = st.builds(lambda seed, size: Random(seed).randbytes(size), st.integers(0, 9), st.integers(0, 3000))
_EDIT = st.tuples(
    st.sampled_from(["insert", "delete", "move", "overwrite", "zero", "count", "step"]),
    st.integers(0, 3000),
    st.sampled_from([1, 2, 3, 9, 51, 400]),
    st.integers(0, 255),
)


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A save and the next one, which may also be unrelated."""
    base = draw(_FEW | _MANY)
    if draw(st.integers(0, 9)) == 0:
        return base, draw(_FEW | _MANY)
    new = bytearray(base)
    for edit in draw(st.lists(_EDIT, max_size=12)):
        _apply(new, *edit)
    return base, bytes(new)


def _apply(save: bytearray, kind: str, at: int, size: int, value: int) -> None:
    at %= len(save) + 1
    piece = save[at : at + size]
    end = at + len(piece)
    if kind == "insert":
        save[at:at] = Random(value).randbytes(size)
    elif kind == "delete":
        del save[at:end]
    elif kind == "move":
        del save[at:end]
        to = value * len(save) // 256
        save[to:to] = piece
    elif kind == "overwrite":
        save[at:end] = Random(value).randbytes(len(piece))
    elif kind == "zero":
        save[at:end] = bytes(len(piece))
    elif kind == "count":
        save[at : at + 1] = bytes((byte + 1) & 0xFF for byte in save[at : at + 1])
    else:
        for place in range(at, min(at + 86 * 3, len(save) - 1), 85):  # a case: as the records lie
            save[place] = (save[place] + value % 3 - 1) & 0xFF
            save[place + 1] = (save[place + 1] + value // 3 % 3 - 1) & 0xFF
