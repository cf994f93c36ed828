"""Two versions of a game side by side, and a program that writes its own log, behind a real sshd."""

import shutil
from collections.abc import Iterator

import pytest

from tests.corpus import corpus
from tests.terminal.pty import Pty
from tests.together.door import Door

LOG = corpus("nethack4", "mid1.nhgame")
OVER = corpus("nethack4", "died1.nhgame")
SAVES = 'cat {where}/save 2>/dev/null; echo "of $0" >{where}/save; echo "this is $0"; read key'

GAMES = f"""
[games.first]
title = "First"
command = ["sh", "-c", '''{SAVES.format(where="/var/games/versions")}''', "first"]
own_folders = ["/var/games/versions"]
save_files = ["/var/games/versions/save"]

[games.second]
title = "Second"
command = ["sh", "-c", '''{SAVES.format(where="/var/games/versions")}''', "second"]
own_folders = ["/var/games/versions"]
save_files = ["/var/games/versions/save"]
own_home = true

[games.last]
title = "Last"
command = ["sh", "-c", '''{SAVES.format(where=".")}''', "last"]
save_files = ["save"]
own_home = true
new_games = false

[games.logged]
title = "Logged"
command = ["sh", "-c", 'cd /var/games/logged/save; cp {LOG} it.nhgame; echo playing; read key; cp {OVER} .']
readable = ["{LOG}", "{OVER}"]
own_folders = ["/var/games/logged"]
logs = "/var/games/logged/save"
save_files = ["/var/games/logged/save/*.nhgame"]
"""
DONE = "[press any key to go back]"
READY = "Enter open"

pytestmark = pytest.mark.skipif(not shutil.which("bwrap"), reason="no walls on this machine: bubblewrap")


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with Door(tmp_path_factory.mktemp("versions"), GAMES) as door:
        for name in ("ann", "ben"):
            door.let_in(name)
        yield door


def test_a_saved_game_stays_with_the_version_that_began_it(door: Door) -> None:
    with door.opens("ann") as ann:
        for name in ("first", "second", "first", "second"):
            offered = begin(name.capitalize(), ann)
            shown = "".join(ann.wait_for(f"this is {name}"))
            assert [f"of {other}" in shown for other in ("first", "second")] == [
                "(saved)" in offered and name == other for other in ("first", "second")
            ]
            leave(ann)
    places = [door.players / "ann" / "folders", door.players / "ann" / "apart" / "second" / "folders"]
    assert [(place / "var-games-versions" / "save").read_text() for place in places] == ["of first\n", "of second\n"]


def test_a_version_without_new_games_is_offered_to_who_has_a_saved_one(door: Door) -> None:
    with door.opens("ben") as ben:
        ben.wait_for(READY)
        ben.send("n")
        assert "Last" not in "".join(ben.wait_for("Which game?"))
        ben.send("\x1b")
        ben.wait(lambda rows: "Which game?" not in "".join(rows))
        home = door.players / "ben" / "apart" / "last" / "home"
        home.mkdir(parents=True)
        (home / "save").write_text("of an earlier day\n")
        begin("Last", ben)
        ben.wait_for("of an earlier day")
        leave(ben)


def test_a_program_that_writes_its_own_log_is_watched_by_it_and_by_no_recording_of_its_terminal(door: Door) -> None:
    with door.opens("ben") as ben, door.opens("ann") as ann:
        begin("Logged", ben)
        ben.wait_for("playing")
        ann.wait_for("games of others")
        assert [*(door.players / "ben" / "recordings").glob("*.logged.*")] == []
        log = door.players / "ben" / "logs" / "logged" / "it.nhgame"
        assert log.read_bytes() == LOG.read_bytes()
        leave(ben)
        ben.wait_for("your games")
        ben.send("g\r")
        ben.wait_for("playing")
        leave(ben)


def begin(title: str, player: Pty) -> str:
    """Choose a game in the lobby; returns what was offered."""
    player.wait_for(READY)
    player.send("n")
    rows = player.wait_for("Which game?")
    offered = next(row for row in rows if title in row)
    player.send(f"{offered.split(title)[0].split()[-2]}\r")
    return offered


def leave(player: Pty) -> None:
    player.send("\r")
    player.wait_for(DONE)
    player.send(" ")
    player.wait_for(READY)
