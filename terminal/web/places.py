"""Where the recordings are that a server shows: what its command line names, or what the lobby lists."""

import os

from nhlog.config import Config
from nhlog.errors import Usage
from nhlog.formats import is_recording
from terminal.web.processes.lister import Places

__all__ = ["places_of"]


def places_of(names: tuple[str, ...], config: Config) -> Places:
    """The folders and files of these names, without any those that the configuration names.

    Raises :class:`Usage` for anything that is neither a folder nor a recording.
    """
    if not names:
        return _configured(config)
    folders, files = [], []
    for name in map(os.path.abspath, names):
        if is_recording(name):
            files.append(name)
        elif os.path.isdir(name):
            folders.append(name)
        else:
            raise Usage(
                "no such file or directory" if not os.path.lexists(name) else "neither a folder nor a recording",
                file=name,
            )
    return Places(folders, files, ended=folders)


def _configured(config: Config) -> Places:
    players = None if config.players is None else os.path.abspath(config.players)
    ended = os.path.abspath(config.finished or config.games)
    return Places([os.path.abspath(folder) for folder in config.folders], [], players, [ended])
