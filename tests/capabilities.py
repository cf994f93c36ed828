"""What can be done with which kind of recording: each is tried, and the README's table is made of what came of it.

``python -m tests.readme`` writes the table; a test compares.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nhlog.formats import format_of, open_recording
from nhlog.replay import Change, Status
from nhlog.testing import ReplayContract
from terminal.cli import main
from tests.contract.test_asciicast import TestAsciicast2
from tests.contract.test_butter import TestButter, TestEchoreplay
from tests.contract.test_datafile import TestDatafile
from tests.contract.test_hollowcube import TestTextLayout
from tests.contract.test_nhgame import TestNhgame
from tests.contract.test_teehistorian import TestTeehistorian
from tests.contract.test_ttyrec import TestTtyrec
from tests.corpus import SAMPLES

__all__ = ["table"]

YES, NO = "yes", "–"
UNSUPPORTED: Final = 4


@dataclass(frozen=True)
class Kind:
    """A kind of recording: what the table calls it, a sample, the ending of new ones, and samples that grow."""

    name: str
    sample: Path
    ending: str
    contract: type[ReplayContract]


KINDS: Final = (
    Kind("NetHack 4 and delve", SAMPLES / "scripted1.nhgame", ".nhgame", TestNhgame),
    Kind("DDNet teehistorian", SAMPLES / "coverage.teehistorian", ".teehistorian", TestTeehistorian),
    Kind("Teeworlds map", SAMPLES / "coverage.map", ".map", TestDatafile),
    Kind("Hollow Cube", SAMPLES / "run.replay", ".replay", TestTextLayout),
    Kind("Echo VR `.butter`", SAMPLES / "arena.butter", ".butter", TestButter),
    Kind("Echo VR `.echoreplay`", SAMPLES / "arena.butter", ".echoreplay", TestEchoreplay),
    Kind("ttyrec", SAMPLES / "nethack.cast", ".ttyrec", TestTtyrec),
    Kind("asciicast", SAMPLES / "nethack.cast", ".cast", TestAsciicast2),
)


def table() -> str:
    """The table in Markdown: a row for each kind, a column for each act."""
    rows = [["", *ACTS], ["---"] * (len(ACTS) + 1)]
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            rows.append([kind.name, *(act(kind, Path(folder)) for act in ACTS.values())])
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows)


def _copy(kind: Kind, folder: Path) -> Path:
    """The sample, in this form."""
    path = folder / f"copy{kind.ending}"
    path.unlink(missing_ok=True)
    if kind.sample.suffix == kind.ending:
        shutil.copy(kind.sample, path)
    else:
        assert _run("convert", kind.sample, path) == 0
    return path


def _run(*arguments: object, stdin: bytes = b"") -> int:
    """The exit code of `nhlog` with these arguments."""
    return _heard(*arguments, stdin=stdin)[0]


def _heard(*arguments: object, stdin: bytes = b"") -> tuple[int, str]:
    with _input(stdin), redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()):
        code = main([str(argument) for argument in arguments])
    return code, out.getvalue()


@contextmanager
def _input(data: bytes) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data))
    try:
        yield
    finally:
        sys.stdin = before


def _done(code: int) -> bool:
    """Whether the verb did it; False where there is no such thing for the kind."""
    assert code in (0, UNSUPPORTED), code
    return code == 0


def _last(path: Path) -> int:
    with closing(open_recording(str(path))) as replay:
        return replay.timeline.last


def _is_sound(path: Path) -> bool:
    return _run("verify", path) == 0


def _replays(kind: Kind, folder: Path) -> str:
    path = _copy(kind, folder)
    assert _run("show", path, "--at", "50%", "--size", "80x24") == 0
    return YES


def _lives(kind: Kind, folder: Path) -> str:
    contract, path = kind.contract(), folder / f"live{kind.ending}"
    grows = contract.growing()
    if grows is None:
        return NO
    old, new = grows
    contract.put(path, old)
    with closing(contract.open(path)) as replay:
        assert replay.info.status is Status.LIVE
        contract.append(path, new)
        assert replay.refresh() is Change.GREW
    return YES


def _rewinds(kind: Kind, folder: Path) -> str:
    path = _copy(kind, folder)
    last = _last(path)
    if not _done(_run("rewind", path, "--to", "50%", "--yes")):
        return NO
    assert _is_sound(path)
    assert 0 < _last(path) < last
    return YES


def _records(kind: Kind, folder: Path) -> str:
    source, target = _copy(kind, folder), folder / f"recorded{kind.ending}"
    if kind.ending == ".nhgame":
        return _plays(target)
    if format_of(str(source)).load().encoder is not None:
        return _records_program(target)
    code, told = _heard("dump", source, "--json")
    assert code == 0
    if not _done(_run("record", target, stdin=told.encode())):
        return NO
    assert _last(target) == _last(source)
    return YES


def _plays(target: Path) -> str:
    """A log is recorded by playing."""
    from nhlog.config import Config
    from terminal.play.new_game import begin, random_options

    begin("delve", random_options("delve", "Ann", {}), Config(), str(target))
    assert _is_sound(target)
    return "by playing"


def _records_program(target: Path) -> str:
    """A terminal is recorded with what runs in it."""
    assert _run("record", target, "--headless", "--", "printf", "hello") == 0
    assert _is_sound(target)
    return "any program"


def _recovers(kind: Kind, folder: Path) -> str:
    path = _copy(kind, folder)
    path.write_bytes(path.read_bytes()[:-7])
    if not _done(_run("recover", path)):
        return NO
    assert _is_sound(path)
    return YES


def _converts(kind: Kind, folder: Path) -> str:
    source, target = _copy(kind, folder), folder / f"converted{kind.ending}"
    if not _done(_run("convert", source, target)):
        return NO
    assert _is_sound(target)
    assert _last(target) == _last(source)
    return YES


ACTS: Final[dict[str, Callable[[Kind, Path], str]]] = {
    "replay": _replays,
    "live": _lives,
    "rewind": _rewinds,
    "record": _records,
    "recover": _recovers,
    "convert": _converts,
}
