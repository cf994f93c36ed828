"""Playing: from a key to the changed screen, what a command costs in its log, what a client takes that waits."""

import fcntl
import os
import pty
import random
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.measures import SAMPLES, Row, measurement, recording

KEYS = "hjklyubn" * 6 + "s.,>"
PRESSED = 1000
IN_A_TERMINAL = 150  # keys
SETTLED = 0.03  # seconds without output after which a screen is complete
IDLE = 4.0  # seconds
SIZES = ((80, 24), (200, 60))


@measurement
def play() -> Iterator[Row]:
    """A game of delve, at random."""
    from nhlog.config import Config
    from nhlog.engines.protocol import NewGame
    from nhlog.session.session import Session
    from terminal.play.drawing import draw_game
    from terminal.play.new_game import DEFAULT_GAME, begin
    from terminal.play.open import open_game
    from terminal.screen.console import known_terminal, painter

    paint = painter(known_terminal("xterm-256color"), "auto", utf8=True).paint

    logged: list[float] = []
    writing = Session._write_save

    def timed_save(session: Session, writer: object) -> None:
        start = time.perf_counter()
        writing(session, writer)
        logged.append(time.perf_counter() - start)

    with tempfile.TemporaryDirectory() as folder:
        config = Config(games=Path(folder))
        options = NewGame("Bench", "Valkyrie", "human", "female", "neutral", 1, 3)
        controller = open_game(begin(DEFAULT_GAME, options, config), config)
        controller.enter()
        chance, times, screen = random.Random(1), [], None
        Session._write_save = timed_save
        try:
            while len(times) < PRESSED and not controller.session.following.over:
                key = chance.choice(KEYS if controller.asked is None else ["escape", "y", "a", "."])
                start = time.perf_counter()
                controller.press(key)
                screen, before = draw_game(controller, *SIZES[0]), screen
                paint(screen, before)
                times.append(time.perf_counter() - start)
                while controller.advance():
                    pass
        finally:
            Session._write_save = writing
        log = controller.session.log
        yield Row("from a key to the screen", sorted(times), controller.session.game.state).within(median=2)
        yield Row("save, verify, diff, append", sorted(logged), f"{log.size / max(len(logged), 1):.0f} bytes a turn")
        controller.close()


@measurement
def clients() -> Iterator[Row]:
    """Clients in a pseudo-terminal: the time that their processors take."""
    with tempfile.TemporaryDirectory() as folder:
        game = f"{folder}/game.nhgame"
        with client(["play", game, "--new", "--seed", "3", "--name", "Bench"], SIZES[0], folder) as (pid, fd):
            chance, times, size = random.Random(1), [], 0
            for _ in range(IN_A_TERMINAL):
                before = processor(pid)
                os.write(fd, chance.choice("hjkls.").encode())
                size += len(output(fd))
                times.append(processor(pid) - before)
            yield Row("key to screen in a terminal, processor", sorted(times), f"{size / len(times):.0f} bytes a key")
            yield idle("playing", pid, fd)
        live = Path(folder, "live.nhgame")
        live.write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
        finished = recording("nethack4/mid5.nhgame", "died2.nhgame")
        for name, arguments in (("watching", ["watch", str(live)]), ("paused", ["replay", finished, "--at", "50%"])):
            with client(arguments, SIZES[1], folder) as (pid, fd):
                yield idle(name, pid, fd)


def idle(name: str, pid: int, fd: int) -> Row:
    """What a client takes while nobody presses a key."""
    before, began = processor(pid), time.monotonic()
    size = len(output(fd, IDLE))
    share = (processor(pid) - before) / (time.monotonic() - began)
    return Row(f"{name}, where nothing happens", [], f"{share:.2%} of a processor, {size} bytes")


@contextmanager
def client(arguments: Sequence[str], size: tuple[int, int], folder: str) -> Iterator[tuple[int, int]]:
    """`nhlog` in a terminal of that size, as soon as it has drawn: its process, and the terminal's other end."""
    pid, fd = pty.fork()
    if not pid:
        places = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), folder)
        os.environ.update(places, TERM="xterm-256color", LANG="C.UTF-8")
        os.execv(sys.executable, [sys.executable, "-m", "terminal.cli", *arguments])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    try:
        output(fd, 1.5)
        yield pid, fd
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def output(fd: int, pause: float = SETTLED) -> bytes:
    """What comes until nothing came for so long."""
    came = b""
    while select.select([fd], [], [], pause)[0]:
        came += os.read(fd, 1 << 16)
    return came


def processor(pid: int) -> float:
    """Seconds that the threads of a process ran."""
    return sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9
