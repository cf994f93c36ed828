"""Terminal output, fed to the emulator and played: the process lives on, and every place shows what it shows to all.

A case is output as it is.  A NUL with a size behind it, which no terminal shows, stands for a new size: so a case
without some of its bytes is a case, too, and becomes small.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from nhlog.vt import USUAL_SIZE, Part, Size, Tape, Terminal
from nhlog.vt.redraw import redraw
from scripts.fuzzing.mutants.change import TEXTS, bend_bytes, bend_often, rarely
from scripts.fuzzing.readers.small import small_is_long
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
_NO_ROOM: Final = "out of memory"  # its process kept to its bound, and said so
_PLACES: Final = 6  # of a recording that are looked at
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

_WIDTHS: Final = (1, 2, 5, 20, 40, 80, 81, 132, 200, 250)
_HEIGHTS: Final = (1, 2, 3, 10, 24, 25, 50, 90, 200)
_SCROLLING: Final = (
    "word ",
    "\r\n",
    "long" * 30,
    "line\r\n" * 40,
    "x" * 300,
    "宽" * 50,
    "e\u0301" * 30,
    "\n" * 300,
    "\x1b[1;31mcolour\x1b[48;2;1;2;3mred\x1b[K\r\n",
    "\x1b]133;A\x07$ \x1b]133;B\x07",
    "\x1b]8;;http://a/\x07link\x1b]8;;\x07",
    *("\x1b[H", "\x1b[J", "\x1b[2J", "\x1b[3J", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b[?47l", "\x1bc"),
    *(
        "\x1b[5;3H",
        "\x1b[999B",
        "\x1b[2;4r",
        "\x1b[r",
        "\x1b[?7l",
        "\x1b[?7h",
        "\x1b[3S",
        "\x1b[2T",
        "\x1b[L",
        "\x1b7",
        "\x1b8",
    ),
)


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Sequences of all sorts, those that belong together together, and now and then bytes that are bent."""
    if rarely(chance, 3):
        return {"case.output": b"".join(_scrolling(chance))}
    columns, rows = chance.choice(_SIZES)
    parts = [b"\0%dx%d;" % (columns, rows)]
    for _ in range(chance.choice((1, 5, 30, 120))):
        parts.append(_part(chance, columns, rows).encode("utf-8", "surrogatepass"))
    parts = bend_often(chance, (0, 0, 1, 3), parts, bend_bytes)
    return {"case.output": b"".join(parts)}


def _scrolling(chance: Random) -> Iterator[bytes]:
    """Lines of all lengths that scroll off, and many sizes: what is pulled back then, and wrapped anew."""
    for _ in range(chance.choice((10, 40, 120))):
        if rarely(chance, 6):
            yield b"\0%dx%d;" % (chance.choice(_WIDTHS), chance.choice(_HEIGHTS))
        else:
            yield chance.choice(_SCROLLING).encode() * chance.choice((1, 1, 1, 3, 10))


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
    """Feed it to terminals in other pieces each, and play it: where one seeks to is what was played."""
    begin("feed")
    data = case.read_bytes()
    steady, pieced = Terminal(USUAL_SIZE), Terminal(USUAL_SIZE)
    try:
        for part in _parts(data):
            _feed(steady, part)
            for piece in _pieces(chance, part):
                _feed(pieced, piece)
            _check(steady)
        if pieced.grid() != steady.grid():
            raise Broken("another grid in other pieces")
        begin("redraw")
        redraw(steady)
        begin("restored")
        snapshot = steady.snapshot()
        if snapshot is not None:
            _compare(Terminal.restored(snapshot), steady)
    finally:
        steady.close()
        pieced.close()
    with small_is_long():
        _play(data, chance, begin)


def _feed(terminal: Terminal, part: Part) -> None:
    if isinstance(part, Size):
        terminal.resize(part)
    else:
        terminal.feed(part)


def _compare(restored: Terminal, steady: Terminal) -> None:
    with closing(restored):
        if restored.grid() != steady.grid():
            raise Broken("another grid than without the snapshot")


def _play(data: bytes, chance: Random, begin: Begin) -> None:
    """Look at some places in the order of the recording, then in another one, and walk from one of them."""
    begin("play")
    parts = [piece for part in _parts(data) for piece in _pieces(chance, part)]
    with closing(Tape(USUAL_SIZE, lambda first, last: parts[first:last])) as tape:
        places = sorted(chance.randint(0, len(parts)) for _ in range(_PLACES))
        grids = {at: tape.grid(at) for at in [*places, len(parts)]}
        if fault := tape.fault or next((gap.fault for gap in tape.gaps), None):
            if fault.found == _NO_ROOM:
                return
            raise fault
        begin("seek")
        for at in chance.sample(places, _PLACES):
            if tape.grid(at) != grids[at]:
                raise Broken("another grid for who seeks")
        begin("walk")
        for at, reading in tape.walk(chance.choice(places), len(parts), lambda at, part: at in grids):
            if at in grids and reading.texts != grids[at].text():
                raise Broken("another text for who walks")


def _parts(data: bytes) -> Iterator[Part]:
    at = 0
    for found in _SIZE.finditer(data):
        yield data[at : found.start()]
        yield Size(int(found[1]), int(found[2])).clamped()
        at = found.end()
    yield data[at:]


def _pieces(chance: Random, part: Part) -> list[Part]:
    if isinstance(part, Size):
        return [part]
    places = sorted(chance.randint(0, len(part)) for _ in range(chance.choice((0, 1, 4))))
    return [part[start:end] for start, end in zip([0, *places], [*places, len(part)], strict=True)]


def _check(terminal: Terminal) -> None:
    grid = terminal.grid()
    (column, row), size = grid.cursor, terminal.size
    if len(grid.rows) != size.rows or not (0 <= column <= size.columns and 0 <= row < size.rows):
        raise Broken("a grid of another size, or a cursor outside of it")
