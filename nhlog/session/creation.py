"""Creation of a game's log: header and first backup (log spec section 8.1)."""

import time
from collections.abc import Callable
from dataclasses import replace

from nhlog.engines import guarded
from nhlog.engines.protocol import Engine, NewGame
from nhlog.log import Durability
from nhlog.log.append import Writer, create_log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.header import Header, Identification
from nhlog.session.gamestate import Gamestate, utc_now

__all__ = ["first_header", "new_game"]

_SHORT = 3  # letters of a word of the header's third line


def new_game(
    path: str,
    engine: Engine,
    options: NewGame,
    durability: Durability = Durability.NONE,
    now: Callable[[], int] = utc_now,
) -> Writer:
    """Create the log of a new game in the file `path`, which must not exist; returns its writer.

    Raises, before there is a file, :class:`~nhlog.errors.Usage` for options that the engine does not have, and
    :class:`~nhlog.engines.guarded.EngineFailed` if the engine fails.
    """
    start = now()
    zone = time.localtime(start // 1_000_000).tm_gmtoff
    gamestate = Gamestate(engine, guarded.begin(engine, replace(options, start=start)), start, zone)
    save, _ = gamestate.checked()
    header = first_header(engine.version, replace(options, start=start), gamestate.game.state)
    return create_log(path, header, save, durability)


def first_header(version: str, options: NewGame, state: str) -> Header:
    """The header of the log of a game that begins with these options; `version` is that of its engine."""
    role, race, gender, alignment = (
        _short(word) for word in (options.role, options.race, options.gender, options.alignment)
    )
    return Header(
        identification=Identification("save", 1, version),
        state=state,
        start=options.start,
        unused=0,
        mode=options.mode,
        name=Blob.of(options.name.encode()),
        role=role,
        race=race,
        gender=gender,
        alignment=alignment,
        length=0,
    )


def _short(word: str) -> str:
    return word[:_SHORT]
