"""Recordings as they are made: recording, the ring, compaction, conversion, recovery, changed metadata.

Whatever replaces a file is read back first.  Must not import the modules above this folder, but for `state`.
"""
