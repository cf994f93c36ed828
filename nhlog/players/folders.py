"""The folders of players: `<players>/NAME/`, with a part for each thing that is kept of a player.

    games/       logs of games: delve's, NetHack 4's
    recordings/  what programs showed
    home/        HOME of programs: rc and save files; the only part that a program may write to
    folders/     the player's own copies of folders in which programs write (see `nhlog.recorder.walls`)
    logs/GAME/   logs that the program GAME writes itself
    apart/GAME/  home and folders of the program GAME, if it shares none with others
    brought/GAME/  games saved on another server, until the program GAME runs for the first time (`nhlog migrate`)
    settings/    what the player chose in the client
    running/     a socket and a lock for each program that runs: who comes back finds it there
    tickets/     what stands for the player in a browser (see `nhlog.players.tickets`)

All may read games, recordings and logs.  Programs write in each `home/` and in what lies in `folders/` and `logs/`
alone, so the other parts are what the client made them; what is in these three may be anything, links too.  Beside the
players' folders `bones/` has what dead heroes of all of them left.
"""

import os
import stat
from contextlib import suppress
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
    """The folder of the player `name`, as the program `apart` has it that shares no files with others."""

    name: str
    path: Path
    apart: str = ""

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
        return (self.path / "apart" / self.apart if self.apart else self.path) / "home"

    def brought(self, program: str) -> Path:
        """The folder of what was saved on another server and the program has not been given yet."""
        return self.path / "brought" / program

    @property
    def logs(self) -> Path:
        """The folder that has one for each program of the player's that writes its own logs."""
        return self.path / "logs"

    @property
    def log_folders(self) -> list[Path]:
        """Those that are there."""
        try:
            with os.scandir(self.logs) as entries:
                return sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:  # none was made
            return []

    def log_folder(self, program: str) -> Path:
        """The folder of the logs that this program writes, which is made if it is not there, whatever the umask is."""
        place = self.logs / program
        with suppress(FileExistsError):
            place.mkdir()
            place.chmod(_SEEN)
        return place

    def program_of(self, file: str | os.PathLike[str]) -> str | None:
        """The name of the program that wrote the log with this path; None for any other file."""
        place = Path(os.path.abspath(file)).parent
        return place.name if place.parent == Path(os.path.abspath(self.logs)) else None

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
            *((place, _OWN) for place in reversed(self.home.parents) if place != self.path and self.has(place)),
            (self.games, _SEEN),
            (self.recordings, _SEEN),
            (self.logs, _SEEN),
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
        return [part for folder in self.all for part in (folder.games, folder.recordings, *folder.log_folders)]

    def owner(self, file: str | os.PathLike[str]) -> str | None:
        """The name of the player whose folder the file with this path is in; None if it is in none."""
        place = Path(os.path.abspath(file))
        above = Path(os.path.abspath(self.path))
        if not place.is_relative_to(above):
            return None
        parts = place.relative_to(above).parts
        return parts[0] if len(parts) > 1 and is_name(parts[0]) else None
