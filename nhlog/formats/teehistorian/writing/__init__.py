"""Writing of recordings: `writer` encodes messages; `convert` writes an excerpt, anonymises, changes the compression.

Must not import `operations`.
"""
