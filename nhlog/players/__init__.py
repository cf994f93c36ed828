"""The players of a server: what they may be called, the folder that each has, how much it holds, and the keys; who is
there, who may not come, and what administrators did.

One Unix account is all of theirs, so whose a file is tells the folder it lies in, not its owner.  Each name is imported
from its module when it is first used: `nhlog.accounts.offered` needs the keys, and is waited for.  Must not import
`terminal`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nhlog.players.folders import PlayerFolder, Players
    from nhlog.players.keyfile import KeyFile
    from nhlog.players.names import MOST_LETTERS, checked_name, is_name
    from nhlog.players.quota import OverQuota, Quota, check_quota

__all__ = [
    "MOST_LETTERS",
    "KeyFile",
    "OverQuota",
    "PlayerFolder",
    "Players",
    "Quota",
    "check_quota",
    "checked_name",
    "is_name",
]

_HOMES = {
    "folders": ("PlayerFolder", "Players"),
    "keyfile": ("KeyFile",),
    "names": ("MOST_LETTERS", "checked_name", "is_name"),
    "quota": ("OverQuota", "Quota", "check_quota"),
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """One of the names above."""
        from importlib import import_module

        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{home}"), name)
