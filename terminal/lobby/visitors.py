"""Who is in the lobby: which of the games there are theirs, whether they may begin one, and what heroes they play."""

from typing import Final, Protocol

from nhlog.players import PlayerFolder

__all__ = ["PlayerVisitor", "Spectator", "User", "Visitor"]

_ROOT: Final = 0  # who looks after everybody's games


class Visitor(Protocol):
    """Somebody in the lobby; `hero` is what all their heroes are called, None for who is asked."""

    @property
    def hero(self) -> str | None:
        """What all their heroes are called; None for who is asked each time."""

    @property
    def plays(self) -> bool:
        """Whether they may begin games."""

    def owns(self, file: str, owner: int) -> bool:
        """Whether the game is theirs, which has this path and a file of the user with this id."""

    def puts_away(self, file: str, owner: int) -> bool:
        """Whether they put such a game away when it is over."""


class User:
    """A user of the system: theirs are the files that the system says are."""

    hero = None
    plays = True

    def __init__(self, user: int) -> None:
        self._user = user

    def owns(self, file: str, owner: int) -> bool:
        """Whether the file is the user's."""
        return owner == self._user

    def puts_away(self, file: str, owner: int) -> bool:
        """Their own; root everybody's."""
        return self._user in (_ROOT, owner)


class PlayerVisitor:
    """A player of a server: theirs is what is in their folder, as one account owns the files of all."""

    plays = True

    def __init__(self, folder: PlayerFolder) -> None:
        self.folder = folder

    @property
    def hero(self) -> str:
        """The player's name: heroes of other names would be taken for other players."""
        return self.folder.name

    def owns(self, file: str, owner: int) -> bool:
        """Whether the file is in the player's folder."""
        return self.folder.has(file)

    def puts_away(self, file: str, owner: int) -> bool:
        """Likewise."""
        return self.folder.has(file)


class Spectator:
    """Somebody who watches, and plays nothing."""

    hero = None
    plays = False

    def owns(self, file: str, owner: int) -> bool:
        """Nothing is theirs."""
        return False

    def puts_away(self, file: str, owner: int) -> bool:
        """Nothing."""
        return False
