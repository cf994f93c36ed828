"""Games of bots that are played again elsewhere: in another process, at another hour, in another zone and memory.

And against the truth: NLE itself plays the same keys, at a system's clock that stands, and records them in its ttyrec3.

``python -m tests.engines.nethack.replays play SEED BOT LEAST`` plays a game, and prints it; with ``again`` or ``nle``
it plays the game in its standard input again, by itself or by NLE.  Each prints digests of all that was seen, one for
each hundred keys.  Here the library is in the process itself, so that an environment of its own, as a machine has it,
does not hide what of the system gets in.
"""

import bz2
import ctypes
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from nhlog.engines.nethack.engine import ENGINE
from nhlog.engines.nethack.machine.library import LIBRARY, Library, lay_out, system_slots
from nhlog.engines.nethack.machine.machine import build
from nhlog.engines.nethack.machine.wire import COLUMNS, FIELDS, ROWS
from nhlog.engines.nethack.past import Start, start_of
from nhlog.engines.nethack.roles import ROLES
from nhlog.engines.nethack.seen import Seen
from nhlog.engines.protocol import NewGame, heroes
from tests.corpus import ROOT
from tests.engines.nethack.bots import BOTS

__all__ = ["PLACES", "Place", "Played", "play_elsewhere", "played", "played_by_nle", "shim_in"]

EVERY: Final = 100  # keys between two digests
_MORE: Final = {"specials": 79 * 21}  # bytes of what is seen besides
_BORN: Final = 1_600_000_000  # the second at which the first of the games begins
_EXPLORE: Final = 1  # in which a hero may decline to die
_FRAME: Final = struct.Struct("<IIIB")  # of a ttyrec3: second, microsecond, bytes, channel
_OUTPUT, _INPUT = 0, 1  # channels
_BUILT: Final = re.compile(rb"last build [ -~]{24}")
"""When NetHack was compiled: all that the builds of nle for several Pythons say otherwise (its command `v`)."""
_ASCII: Final = bytes(min(byte, ord("~") + 1) for byte in range(256)).replace(b"\x7f", b"?")
"""What a terminal shows of keys that NetHack echoes as they are: some of these bytes are controls to a terminal."""
_APART: Final = 40_007  # seconds between two of them: at any hour, at any moon

SHIM: Final = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>
#include <sys/time.h>
static long now(void) { const char *told = getenv("FAKED_SECOND"); return told ? atol(told) : 0; }
time_t time(time_t *to) { if (to) *to = now(); return now(); }
int gettimeofday(struct timeval *to, void *zone) { to->tv_sec = now(); to->tv_usec = 0; return 0; }
"""
"""A system whose clock tells another second, for programs that ask it through the C library."""


class Played(NamedTuple):
    """A game: how it was begun, its keys, and the digests of what was seen."""

    start: Start
    keys: bytes
    digests: list[str]


class Place(NamedTuple):
    """Where a game is played again: the second that the system's clock tells, the zone, the language, the memory."""

    second: int
    zone: str
    language: str
    fixed: bool  # memory is laid out as it is always
    padding: int  # bytes of the environment, which move what lies on the stack


PLACES: Final = (
    Place(1_718_452_800, "UTC0", "C", True, 0),  # noon
    Place(1_703_547_000, "America/New_York", "C.UTF-8", False, 5000),  # night, full moon
    Place(1_704_931_200, "Asia/Kolkata", "tr_TR.UTF-8", False, 100),  # new moon
    Place(1_726_228_800, "XYZ-14", "de_DE.UTF-8", False, 33_000),  # a Friday 13th
    Place(1_735_689_599, "Europe/Berlin", "ja_JP.UTF-8", True, 1),  # a second before the year ends
)


def of_json(data: dict[str, Any]) -> Played:
    """A game of plain values."""
    start = Start(data["second"], tuple(data["seeds"]), data["options"].encode())
    return Played(start, bytes.fromhex(data["keys"]), data["digests"])


def to_json(game: Played) -> dict[str, Any]:
    """A game as plain values."""
    second, seeds, options = game.start.second, game.start.seeds, game.start.options.decode()
    return {"second": second, "seeds": seeds, "options": options, "keys": game.keys.hex(), "digests": game.digests}


class _Digests:
    """Digests of all that is seen after the beginning and each key."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self._count = 0
        self._digest = blake2b(digest_size=8)

    def take(self, *seen: Any) -> None:
        for part in seen:
            self._digest.update(_BUILT.sub(b"", bytes(part)))
        self._count += 1
        if self._count % EVERY == 0:
            self.close()

    def close(self) -> None:
        """Take what was seen since the last digest."""
        self.made.append(self._digest.hexdigest())
        self._digest = blake2b(digest_size=8)


class _Watched:
    """A game in this process, of which all that is seen goes into digests."""

    def __init__(self, start: Start) -> None:
        package = build().package
        path = os.path.join(package, LIBRARY)
        self._more = {name: ctypes.create_string_buffer(size) for name, size in _MORE.items()}
        addresses = {name: ctypes.addressof(memory) for name, memory in self._more.items()}
        self._library = Library(path, system_slots(path), addresses)
        lay_out(package, os.getcwd())
        self.digests = _Digests()
        self.told = self._library.begin(start.second, start.seeds, start.options, os.getcwd())
        self._take()

    def press(self, key: int) -> None:
        self.told = self._library.press(bytes((key,)))
        self._take()

    @property
    def is_over(self) -> bool:
        return self._library.is_over

    def _take(self) -> None:
        self.digests.take(self._library.memory, *self._more.values())


def _play(seed: int, bot: str, least: int) -> Played:
    """A game of a bot with at least so many keys, if it does not end before."""
    dice = Random(f"{bot} {seed}")
    role = dice.choice(sorted(ROLES))
    hero = dice.choice(heroes(ENGINE, role))
    born = (_BORN + seed * _APART) * 1_000_000
    start = start_of(NewGame("Bot", role, *hero, _EXPLORE, dice.getrandbits(60), born))
    game, keys, plays = _Watched(start), bytearray(), BOTS[bot](dice)
    while len(keys) < least and not game.is_over:
        for key in plays(Seen(game.told)):
            if not game.is_over:
                keys.append(key)
                game.press(key)
    game.digests.close()
    return Played(start, bytes(keys), game.digests.made)


def _again(game: Played) -> Played:
    again = _Watched(game.start)
    for key in game.keys:
        again.press(key)
    again.digests.close()
    return game._replace(digests=again.digests.made)


def _by_nle(game: Played) -> Played:
    """The game by NLE's own interface, without anything of ours; raises where its ttyrec shows other screens."""
    from nle.nethack import nethack  # which takes a second

    start, path = game.start, os.path.abspath("game.ttyrec3.bz2")
    wanted = [name for name, _ in FIELDS if name in nethack.OBSERVATION_DESC]
    own = nethack.Nethack((*wanted, *_MORE), "Bot", path, [start.options.decode()])
    core, display, levels = start.seeds
    own.set_initial_seeds(core, display, False, levels)
    digests, screens = _Digests(), []
    seen = own.reset()
    for key in (*game.keys, None):
        arrays = dict(zip((*wanted, *_MORE), seen, strict=True))
        fields = [arrays[name].tobytes() if name in arrays else bytes(size) for name, size in FIELDS]
        digests.take(*fields, *(arrays[name].tobytes() for name in _MORE))
        screens.append(arrays["tty_chars"].tobytes())
        if key is not None:
            seen, _ = own.step(key)
    own.close()
    digests.close()
    _compare(path, game.keys, screens)
    return game._replace(digests=digests.made)


def _compare(path: str, keys: bytes, screens: list[bytes]) -> None:
    """Raise where a ttyrec3 has other keys, or another screen before one of them."""
    import pyte

    class Screen(pyte.Screen):
        """NLE's terminal is in the next row as soon as the last column is written to; others wait for more."""

        def draw(self, data: str) -> None:
            for char in data:
                super().draw(char)
                if self.cursor.x == COLUMNS:
                    self.carriage_return()
                    self.index()

    with bz2.open(path) as file:
        data = file.read()
    screen = Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    at, number, before = 0, 0, ""
    while at + _FRAME.size <= len(data):
        _, _, size, channel = _FRAME.unpack_from(data, at)
        body = data[at + _FRAME.size : at + _FRAME.size + size]
        at += _FRAME.size + size
        if channel == _OUTPUT:
            stream.feed(body.translate(_ASCII).decode("ascii"))
        elif channel == _INPUT:
            rows = screens[number].replace(b"\0", b" ").translate(_ASCII).decode("ascii")
            for y in range(ROWS):
                row = slice(y * COLUMNS, (y + 1) * COLUMNS)
                if y in screen.dirty or rows[row] != before[row]:  # the others were compared before
                    found = "".join(screen.buffer[y][x].data for x in range(COLUMNS))
                    assert found == rows[row], f"another row {y} before key {number}: {found!r}, not {rows[row]!r}"
            screen.dirty.clear()
            before = rows
            assert body == keys[number : number + 1], f"key {number}: {body!r}, not {keys[number]}"
            number += 1
    assert number == len(keys), f"{number} keys, not {len(keys)}"


# from outside


def played(seed: int, bot: str, least: int) -> Played:
    """A game of a bot, played in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(folder, ("play", str(seed), bot, str(least)), {}, "")


def play_elsewhere(game: Played, place: Place, shim: str, python: str = sys.executable) -> Played:
    """The same game at another place, where `shim` (see `shim_in`) is the system's clock; the digests are of there.

    `python` is the interpreter that plays it, with the NetHack that is installed for it.
    """
    environment = {
        "LD_PRELOAD": shim,
        "FAKED_SECOND": str(place.second),
        "TZ": place.zone,
        "LC_ALL": place.language,
        "PADDING": "x" * place.padding,
        "PYTHONHASHSEED": str(place.padding),
    }
    with tempfile.TemporaryDirectory(prefix="x" * (place.padding % 60)) as folder:
        return _run(folder, ("again",), environment, json.dumps(to_json(game)), fixed=place.fixed, python=python)


def played_by_nle(game: Played, shim: str) -> Played:
    """The same game by NLE itself, for which the system's clock stands; raises where its ttyrec3 has other screens."""
    environment = {"LD_PRELOAD": shim, "FAKED_SECOND": str(game.start.second), "TZ": "UTC0"}
    with tempfile.TemporaryDirectory() as folder:
        return _run(folder, ("nle",), environment, json.dumps(to_json(game)))


def _run(
    folder: str,
    words: tuple[str, ...],
    environment: dict[str, str],
    given: str,
    *,
    fixed: bool = False,
    python: str = sys.executable,
) -> Played:
    setarch = ("setarch", "-R") if fixed and shutil.which("setarch") else ()
    done = subprocess.run(
        [*setarch, python, "-m", "tests.engines.nethack.replays", *words],
        input=given,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        check=True,
    )
    return of_json(json.loads(done.stdout))


def shim_in(folder: Path) -> str:
    """A library that stands in for the system's clock, compiled into a folder; empty where no compiler is."""
    source, shim = folder / "shim.c", folder / "shim.so"
    source.write_text(SHIM)
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source], check=True, capture_output=True)
    except FileNotFoundError:
        return ""
    return str(shim)


def main() -> None:
    act, *words = sys.argv[1:]
    if act == "play":
        seed, bot, least = words
        game = _play(int(seed), bot, int(least))
    else:
        game = {"again": _again, "nle": _by_nle}[act](of_json(json.load(sys.stdin)))
    print(json.dumps(to_json(game)))


if __name__ == "__main__":
    main()
