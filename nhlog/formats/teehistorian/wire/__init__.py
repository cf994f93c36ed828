"""Bytes to values and back: variable integers, the header, messages, EX messages, game messages.

Nothing here opens a file or knows a tick; must not import what does.
"""
