"""A server of recordings, and a page that looks at them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from scripts.measures.processes import children_of
from tests.waiting import PATIENCE


class Served:
    """A running server, and the port at which it is."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        self.process = process
        self.said: list[str] = []
        for line in process.stderr:
            self.said.append(line.rstrip("\n"))
            if "serving at http" in line:
                break
        self.port = int(self.said[-1].rstrip("/").rpartition(":")[2])

    def forked(self) -> list[int]:
        """The processes that its fork server has."""
        return sorted(pid for child in children_of(self.process.pid) for pid in children_of(child))

    def get(
        self, path: str, method: str = "GET", headers: dict[str, str] | None = None, sent: str | None = None
    ) -> HTTPResponse:
        """What is answered, with its body read into `body`."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, sent, headers or {})
        answer = connection.getresponse()
        answer.body = answer.read()  # type: ignore[attr-defined]
        connection.close()
        return answer

    @contextmanager
    def page(self, path: str) -> Iterator["Page"]:
        """A page at this WebSocket."""
        with connect(f"ws://127.0.0.1:{self.port}{path}", open_timeout=PATIENCE, max_size=None) as socket:
            yield Page(socket)

    def rows(self) -> dict[str, dict[str, Any]]:
        """What the lobby lists when it has seen all, by the names of players or recordings."""
        rows: dict[str, dict[str, Any]] = {}
        with self.page("/ws/lobby") as page:
            while True:
                told = page.next()
                rows |= {row["player"] or row["title"]: row for row in told.get("rows", told.get("put", ()))}
                if told.get("ready"):
                    return rows


class Page:
    """What a page has been told: `state` and the text of the `rows`."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.hello: dict[str, Any] = {}
        self.rows: list[str] = []
        self.number = 0

    def send(self, **wish: Any) -> None:
        self.socket.send(json.dumps(wish))

    def next(self) -> dict[str, Any]:
        """The next message, taken in."""
        told: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        match told["t"]:
            case "hello":
                self.hello = told
            case "state":
                self.state |= told
            case "full":
                self.number = told["n"]
                self.rows = ["".join(run[0] for run in row).ljust(told["w"]) for row in told["rows"]]
            case "diff":
                assert told["from"] == self.number
                self.number = told["n"]
                for x, y, text, *_ in told["runs"]:
                    self.rows[y] = self.rows[y][:x] + text + self.rows[y][x + len(text) :]
        return told

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of this kind."""
        while (told := self.next())["t"] != kind:
            pass
        return told

    def stands(self, place: str) -> None:
        """Wait until it is told to stand there."""
        while self.state.get("place") != place:
            self.next()

    def shows(self, text: str) -> None:
        """Wait until the picture has this text in it."""
        while not any(text in row for row in self.rows):
            self.next()


@contextmanager
def serving(*arguments: str | Path, verb: str = "serve", **environment: str) -> Iterator[Served]:
    """`nhlog serve` with these arguments, or another such verb, at a free port."""
    command = [sys.executable, "-m", "terminal.cli", verb, "--port", "0", *map(str, arguments)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
    try:
        yield Served(process)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        assert process.stderr is not None
        process.stderr.close()
