"""A process that tells what it opened: ``python -m tests.audited VERB ARGUMENTS`` runs a verb, or an act below.

The last line on standard error is JSON: the exit code; for each file opened or name changed: its path, the source
file that asked for it, whether it may be written, and whether a descriptor of that very file was open already; and the
names of calls by which a process takes a lock on a log, or sends a signal to one that is not its child.

Whole programs are overheard (`Overheard`), with all that they start.
"""

import fcntl
import json
import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, Self

from scripts.measures.processes import parent_of
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
READERS = tuple(os.path.join("nhlog", "files", name) for name in ("opening.py", "reading.py", "writers.py"))

Told = tuple[str, str, bool, bool]

told: list[Told] = []
taken: list[str] = []
LOCKING = {getattr(fcntl, name) for name in dir(fcntl) if "SETLK" in name}
SIGNALS = ("os.kill", "os.killpg", "signal.pthread_kill", "signal.pidfd_send_signal")


def spy(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook."""
    if event == "open" and isinstance(arguments[0], str | bytes):
        path, _, flags = arguments
        writes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        tell(path, writes, is_open(path))
    elif event in ("os.rename", "os.link", "os.symlink"):
        tell(arguments[1], True, False)
    elif event in ("fcntl.lockf", "fcntl.fcntl", "fcntl.flock") and is_log(arguments[0]):
        if event == "fcntl.lockf" or arguments[1] in LOCKING or (event, arguments[1]) == ("fcntl.flock", fcntl.LOCK_EX):
            taken.append(event)
    elif is_signal(event, arguments):
        taken.append(event)
    elif event in ("os.truncate", "os.remove", "os.mkdir") and isinstance(arguments[0], str | bytes):
        tell(arguments[0], True, False)


def tell(path: str | bytes, writes: bool, again: bool) -> None:
    told.append((os.path.abspath(os.fsdecode(path)), caller(sys._getframe(2)), writes, again))


def caller(frame: FrameType) -> str:
    """The source file that asked for it: not what of `nhlog.files` opens everything, but who called that."""
    while frame.f_code.co_filename.endswith(READERS) and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename


def is_signal(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether another process is sent a signal; not one that this one has started, and 0 only asks."""
    if event == "os.kill":
        pid, number = arguments
        return bool(number) and not is_own(pid)
    return event in SIGNALS or (event == "ctypes.dlsym" and "sigqueue" in arguments)


def is_own(pid: int) -> bool:
    """Whether this process has started that one, or it has ended."""
    with suppress(OSError):
        while pid != os.getpid():
            pid = parent_of(pid)
            if pid <= 1:
                return False
    return True


def is_log(fd: int) -> bool:
    """Whether that is the descriptor of a log."""
    return ".nhgame" in os.readlink(f"/proc/self/fd/{fd}")


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


class Overheard:
    """What a program does, and all that it starts, where `path` is its PYTHONPATH: complete when that has ended.

    It tells by a pipe, as some of its processes can write no file.
    """

    def __init__(self, folder: Path) -> None:
        self.told: list[Told] = []
        self.taken: list[str] = []
        self.path = f"{folder}:{ROOT}"
        pipe = folder / "told"
        os.mkfifo(pipe)
        (folder / "sitecustomize.py").write_text(f"from tests.audited import tell_all\ntell_all({str(pipe)!r})\n")
        self._hearing = threading.Thread(target=self._hear, args=(pipe,))
        self._hearing.start()
        self._end = os.open(pipe, os.O_WRONLY)

    def _hear(self, pipe: Path) -> None:
        for line in pipe.open():
            files, calls = json.loads(line)
            self.told += files
            self.taken += calls

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._end)
        self._hearing.join(PATIENCE)


def tell_all(pipe: str) -> None:
    """In each process of such a program: tell what it does to logs from now on."""
    fd = os.open(pipe, os.O_WRONLY)

    def spy_and_tell(event: str, arguments: tuple[Any, ...]) -> None:
        spy(event, arguments)
        said = [one for one in told if ".nhgame" in one[0]], taken
        if any(said):
            with suppress(OSError):  # a process behind a wall has no file open any more
                os.write(fd, json.dumps(said).encode() + b"\n")
        told.clear()
        taken.clear()

    sys.addaudithook(spy_and_tell)


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


def viewed(path: str) -> None:
    """As who watches it live sees it, and as the process does that draws it for browsers: with its panels and pages."""
    from terminal.replay.live import LiveLog, following
    from terminal.replay.loop import watch
    from terminal.replay.open import open_viewed
    from terminal.replay.player import Player

    for mends in (True, False):
        replay = open_viewed(path)
        live = LiveLog(getattr(replay, "lines", replay).log, mends=True) if mends else None
        player = Player(replay, live=live) if live else following(replay, path)
        player.follow()
        keys = [["tab"] * 4, "o", "i", "\\", "p", "escape", "g", "..", "G", "F", "h", "qq", "qq"]
        watch(Hand(*(key for some in keys for key in (some if some != "escape" else ["escape"]))), player)
        player.close()


def listed(path: str) -> None:
    """The list of games, in full."""
    from nhlog.formats.nhgame.listing import glance_at_game, list_game

    list_game(path)
    glance_at_game(path)


def relayed(path: str) -> None:
    """What a relay reads: a look, and a snapshot for those who come late."""
    from nhlog.relay.course import Course
    from nhlog.relay.snapshots import snapshot_of
    from nhlog.relay.sources import LogSource

    source = LogSource(path)
    look = source.look(0, 1 << 20, 0)
    course = Course()
    course.pass_over(look.data, len(look.head))
    course.head = look.head
    snapshot_of(source.file, course, 1 << 24)
    source.close()


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


ACTS: dict[str, Callable[[str], None]] = {
    act.__name__: act for act in (replayed, viewed, listed, relayed, played, watched, cheated)
}


def main(verb: str, *arguments: str) -> None:
    sys.addaudithook(spy)
    if verb in ACTS:
        code = ACTS[verb](*arguments) or 0
    else:
        from terminal.cli import main as nhlog

        code = nhlog([verb, *arguments])
    print(json.dumps([code, told, taken]), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
