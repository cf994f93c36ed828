"""Writing of datafiles: `writer` encodes one from items and data, `convert` writes a file in another version.

Must not import `operations` or `replay`.
"""
