"""Writing datafiles: `writer` makes the bytes of one of items and data, `convert` writes a file in another version.

Must not import `operations` or `replay`.
"""
