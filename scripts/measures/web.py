"""`nhlog serve` with many viewers: how long after a key they have its picture, what it costs the player, memory."""

import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.measures import ROOT, Row, waited
from scripts.measures.processes import descendants, memory

VIEWERS = 2000
GAMES, OF_EACH = 50, 20
RATE = 10.0  # keys a second
SECONDS = 10.0
ADDRESS = 100_000  # viewers from one address: all are from ours
WALKS = "hjklyubn"


def web() -> Iterator[Row]:
    """2,000 viewers of one game of delve; one more who never reads; and 20 viewers of each of 50 games."""
    with tempfile.TemporaryDirectory() as folder:
        (game,) = begun(folder, 1)
        alone = [press_of(game) for _ in paced(SECONDS / 2)]
        yield Row("key to screen, nobody watches", sorted(alone))
        with served(folder) as server:
            with watching(server, [game.path], VIEWERS) as viewers:
                began, pressed = [], []
                for _ in paced(SECONDS):
                    began.append(time.monotonic())
                    pressed.append(press_of(game))
                    began[-1] = (began[-1], game.last)
                memory = server.memory()
                row = viewers.row(f"until seen, {VIEWERS} viewers", [began])
                yield row
                yield Row("  key to screen meanwhile", sorted(pressed), times(pressed, alone))
                yield Row("  memory", [], memory)
            with server.never_reads(game.path) as silent:
                before = server.memory()
                for _ in paced(SECONDS):
                    press_of(game)
                yield Row("one viewer that never reads", [], f"{before}, then {server.memory()}; {silent()}")
        game.close()
    with tempfile.TemporaryDirectory() as folder:
        games = begun(folder, GAMES)
        with served(folder) as server, watching(server, [game.path for game in games], OF_EACH) as viewers:
            began = [[] for _ in games]
            for number in paced(SECONDS, RATE * 5):
                at, one = number % GAMES, games[number % GAMES]
                moment = time.monotonic()
                press_of(one)
                began[at].append((moment, one.last))
            yield viewers.row(f"until seen, {GAMES} games with {OF_EACH}", began)
            yield Row("  memory", [], server.memory())
        for game in games:
            game.close()


def times(some: Sequence[float], others: Sequence[float]) -> str:
    """How much longer some take than others, at the median."""
    return f"{sorted(some)[len(some) // 2] / sorted(others)[len(others) // 2]:.1f} times the median with none"


def paced(seconds: float, rate: float = RATE) -> Iterator[int]:
    """Numbers, so many a second."""
    begin = time.monotonic()
    for number in range(round(seconds * rate)):
        time.sleep(max(begin + number / rate - time.monotonic(), 0))
        yield number


class Game:
    """A game of delve that is played here; `last` is the last step of its log."""

    def __init__(self, folder: str, seed: int) -> None:
        from nhlog.config import Config
        from nhlog.engines.protocol import NewGame
        from terminal.play.new_game import DEFAULT_GAME, begin
        from terminal.play.open import open_game

        config = Config(games=Path(folder))
        options = NewGame(f"Bench{seed}", "Valkyrie", "human", "female", "neutral", 1, seed)
        self.path = str(begin(DEFAULT_GAME, options, config))
        self._controller = open_game(self.path, config)
        self._controller.enter()
        self._chance = random.Random(seed)

    @property
    def last(self) -> int:
        return len(self._controller.session.log) - 1

    def press(self) -> None:
        """Walk somewhere, and draw it."""
        from terminal.play.drawing import draw_game

        controller = self._controller
        controller.press(self._chance.choice(WALKS) if controller.asked is None else "escape")
        draw_game(controller, 80, 24)
        while controller.advance():
            pass

    def close(self) -> None:
        self._controller.close()


def begun(folder: str, count: int) -> list[Game]:
    return [Game(folder, seed) for seed in range(1, count + 1)]


def press_of(game: Game) -> float:
    return waited(game.press)


class Server:
    """`nhlog serve` for a folder."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        self._process = process
        line = ""
        while "serving at" not in line:
            line = process.stderr.readline()
        self.port = int(line.rstrip("/\n").rpartition(":")[2])

    def identity(self, path: str) -> str:
        from terminal.web.recordings import identified

        return identified(os.path.realpath(path))

    def memory(self) -> str:
        """What the server has, and what its processes have of their own."""
        server = memory(self._process.pid, "Private")
        others = [memory(pid, "Private") for pid in descendants(self._process.pid)]
        return f"{server / 1e6:.0f} MB the server, {sum(others) / 1e6:.0f} MB {len(others)} processes that read"

    @contextmanager
    def never_reads(self, path: str) -> Iterator[object]:
        """A viewer that takes nothing, and what became of it."""
        with socket.create_connection(("127.0.0.1", self.port)) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            one.sendall(
                f"GET /ws/view/{self.identity(path)}?size=200x60 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\n{key}".encode()
            )
            yield lambda: "still connected" if self.has(one.getsockname()[1]) else "let go"

    def has(self, port: int) -> bool:
        """Whether a connection from this port is open."""
        told = Path("/proc/net/tcp").read_text()
        return f"0100007F:{self.port:04X} 0100007F:{port:04X} 01" in told


@contextmanager
def served(folder: str) -> Iterator[Server]:
    settings = Path(folder, "settings", "nhlog")
    settings.mkdir(parents=True)
    (settings / "config.toml").write_text(f"[web]\nviewers_of_address = {ADDRESS}\nviewers = {ADDRESS}\n")
    command = [sys.executable, "-m", "terminal.cli", "serve", folder, "--port", "0"]
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    environment = os.environ | {"XDG_CONFIG_HOME": str(settings.parent)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        try:
            yield Server(process)
        finally:
            process.terminate()


class Viewers:
    """The viewers, and what they heard."""

    def __init__(self, process: "subprocess.Popen[str]", identities: list[str]) -> None:
        self._process = process
        self._identities = identities

    def row(self, name: str, began: list[list[tuple[float, int]]]) -> Row:
        """The times from each key of each game to each of its viewers."""
        time.sleep(1)
        told = json.loads(self._process.communicate()[0].splitlines()[-1])
        seen, wanted = [], 0
        for identity, keys in zip(self._identities, began, strict=True):
            moments = {step: moment for moment, step in reversed(keys)}
            heard = [at - moments[step] for step, at in told["heard"][identity] if step in moments]
            seen += heard
            wanted += len(moments)
        note = f"each picture by {len(seen) / max(wanted, 1):.0f} viewers, {told['closed']} closed"
        return Row(name, sorted(seen), note).within(p99=150)


@contextmanager
def watching(server: Server, paths: list[str], count: int) -> Iterator[Viewers]:
    identities = [server.identity(path) for path in paths]
    command = [sys.executable, ROOT / "scripts" / "spectators", str(server.port), *identities, "--count", str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield Viewers(process, identities)
        finally:
            process.kill()
