"""What an administrator tells all who are on the server: a file beside that of the keys, a JSON object for each notice.

Nobody is sent anything: whoever is there looks at the file, as for mail, and reads what came since the last look.  Each
notice has a number that is above that of the one before, so no clock has a say in what is new.  The file has the last
few alone.  Who cannot read it is told nothing, and plays all the same.
"""

import json
from pathlib import Path
from typing import Final

from nhlog.errors import NhlogError, Usage
from nhlog.files import stamp_of
from nhlog.players.lines import change_lines, fields_of, read_lines
from nhlog.screen import clip

__all__ = ["Notices", "broadcast", "checked_line", "to_all"]

NOTICES: Final = "notices"  # the file's name
TO_ALL: Final = "To all: "
COLUMNS: Final = 70  # of a text: with what stands before it a row of the lobby, on a terminal of 80 columns
KEPT: Final = 16  # notices in the file: more than anybody is told between two looks, which are a second apart


class Notices:
    """A reader of the notices of the server whose keys are in the file `keys`; what was told before it was made is old.

    Without such a file there is no server, and nothing is ever told.
    """

    def __init__(self, keys: Path | None) -> None:
        self._path = "" if keys is None else _path(keys)
        self._seen = 0
        self._stamp: object = None
        self.news()

    def news(self) -> list[str]:
        """What was told since the last call, or since the reader was made."""
        stamp = stamp_of(self._path) if self._path else None
        if stamp is None or stamp == self._stamp:
            return []
        try:
            told = _parsed(read_lines(self._path))
        except NhlogError:
            return []
        self._stamp = stamp
        new = [text for number, text in told if number > self._seen]
        self._seen = max((number for number, _ in told), default=self._seen)
        return new


def broadcast(keys: Path, text: str) -> None:
    """Tell this to all who are on the server; raises :class:`Usage` for a text that is no line to be shown."""
    checked_line(text)

    def told(lines: list[str]) -> list[str]:
        last = max((number for number, _ in _parsed(lines)), default=0)
        return [*lines, json.dumps({"number": last + 1, "text": text})][-KEPT:]

    change_lines(_path(keys), told)


def to_all(text: str) -> str:
    """A notice as its readers see it; no letter of a player's begins like it: that names its sender."""
    return f"{TO_ALL}{text}"


def checked_line(text: str) -> str:
    """The text; raises :class:`Usage` unless it is one line that a terminal can show as it is."""
    if not _is_line(text):
        expected = f"one line, of at most {COLUMNS} columns and of characters that can be shown"
        raise Usage("bad text for players", expected=expected, found=repr(text[:40]))
    return text


def _is_line(text: str) -> bool:
    return bool(text.strip()) and text.isprintable() and clip(text, COLUMNS) == text


def _path(keys: Path) -> str:
    return str(keys.with_name(NOTICES))


def _parsed(lines: list[str]) -> list[tuple[int, str]]:
    """The numbers and texts of the lines that are notices."""
    return [notice for line in lines if (notice := _notice(line)) is not None]


def _notice(line: str) -> tuple[int, str] | None:
    number, text = fields_of(line, ("number", "text")) or (None, None)
    return (number, text) if isinstance(number, int) and isinstance(text, str) and _is_line(text) else None
