"""NetHack 4.3 itself, where somebody has built it, played by its keys on a terminal (`scripts/endings --nethack4`)."""

import os
import pty
import re
import select
import signal
import sys
import tempfile
import termios
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["BuiltNetHack4"]

OPTIONS = 'networkmotd="off"\nanimation="instant"\n'
OPENING = (  # what it shows until the game has begun, and the key for each
    (b"\x1b[6n", b"\x1b[1;3R"),  # where the cursor is after two characters: a terminal that knows UTF-8
    (b"new game", b"n"),
    (b"Continue?", b"y"),
    (b"Shall I pick", b"y"),
    (b"[OK]", b"\r"),
)
BEGUN = b"welcome to NetHack"
BROKEN = (b"corrupted", b"inconsistent", b"ock on logfile", b"to recover logfile")
SEARCH = b"s"
OUT_OF_A_QUESTION = (b"\t", b"\r", b"n", b"\x1b")  # "--Tab!--", "Die? [yn]", a menu: debug mode lets nobody die
SEQUENCE = re.compile(rb"\x1b[^a-zA-Z]*[a-zA-Z]")
STEP = 0.002  # seconds between two looks at a log that it is to write to
UNANSWERED = 0.05  # seconds without a line, after which it may be asking something
MOST_SEEN = 100_000  # bytes
PATIENCE = 30.0  # seconds without a line, after which it writes no more; it gives up a lock after two


class BuiltNetHack4:
    """A game of its own, whose log is at `path`, too."""

    def __init__(self, program: str | Path, path: Path) -> None:
        home = Path(tempfile.mkdtemp(prefix="nethack4-", dir=path.parent))
        (home / "curses.conf").write_text(OPTIONS)
        words = [str(program), "-D", "-Z", "-U", str(home), "-u", "player", "-p", "Tou", "-r", "hum"]
        self._seen = b""
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            termios.tcsetwinsize(0, (24, 80))
            os.umask(0o022)
            os.execve(words[0], words, {**os.environ, "TERM": "xterm"})
        self._begin()
        (log,) = (home / "save").glob("*.nhgame")
        log.chmod(0o644)  # anybody may watch it
        draft = path.with_name("draft")
        os.link(log, draft)
        draft.rename(path)
        self._log = path

    def search(self) -> str:
        """Type a key, and wait until it is in the log: "written", or what the screen says instead."""
        size = self._log.stat().st_size
        os.write(self._terminal, SEARCH)
        begun, asked = time.monotonic(), 0
        while (waited := time.monotonic() - begun) < PATIENCE:
            self._look(STEP)
            if any(word in self._seen for word in BROKEN):
                break
            if self._log.stat().st_size > size:
                return "written"
            if waited > UNANSWERED * (asked + 1):
                os.write(self._terminal, OUT_OF_A_QUESTION[asked % len(OUT_OF_A_QUESTION)] + SEARCH)
                asked += 1
        return f"corrupted: {self._text()}"

    def __enter__(self) -> "BuiltNetHack4":
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def _begin(self) -> None:
        until = time.monotonic() + PATIENCE
        while BEGUN not in self._seen:
            self._look(0.1)
            for shown, key in OPENING:
                if shown in self._seen:
                    self._seen = b""
                    os.write(self._terminal, key)
            if time.monotonic() > until:
                sys.exit(f"NetHack 4 does not begin a game: {self._text()}")

    def _text(self) -> str:
        """What the screen showed lately, without the sequences that place it."""
        return repr(SEQUENCE.sub(b" ", self._seen).replace(b"\0", b"")[-1000:].decode(errors="replace"))

    def _look(self, patience: float) -> None:
        if select.select([self._terminal], [], [], patience)[0]:
            with suppress(OSError):  # it has ended
                self._seen = (self._seen + os.read(self._terminal, 65536))[-MOST_SEEN:]
