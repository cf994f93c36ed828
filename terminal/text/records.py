"""Text output of records: what a verb prints without ``--json``.

A format may define its own lines; other records are printed as keys, whose names include the units (docs/json.md), and
values.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

from terminal.text.plain import one_line, plain, screen, with_screen

__all__ = ["text_output"]

Record = Mapping[str, Any]
# By the ids of formats whose records have text outputs of their own: a module with functions named after the verbs.
_MODULES: Final = {"nhgame": "nhgame"}
# For records of verbs that are told alike, whatever the format.
_SHARED: Final[Mapping[str, Callable[[Record], list[str]]]] = {
    "dump": lambda record: screen(record) if "screen" in record else [one_line(record)],  # which come by the thousand
    "state": lambda record: with_screen(record) if "screen" in record else plain(record),
}
# The same, in a module with functions named after the verbs, which others need not import.
_ELSEWHERE: Final = {"recover": "cuts", "rewind": "cuts"}


def text_output(format_id: str, verb: str, record: Record) -> list[str]:
    """The lines that the verb prints for a record, for a recording of the format with this id.

    They may contain any text of the recording: make them printable before output.
    """
    for name in filter(None, (_MODULES.get(format_id), _ELSEWHERE.get(verb))):
        own: Callable[[Record], list[str]] | None = getattr(import_module(f"terminal.text.{name}"), verb, None)
        if own is not None:
            return own(record)
    return _SHARED.get(verb, plain)(record)
