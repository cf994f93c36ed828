"""Writing of session files: conversions and excerpts; also the differences between two recordings.

Must not import the package's `operations`, which calls it.
"""
