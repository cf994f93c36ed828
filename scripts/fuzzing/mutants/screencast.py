"""Recorded terminals: events of any kind, with sequences of all sorts in them, written by the rules and then bent."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from nhlog.formats.asciicast.reader import encoder as asciicast_encoder
from nhlog.formats.ttyrec.reader import encoder as ttyrec_encoder
from nhlog.screencast import Encoder, Header, TimedEvent
from nhlog.vt import Size
from scripts.fuzzing.mutants.change import (
    TEXTS,
    bend,
    bend_bytes,
    bend_json,
    bend_often,
    bend_text,
    json_bytes,
    rarely,
    repacked,
)

__all__ = ["asciicast", "nhrecorder", "ttyrec", "typescript"]

_OUTPUTS: Final = (
    "\x1b[2J\x1b[H",
    "Dlvl:1  $:0  HP:16(16) Pw:2(2) AC:6  Xp:1/4 T:12\x1b[K",
    "\x1b[24;1HGus the Rambler  St:16 Dx:14 Co:17 In:8 Wi:9 Ch:11  Neutral S:99",
    "\x1b[5;7H\x1b[1;33;44m@\x1b[m漢é🎲 plain text\r\n",
    "\x1b(0lqqk\x1b(B\x0e\x0f",
    "\x1b[?1049h\x1b[?25l\x1b[3;9r",
    "\x1b[8;30;100t\x1b[999;999H",
    "\x1b]2;a \u202e title\x9b\x07",
    "\x1bP1;2|never ended",
    "\x1b[65535b\x1b[99999999X",
    "\x1b[38;2;1;2;3;48;5;255;4:3m\x1b[?7lx",
)
_CODES: Final = ("o", "o", "o", "o", "o", "i", "r", "m", "x", "z", "score", "clock", "bytes", "#")
_DATA: Final = ("", "80x24", "100x30", "1x1", "9999x9999", "0x0", "7", "-1", "a label", "ff00", "200000", "-3600000000")


def _events(chance: Random) -> list[TimedEvent]:
    found, time = [], 0
    for _ in range(chance.choice((1, 5, 20, 60))):
        time += chance.choice((0, 1, 20_000, 1_500_000, 90_000_000))
        code = chance.choice(_CODES)
        text = chance.choice(_OUTPUTS if code == "o" else (*_DATA, *TEXTS))
        if rarely(chance, 8):
            text = bend_text(chance, text)
        data = text.encode("utf-8", "surrogatepass")
        found.append(TimedEvent(time, code, bend_bytes(chance, data) if rarely(chance, 12) else data))
    return found


def _header(chance: Random) -> Header:
    return Header(
        size=Size(chance.choice((80, 1, 132)), chance.choice((24, 1, 50))),
        start=chance.choice((None, 1_700_000_000_250_000, 5)),
        title=chance.choice(TEXTS),
        idle_limit=chance.choice((None, 2_000_000)),
        environment={"TERM": "xterm", "SHELL": None},
    )


def _written(made: Encoder, events: list[TimedEvent]) -> list[bytes]:
    return [made.begin(), *map(made.event, events), made.end()]


def _bent(chance: Random, parts: list[bytes]) -> bytes:
    """The parts joined, some of them bent or in another order."""
    parts = bend_often(chance, (0, 0, 1, 2, 5), parts, bend_bytes)
    return b"".join(parts)


def _packed(chance: Random, name: str, data: bytes) -> Mapping[str, bytes]:
    ending = ""
    if rarely(chance, 6):
        ending, data = repacked(chance, data)
    return {f"case{name}{ending}": data}


def asciicast(chance: Random) -> Mapping[str, bytes]:
    """Version 2 or 3, lines bent as JSON or as bytes; now and then version 1."""
    made = asciicast_encoder(_header(chance), chance.choice((2, 3)), None, exact=not rarely(chance, 3))
    lines = b"".join(_written(made, _events(chance))).splitlines(keepends=True)
    lines = bend_often(chance, (0, 0, 1, 3), lines, _bend_line)
    if rarely(chance, 4):
        return {"case.cast": _bent(chance, [json.dumps(_whole(lines), indent=chance.choice((None, 2))).encode()])}
    return _packed(chance, ".cast", _bent(chance, lines))


def _bend_line(chance: Random, line: bytes) -> bytes:
    try:
        return json_bytes(chance, bend_json(chance, json.loads(line))) + b"\n"
    except ValueError:
        return bend_bytes(chance, line)


def _whole(lines: list[bytes]) -> dict[str, Any]:
    """The object of version 1 with the texts of these lines."""
    texts = [[0.5, repr(line)] for line in lines[1:]]
    return {"version": 1, "width": 80, "height": 24, "title": None, "stdout": texts}


def ttyrec(chance: Random) -> Mapping[str, bytes]:
    """Of all three kinds."""
    version = chance.choice((1, 1, 2, 3))
    made = ttyrec_encoder(_header(chance), version, None, exact=False)
    return _packed(chance, f".ttyrec{version if version > 1 else ''}", _bent(chance, _written(made, _events(chance))))


def nhrecorder(chance: Random) -> Mapping[str, bytes]:
    """Times that may go anywhere."""
    parts = []
    for time, _, data in _events(chance):
        ticks = bend(chance, time // 10_000) if rarely(chance, 9) else time // 10_000
        parts += [b"\0" + (ticks & 0xFFFFFFFF).to_bytes(4, "little"), data.replace(b"\0", b"")]
    return {"case.nh": _bent(chance, parts)}


def typescript(chance: Random) -> Mapping[str, bytes]:
    """With times of either form; the one file or the other, or both, bent."""
    first = b'Script started on 2026-11-21 23:55:33+00:00 [TERM="xterm" COLUMNS="80" LINES="24"]\n'
    advanced = rarely(chance, 2)
    script, times = [first], [b"H 0.000000 COMMAND sh\n"] if advanced else []
    for _, code, data in _events(chance):
        if code in "oi":
            script.append(data)
            times.append(b"%s0.%06d %d\n" % (code.upper().encode() + b" " if advanced else b"", 250_000, len(data)))
        elif advanced:
            times.append(b"S 0.500000 SIGWINCH ROWS=30 COLS=100\n")
    script.append(b'\nScript done on 2026-11-21 23:55:36+00:00 [COMMAND_EXIT_CODE="0"]\n')
    return {"case.typescript": _bent(chance, script), "case.timing": _bent(chance, times)}
