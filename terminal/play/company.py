"""Who else is on the game: several people can play one game and watch it, each with a process that has its log open."""

import os
from typing import Final

from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder, processes_on, writes

__all__ = ["Company"]

LOOK_AGAIN: Final = 1.0  # seconds between two looks at who is there


class Company:
    """The other players of the game in `file`, and its spectators.

    `did` is what another player did last, empty after we did something; `watched` is whether somebody watches.
    """

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self._looked = -LOOK_AGAIN
        self._here = ""
        self.did = ""
        self.watched = False

    @property
    def words(self) -> str:
        """What another player did last, else who is there."""
        return self.did or self._here

    def look(self, now: float) -> bool:
        """Look who is there, once a second, and return whether it was time to; `now` is in seconds."""
        if now - self._looked < LOOK_AGAIN:
            return False
        self._looked = now
        others = self._others()
        players = self._playing(others)
        watching = len(others) - len(players)
        here = [f"with {self._named(players)}"] if players else []
        self.watched = watching > 0
        self._here = ", ".join([*here, f"{watching} watching"] if watching else here)
        return True

    def players(self) -> list[Holder]:
        """The other processes that play the game now, as far as the system tells."""
        return self._playing(self._others())

    def names(self) -> str:
        """What messages call the other players; "somebody" if none can be found any more."""
        return self._named(self.players()) or "somebody"

    def note(self, doing: str) -> None:
        """Remember what another player did, in words; nothing if it has none."""
        self.did = f"{self.names()}: {doing}" if doing else self.did

    def _others(self) -> list[Holder]:
        return [process for process in processes_on(self._file.identity) if process.pid != os.getpid()]

    def _playing(self, processes: list[Holder]) -> list[Holder]:
        status = self._file.status()
        return [process for process in processes if writes(process, status)]

    def _named(self, players: list[Holder]) -> str:
        users = {player.user: player.user_name for player in players}
        own = "your other terminal"
        return " and ".join(own if user == os.getuid() else name for user, name in users.items())
