"""Open session files and what is found in them.

`source.open_source` gives a file's frames by chunk, `stream.open_stream` all of them one after the other.
Must not import `writing`.
"""
