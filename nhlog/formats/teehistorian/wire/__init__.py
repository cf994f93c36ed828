"""Decoding and encoding of variable integers, the header, messages, EX messages, game messages.

No I/O, and no ticks, which `reading` computes; must not import anything that does either.
"""
