"""Text output of records: what a verb prints without ``--json``.

A format may define its own lines; other records are printed as keys, whose names include the units (docs/json.md), and
values.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

__all__ = ["text_output"]

Record = Mapping[str, Any]
# By the ids of formats whose records have text outputs of their own: a module with functions named after the verbs.
_MODULES: Final = {"nhgame": "nhgame"}
# Likewise for verbs whose records are told alike, whatever the format.
_ELSEWHERE: Final = {"recover": "cuts", "rewind": "cuts"}


def text_output(format_id: str, verb: str, record: Record, width: int | None = None) -> list[str]:
    """The lines that the verb prints for a record, for a recording of the format with this id.

    Tables among them are at most `width` columns wide.

    They may contain any text of the recording: make them printable before output.
    """
    for name in filter(None, (_MODULES.get(format_id), _ELSEWHERE.get(verb))):
        own: Callable[[Record], list[str]] | None = getattr(import_module(f"terminal.text.{name}"), verb, None)
        if own is not None:
            return own(record)
    from terminal.text import plain  # which a log has no need of

    if verb == "dump":  # there are thousands
        return plain.screen(record) if "screen" in record else [plain.one_line(record)]
    return (plain.with_screen if verb == "state" and "screen" in record else plain.plain)(record, width)
