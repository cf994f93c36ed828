"""Programs that only read logs, as whole processes with all that they start: no lock, no write, no signal to others."""

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.beside.mail import Mailbox, mail_file
from nhlog.relay.wire import Game
from tests.audited import Overheard
from tests.corpus import SAMPLES
from tests.relay.server import nats_server, needs_nats_server
from tests.relay.test_watching import prepared, stored
from tests.terminal.pty import NHLOG, Pty
from tests.terminal.web.site import serving

GAMES = ("delve.nhgame", "died2.nhgame", "scripted1.nhgame")


class Place:
    """A folder of games, and what is overheard of the programs that are started."""

    def __init__(self, folder: Path, overheard: Overheard) -> None:
        self.games, self.store = folder / "games", folder / "store"
        self.games.mkdir()
        self.store.mkdir()
        for name in GAMES:
            (self.games / name).write_bytes((SAMPLES / name).read_bytes())
        self.overheard = overheard

    def terminal(self, *arguments: object) -> Pty:
        return Pty(*NHLOG, *map(str, arguments), size=(80, 24), PYTHONPATH=self.overheard.path)

    def contents(self) -> dict[str, bytes]:
        return {name: (self.games / name).read_bytes() for name in GAMES}

    def opened(self) -> set[str]:
        """The logs that were opened."""
        return {os.path.basename(file) for file, *_ in self.overheard.told if file.endswith(".nhgame")}

    def hurt(self) -> list[str]:
        """The logs that were opened to be written, and the calls for locks and signals."""
        logs = {*map(str, self.games.iterdir())}
        written = (os.path.basename(file) for file, _, writes, _ in self.overheard.told if writes and file in logs)
        return [*written, *self.overheard.taken]


def at_work(folder: Path, program: Callable[[Place], None]) -> Place:
    """The place where that program has been, and ended."""
    (folder / "overheard").mkdir()
    with Overheard(folder / "overheard") as overheard:
        place = Place(folder, overheard)
        program(place)
    return place


def lobby(place: Place) -> None:
    with place.terminal("lobby", place.games) as pty:
        pty.wait_for("3 games")
        pty.send("w")
        pty.wait_for("live")
        pty.send("Gi")
        pty.wait_for("Armor")
        pty.send("\x1b")  # a key that follows at once would be one with Alt
        pty.wait(lambda rows: not any("Armor" in row for row in rows))
        pty.send("q")
        pty.wait_for("3 games")
        pty.send("q")
        assert pty.end() == 0


def watch(place: Place) -> None:
    with place.terminal("watch", place.games / "scripted1.nhgame") as pty:
        pty.wait_for(" turn ")
        pty.send("q")
        assert pty.end() == 0


def mail(place: Place) -> None:
    game = place.games / "scripted1.nhgame"
    Mailbox(str(game), 0).tend(takes=True, watched=True)
    with place.terminal("watch", game) as pty:
        pty.wait_for(" turn ")
        pty.send("M")
        pty.wait_for("to the player:")
        pty.send("hello\r")
        pty.wait_for("sent: hello")
        pty.send("q")
        assert pty.end() == 0
    assert Path(mail_file(str(game))).read_text().endswith("\thello\n")


def serve(place: Place) -> None:
    with serving(place.games, PYTHONPATH=place.overheard.path) as served:
        rows = served.rows()
        assert len(rows) == len(GAMES)
        for row in rows.values():
            with served.page(f"/ws/view/{row['id']}?size=80x24") as page:
                page.until("full")
                page.send(key="G")
                page.until("state")


def archive(place: Place) -> None:
    command = [*NHLOG, "archive", *map(str, place.games.iterdir()), f"file://{place.store}"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": place.overheard.path}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def relay(place: Place) -> None:
    (place.store / "nats").mkdir()
    command = [*NHLOG, "relay", *map(str, place.games.iterdir()), "--server", "here", "--to"]
    with nats_server(place.store / "nats") as server:
        asyncio.run(prepared(server.url))
        environment = os.environ | {"PYTHONPATH": place.overheard.path}
        with subprocess.Popen([*command, server.url], env=environment, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            begun = [Game(*process.stderr.readline().strip().split("/")[-3:]) for _ in GAMES]
            for game in begun:
                asyncio.run(stored(server.url, game.subject))
            process.terminate()


def play(place: Place) -> None:
    with place.terminal("play", "--new", "--name", "Ann", "--role", "Wiz", place.games / "ann.nhgame") as pty:
        pty.wait_for(" T:")
        pty.send("sS")
        assert pty.end() == 0


@pytest.mark.parametrize("program", [lobby, watch, mail, serve, archive, pytest.param(relay, marks=needs_nats_server)])
def test_no_game_notices_a_program_that_only_reads(program: Callable[[Place], None], tmp_path: Path) -> None:
    place = at_work(tmp_path, program)
    assert place.opened() >= ({"scripted1.nhgame"} if program in (watch, mail) else set(GAMES))
    assert place.hurt() == []
    assert place.contents() == {name: (SAMPLES / name).read_bytes() for name in GAMES}


def test_a_program_that_plays_would_be_seen(tmp_path: Path) -> None:
    assert {"ann.nhgame", "fcntl.lockf"} <= {*at_work(tmp_path, play).hurt()}
