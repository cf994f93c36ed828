"""What is not the program's is shown between its sequences: never within one, nor within a character."""

import pytest

from nhlog.recorder.exchange import Between

WHOLE = (
    b"text",
    b"\n\x08\x07",
    "é世😀".encode(),
    b"\x1b[31;1m",
    b"\x1b[?25l",
    b"\x1b7",
    b"\x1b(B",
    b"\x1b]0;a title\x07",
    b"\x1b]2;another\x1b\\",
    b"\x1bPq" + b"#0" * 500 + b"\x1b\\",
    b"\x1b]8;;http://a/\x18",
    b"\x1bc\xff\x80",
)


def ends(parts: list[bytes]) -> list[bool]:
    between, found = Between(), []
    for part in parts:
        between.feed(part)
        found.append(bool(between))
    return found


@pytest.mark.parametrize("piece", WHOLE)
def test_after_each_whole_piece_it_is_between(piece: bytes) -> None:
    assert ends([b"before", piece, b"after"]) == [True, True, True]


@pytest.mark.parametrize("piece", [piece for piece in WHOLE if piece[:1] == b"\x1b" and not piece.endswith(b"\x80")])
def test_within_a_sequence_it_is_not_wherever_the_output_is_cut(piece: bytes) -> None:
    for cut in range(1, len(piece)):
        assert ends([b"x" + piece[:cut], piece[cut:]]) == [False, True], piece[:cut]
    assert ends([bytes((byte,)) for byte in piece]) == [False] * (len(piece) - 1) + [True]


@pytest.mark.parametrize("character", ["é", "世", "😀"])
def test_within_a_character_it_is_not(character: str) -> None:
    data = character.encode()
    assert ends([bytes((byte,)) for byte in data]) == [False] * (len(data) - 1) + [True]


def test_what_never_ends_is_no_sequence() -> None:
    assert ends([b"\x1b[" + b"1;" * 1000]) == [True]
    assert ends([b"\x1b]0;" + b"x" * 9999, b"y" * 9999, b"\x1b", b"\\"]) == [False, False, False, True]
