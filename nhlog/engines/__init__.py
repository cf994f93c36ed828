"""Games that can be played through a log: what one has to offer, and which there are.

An engine is a function of its save and of what a person answered: it knows no log, no clock and no terminal, and has
its randomness in the save.  Each is found by an entry point of the group `nhlog.engines`, whose name is the engine's
id; the first four letters of the id are the signature of its saves.  Must not import `session`, `formats` or
`terminal`.
"""

from typing import TYPE_CHECKING

from nhlog import plugins
from nhlog.errors import Unsupported
from nhlog.log.locks.signals import block
from nhlog.savehead import parse_save_head, signature_of

if TYPE_CHECKING:
    from nhlog.engines.protocol import Engine

__all__ = ["engine_named", "engine_of_save", "engines"]

block()  # before an engine's libraries start threads of their own: a request to let go of a log would kill them


def engines() -> tuple[str, ...]:
    """The ids of all engines that are installed; none of them is imported."""
    return tuple(plugins.plugins(plugins.ENGINES))


def engine_named(name: str) -> "Engine":
    """The engine of this id.

    Raises :class:`Unsupported` where there is none, :class:`~nhlog.plugins.PluginFailed` for one that cannot be loaded.
    """
    if name not in engines():
        raise Unsupported(f"no engine for {name}: its games can be watched, not played", expected=" ".join(engines()))
    engine: Engine = plugins.load(plugins.ENGINES, name)
    return engine


def engine_of_save(save: bytes) -> str | None:
    """The id of the engine whose save begins so, by its signature; None for a save of no engine that is installed."""
    head = parse_save_head(save)
    if head is None:
        return None
    return next((name for name in engines() if signature_of(name) == head.signature), None)
