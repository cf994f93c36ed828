"""Encoding and decoding of primitives, NBT, events, header, index, preamble, chunks, zstd frames.

No I/O.  Must not import `reading`, `writing` or anything else of this format.
"""
