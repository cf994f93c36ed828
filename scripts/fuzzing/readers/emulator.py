"""Terminal output, fed to the emulator: the process lives on, and what a snapshot restores goes on alike.

A case is output as it is.  A NUL with a size behind it, which no terminal shows, stands for a new size: so a case
without some of its bytes is a case, too, and becomes small.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

from nhlog.vt import USUAL_SIZE, Size, Terminal
from nhlog.vt.redraw import redraw
from scripts.fuzzing.mutants.change import TEXTS, bend_bytes, bend_parts, rarely
from scripts.fuzzing.rules import Begin, Broken

__all__ = ["act", "mutant"]

_SIZE: Final = re.compile(rb"\0(\d{1,4})x(\d{1,4});")
_NUMBERS: Final = (0, 1, 2, 3, 5, 7, 8, 24, 40, 79, 80, 81, 255, 256, 65535, 65536, 99_999_999, 1 << 31, 1 << 64)
_MODES: Final = (
    1,
    3,
    5,
    6,
    7,
    12,
    25,
    40,
    45,
    47,
    66,
    69,
    80,
    1000,
    1006,
    1047,
    1048,
    1049,
    2004,
    2026,
    2027,
    2031,
    2048,
)
_FINAL: Final = "ABCDEFGHIJKLMPSTXZ`abcdefgnqrsu"
_CLUSTERS: Final = (
    "宽",
    "漢字",
    "é",
    "e\u0301",
    "a" + "\u0301" * 12,
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "🇩",
    "☝🏽",
    "❤\ufe0f",
    "❤\ufe0e",
    "\u0301",
    "\u200d",
    "\u200b",
    "กำ",
    "각",
    "🎲",
    "\ufe0f",
    "\u1100\u1161\u11a8",
)
_EDGES: Final = ("\x1b[{row};{columns}H", "\x1b[{columns}G", "\r\x1b[{last}C", "\x1b[{rows};{columns}H")
_SIZES: Final = ((80, 24), (80, 24), (1, 1), (2, 2), (5, 3), (20, 5), (132, 50), (1000, 500), (3, 200))


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Sequences of all sorts, those that belong together together, and now and then bytes that are bent."""
    columns, rows = chance.choice(_SIZES)
    parts = [b"\0%dx%d;" % (columns, rows)]
    for _ in range(chance.choice((1, 5, 30, 120))):
        parts.append(_part(chance, columns, rows).encode("utf-8", "surrogatepass"))
    for _ in range(chance.choice((0, 0, 1, 3))):
        parts = bend_parts(chance, parts, bend_bytes)
    return {"case.output": b"".join(parts)}


def _part(chance: Random, columns: int, rows: int) -> str:
    match chance.randrange(14):
        case 0:
            return f"\x1b[?{chance.choice(_MODES)}{chance.choice('hhl')}"
        case 1:
            top, end = sorted((chance.randint(1, rows), chance.randint(1, rows)))
            return f"\x1b[{top};{end}r"
        case 2:
            place = chance.choice(_EDGES)
            return place.format(columns=columns, last=columns - 1, rows=rows, row=chance.randint(1, rows))
        case 3 | 4:
            return chance.choice(_CLUSTERS) * chance.choice((1, 1, 3, 70))
        case 5:
            return chance.choice(
                ("plain text ", "x" * columns, "\r\n", "\n" * rows, "\t", "\b", "\x0e", "\x0f", "\x1bM")
            )
        case 6 | 7:
            numbers = ";".join(str(chance.choice(_NUMBERS)) for _ in range(chance.choice((0, 1, 1, 2, 2, 40))))
            return f"\x1b[{chance.choice(('', '', '', '?', '>', '='))}{numbers}{chance.choice(_FINAL)}"
        case 8:
            return f"\x1b[{';'.join(str(chance.choice((0, 1, 4, 7, 38, 48, 58, 5, 2, 255))) for _ in range(6))}m"
        case 9:
            end = chance.choice(("\x07", "\x1b\\", ""))
            return f"\x1b]{chance.choice((0, 2, 4, 8, 10, 52, 133, 1337, 9))};{chance.choice(TEXTS)}{end}"
        case 10:
            return (
                f"\x1b{chance.choice('P_X^')}{chance.choice(('', '1;2|', '$q', 'G', '+q'))}{chance.choice(TEXTS)}\x1b\\"
            )
        case 11:
            return (
                f"\x1b{chance.choice(('7', '8', 'c', 'D', 'E', 'H', 'M', 'N', '#8', '(0', '(B', ')0', '>', '=', '%G'))}"
            )
        case 12 if rarely(chance, 2):
            width, height = chance.choice(_SIZES)
            return f"\0{width}x{height};"
    return chance.choice(("\x1b[2J", "\x1b[H", "\x1b[K", "\x1b[?1049h\x1b[H", "\x1b[?2027h", "\x1b[!p", "\x1b[3J"))


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Feed one terminal all of it; another one is put away and restored now and then, and shows the same."""
    begin("feed")
    data = case.read_bytes()
    steady, restored = Terminal(USUAL_SIZE), Terminal(USUAL_SIZE)
    try:
        for part in _parts(data):
            if isinstance(part, Size):
                steady, restored = (_resized(one, part) for one in (steady, restored))
            else:
                steady.feed(part)
                for start, end in _pieces(chance, part):  # which pieces it comes in makes no difference
                    restored.feed(part[start:end])
            _check(steady)
            if chance.randrange(3) == 0:
                restored = _again(restored)
        begin("redraw")
        redraw(steady)
        begin("restored")
        if _again(restored).grid() != steady.grid():
            raise Broken("another grid than without the snapshot")
    finally:
        steady.close()
        restored.close()


def _parts(data: bytes) -> Iterator[bytes | Size]:
    at = 0
    for found in _SIZE.finditer(data):
        yield data[at : found.start()]
        yield Size(int(found[1]), int(found[2])).clamped()
        at = found.end()
    yield data[at:]


def _pieces(chance: Random, data: bytes) -> list[tuple[int, int]]:
    places = sorted(chance.randint(0, len(data)) for _ in range(chance.choice((0, 1, 4))))
    return [*zip([0, *places], [*places, len(data)], strict=True)]


def _resized(terminal: Terminal, size: Size) -> Terminal:
    """As a tape does it: what a snapshot leaves out may decide how lines are wrapped anew."""
    terminal = _again(terminal)
    terminal.resize(size)
    return terminal


def _again(terminal: Terminal) -> Terminal:
    """The terminal after it was put away, if it can be."""
    snapshot = terminal.snapshot()
    if snapshot is None:
        return terminal
    terminal.close()
    return Terminal.restored(snapshot)


def _check(terminal: Terminal) -> None:
    grid = terminal.grid()
    (column, row), size = grid.cursor, terminal.size
    if len(grid.rows) != size.rows or not (0 <= column <= size.columns and 0 <= row < size.rows):
        raise Broken("a grid of another size, or a cursor outside of it")
