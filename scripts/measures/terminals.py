"""Recorded terminals: found, played, sought in and searched; beside other programs that read such files."""

import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.measures import ROOT, Row, measurement, nothing_kept, program, recording, timed
from scripts.measures.long_logs import CLIENT
from scripts.measures.processes import processor

SIZE = 100_000_000  # bytes of the long recording
SEEKS = 300
WALKED = 20_000  # events
SOUGHT = ("killed by", "dragon")
MEGABYTE = 1 << 20

PEERS = {
    "ttyplay -n": ("ttyplay", "-n"),
    "asciinema cat": ("asciinema", "cat"),
}
"""Programs that read a recording from its beginning to its end; none of them shows a place in it at once."""


def long_ttyrec(path: Path) -> int:
    """Write a recording of about so many bytes, one of the corpus again and again; returns how many they are."""
    data = Path(recording("terminal/recorded/crawl028-2h-mibe.ttyrec", "")).read_bytes()
    path.write_bytes(data * (SIZE // len(data) + 1))
    return path.stat().st_size


def spent(command: Sequence[str]) -> float:
    """Seconds of the processor that a program takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def found(command: Sequence[str]) -> list[str] | None:
    """The command with its program's path; None where that is not installed."""
    program = shutil.which(command[0], path=f"{os.environ.get('PATH', '')}:{Path(sys.executable).parent}")
    return None if program is None else [program, *command[1:]]


def used(call: Callable[[], object]) -> float:
    """Seconds of the processor that a call takes, here and in the process that emulates."""
    began = time.process_time() + emulated()
    call()
    return time.process_time() + emulated() - began


def emulated() -> float:
    """Seconds of the processor that the process has used that emulates, which is started if there is none."""
    from nhlog.vt.process import shared

    return processor([shared().pid])


def speed(name: str, size: int, call: Callable[[], float]) -> Row:
    """How fast so many bytes are dealt with; the call tells how long it took."""
    times = sorted(call() for _ in range(3))
    return Row(name, times, f"{size / times[0] / 1e6:.0f} MB/s")


@measurement
def terminals() -> Iterator[Row]:
    """A ttyrec of 100 MB: its frames found, played, sought in; an asciicast; what others take for the same."""
    from nhlog.formats import open_recording

    with TemporaryDirectory() as folder:
        path = Path(folder, "long.ttyrec")
        name, size = str(path), long_ttyrec(path)

        def opened() -> float:
            return timed(lambda: open_recording(name).close())

        def anew() -> float:
            with nothing_kept():
                return opened()

        yield speed(f"ttyrec, {size / 1e6:.0f} MB: opened", size, anew)
        opened()
        yield speed("  opened again", size, opened)
        replay = open_recording(name)
        last = replay.timeline.last
        replay.seek(last)
        yield Row("  played to its end", [played := used(lambda: replay.state)], f"{size / played / 1e6:.0f} MB/s")
        chance, times = random.Random(1), []
        for _ in range(SEEKS):
            replay.seek(chance.randrange(replay.timeline.last + 1))
            times.append(timed(lambda: replay.state))
        yield Row("  a place in it, at random", sorted(times))
        sought = used(lambda: [*replay.tape.walk(0, WALKED, lambda played, part: True)])
        yield Row("  walked, each event looked at", [sought / WALKED], "an event")
        for word in SOUGHT:
            search = partial(replay.search, re.compile(word, re.IGNORECASE), 0, last)
            yield speed(f"  searched for {word!r}", size, partial(used, lambda search=search: [*search()]))
        replay.close()
        yield Row("  memory for that", [], f"{peak(path) >> 20} MiB")
        listed = [*CLIENT, "ls", folder]
        yield program("  nhlog ls of it", listed, anew=True)
        yield program("  nhlog ls of it, again", listed).within(least=300)
        if ttyplay := found(PEERS["ttyplay -n"]):
            yield speed("  ttyplay -n", size, lambda: spent([*ttyplay, str(path)]))
        cast = recording("terminal/asciinema-server/big.cast", "")
        count = Path(cast).stat().st_size
        yield speed("asciicast, 3 MB: opened", count, partial(used, lambda: open_recording(cast).close()))
        if asciinema := found(PEERS["asciinema cat"]):
            yield speed("  asciinema cat", count, lambda: spent([*asciinema, cast]))


def peak(path: Path) -> int:
    """The most bytes of memory that a process needs to open the recording and to go to its end and back."""
    source = (
        "import resource, sys; from nhlog.formats import open_recording; replay = open_recording(sys.argv[1])\n"
        "for step in (replay.timeline.last, 0, replay.timeline.last // 2): replay.seek(step); replay.state\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    told = subprocess.run([sys.executable, "-c", source, str(path)], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return int(told.stdout) << 10
