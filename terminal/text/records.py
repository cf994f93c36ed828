"""Records in words: what a verb prints where nobody asked for JSON.

A kind of recording may have lines of its own; every other record is told by its keys, whose names say their units
(docs/json.md).  Must not import verbs or the client.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from terminal.text.plain import one_line, plain

__all__ = ["text_output"]

Record = Mapping[str, Any]
# The formats whose records have words of their own: a module with functions named after the verbs.
_MODULES: Final = {"NetHack 4 log": "nhgame"}
# What is told of records that come by the thousand.
_SHORT: Final[Mapping[str, Callable[[Record], list[str]]]] = {"dump": lambda record: [one_line(record)]}


def text_output(format_name: str, verb: str, record: Record) -> list[str]:
    """The lines that tell of a record that the verb made of a recording of this format."""
    name = _MODULES.get(format_name)
    own: Callable[[Record], list[str]] | None = None
    if name is not None:
        own = getattr(import_module(f"terminal.text.{name}"), verb, None)
    return (own or _SHORT.get(verb, plain))(record)
