"""A real nats-server with JetStream, in a folder of its own, on a port of the loopback that was free."""

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["NatsServer", "nats_server", "needs_nats_server"]

needs_nats_server = pytest.mark.skipif(shutil.which("nats-server") is None, reason="there is no nats-server")


class NatsServer:
    """The server, which can be killed and started again with what it has stored."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = "-1"
        self.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"nats://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start it; on its port where it had one."""
        options = ["-js", "-sd", self._folder, "-a", "127.0.0.1", "-p", self._port, "--ports_file_dir", self._folder]
        self._process = subprocess.Popen(
            ["nats-server", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        told = self._folder / f"nats-server_{self._process.pid}.ports"
        while not (told.exists() and told.read_text()):
            assert self._process.poll() is None, "nats-server does not start"
            time.sleep(0.01)
        self._port = json.loads(told.read_text())["nats"][0].rpartition(":")[2]

    def kill(self) -> None:
        """End it without warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def forget(self) -> None:
        """Lose all that is stored."""
        shutil.rmtree(self._folder / "jetstream")


@contextmanager
def nats_server(folder: Path) -> Iterator[NatsServer]:
    """A server that is ended with the context."""
    server = NatsServer(folder)
    try:
        yield server
    finally:
        server.kill()
