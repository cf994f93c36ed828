"""The client: everything a person touches.

Only `console` talks to blessed, only what defines a command imports click; nothing in `nhlog` knows of this package.
"""
