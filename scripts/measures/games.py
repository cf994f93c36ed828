"""Start-up, save diffs, logs, and the screens of NetHack 4 games."""

import importlib
import json
import os
import random
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import ZipFile

from scripts.measures import CORPUS, SAMPLES, Row, beside, each, measurement, program, recording, repeated, timed
from scripts.measures.installed import from_wheel
from scripts.measures.made import fill_folder, more_levels, with_levels

if TYPE_CHECKING:
    from nhlog.log.log import Log

NETHACK4 = CORPUS / "nethack4"
INSTALLED = from_wheel
LISTED = ((1_000, 400, 100), (10_000, 3_000, 500))  # games, and the milliseconds to list them, and again
PAIRS = 60
TYPICAL = range(30_000, 60_000)  # bytes of a save early in a game
SEEKS = 300
VERIFIED = 15_000_000  # bytes a second that are aimed at
LARGE = 1_000_000  # bytes of a save late in a long game


@measurement
def startup() -> Iterator[Row]:
    """The processor time of a verb, installed from a wheel, beside that of an interpreter that does nothing."""
    with INSTALLED() as programs:
        python = program("Python itself (pass)", [programs / "python", "-c", "pass"])
        yield python
        for row in verbs(programs / "nhlog"):
            yield replace(row, note=f"{row.at(0) / python.at(0):.1f} times Python itself")


def verbs(nhlog: Path) -> Iterator[Row]:
    """The aims are those of a machine on which Python itself takes 11 ms."""
    died, arena = (str(SAMPLES / name) for name in ("died2.nhgame", "arena.butter"))
    for most, arguments in ((45, ["--help"]), (70, ["info", died]), (100, ["show", died]), (100, ["show", arena])):
        told = " ".join(map(os.path.basename, arguments))
        yield program(f"nhlog {told}", [nhlog, *arguments]).within(least=most)
    cast = str(SAMPLES / "nethack.cast")
    for verb in (["events", cast], ["search", cast, "the"], ["show", cast]):
        yield program(f"nhlog {' '.join(map(os.path.basename, verb))}", [nhlog, *verb]).within(least=110)
    yield program("nhlog ls samples", [nhlog, "ls", SAMPLES], anew=True).within(least=100)
    yield program("  again", [nhlog, "ls", SAMPLES])
    for games, first, again in LISTED:
        with TemporaryDirectory() as folder:
            fill_folder(Path(folder), games)
            listed = [nhlog, "ls", folder]
            yield program(f"nhlog ls of {games} games", listed, anew=True).within(least=first)
            program("so that they are known", listed)
            yield program("  again", listed).within(least=again)


@measurement
def mdiff() -> Iterator[Row]:
    from nhlog.kernels import mdiff_decode
    from nhlog.log.wire.blob import Blob
    from nhlog.mdiff import MAX_SAVE, Rebuild, apply, compact, head, reference
    from nhlog.mdiff.errors import MAX_COMMANDS

    pairs = save_pairs()
    size = sum(len(new) for _, new in pairs)
    diffs = [reference.encode(old, new) for old, new in pairs]
    both = [(diff, old) for (old, _), diff in zip(pairs, diffs, strict=True)]
    given = f"{len(pairs)} pairs of saves, {size / len(pairs) / 1e3:.0f} kB on average"
    decode = [lambda d=d, o=o: mdiff_decode.splices(d, o, MAX_SAVE, MAX_COMMANDS) for d, o in both]
    yield in_all(each("decode", decode), given)
    yield in_all(each("apply", [lambda d=d, o=o: apply(d, o) for d, o in both]))
    rebuilds = [(Rebuild(old), diff) for diff, old in both]
    yield in_all(Row("apply along a chain", sorted(timed(lambda r=r, d=d: r.apply(d)) for r, d in rebuilds)))
    yield in_all(each("head", [lambda d=d, o=o: head(d, o[:256], 256) for d, o in both]))
    encoders = {"encode, reference": reference.encode, "encode, compact": compact.encode, **peers()}
    for name, encode in encoders.items():
        made = [encode(old, new) for old, new in pairs]
        lines = sum(len(Blob.of(diff).text) + 2 for diff in made)
        row = each(name, [lambda o=o, n=n, encode=encode: encode(o, n) for o, n in pairs])
        each_byte = sum(row.times) / size * 1e9
        yield Row(name, row.times, f"{each_byte:.1f} ns a byte; {sum(map(len, made))} bytes, {lines} as lines of a log")


def in_all(row: Row, note: str = "") -> Row:
    """The row, and how long its calls take together."""
    told = f"{sum(row.times) * 1e3:.1f} ms in all"
    return Row(row.name, row.times, f"{told}; {note}" if note else told)


def peers() -> dict[str, Callable[[bytes, bytes], bytes]]:
    """Other programs' binary diffs, where they are installed: general ones, which know nothing of the game."""
    found: dict[str, Callable[[bytes, bytes], bytes]] = {}
    with suppress(ImportError):
        found["encode, bsdiff4"] = importlib.import_module("bsdiff4").diff
    with suppress(ImportError):
        found["encode, xdelta3"] = importlib.import_module("xdelta3").encode
    return found


@cache
def save_pairs() -> list[tuple[bytes, bytes]]:
    """Saves of typical size that follow one another in real games."""
    pairs = []
    with ZipFile(NETHACK4 / "pairs.zip") as packed, packed.open("index.jsonl") as index:
        for entry in map(json.loads, index):
            if entry["new_len"] in TYPICAL and not entry["name"].startswith("syn"):
                pairs.append((packed.read(entry["old"]), packed.read(entry["new"])))
    return pairs[:: -(-len(pairs) // PAIRS)]


def largest_log() -> Path:
    """Of those there are; FIQHack's saves are not read."""
    return max((path for folder in (SAMPLES, NETHACK4) for path in folder.glob("[!f]*.nhgame")), key=size_of)


def size_of(path: Path) -> int:
    return path.stat().st_size


@measurement
def log() -> Iterator[Row]:
    from nhlog.formats.nhgame.listing import list_game
    from nhlog.formats.nhgame.open import open_log, open_replay
    from nhlog.formats.nhgame.records import save_records
    from nhlog.log.verify import verify

    path = largest_log()
    name, size = str(path), size_of(path)

    def opened(act: Callable[..., object] = lambda log: None) -> None:
        log = open_log(name)
        act(log)
        log.source.close()

    def cold() -> None:
        shutil.rmtree(Path(os.environ["XDG_CACHE_HOME"], "nhlog"), ignore_errors=True)
        opened()

    yield repeated(f"open {path.name}, {size / 1e3:.0f} kB", cold, size)
    yield repeated("open with an index", opened)
    yield repeated("list a game (nhlog ls)", lambda: list_game(name))
    replay = open_replay(name)
    steps = random.Random(4).sample(range(replay.timeline.last), min(SEEKS, replay.timeline.last))
    yield Row("seek anywhere, state and save", sorted(timed(lambda s=s: shown(replay, s)) for s in steps))
    near = range(replay.timeline.last // 2, replay.timeline.last // 2 + SEEKS)
    yield Row("step on", sorted(timed(lambda s=s: shown(replay, s)) for s in near))
    replay.close()
    sums: list[float] = []

    def summed(log: "Log") -> None:
        saves = map(log.save, range(len(log.columns.save_lines)))
        sums.append(sum(timed(lambda save=save: zlib.crc32(save)) for save in saves))

    opened(summed)
    beyond = Row("a CRC-32 of every save, byte by byte", sums)
    verified = repeated("verify", lambda: opened(lambda log: list(verify(log))), size)
    yield from beside(verified.within(least=size / VERIFIED * 1e3), [beyond])
    yield repeated("dump --saves", lambda: opened(lambda log: list(save_records(log))), size)


def shown(replay, step: int) -> bytes:
    replay.seek(step)
    return replay.state.save


@measurement
def screens() -> Iterator[Row]:
    """The map of a NetHack 4 game: 80 by 24 cells, from the log's bytes to the last colour."""
    from nhlog.formats.nhgame.open import open_replay
    from nhlog.nethack4.perception.view import perceive
    from nhlog.nethack4.save.head import HERO_SIZE, read_hero
    from terminal.views import Viewpoint, view_of

    path = recording("nethack4/mid5.nhgame", "died2.nhgame")
    replay = open_replay(path)
    view, stops = view_of(replay.info.id), replay.timeline.stops

    def screen(step: int) -> None:
        replay.seek(step)
        view.body(replay, 80, 24, Viewpoint())

    middle = len(stops) // 2
    near = stops[middle : middle + SEEKS]
    times = sorted(timed(lambda s=s: screen(s)) for s in near)
    yield Row(f"turn by turn through {Path(path).name}", times, f"{len(times) / sum(times):.0f} turns/s")
    chosen = random.Random(4).sample(list(stops), min(SEEKS, len(stops)))
    yield Row("screen at a random turn", sorted(timed(lambda s=s: screen(s)) for s in chosen))
    save = replay.state.save
    large = with_levels(save, more_levels(save, LARGE))
    yield repeated(f"map and status of a save, {len(save) / 1e3:.0f} kB", lambda: whole(perceive(save)))
    yield repeated(f"map and status of a save, {len(large) / 1e3:.0f} kB", lambda: whole(perceive(large)))
    yield repeated("the hero's place and health", lambda: read_hero(save[:HERO_SIZE]))
    replay.close()


@measurement
def frames() -> Iterator[Row]:
    """A NetHack 4 game played turn by turn: from its log's bytes to those that are sent to the terminal."""
    from nhlog.formats.nhgame.open import open_replay
    from terminal.replay.controls import Controls
    from terminal.replay.drawing.frame import draw_frame
    from terminal.replay.player import Player
    from terminal.screen.console import known_terminal, painter
    from terminal.views import view_of

    paint = painter(known_terminal("xterm-256color"), "auto", utf8=True).paint
    for path in (str(SAMPLES / "died2.nhgame"), recording("nethack4/mid5.nhgame", "scripted1.nhgame")):
        for size, most in (((80, 24), 0.6), ((200, 60), 1.8)):
            replay = open_replay(path)
            controls = Controls(Player(replay), view_of(replay.info.id))
            screen, sent, times = None, 0, []
            for step in replay.timeline.stops[: SEEKS + 1]:
                began = time.process_time()
                controls.player.seek(step)
                screen, before = draw_frame(controls, *size), screen
                output = paint(screen, before)
                if before is not None:  # the first one computes what all others use
                    times.append(time.process_time() - began)
                    sent += len(output)
            replay.close()
            told = f"{len(times) / sum(times):.0f} turns/s, {sent / len(times):.0f} bytes a turn"
            row = Row(f"{Path(path).name} turn by turn, {size[0]}x{size[1]}", sorted(times), told)
            yield row.within(median=most)


def whole(perception) -> None:
    perception.map()
    perception.status_rows()
