"""Games that can be played through a log: what one has to offer, and which there are.

An engine is a function of its save and of what a person answered: it knows no log, no clock and no terminal, and has
its randomness in the save.  Must not import `session`, `formats` or `terminal`.
"""

from importlib import import_module
from typing import Final

from nhlog.engines.protocol import Engine
from nhlog.errors import Unsupported
from nhlog.log.signals import block

__all__ = ["ENGINES", "engine_named"]

block()  # before an engine's libraries start threads of their own: a request to let go of a log would kill them

# Engines by name, and the module whose `ENGINE` each is.
ENGINES: Final = {"delve": "nhlog.engines.delve"}


def engine_named(name: str) -> Engine:
    """The engine of this name; raises :class:`Unsupported` where there is none."""
    if name not in ENGINES:
        raise Unsupported(f"no engine for {name}: its games can be watched, not played", expected=" ".join(ENGINES))
    engine: Engine = import_module(ENGINES[name]).ENGINE
    return engine
