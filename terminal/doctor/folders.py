"""The folders where things are kept: whether they can be written, how much room there is, on which machine they are.

Nothing is made: for a folder that does not exist, the nearest existing one above it is checked.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from nhlog.cache import cache_folder
from nhlog.config import Config, config_path, own_folder
from nhlog.files.events import is_remote
from terminal.doctor.finding import Finding, Health
from terminal.text.words import size

__all__ = ["check_folders", "check_mounts", "check_space", "judge_space", "nearest"]

_LITTLE: Final = 500_000_000  # bytes: room for some dozens of games, of 1 to 10 MB each, and their recordings
_NONE: Final = 10_000_000  # bytes: less than one long game takes
_FEW: Final = 1000  # files


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
            why = "cannot be written to" if place.is_dir() else "is not a folder"
            remedy = f"let your user write to it (ls -ld {place}), or choose another in config.toml or with XDG_*_HOME"
            yield Finding(f"folder: {name}", without, f"{place} {why}", remedy)


def check_space(config: Config, *, own: bool = True) -> Iterator[Finding]:
    """How much can still be written where games and recordings go: one finding for each file system.

    The folders of who asks are left out if they are not its `own` that count.
    """
    mine = {"games": config.games, "data": own_folder()} if own else {}
    folders = {**mine, "finished": config.finished, "players": config.players}
    seen = set()
    for name, folder in folders.items():
        if folder is None:
            continue
        place = nearest(folder)
        device = place.stat().st_dev
        if device not in seen:
            seen.add(device)
            disk = os.statvfs(place)
            files = disk.f_favail if disk.f_files else None  # some file systems have no limit of files
            yield judge_space(name, place, disk.f_bavail * disk.f_frsize, files)


def judge_space(name: str, folder: Path, free: int, files: int | None) -> Finding:
    """What it means that so many bytes, and so many files, can still be written in the folder."""
    found = f"{size(free)} free in {folder}"
    if files is not None and files < _FEW:
        found += f", room for {files} more files"
    remedy = "delete what you no longer need; `nhlog tidy --pack-after 7d` compresses old recordings"
    if free < _NONE or files == 0:
        return Finding(f"disk: {name}", Health.BROKEN, f"{found}: too little for a game", remedy)
    if free < _LITTLE or (files is not None and files < _FEW):
        return Finding(f"disk: {name}", Health.LIMITED, f"{found}: room for a few games only", remedy)
    return Finding(f"disk: {name}", Health.OK, found)


def check_mounts(config: Config) -> Finding:
    """Whether what is played, watched and listed is on this machine."""
    folders = {config.games, *config.recordings, *filter(None, (config.finished, config.players))}
    remote = sorted(str(folder) for folder in folders if is_remote(os.fspath(folder)))
    if not remote:
        return Finding("network mounts", Health.OK, "none: all folders are on this machine")
    return Finding(
        "network mounts",
        Health.LIMITED,
        f"on another machine: {', '.join(remote)}; nhlog looks for changes once a second, and signals do not reach it",
        "play on the machine that has the files, or set a local folder in config.toml: games = FOLDER",
    )
