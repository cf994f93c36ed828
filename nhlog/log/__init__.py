"""The NetHack 4.3 log file: header, lines, payloads, locks, recovery, index.

Knows bytes, lines and saves as opaque bytes; must not import what shows or interprets them
(`replay`, `nethack4`, `formats`, `session`, `engines`, `terminal`).
"""
