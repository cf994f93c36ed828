"""Who else plays the game: several people can sit at one game, each with a process that has its log open."""

import os
from typing import Final

from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder, processes_on, writes

__all__ = ["TAKE_OVER", "Company"]

TAKE_OVER: Final = "ctrl-t"
"""The key that answers a question which the game asked another player."""


class Company:
    """The other players of the game in `file`; `did` is what they did last, empty after we did something."""

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self.did = ""

    def players(self) -> list[Holder]:
        """The other processes that play the game now, as far as the system tells."""
        status = self._file.status()
        others = (process for process in processes_on(self._file.identity) if process.pid != os.getpid())
        return [process for process in others if writes(process, status)]

    def names(self) -> str:
        """What messages call the other players; "somebody" if none can be found any more."""
        users = {player.user: player.user_name for player in self.players()}
        own = "your other terminal"
        return " and ".join(own if user == os.getuid() else name for user, name in users.items()) or "somebody"

    def note(self, doing: str) -> None:
        """Remember what another player did, in words; nothing if it has none."""
        self.did = f"{self.names()}: {doing}" if doing else self.did
