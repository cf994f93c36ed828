"""A real nats-server with JetStream, in a folder of its own, on a port of the loopback that was free."""

import json
import re
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
    """The server, which can be killed and started again with what it has stored.

    `config` is the text of its configuration, which says where it stores and that ports are -1; without it, everybody
    may do everything.
    """

    def __init__(self, folder: Path, config: str = "") -> None:
        self._folder = folder
        self._config, self._log = folder / "nats.conf", folder / "log"
        self.port = "-1"
        self.configure(config)
        self.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def leaf_port(self) -> str:
        """Where it listens for leaf nodes."""
        return re.findall(r"leafnode connections on 127\.0\.0\.1:(\d+)", self._log.read_text())[-1]

    def configure(self, config: str) -> None:
        """Have another configuration from the next start on."""
        self._config.write_text(config or f'listen: "127.0.0.1:-1"\njetstream {{ store_dir: "{self._folder}" }}\n')

    def start(self) -> None:
        """Start it; on its port where it had one."""
        options = ["-c", self._config, "-p", self.port, "-l", self._log, "--ports_file_dir", self._folder]
        self._process = subprocess.Popen(
            ["nats-server", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        told = self._folder / f"nats-server_{self._process.pid}.ports"
        while not (told.exists() and told.read_text()):
            assert self._process.poll() is None, "nats-server does not start"
            time.sleep(0.01)
        self.port = json.loads(told.read_text())["nats"][0].rpartition(":")[2]

    def reload(self) -> None:
        """Have it heed its configuration as it is now."""
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        """End it without warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def forget(self) -> None:
        """Lose all that is stored."""
        shutil.rmtree(self._folder / "jetstream")


@contextmanager
def nats_server(folder: Path, config: str = "") -> Iterator[NatsServer]:
    """A server that is ended with the context."""
    server = NatsServer(folder, config)
    try:
        yield server
    finally:
        server.kill()
