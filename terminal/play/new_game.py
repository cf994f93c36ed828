"""Starting a new game: its options, and the file of its log."""

import getpass
import os
import random
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame, heroes
from nhlog.errors import Usage
from nhlog.log.wire.header import MODES

__all__ = ["DEFAULT_GAME", "begin", "default_name", "new_file", "random_options"]

DEFAULT_GAME: Final = "delve"  # the id of the engine of a new game, where nobody chose another
LONGEST_NAME: Final = 31  # bytes of a player's name, in the log (log spec section 13) and in a file's name
WORLDS: Final = 1 << 32  # seeds to choose from when none is asked for
_HERO: Final = ("role", "race", "gender", "alignment")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9-]+")


def random_options(
    game: str, name: str, wanted: Mapping[str, str], mode: int = 0, seed: int | None = None, own_options: str = ""
) -> NewGame:
    """The options of a new game of the engine `game`, of a hero at random.

    Of the hero's role, race, gender and alignment those are taken that are `wanted`; what does not go together with
    something before it is passed over.  A game of the usual `mode` in the world of a chosen seed says so in its log.
    """
    engine = engine_named(game)
    found = [(role, *hero) for role in engine.roles for hero in heroes(engine, role)]
    for field, word in wanted.items():
        if field in _HERO:
            at = _HERO.index(field)
            found = [hero for hero in found if hero[at] == word] or found
    role = random.choice(list(dict.fromkeys(role for role, *_ in found)))
    _, race, gender, alignment = random.choice([hero for hero in found if hero[0] == role])
    if seed is None:
        seed = random.randrange(WORLDS)
    elif mode == MODES.index("normal"):
        mode = MODES.index("set seed")
    return NewGame(name, role, race, gender, alignment, mode, seed, own_options=own_options)


def begin(game: str, options: NewGame, config: Config, path: str | None = None) -> str:
    """Start a new game of the engine `game` in the file `path`, or in a new file in the folder of games.

    Returns the path.  Raises :class:`Usage` for a name that does not fit the log's header, :class:`Unsupported` if the
    engine is not installed, and :class:`NhlogError` if the file cannot be written.
    """
    from nhlog.session import new_game  # which who only looks at the lobby does not need

    _check_name(options.name)
    path = path or new_file(config.games, options.name)
    new_game(path, engine_named(game), options, config.durability).log.source.close()
    return path


def _check_name(name: str) -> None:
    """Raise :class:`Usage` for a name that does not fit the log's header."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        raise Usage("a name has to be UTF-8", found=ascii(name)) from None
    if not 0 < size <= LONGEST_NAME:
        raise Usage("no such name", expected=f"1 to {LONGEST_NAME} bytes", found=f"{size} bytes")


def default_name() -> str:
    """The user's login name, the default name of a hero."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the system does not know them
        return f"user{os.getuid()}"


def new_file(folder: Path, name: str) -> str:
    """A path in `folder` that does not exist, made of the player's name and the date; creates the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    safe = _UNSAFE.sub("_", name)[:LONGEST_NAME].strip("_") or "nobody"
    day = time.strftime("%Y-%m-%d")
    count = 1
    while os.path.lexists(path := folder / f"{safe}-{day}-{count}.nhgame"):
        count += 1
    return str(path)
