"""The folders where things are kept: whether they can be written, and on which machine they are.

Nothing is made: of a folder that is not there, the one counts in which it would be made.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from nhlog.cache import cache_folder
from nhlog.config import Config, config_path, own_folder
from nhlog.files.events import is_remote
from terminal.doctor.finding import Finding, Health

__all__ = ["check_folders", "check_mounts", "nearest"]


def nearest(folder: Path) -> Path:
    """The folder, or the first one above it that is there."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def check_folders(config: Config) -> Iterator[Finding]:
    """Whether games, settings and what is kept for later can be written."""
    places = {
        "games": (config.games, Health.BROKEN),
        "data": (own_folder(), Health.BROKEN),
        "settings": (config_path().parent, Health.LIMITED),
        "cache": (Path(cache_folder()), Health.LIMITED),
    }
    if config.finished is not None:
        places["finished"] = (config.finished, Health.BROKEN)
    for name, (folder, without) in places.items():
        place = nearest(folder)
        if place.is_dir() and os.access(place, os.W_OK | os.X_OK):
            yield Finding(f"folder: {name}", Health.OK, str(folder))
        else:
            why = "cannot be written" if place.is_dir() else "is no folder"
            remedy = f"let your user write it (ls -ld {place}), or name another one in config.toml or by XDG_*_HOME"
            yield Finding(f"folder: {name}", without, f"{place} {why}", remedy)


def check_mounts(config: Config) -> Finding:
    """Whether what is played, watched and listed is on this machine."""
    folders = {config.games, *config.recordings, *filter(None, (config.finished, config.players))}
    remote = sorted(str(folder) for folder in folders if is_remote(os.fspath(folder)))
    if not remote:
        return Finding("network mounts", Health.OK, "none of the folders is on one")
    return Finding(
        "network mounts",
        Health.LIMITED,
        f"on another machine: {', '.join(remote)}; changes are seen once a second, signals do not get there",
        "play on the machine where the files are, or name a local folder in config.toml: games = FOLDER",
    )
