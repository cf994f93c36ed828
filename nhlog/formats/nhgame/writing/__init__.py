"""Writing logs from other logs.

Must not import other formats, `session` or `terminal`.
"""
