"""Writing of recordings: chunks, compaction, conversion, cutting, changes of metadata.

A new file is read back before it replaces another one.  Must not import `recording`, nor the modules beside this
folder, except `state`.
"""
