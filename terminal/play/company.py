"""Who else is on the game: several people can play one game and watch it, each with a process that has its log open."""

import os
from typing import Final

from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder, Role, processes_on, role_of
from terminal.replay.rewind_offer import called

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
        """What another player did last; if nothing, who is there."""
        return self.did or self._here

    def look(self, now: float) -> bool:
        """Look who is there, once a second, and return whether it was time to; `now` is in seconds."""
        if now - self._looked < LOOK_AGAIN:
            return False
        self._looked = now
        roles = self._roles()
        playing = " and ".join(_names(roles[Role.PLAYS]))
        counts = ((len(roles[Role.WATCHES]), "watching"), (len(roles[None]), "more here"))
        self.watched = bool(roles[Role.WATCHES] or roles[None])
        told = [f"with {playing}"] if playing else []
        self._here = ", ".join([*told, *(f"{count} {doing}" for count, doing in counts if count)])
        return True

    def players(self) -> list[Holder]:
        """The other processes that play the game now, or of which the system does not say whether they do."""
        roles = self._roles()
        return [*roles[Role.PLAYS], *roles[None]]

    def names(self) -> str:
        """The names of the other players, for a message about one of them; "somebody" if none was found."""
        return " or ".join(_names(self._roles()[Role.PLAYS])) or "somebody"

    def note(self, doing: str) -> None:
        """Remember what another player did, in words; nothing if it has none."""
        self.did = f"{self.names()}: {doing}" if doing else self.did

    def _roles(self) -> dict[Role | None, list[Holder]]:
        """The other processes by their role; by None those whose role could not be found out."""
        status = self._file.status()
        found: dict[Role | None, list[Holder]] = {Role.PLAYS: [], Role.WATCHES: [], None: []}
        for process in processes_on(self._file.identity):
            if process.pid != os.getpid():
                found[role_of(process, status)].append(process)
        return found


def _names(players: list[Holder]) -> list[str]:
    """The names of players, in the same order for each of them; a user's once."""
    users = {player.user: player.user_name for player in players}
    return [called(user) for user, _ in sorted(users.items(), key=lambda one: one[1])]
