"""What must hold whatever is done with hostile bytes, and a verb of the command line that is held to it.

- Nothing but :class:`~nhlog.errors.NhlogError` escapes; its message is one line, below 1000 characters, and printable.
- Nothing that is printed or drawn has a control character in it; JSON is JSON.
- Nothing is left open, and memory and CPU have a bound (`workers` sees to that).  That of CPU is for a few megabytes of
  what is printed: a small file may hold a recording that is 200 times as large, and a verb that tells all of it, each
  frame in the same time, is not slow.  What takes the longer for a frame the more came before is found all the same.
"""

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from nhlog.errors import NhlogError
from terminal.cli import cli

__all__ = [
    "ANSWERS",
    "SIZE",
    "Act",
    "Begin",
    "Broken",
    "Done",
    "check_error",
    "check_screen",
    "check_text",
    "refused",
    "run",
]

SIZE: Final = (80, 24)
ANSWERS: Final = (0, 1, 3, 4)  # exit codes that a recording may have: the others are about requests and machines
_LONGEST: Final = 1000  # characters of a message
_RENEWED: Final = 4 << 20  # bytes of output for which the CPU of one operation has to suffice, by far
_CONTROL: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)

Begin = Callable[[str], None]
"""Told of each thing before it is done."""

Act = Callable[[Path, Random, Begin], None]
"""What is done with a case, the only file or folder where it lies: raises :class:`Broken`, and what escapes.

The `Random` chooses options and keys.  Files may be written beside the case.
"""


class Broken(Exception):
    """A rule does not hold."""


@dataclass(frozen=True)
class Done:
    """What came of a verb: its exit code, what it printed, and the error that it ended with."""

    code: int
    out: str
    err: str
    error: NhlogError | None

    @property
    def records(self) -> list[Any]:
        """What was printed, as JSON."""
        return [json.loads(line) for line in self.out.split("\n")[:-1]]


class _Paper(io.BytesIO):
    """Where a verb prints; `goes_on` is called each time it has printed so much."""

    def __init__(self, goes_on: Callable[[], None]) -> None:
        super().__init__()
        self._goes_on = goes_on
        self._until = _RENEWED

    def write(self, data: Any) -> int:
        written = super().write(data)
        if self.tell() >= self._until:
            self._until = self.tell() + _RENEWED
            self._goes_on()
        return written


def run(folder: Path, begin: Begin, *arguments: str, answers: tuple[int, ...] = ANSWERS) -> Done:
    """A verb of the command line, about what is in `folder`; its exit code, and all that it prints, is looked at."""
    what = " ".join(arguments).replace(f"{folder}/", "")
    begin(what)
    out = io.TextIOWrapper(_Paper(lambda: begin(what)), "utf-8", "backslashreplace", write_through=True)
    err = io.StringIO()
    error, code = None, 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = cli(arguments, "nhlog", standalone_mode=False) or 0
        except NhlogError as caught:
            error, code = caught.with_traceback(None), caught.exit_code
    printed = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    if code not in answers:
        raise Broken(f"exit code {code}: {error}")
    if error:
        check_error(error)
    if "this is a bug" in printed + err.getvalue():
        raise Broken(f"a bug by its own words: {err.getvalue()[-300:]}")
    if "--json" in arguments:
        _check_json(printed)
    else:
        check_text(printed)
    return Done(code, printed, err.getvalue(), error)


@contextmanager
def refused() -> Iterator[None]:
    """A scope that may end with an error of ours, if that is one to be shown."""
    try:
        yield
    except NhlogError as error:
        check_error(error)


def check_error(error: NhlogError) -> None:
    """A message for people: one line that is printable, and not longer than one reads."""
    text = str(error)
    if "\n" in text or len(text) > _LONGEST:
        raise Broken(f"a message of {len(text)} characters, or several lines: {text[:300]!r}")
    if "this is a bug" in text:
        raise Broken(f"a bug by its own words: {text}")
    check_text(text)


def check_screen(screen: Any) -> None:
    """A screen of the size that was asked for, whose rows are printable."""
    rows = screen.text()
    if (screen.width, screen.height) != SIZE or len(rows) != SIZE[1]:
        raise Broken(f"a screen of {screen.width} by {screen.height}")
    check_text("\n".join(rows))


def check_text(text: str) -> None:
    """Lines without control characters, and without those that turn or hide what is written."""
    if found := _CONTROL.search(text):
        raise Broken(f"{found[0]!r} in {text[max(found.start() - 60, 0) : found.end() + 20]!r}")


def _check_json(text: str) -> None:
    for line in text.split("\n")[:-1]:
        try:
            json.loads(line, parse_constant=_refuse)
        except ValueError as error:
            raise Broken(f"not JSON ({error}): {line[:300]!r}") from error


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
