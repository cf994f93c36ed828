"""A server of players that runs `nhlog webplay`, and what browsers send to it."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path

import pytest
from websockets.sync.client import connect

from nhlog.players import PlayerFolder, Players
from nhlog.players.sessions import games_of, present
from nhlog.players.tickets import LINK, issue
from tests.starter import Started
from tests.terminal.pty import NHLOG, Pty
from tests.terminal.web.site import Page, Served, serving
from tests.waiting import PATIENCE

__all__ = ["HERE", "House", "forged_for", "open_house"]

HERE = "192.0.2.7"
"""Where pages come from, as the web server in front says."""
KEPT = """
[games.kept]
size = "80x24"
command = ["sh", "-c", "echo begun; while read key; do echo got $key; done"]
on_disconnect = "keep"
sandbox = "none"
[games.saved]
command = ["sh", "-c", "trap 'echo saved >save; exit' HUP; echo begun; while read key; do echo got $key; done"]
sandbox = "none"
"""


def forged_for(player: str) -> pytest.MarkDecorator:
    """Have a test run with the `headers` of a request that is from another site, or from nobody who is logged in."""
    forged = {
        "other origin": {"Origin": "http://evil.example"},
        "no site's origin": {"Origin": "null"},
        "guessed": {"Cookie": f"nhlog-session={player}.{'A' * 43}"},
        "path": {"Cookie": f"nhlog-session=../{player}.x"},
        "none": {"Cookie": ""},
    }
    return pytest.mark.parametrize("headers", forged.values(), ids=forged)


class House:
    """The server: `served` its pages, `players` the folders."""

    def __init__(self, served: Served, folder: Path) -> None:
        self.served = served
        self.players = Players(folder / "players")
        self.environment = {"XDG_CONFIG_DIRS": str(folder / "etc")}
        self.host = f"localhost:{served.port}"
        self.origin = f"http://{self.host}"
        self._logins = 0

    def folder(self, name: str) -> PlayerFolder:
        """The folder of a player, who is let in."""
        folder = self.players.folder(name)
        folder.make()
        return folder

    def link(self, name: str) -> str:
        """A ticket for a player."""
        return issue(self.folder(name), LINK)

    def post(self, path: str, body: object = None, by: str = HERE, **headers: str) -> HTTPResponse:
        """What is answered to this, from a page of the server's unless the headers say otherwise."""
        own = {"Host": self.host, "Origin": self.origin, "X-Forwarded-For": by}
        return self.served.get(path, "POST", own | headers, json.dumps(body))

    def log_in(self, name: str) -> str:
        """The cookie of a new session."""
        self._logins += 1  # each from elsewhere: there are few attempts for an address
        answer = self.post("/play/login", {"ticket": self.link(name)}, by=f"198.51.100.{self._logins}")
        assert answer.status == 200
        return answer.headers["Set-Cookie"].partition(";")[0]

    @contextmanager
    def page(self, cookie: str, size: str = "80x24", **headers: str) -> Iterator[Page]:
        """A page that shows the lobby of a session."""
        url = f"ws://{self.host}/play/ws?size={size}"
        own = {"Origin": self.origin, "Cookie": cookie, "X-Forwarded-For": HERE} | headers
        with connect(url, additional_headers=own, open_timeout=PATIENCE, max_size=None) as socket:
            yield Page(socket)

    def opens(self, name: str) -> Pty:
        """The lobby of a player who comes by ssh: in a terminal of their own."""
        return Pty(*NHLOG, "lobby", "--player", name, **self.environment)

    def administer(self, *arguments: str) -> str:
        """What a verb prints that an administrator runs."""
        command = [*NHLOG, *arguments]
        with Started(command, env=os.environ | self.environment, stdout=-1, text=True) as process:
            printed, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0
            return str(printed)

    def who(self, name: str) -> tuple[list[str], list[str]]:
        """The addresses from which a player is there, and the games that run."""
        folder = self.folder(name)
        return [there.address for there in present(folder)], [*games_of(folder)]

    def waits(self, name: str, there: list[str], games: list[str]) -> None:
        """Wait until this is who is there."""
        deadline = time.monotonic() + PATIENCE
        while self.who(name) != (there, games):
            assert time.monotonic() < deadline, self.who(name)
            time.sleep(0.02)

    def terminal_of(self, name: str) -> int:
        """The process that shows the only lobby of a player: the one that has the other side of its terminal."""
        [there] = present(self.folder(name))
        number = os.path.basename(os.readlink(f"/proc/{there.process.pid}/fd/0"))
        for info in Path("/proc").glob("[0-9]*/fdinfo/*"):
            with suppress(OSError):
                if f"tty-index:\t{number}\n" in info.read_text():
                    return int(info.parts[2])
        raise AssertionError("nobody has the other side")


@contextmanager
def open_house(
    folder: Path, web: str = "", games: str = KEPT, address: str = "http://localhost/play", others: str = ""
) -> Iterator[House]:
    """A server of players in this folder."""
    config = folder / "etc" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True)
    places = f'players = "{folder}/players"\nauthorized_keys = "{folder}/keys"\n{others}\n'
    config.write_text(f'{places}[web]\nplay = "{address}"\nproxies = ["127.0.0.1", "::1"]\n{web}\n{games}')
    (folder / "players").mkdir()
    with serving(verb="webplay", XDG_CONFIG_DIRS=str(folder / "etc")) as served:
        yield House(served, folder)
