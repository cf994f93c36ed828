"""Numbers in as few bytes as possible: seven bits in each, the lowest first, and one that tells whether more follow.

Also called VarInt, or unsigned LEB128.
"""

__all__ = ["write_leb128"]


def write_leb128(value: int) -> bytes:
    """The bytes of a number that is not negative."""
    if value < 0x80:
        return bytes((value,))
    parts = bytearray()
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
