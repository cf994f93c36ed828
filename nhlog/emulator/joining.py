"""What joins a character that is on the screen already: marks and other characters of no width.

The emulator notes which rows were written to, so that only those are read again, but forgets to when a character gets a
mark (pyghostty 0.1.3, without mode 2027): an accent that came after one had looked was never seen.  So whoever feeds it
has to know when that may have happened, and then has all rows read.  A character of no width is known by its first
bytes, whatever it is cut into: too many are taken for one, none is overlooked (a test asks the emulator about all there
are).  The sequence that repeats the last character repeats one with a width.

Whole recordings are looked through, so it has to be fast: 300 MB/s of text that is half not ASCII, where one expression
for all makes 70.
"""

import re
from typing import Final

__all__ = ["may_join"]

_ALWAYS: Final = b"\xcc\xcd\xd2\xd6\xd7\xd8\xd9\xdb\xdc\xdd\xde\xdf\xe0\xf3"
"""Bytes that such characters begin with, and few others."""
_REST: Final = bytes(byte for byte in range(256) if byte not in _ALWAYS)
_SOMETIMES: Final = tuple(
    re.compile(expression)
    for expression in (
        rb"\xe1[\x80-\xb7]",
        rb"\xe2[\x81\x83\xb3\xb5\xb7]",
        rb"\xe2\x80[\x8b-\x8f\xa8-\xae]",
        rb"\xe3\x80[\xaa-\xad]",
        rb"\xe3\x82[\x99\x9a]",
        rb"\xe3\x85\xa4",
        rb"\xea[\x99-\xaf]",
        rb"\xed[\x9e\x9f]",
        rb"\xef[\xac\xb8\xbb\xbe\xbf]",
        rb"\xf0[\x90-\x9e]",
    )
)
_CONTINUES: Final = re.compile(rb"[\x80-\xbf]")  # a character whose first bytes came before


def may_join(output: bytes) -> bool:
    """Whether there may be a character of no width in this, or the last bytes of one."""
    if output.isascii():
        return False
    return bool(
        _CONTINUES.match(output)
        or output.translate(None, _REST)
        or any(expression.search(output) for expression in _SOMETIMES)
    )
