"""Players behind a real sshd, and their administrator: who sees who is there, ends sessions, and lets none in again."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal.pty import Pty
from tests.together.door import Door
from tests.waiting import eventually

KEPT = """
motd = "Be kind to newts."
[games.kept]
size = "80x24"
command = ["sh", "-c", "trap 'echo saved >save; exit' HUP; echo begun; while read key; do echo got $key; done"]
on_disconnect = "keep"
sandbox = "none"
"""


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with Door(tmp_path, KEPT) as door:
        for name in ("ann", "bob"):
            door.let_in(name)
        yield door


def who(door: Door, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str | None, list[str]]]:
    capsys.readouterr()
    door.administer("who", "--json")
    found = map(json.loads, capsys.readouterr().out.splitlines())
    return [(there["player"], there["address"], there["games"]) for there in found]


def play(player: Pty) -> None:
    player.wait_for("Enter open")
    player.send("n")
    rows = player.wait_for("Which game?")
    letter = next(row for row in rows if row.rstrip(" │").endswith("kept")).rpartition(" kept")[0].split()[-2]
    player.send(letter)
    player.wait_for("begun")


def test_who_is_kicked_is_gone_with_the_games_which_were_told(door: Door, capsys: pytest.CaptureFixture[str]) -> None:
    with door.opens("ann") as ann, door.opens("bob") as bob:
        play(ann)
        bob.wait_for("nhlog: ")
        assert who(door, capsys) == [("ann", "127.0.0.1", ["kept"]), ("bob", "127.0.0.1", [])]
        door.administer("players", "kick", "ann")
        assert "ended 1 session and 1 game of ann" in capsys.readouterr().out
        ann.end()
        assert who(door, capsys) == [("bob", "127.0.0.1", [])]
    assert (door.players / "ann" / "home" / "save").read_text() == "saved\n"


def test_all_who_are_there_are_told(door: Door) -> None:
    with door.opens("ann") as ann, door.opens("bob") as bob:
        play(ann)
        before = ann.rows[:24]
        bob.wait_for("Be kind to newts.")
        door.administer("broadcast", "The server restarts at ten.")
        bob.wait_for("To all: The server restarts at ten.")
        assert ann.wait_for("To all: The server restarts at ten.")[:24] == before  # it stands below the game
        bob.send("n")
        bob.pick_delve()
        bob.wait_for("Who are you?")
        bob.send("\r")  # what is marked
        bob.wait_for("Welcome to the Delve")
        door.administer("broadcast", "It restarts at eleven.")
        bob.wait_for("To all: It restarts at eleven.")
        ann.wait_for("To all: It restarts at eleven.")
    told = json.loads(door.audit.read_text().splitlines()[-1])
    assert (told["action"], told["player"], told["detail"]) == ("broadcast", None, "It restarts at eleven.")


def test_in_maintenance_no_game_begins_and_those_that_run_are_ended_when_it_is_time(
    door: Door, capsys: pytest.CaptureFixture[str]
) -> None:
    with door.opens("ann") as ann, door.opens("bob") as bob:
        play(ann)
        bob.wait_for("Be kind to newts.")
        with door.administers("maintenance", "on", "--in", "500m", "New disks.") as waiting:
            bob.wait_for("To all: maintenance at ")
            ann.wait_for("To all: maintenance at ")
            bob.send("n")
            bob.pick_delve()
            bob.wait_for("no new games: maintenance from 2")
            ann.send("x\n")  # what runs goes on
            ann.wait_for("got x")
            assert who(door, capsys) == [("ann", "127.0.0.1", ["kept"]), ("bob", "127.0.0.1", [])]
            door.administer("maintenance", "off")
            assert waiting.wait() == 1
        bob.wait_for("To all: games may begin again")
        door.administer("maintenance", "on", "New disks.")
        assert "ended 2 sessions and 1 game" in capsys.readouterr().out
        ann.end()
        bob.end()
    assert (door.players / "ann" / "home" / "save").read_text() == "saved\n"
    with door.opens("bob") as bob:
        bob.wait_for(": New disks.")
    assert eventually(lambda: who(door, capsys) == [])  # whose terminal was closed has yet to notice it
    told = [json.loads(line)["action"] for line in door.audit.read_text().splitlines()]
    assert told == ["add", "add", "maintenance on", "maintenance off", "maintenance on"]


def test_who_is_banned_is_told_why_until_the_ban_is_lifted(door: Door, capsys: pytest.CaptureFixture[str]) -> None:
    with door.opens("bob") as bob:
        bob.wait_for("nhlog: ")
        door.administer("players", "ban", "bob", "--for", "7d", "--reason", "no floods, please")
        bob.end()
    with door.opens("bob") as bob:
        bob.wait_for("bob may not play here until 2")
        bob.wait_for("no floods, please")
        bob.end()
    with door.opens("ann") as ann:  # others may
        ann.wait_for("Be kind to newts.")
    door.administer("players", "unban", "bob")
    with door.opens("bob") as bob:
        bob.wait_for("nhlog: ")
    told = [json.loads(line) for line in door.audit.read_text().splitlines()]
    assert [(act["action"], act["player"]) for act in told] == [
        *[("add", "ann"), ("add", "bob"), ("ban", "bob"), ("unban", "bob")]
    ]
