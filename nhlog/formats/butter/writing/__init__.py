"""Session files written: conversions, excerpts, and the differences between two recordings.

Must not import the package's `operations`, which calls it.
"""
