"""Terminal recordings in asciicast v2 for nhlog: plain lines of text, no terminal emulation."""

from nhlog import Format

FORMAT = Format(
    id="minicast",
    name="terminal recording",
    operations="minicast.operations",
    endings=(".minicast",),
    magic=(b'{"version": 2',),
)
