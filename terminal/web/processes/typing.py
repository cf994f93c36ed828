"""What a terminal sends for what a player does in a page: keys by their names, pasted text, clicks; no I/O.

A terminal sends other sequences in some modes, and nothing of the mouse unless a program wants it: the modes are read
from the emulated terminal when there is a key, so no sequence of the program's is understood twice.
"""

import re
from typing import Final

__all__ = ["MOST_PASTED", "clicked", "key_bytes", "modes_of", "pasted", "turned"]

MOST_PASTED: Final = 250  # characters at a time

_ESCAPE: Final = "\x1b"
_LETTER: Final = re.compile(r"[A-Za-z\]]")  # that has another meaning with Ctrl
_MODES: Final = re.compile(rb"(?:\x1b\[\??\d+[hl])*")
_SET: Final = re.compile(rb"\x1b\[\?(\d+)h")
_CURSOR_KEYS, _BRACKETED = 1, 2004
_MOUSE: Final = frozenset({1000, 1002, 1003})  # each with clicks
_DECIMAL: Final = 1006  # the mouse's place in decimal numbers: programs that want another form get nothing
_HELD: Final = {"shift": 2, "ctrl": 5}
_CURSOR: Final = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_PLAIN: Final = {
    "enter": "\r",
    "escape": _ESCAPE,
    "tab": "\t",
    "shift-tab": "\x1b[Z",
    "backspace": "\x7f",
    "insert": "\x1b[2~",
    "delete": "\x1b[3~",
    "page-up": "\x1b[5~",
    "page-down": "\x1b[6~",
    **{f"f{number}": f"\x1bO{letter}" for number, letter in enumerate("PQRS", 1)},
    **{f"f{number}": f"\x1b[{code}~" for number, code in enumerate((15, 17, 18, 19, 20, 21, 23, 24), 5)},
}
"""As xterm has them."""


def modes_of(state: bytes) -> frozenset[int]:
    """The private modes that are set in a terminal with this state (see :class:`nhlog.vt.Terminal`)."""
    found = _MODES.match(state)
    return frozenset(map(int, _SET.findall(found[0]))) if found else frozenset()


def key_bytes(name: str, modes: frozenset[int]) -> bytes:
    """What the key of this name sends; nothing for an unknown one."""
    if len(name) == 1:
        return name.encode() if name.isprintable() else b""
    if name in _CURSOR:
        return f"{_ESCAPE}{'O' if _CURSOR_KEYS in modes else '['}{_CURSOR[name]}".encode()
    held, _, base = name.partition("-")
    if held in _HELD and base in _CURSOR:
        return f"{_ESCAPE}[1;{_HELD[held]}{_CURSOR[base]}".encode()
    if held == "ctrl" and _LETTER.fullmatch(base):
        return bytes([ord(base) & 31])
    return _PLAIN.get(name, "").encode()


def pasted(text: str, modes: frozenset[int]) -> bytes:
    """What text sends that was pasted: lines end as with Enter, and nothing in it is a key of another kind."""
    lines = text[:MOST_PASTED].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    data = "\r".join("".join(char for char in line if char.isprintable() or char == "\t") for line in lines).encode()
    return b"\x1b[200~%s\x1b[201~" % data if _BRACKETED in modes else data


def clicked(x: int, y: int, modes: frozenset[int]) -> bytes:
    """What a click on a cell sends: the button down, and up again."""
    place = f"{max(x, 0) + 1};{max(y, 0) + 1}"
    return f"\x1b[<0;{place}M\x1b[<0;{place}m".encode() if _has_mouse(modes) else b""


def turned(notches: int, modes: frozenset[int]) -> bytes:
    """What a turn of the wheel by one notch sends: away from the hand (below 0), or to it."""
    return b"\x1b[<%d;1;1M" % (64 + (notches > 0)) if _has_mouse(modes) and notches else b""


def _has_mouse(modes: frozenset[int]) -> bool:
    return bool(_MOUSE & modes) and _DECIMAL in modes
