"""Session files opened for reading.

`source.open_source` gives random access to the chunks of a file, `stream.open_stream` all frames in order.
Must not import `writing`.
"""
