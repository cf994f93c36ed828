"""Real client screens of the corpus: which there are, and their cells."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tests.corpus import CORPUS

__all__ = ["CAPTURES", "Capture", "Glyph"]

_GRAY, _BLACK = 7, 0  # the client's default colours

Glyph = tuple[str, int, int, bool]  # character, foreground, background, underline


@dataclass(frozen=True)
class Capture:
    """A screen of 80 by 24 cells, and where in its log the state is that it shows."""

    log: Path
    offset: int
    file: Path

    @property
    def rows(self) -> list[list[Glyph]]:
        lines = self.file.with_suffix(".ansi").read_text().split("\n")
        pen = _Pen()
        return [pen.cells(line) for line in (lines + [""] * 24)[:24]]


class _Pen:
    """The style in force, which goes on from line to line."""

    def __init__(self) -> None:
        self.fg, self.bg, self.underline = _GRAY, _BLACK, False

    def cells(self, line: str) -> list[Glyph]:
        cells: list[Glyph] = []
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
            for code in codes.split(";") if codes else ():
                self._set(int(code))
            cells += [(char, self.fg, self.bg, self.underline) for char in text]
        return cells + [(" ", _GRAY, _BLACK, False)] * (80 - len(cells))

    def _set(self, code: int) -> None:
        match code:
            case 0:
                self.fg, self.bg, self.underline = _GRAY, _BLACK, False
            case 4:
                self.underline = True
            case _ if 30 <= code <= 37:
                self.fg = code - 30
            case _ if 90 <= code <= 97:
                self.fg = code - 90 + 8
            case _ if 40 <= code <= 47:
                self.bg = code - 40
            case 1:
                pass
            case _:
                raise AssertionError(f"unexpected SGR code {code}")


def _captures() -> list[Capture]:
    found = []
    for index in sorted((CORPUS / "nethack4").glob("*.screens/index.jsonl")):
        log = index.parent.with_suffix(".nhgame")
        for line in index.read_text().splitlines():
            record = json.loads(line)
            found.append(Capture(log, record["gamestate_location"], index.parent / record["file"]))
    return found


CAPTURES = _captures()
