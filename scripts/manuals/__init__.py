"""The manual of the `nhlog` command, made from the command itself: man pages, and pages of the documents' site.

`verbs` reads the command, `tables` the documents, `roff` and `markdown` write.
"""
