"""Files and bytes that are others than before: of which one byte is another, which is the smallest damage there is."""

import os
from pathlib import Path

__all__ = ["flipped", "put", "replaced"]


def flipped(data: bytes, at: int, bits: int = 1) -> bytes:
    """The same with these bits of one byte the other way round."""
    return replaced(data, at, data[at] ^ bits)


def replaced(data: bytes, at: int, byte: int) -> bytes:
    """The same with another byte there."""
    return data[:at] + bytes((byte,)) + data[at + 1 :]


def put(path: Path, data: bytes) -> None:
    """Give a file other bytes in place, at another time."""
    status = path.stat()
    with path.open("r+b") as file:
        file.truncate(len(data))
        file.write(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
