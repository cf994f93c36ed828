"""Game engines: the protocol of a game that can be played through a log, and the installed engines.

The state of a game is a function of its save and the user's answers: an engine knows no log, no clock and no terminal,
and keeps its random state in the save.  Engines are found by entry points of the group `nhlog.engines`, whose name is
the engine's id; the first four letters of the id are the signature of its saves.  Must not import `session`, `formats`
or `terminal`.
"""

from typing import TYPE_CHECKING

from nhlog import plugins
from nhlog.errors import Unsupported
from nhlog.log.locks.signals import block
from nhlog.savehead import parse_save_head, signature_of

if TYPE_CHECKING:
    from nhlog.engines.protocol import Engine

__all__ = ["engine_named", "engine_of_save", "engines", "lacking"]

block()  # before an engine's libraries start threads of their own: a request to let go of a log would kill them


def engines() -> tuple[str, ...]:
    """The ids of all installed engines; imports none of them."""
    return tuple(plugins.plugins(plugins.ENGINES))


def engine_named(name: str) -> "Engine":
    """Load the engine with this id.

    Raises :class:`Unsupported` if there is none, :class:`~nhlog.plugins.PluginFailed` if it cannot be loaded.
    """
    if name not in engines():
        raise Unsupported(f"no engine for {name}: its games can be watched, not played", expected=" ".join(engines()))
    engine: Engine = plugins.load(plugins.ENGINES, name)
    return engine


def lacking(name: str) -> str:
    """What is missing for playing the games of the engine with this id here, in words; empty if nothing is.

    Raises as :func:`engine_named`.
    """
    from nhlog.engines.protocol import MayLack

    engine = engine_named(name)
    return engine.lacking if isinstance(engine, MayLack) else ""


def engine_of_save(save: bytes) -> str | None:
    """The id of the engine that wrote `save`, by the signature; None if no installed engine has it."""
    head = parse_save_head(save)
    if head is None:
        return None
    return next((name for name in engines() if signature_of(name) == head.signature), None)
