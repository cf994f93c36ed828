"""NetHack 4.3 log files: reading, following, appending, recovering, and notification of changes.

`log.Log` is an open log, `file.LogFile` its file, `append.Writer` writes to it, `recovery` removes lines from its end,
`notify.Changes` reports changes, `verify` checks the format's rules.  `wire` has the bytes, `locks` the locks,
`reading` the rules of who reads without one, `kept` what is in the user's cache.

What may be chosen for a log stands here, so that settings are read without all that writes and watches logs.

Knows bytes, lines and saves as opaque bytes; must not import what shows or interprets them (`replay`, `nethack4`,
`formats`, `session`, `engines`, `terminal`).
"""

from enum import Enum, StrEnum

__all__ = ["Durability", "NotifyMethod"]


class Durability(Enum):
    """When to flush to disk, and so what a power failure can lose.

    ``NONE``: never, as NetHack 4 does; the system writes within half a minute or so.  ``SAVES``: after each save line,
    one flush per turn; a power failure loses the current turn.  ``LINES``: after each line, some milliseconds each on
    common disks; a power failure loses nothing that was answered.
    """

    NONE = "none"
    SAVES = "saves"
    LINES = "lines"


class NotifyMethod(StrEnum):
    """A method of notification of changes to a log (see :mod:`nhlog.log.notify`)."""

    MONITOR = "monitor"
    EVENTS = "events"
    POLLING = "polling"

    @classmethod
    def _missing_(cls, value: object) -> "NotifyMethod | None":
        return {"lock monitor": cls.MONITOR, "file events": cls.EVENTS}.get(str(value))  # as files of settings said
