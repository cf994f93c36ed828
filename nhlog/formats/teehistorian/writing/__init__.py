"""Writing recordings: `writer` makes bytes of messages; `convert` writes an excerpt, without names, packed otherwise.

Must not import `operations`.
"""
