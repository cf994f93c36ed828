"""The options that a player keeps in a file of their own, as NetHack's `.nethackrc`: they go into each new game."""

import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from nhlog.engines import engine_named
from nhlog.engines.protocol import ReadsOwnOptions
from nhlog.errors import in_short
from nhlog.files import read_whole
from nhlog.players import PlayerFolder
from nhlog.values import dataclass

__all__ = ["OwnOptions", "own_options"]

LARGEST: Final = 1 << 16  # bytes of such a file


@dataclass(frozen=True, slots=True)
class OwnOptions:
    """What a player keeps: the `text` of the options, the `hero` that they tell of, by fields of `NewGame`, and what
    is `said` of those that are left out.
    """

    text: str = ""
    hero: Mapping[str, str] = field(default_factory=dict)
    said: str = ""


def own_options(game: str, folder: PlayerFolder | None = None) -> OwnOptions:
    """The player's own options for games of the engine `game`: of the user, or of a named player with this folder.

    Raises :class:`~nhlog.errors.NhlogError` for a file that is there and cannot be read.
    """
    engine = engine_named(game)
    if not isinstance(engine, ReadsOwnOptions):
        return OwnOptions()
    path = (Path.home() if folder is None else folder.home) / engine.options_file
    more = os.environ.get(engine.options_variable, "") if folder is None else ""
    if folder is not None:
        folder.check_in_home(path)
    if more.startswith(("@", "/")):
        path, more = Path(more.removeprefix("@")).expanduser(), ""
    text = read_whole(str(path), LARGEST).decode("latin-1") if path.is_file() else ""
    found, added = engine.read_own_options(text), engine.read_own_options(f"OPTIONS={more}" if more else "")
    faults = [f"{path.name} {fault}" for fault in found.faults]
    faults += [f"{engine.options_variable}: {fault.partition(': ')[2]}" for fault in added.faults]
    whole = f"{text}\nOPTIONS={more}\n" if more else text
    said = f"left out: {in_short(faults[0], len(faults))}" if faults else ""
    return OwnOptions(whole, {**found.hero, **added.hero}, said)
