"""A process that tells what it opened: ``python -m tests.audited VERB ARGUMENTS`` runs a verb, or an act below.

The last line on standard error is JSON: the exit code, and for each file opened or name changed: its path, the source
file that asked for it, whether it may be written, and whether a descriptor of that very file was open already.
"""

import json
import os
import stat
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

READERS = tuple(os.path.join("nhlog", "files", name) for name in ("opening.py", "reading.py", "writers.py"))

Told = tuple[str, str, bool, bool]

told: list[Told] = []


def spy(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook."""
    if event == "open" and isinstance(arguments[0], str | bytes):
        path, _, flags = arguments
        writes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        tell(path, writes, is_open(path))
    elif event in ("os.rename", "os.link", "os.symlink"):
        tell(arguments[1], True, False)
    elif event in ("os.truncate", "os.remove", "os.mkdir") and isinstance(arguments[0], str | bytes):
        tell(arguments[0], True, False)


def tell(path: str | bytes, writes: bool, again: bool) -> None:
    told.append((os.path.abspath(os.fsdecode(path)), caller(sys._getframe(2)), writes, again))


def caller(frame: FrameType) -> str:
    """The source file that asked for it: not what of `nhlog.files` opens everything, but who called that."""
    while frame.f_code.co_filename.endswith(READERS) and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename


def is_open(path: str | bytes) -> bool:
    """Whether a descriptor of that file is open now."""
    try:
        wanted = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(wanted.st_mode) and any(same(wanted, int(fd)) for fd in os.listdir("/proc/self/fd"))


def same(wanted: os.stat_result, fd: int) -> bool:
    try:
        return os.path.samestat(wanted, os.fstat(fd))
    except OSError:  # the listing's own
        return False


class Hand:
    """A display that shows nothing, and a person who presses one key after the other."""

    size = (80, 24)

    def __init__(self, *keys: str) -> None:
        self._keys = iter(keys)

    def draw(self, screen: object) -> None:
        pass

    def bound(self, table):
        return table

    def dress(self, appearance: object) -> None:
        pass

    def listen(self, changes: object) -> None:
        pass

    def keys(self, timeout: float) -> list[str]:
        return [next(self._keys)]


def replayed(path: str) -> None:
    """The full-screen client, less the drawing."""
    from nhlog.formats import open_recording
    from terminal.replay.loop import watch
    from terminal.replay.player import Player

    player = Player(open_recording(path))
    watch(Hand(*".,", *"50%G", *"g]/search", "enter", *"nF", " ", *"[hqq"), player)
    player.close()


def played(path: str) -> None:
    """A recorded game again, through the append path."""
    from nhlog.formats.nhgame.open import open_log
    from nhlog.log import Durability
    from nhlog.log.append import create_log
    from nhlog.log.wire.lines import Command

    log = open_log(path)
    writer = create_log(path + ".new.nhgame", log.header, log.save(0), Durability.LINES)
    writer.append(Command("search"))
    writer.save(log.save(1), "a turn later")
    writer.finish("quit")


def watched(path: str) -> None:
    """A follower, in each of the three ways."""
    from nhlog.log import NotifyMethod
    from nhlog.log.file import LogFile
    from nhlog.log.notify import Changes

    for way in NotifyMethod:
        with LogFile(path) as log, Changes(log, way):
            pass


def cheated(path: str) -> None:
    """What is forbidden."""
    from nhlog.log.file import LogFile

    with LogFile(path), open(path):
        pass


ACTS: dict[str, Callable[[str], None]] = {act.__name__: act for act in (replayed, played, watched, cheated)}


def main(verb: str, *arguments: str) -> None:
    sys.addaudithook(spy)
    if verb in ACTS:
        code = ACTS[verb](*arguments) or 0
    else:
        from terminal.cli import main as nhlog

        code = nhlog([verb, *arguments])
    print(json.dumps([code, told]), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
