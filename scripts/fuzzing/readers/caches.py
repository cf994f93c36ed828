"""What the cache keeps of recordings: with it, with a damaged one, or with that of another file, answers are the same.

Where an entry is forged, so that its seal is right (which takes a bug of ours), its content may be believed as far as
it fits the recording: then answers are answers, or errors of ours.  Snapshots of the emulator are not forged: they go
into a library that trusts them.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from nhlog.cache import cache_folder, read_entry, write_entry
from nhlog.errors import NhlogError
from nhlog.formats.hollowcube.operations import ConvertOptions, convert
from nhlog.formats.hollowcube.wire.header import Layout
from scripts.fuzzing.mutants import MUTANTS
from scripts.fuzzing.mutants.change import SAMPLES, bend_bytes, rarely
from scripts.fuzzing.readers.forge import bend_entry
from scripts.fuzzing.readers.small import small_is_long
from scripts.fuzzing.rules import SIZE, Begin, Broken, check_error, check_screen, run
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of

__all__ = ["act", "mutant"]

_SAMPLES: Final = (
    "all-line-kinds.nhgame",
    "delve.nhgame",
    "died2.nhgame",
    "scripted1.nhgame",
    "arena.butter",
    "coverage.teehistorian",
    "run.replay",
    "ghost.replay",
    "nethack.cast",
)
_TRUSTED: Final = ("snapshots",)  # into the emulator as they are
_PLACES: Final = (0.0, 0.3, 0.97, 0.5, 1.0)  # where one looks, of the whole


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A sample; now and then a recording that is damaged itself."""
    if rarely(chance, 4):
        return MUTANTS[chance.choice(("nhgame", "hollowcube", "teehistorian", "butter", "asciicast", "ttyrec"))](chance)
    name = chance.choice(_SAMPLES)
    return {f"case{Path(name).suffix}": _sample(name)}


@cache
def _sample(name: str) -> bytes:
    """A recording of which something is kept: of Hollow Cube's own one without the table that tells of its events."""
    if not name.endswith(".replay"):
        return (SAMPLES / name).read_bytes()
    with TemporaryDirectory() as folder:
        convert(str(SAMPLES / name), f"{folder}/case.replay", ConvertOptions(layout=Layout.GAME))
        return Path(folder, "case.replay").read_bytes()


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Ask without a cache, with what is then in it, and with that changed in one way."""
    with small_is_long():
        begin("without a cache")
        known = _answers(case, begin)
        begin("with a cache")
        _expect(known, _answers(case, begin), "with a cache")
        entries = [path for path in sorted(Path(cache_folder()).rglob("*")) if path.is_file() and path.stat().st_size]
        way = chance.choice(("damaged", "forged", "forged", "forged", "forged", "another's", "changed"))
        if not entries:
            return
        if way == "damaged":
            for entry in entries:
                entry.write_bytes(bend_bytes(chance, entry.read_bytes()))
        elif way == "forged":
            _forge(entries, chance)
        elif way == "another's":
            _exchange(case, chance, begin)
        else:
            _change(case, chance)
            known = _without(case, begin)
        begin(f"{way}: ask")
        found = _answers(case, begin)
        if way != "forged":
            _expect(known, found, way)


def _expect(known: list[str], found: list[str], way: str) -> None:
    if known != found:
        first = next((pair for pair in zip(known, found, strict=False) if pair[0] != pair[1]), (known[-1:], found[-1:]))
        raise Broken(f"{way}: other answers\n{first[0]}\n{first[1]}")


def _forge(entries: list[Path], chance: Random) -> None:
    for entry in entries:
        kind, name = entry.parent.name, entry.name
        data = None if kind in _TRUSTED or rarely(chance, 4) else read_entry(kind, name)
        if data is not None:
            write_entry(kind, name, bend_entry(chance, bytes(data)))


def _exchange(case: Path, chance: Random, begin: Begin) -> None:
    """Put the entries of another recording in the place of its own."""
    names = {path.name for path in Path(cache_folder()).rglob("*") if path.is_file()}
    other = case.with_name(f"other{case.suffix}")
    shutil.copytree(case, other) if case.is_dir() else shutil.copy(case, other)
    if rarely(chance, 2):
        part = _part(other)
        part.write_bytes(bend_bytes(chance, part.read_bytes()))
    _answers(other, begin)
    for kind in Path(cache_folder()).iterdir():
        own = [path for path in kind.iterdir() if path.name in names] if kind.is_dir() else []
        others = [path for path in kind.iterdir() if path.name not in names] if kind.is_dir() else []
        for path, another in zip(sorted(own), sorted(others), strict=False):
            data = None if kind.name in _TRUSTED else read_entry(kind.name, another.name)
            if data is not None:
                write_entry(kind.name, path.name, bytes(data))
    shutil.rmtree(other) if other.is_dir() else other.unlink()


def _change(case: Path, chance: Random) -> None:
    """Have the recording grow, become shorter, or be another at once."""
    part = _part(case)
    data = part.read_bytes()
    at = chance.randint(0, len(data))
    changed = (data + data[at:], data[:at], data[:at] + bend_bytes(chance, data[at:]))
    with part.open("r+b") as file:
        file.write(chance.choice(changed))
        file.truncate()


def _part(recording: Path) -> Path:
    """The file of a recording that grows: its last one, if it is a folder."""
    return max(recording.iterdir()) if recording.is_dir() else recording


def _without(case: Path, begin: Begin) -> list[str]:
    """The answers without a cache; what is in it stays."""
    before = os.environ["XDG_CACHE_HOME"]
    os.environ["XDG_CACHE_HOME"] = f"{before}-none"
    try:
        return _answers(case, begin)
    finally:
        os.environ["XDG_CACHE_HOME"] = before


def _answers(case: Path, begin: Begin) -> list[str]:
    """What is told and shown of a recording: texts."""
    path, told = str(case), []
    for arguments in (["ls", "--json", str(case.parent)], ["info", path], ["scores", path, "--json"])[
        : 3 if case.suffix == ".nhgame" else 2
    ]:
        with _refusal(told):
            done = run(case.parent, begin, *arguments, answers=(0, 1, 2, 3, 4, 6))
            told.append(f"{done.code} {done.out} {done.err}")
    begin("walk")
    with _refusal(told), closing(open_viewed(path)) as replay:
        player = Player(replay)
        controls, timeline = Controls(player, view_of(replay.info.id)), replay.timeline
        told.append(f"{replay.info} {timeline.last} {[*timeline.markers][:50]}")
        for place in _PLACES:
            step = int(place * timeline.last)
            begin(f"seek {place}")
            with _refusal(told):
                player.seeker.go(f"{place:.0%}")
                player.advance(0.0)
                screen = draw_frame(controls, *SIZE)
                check_screen(screen)
                told.append("\n".join(screen.text()))
                told.append(str([*replay.events(max(step - 5, 0), step)]))
            told.append(str({name: axis.values[step] for name, axis in timeline.axes.items()}))
        begin("refresh")
        told.append(str(replay.refresh()))
    return told


@contextmanager
def _refusal(told: list[str]) -> Iterator[None]:
    try:
        yield
    except NhlogError as error:
        check_error(error)
        told.append(str(error))
