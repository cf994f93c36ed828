"""The characters of NetHack's screen: those above ASCII are of the set of symbols that the player's options name."""

from typing import Final

__all__ = ["characters_of"]

_DEC: Final = dict(enumerate("◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·", 0xE0))
_LATIN: Final = [chr(code) for code in range(256)]
_TERMINAL: Final = "".join(_DEC.get(code, char) for code, char in enumerate(_LATIN))
_IBM: Final = "".join(_LATIN[:0x80]) + bytes(range(0x80, 256)).decode("cp437")
_IBM_SETS: Final = b"symset:IBM"


def characters_of(options: bytes) -> str:
    """The character of each byte on the screen of a game with these options: of IBM's sets as they are there, else as
    the terminals of DEC draw lines.
    """
    return _IBM if _IBM_SETS in options else _TERMINAL
