"""A relay, a NATS server and who receives: each a process of its own, on this machine."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from scripts.measures import ROOT, SAMPLES, Row

LINES = 400  # appended one after the other, each seen before the next
PACE = 0.01  # seconds between two of them
FLOOD = 20_000  # lines appended as fast as they can be
LATE = 64 << 20  # bytes that a late comer has to receive
LINE = b"+63783\nsearch\n"


def relay() -> Iterator[Row]:
    if shutil.which("nats-server") is None:
        yield Row("relay: there is no nats-server", [])
        return
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url:
        yield from asyncio.run(measured(url, Path(folder)))
    yield spectator()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server on a free port of the loopback."""
    options = ["-js", "-sd", folder / "nats", "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", folder]
    server = subprocess.Popen(["nats-server", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        told = folder / f"nats-server_{server.pid}.ports"
        while not (told.exists() and told.read_text()):
            time.sleep(0.01)
        yield json.loads(told.read_text())["nats"][0].replace("localhost", "127.0.0.1")
    finally:
        server.kill()
        server.wait()


async def measured(url: str, folder: Path) -> list[Row]:
    from nhlog.relay.connection import connected
    from nhlog.relay.copy import Copy
    from nhlog.relay.receiving import receive
    from nhlog.relay.wire import Game, Message

    class Heard(Copy):
        """A copy that tells when something was written: to look all the time would take a core from those measured."""

        def __init__(self, path: str) -> None:
            super().__init__(path)
            self.written = asyncio.Event()

        def take(self, message: Message) -> None:
            super().take(message)
            self.written.set()

    here, there = folder / "here", folder / "there"  # the relay is not told of what is written there
    for made in (here, there):
        made.mkdir()
    source, game = here / "game.nhgame", Game("here", "Scripty", "game.nhgame")
    shutil.copy(SAMPLES / "scripted1.nhgame", source)
    sending = [sys.executable, "-m", "terminal.cli", "relay", source, "--to", url, "--server", "here"]
    sender = subprocess.Popen(sending, cwd=ROOT, stderr=subprocess.DEVNULL)
    rows = []

    async def seen(copy: Heard) -> float:
        """Wait until the copy is as long as the source; when that was."""
        size = os.path.getsize(source)
        while copy.course.end < size:
            copy.written.clear()
            await copy.written.wait()
        return time.perf_counter()

    async with connected(url, {}) as connection:
        while await connection.last(game.subject) is None:
            await asyncio.sleep(0.05)
        with closing(Heard(str(there / "mirror.nhgame"))) as copy, open(source, "ab", buffering=0) as file:
            receiving = asyncio.ensure_future(receive(connection, game, copy, print))
            await seen(copy)
            times = []
            for _ in range(LINES):
                await asyncio.sleep(PACE)
                began = time.perf_counter()
                file.write(b"search\n")
                times.append(await seen(copy) - began)
            rows.append(Row("relay, a line until it is there", sorted(times), "of time").within(median=3, p99=15))
            began = time.perf_counter()
            for _ in range(FLOOD):
                file.write(b"search\n")
            written = time.perf_counter() - began
            took = await seen(copy) - began
            note = f"{FLOOD / took:,.0f} lines/s there, {FLOOD / written:,.0f} written here"
            rows.append(Row(f"relay, {FLOOD} lines at once", [took], note))
            began = time.perf_counter()
            file.write(LINE * (LATE // len(LINE)))
            took = await seen(copy) - began
            rows.append(Row("relay, 64 MiB at once", [took], f"{LATE / took / 1e6:.0f} MB/s"))
            receiving.cancel()
            with suppress(asyncio.CancelledError):
                await receiving
        with closing(Heard(str(there / "late.nhgame"))) as copy:
            began = time.perf_counter()
            receiving = asyncio.ensure_future(receive(connection, game, copy, print))
            took = await seen(copy) - began
            rows.append(Row("relay, a late comer of all that", [took], f"{copy.course.end / took / 1e6:.0f} MB/s"))
            receiving.cancel()
            with suppress(asyncio.CancelledError):
                await receiving
    sender.kill()
    sender.wait()
    return rows


def spectator() -> Row:
    """What goes to each spectator of a game in which every line is a message."""
    from nhlog.relay.course import Course
    from nhlog.relay.wire import Game, encode

    game, course, wire, lines = Game("north", "Brisk", "delve.nhgame"), Course(), 0, 0
    data = (SAMPLES / "delve.nhgame").read_bytes()
    for line in data.splitlines(keepends=True):
        message = course.bytes_message(line, 0)
        course.take(message)
        told = {**encode(message), "Nats-Msg-Id": f"{game.subject}/1/{message.offset}"}
        told["Nats-Expected-Last-Subject-Sequence"] = str(1000 + lines)
        headers = sum(len(name) + len(value) + 4 for name, value in told.items()) + len("NATS/1.0\r\n\r\n")
        reply = len(f"$JS.ACK.NHLOG.abcdefgh.1.{1000 + lines}.{1000 + lines}.{time.time_ns()}.0")
        wire += len(f"HMSG {game.subject} 12  {headers} {headers + len(line)}\r\n\r\n") + reply + headers + len(line)
        lines += 1
    per_line, body = wire / lines, len(data) / lines
    return Row(
        "relay, bytes to a spectator",
        [],
        f"{per_line:.0f} a line, {body:.0f} of them the line's; at 2 lines/s {per_line * 7200 / 1e6:.1f} MB an hour",
    )
