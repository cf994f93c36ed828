"""Recordings as they lie in files, folders and at addresses: where bytes come from, chunks by number, states by tick.

Only byte ranges are ever read, and nothing is written.  Must not import `writing` or the modules above this folder,
but for `state` and `words`.
"""
