"""Who is in the lobby: which games are theirs, whether and as whom they play, and where their programs write."""

from pathlib import Path
from typing import Final, Protocol

from nhlog.config import own_folder
from nhlog.files.processes import user_name
from nhlog.players import PlayerFolder
from terminal.play.new_game import default_name

__all__ = ["PlayerVisitor", "Spectator", "User", "Visitor"]

_ROOT: Final = 0  # who looks after everybody's games


class Visitor(Protocol):
    """Somebody in the lobby; `hero` is the name of all their heroes, None if they are asked for it."""

    @property
    def hero(self) -> str | None:
        """The name of all their heroes; None if they are asked each time."""
        ...

    @property
    def plays(self) -> bool:
        """Whether they may start games."""
        ...

    @property
    def writes_as(self) -> str | None:
        """The name under which they write to players; None if they may not write."""
        ...

    def owns(self, file: str, owner: int) -> bool:
        """Whether the game is theirs, which has this path and a file of the user with this id."""
        ...

    def puts_away(self, file: str, owner: int) -> bool:
        """Whether the lobby puts such a game away for them when it is over."""
        ...

    @property
    def folder(self) -> PlayerFolder | None:
        """The folder of the programs that they play; None if they play none."""
        ...

    def recordings(self, games: Path) -> Path:
        """The folder for recordings of these programs; `games` is the folder of games."""
        ...


class User:
    """A user of the system, who has the files that they own."""

    hero = None
    plays = True

    def __init__(self, user: int) -> None:
        self._user = user

    @property
    def writes_as(self) -> str:
        """The user's name."""
        return user_name(self._user)

    def owns(self, file: str, owner: int) -> bool:
        """Whether the file is the user's."""
        return owner == self._user

    def puts_away(self, file: str, owner: int) -> bool:
        """Their own; root everybody's."""
        return self._user in (_ROOT, owner)

    @property
    def folder(self) -> PlayerFolder:
        """Among the user's own data."""
        return PlayerFolder(default_name(), own_folder())

    def recordings(self, games: Path) -> Path:
        """The folder of games, where others see what the user plays."""
        return games


class PlayerVisitor:
    """A player of a server, who has the files in their folder; one account owns the files of all players."""

    plays = True

    def __init__(self, folder: PlayerFolder) -> None:
        self.folder = folder

    @property
    def hero(self) -> str:
        """The player's name: heroes of other names would be taken for other players."""
        return self.folder.name

    @property
    def writes_as(self) -> str:
        """The player's name."""
        return self.folder.name

    def owns(self, file: str, owner: int) -> bool:
        """Whether the file is in the player's folder."""
        return self.folder.has(file)

    def puts_away(self, file: str, owner: int) -> bool:
        """Likewise."""
        return self.folder.has(file)

    def recordings(self, games: Path) -> Path:
        """A part of the player's folder."""
        return self.folder.recordings


class Spectator:
    """Somebody who watches, and plays nothing."""

    hero = None
    plays = False
    folder = None
    writes_as = None  # nobody knows who it is

    def owns(self, file: str, owner: int) -> bool:
        """Nothing is theirs."""
        return False

    def puts_away(self, file: str, owner: int) -> bool:
        """Nothing."""
        return False

    def recordings(self, games: Path) -> Path:
        """There are none."""
        return games
