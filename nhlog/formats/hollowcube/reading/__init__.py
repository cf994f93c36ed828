"""Reading of recordings in files, folders and at HTTP addresses: bytes by range, chunks by number, states by tick.

Writes nothing.  Must not import `writing` or the modules above this folder, except `state` and `words`.
"""
