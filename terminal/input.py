"""What a verb reads whole: small files, or what comes through a pipe.  Logs are opened by `nhlog.log` alone."""

import sys
from collections.abc import Sequence

from nhlog.errors import NhlogError, Usage

__all__ = ["read_files"]


def read_files(names: Sequence[str], most: int) -> list[bytes]:
    """The bytes of each file, ``-`` being standard input; raises if one has more than `most`."""
    if names.count("-") > 1:
        raise Usage("standard input can be read only once")
    return [_read(name, most) for name in names]


def _read(name: str, most: int) -> bytes:
    if name == "-":
        data = sys.stdin.buffer.read(most + 1)
    else:
        with open(name, "rb") as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise NhlogError("file is too large", file=name, expected=f"at most {most} bytes")
    return data
