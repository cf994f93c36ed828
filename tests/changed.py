"""Bytes of which one is another: the smallest damage there is."""

__all__ = ["flipped", "replaced"]


def flipped(data: bytes, at: int, bits: int = 1) -> bytes:
    """The same with these bits of one byte the other way round."""
    return replaced(data, at, data[at] ^ bits)


def replaced(data: bytes, at: int, byte: int) -> bytes:
    """The same with another byte there."""
    return data[:at] + bytes((byte,)) + data[at + 1 :]
