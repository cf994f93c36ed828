"""The folders of players: `<players>/NAME/`, with a part for each thing that is kept of a player.

    games/       logs of games: delve's, NetHack 4's
    recordings/  what programs showed
    home/        HOME of programs: rc and save files; the only part that a program may write to
    folders/     the player's own copies of folders in which programs write (see `nhlog.recorder.walls`)
    settings/    what the player chose in the client
    running/     a socket and a lock for each program that runs: who comes back finds it there
    tickets/     what stands for the player in a browser (see `nhlog.players.tickets`)

All may read the first two.  Programs write in `home/` and in what lies in `folders/` alone, so the other parts are what
the client made them; what is in these two may be anything, links too.  Beside the players' folders `bones/` has what
dead heroes of all of them left.
"""

import os
import stat
from pathlib import Path
from typing import Final

from nhlog.errors import Usage
from nhlog.players.names import checked_name, is_name
from nhlog.values import dataclass

__all__ = ["PlayerFolder", "Players"]

_SEEN: Final = 0o755
_OWN: Final = 0o700


@dataclass(frozen=True, slots=True)
class PlayerFolder:
    """The folder of the player `name`."""

    name: str
    path: Path

    @property
    def games(self) -> Path:
        """The folder of the player's logs."""
        return self.path / "games"

    @property
    def recordings(self) -> Path:
        """The folder of the recordings of programs that the player ran."""
        return self.path / "recordings"

    @property
    def home(self) -> Path:
        """The folder in which programs write."""
        return self.path / "home"

    @property
    def settings(self) -> Path:
        """The folder of the player's options."""
        return self.path / "settings"

    @property
    def running(self) -> Path:
        """The folder of what the player's programs are found by while they run."""
        return self.path / "running"

    @property
    def tickets(self) -> Path:
        """The folder of what stands for the player in a browser."""
        return self.path / "tickets"

    def has(self, file: str | os.PathLike[str]) -> bool:
        """Whether this is the path of a file in the folder."""
        return Path(os.path.abspath(file)).is_relative_to(os.path.abspath(self.path))

    def check_in_home(self, path: Path) -> None:
        """Raise :class:`Usage` for a path that leads out of the home, by a link that a program left there."""
        if not path.resolve().is_relative_to(self.home.resolve()):
            raise Usage("it is outside of the player's folder", file=str(path))

    def make(self) -> None:
        """Make the folder and its parts, those that are not there, whatever the umask is."""
        for part, mode in (
            (self.path, _SEEN),
            (self.games, _SEEN),
            (self.recordings, _SEEN),
            (self.home, _OWN),
            (self.settings, _OWN),
            (self.running, _OWN),
            (self.tickets, _OWN),
        ):
            try:
                part.mkdir()
            except FileExistsError:
                if not stat.S_ISDIR(part.lstat().st_mode):
                    raise Usage("not a folder", file=str(part)) from None
            else:
                part.chmod(mode)


@dataclass(frozen=True, slots=True)
class Players:
    """The folder `path` of the players' folders."""

    path: Path

    def folder(self, name: str) -> PlayerFolder:
        """The folder of this player, which may not be there yet; raises :class:`Usage` for a name that is none."""
        return PlayerFolder(checked_name(name), self.path / name)

    @property
    def all(self) -> list[PlayerFolder]:
        """The folders that are there, by name; anything else is passed over."""
        try:
            with os.scandir(self.path) as entries:
                names = [entry.name for entry in entries if is_name(entry.name) and entry.is_dir(follow_symlinks=False)]
        except FileNotFoundError:
            return []
        return [self.folder(name) for name in sorted(names, key=str.casefold)]

    @property
    def shown(self) -> list[Path]:
        """The folders with games and recordings that all may read."""
        return [part for folder in self.all for part in (folder.games, folder.recordings)]

    def owner(self, file: str | os.PathLike[str]) -> str | None:
        """The name of the player whose folder the file with this path is in; None if it is in none."""
        place = Path(os.path.abspath(file))
        above = Path(os.path.abspath(self.path))
        if not place.is_relative_to(above):
            return None
        parts = place.relative_to(above).parts
        return parts[0] if len(parts) > 1 and is_name(parts[0]) else None
