"""Bytes as text that JSON can hold: characters that were cut are put together, what is none is replaced."""

from typing import Final

__all__ = ["Joined", "whole_characters"]

_REPLACED: Final = "\ufffd".encode()
_LONGEST: Final = 4  # bytes of a character


class Joined:
    """Text that comes in pieces, which are cut anywhere; `cut` is the part of a character with which it ends so far.

    `ill` is how many bytes were no characters, and were replaced.
    """

    def __init__(self) -> None:
        self.cut = b""
        self.ill = 0

    def add(self, piece: bytes) -> str:
        """The characters that the next piece completes."""
        data = self.cut + piece if self.cut else piece
        size = whole_characters(data)
        self.cut = data[size:]
        return self._text(data[:size] if self.cut else data)

    def end(self) -> str:
        """What is left of a character that was never completed."""
        data, self.cut = self.cut, b""
        return self._text(data)

    def _text(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            text = data.decode(errors="replace")
            inserted = text.count("\ufffd") - data.count(_REPLACED)
            self.ill += len(data) - len(text.encode()) + inserted * len(_REPLACED)
            return text


def whole_characters(data: bytes) -> int:
    """The size of `data` without the beginning of a character at its end, if there is one."""
    for back in range(1, min(_LONGEST, len(data) + 1)):
        byte = data[-back]
        if byte < 0x80:
            break
        if byte >= 0xC0:  # the first of a character: of two bytes, three from E0 on, four from F0 to F4
            begun = byte < 0xF5 and back < 2 + (byte >= 0xE0) + (byte >= 0xF0)
            return len(data) - back if begun else len(data)
    return len(data)
