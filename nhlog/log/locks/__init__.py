"""The locks of this process on its logs: the handshake with other processes, its signals, and who holds a lock.

Knows descriptors and processes, not the content of a log: must not import anything else of `nhlog.log`.
"""
