"""Games by their presets, behind a real sshd: one whose process is killed goes on, and who dies is known to all."""

import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from terminal.cli import main
from tests.terminal.pty import Pty
from tests.together.door import Door

WIZARDS = """
[games.wizards]
preset = "nethack3"
title = "NetHack for wizards"
command = ["/usr/games/nethack", "-D", "-@", "-u", "{player}"]
env = { NETHACKOPTIONS = "!legacy,!splash_screen,!autopickup,pettype:none" }

[games.wizards37]
preset = "nethack37"
title = "NetHack 3.7 for wizards"
command = ["/opt/nethack37/lib/nethack", "-D", "-@", "-u", "{player}"]
env = { NETHACKOPTIONS = "!legacy,!splash_screen,!autopickup,!tutorial,pettype:none" }

[games.four]
preset = "nethack4"

[games.angband]
preset = "angband"
"""
"""Where one goes to any level, and can have a wand of death; all of its players are called `wizard`."""
MORE, ANGBANDS_MORE, ANGBANDS_QUIT, ANGBANDS_SHEET = "--More--", "-more-", "q) Quit", "Max Depth"
ANGBANDS_COSTS, ANGBANDS_NAME = "Total Cost", "Enter a name"
STAY = (MORE, ANGBANDS_MORE, ANGBANDS_QUIT, ANGBANDS_COSTS, ANGBANDS_NAME, ANGBANDS_SHEET)
"""What may be there again, or still, when it was answered."""
ITSELF = "Recover [r]"  # NetHack 3.7 asks for it
MENU = "Choose Game Seed"  # of Crawl
DONE = "[press any key to go back]"

pytestmark = [
    pytest.mark.skipif(not shutil.which("bwrap"), reason="no walls on this machine: bubblewrap"),
    pytest.mark.skipif(os.geteuid() != 0, reason="wizards of Debian's NetHack are root alone"),
]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with Door(tmp_path_factory.mktemp("presets"), WIZARDS) as door:
        for name in ("wizard", "ben", "cyn"):
            door.let_in(name)
        yield door


@pytest.mark.parametrize(
    ("game", "title", "program"),
    [
        ("wizards", "NetHack for wizards", "/usr/games/nethack"),
        ("wizards37", "NetHack 3.7 for wizards", "/opt/nethack37/lib/nethack"),
    ],
)
def test_a_killed_nethack_goes_on_and_its_dead_hero_stands_in_the_scores_and_is_found_by_another(
    door: Door, capsys: pytest.CaptureFixture[str], game: str, title: str, program: str
) -> None:
    if not Path(program).exists():
        pytest.skip(f"no {title} on this machine: {program} (docs/games.md)")
    bones = door.players / "bones" / "programs" / game
    with door.opens("wizard") as wizard:
        begin(title, wizard)
        go_down(wizard)
        before = walls(wizard.rows)
        os.kill(playing(door, "wizard"), signal.SIGKILL)
        answer(wizard, {DONE: " "}, until="exit code 137")
        begin(title, wizard, telling="" if game == "wizards37" else "Your game was recovered and goes on.")
        answer(wizard, {ITSELF: "r", MORE: " "}, until="Do you want to keep the save file?")
        assert before == walls(wizard.rows) != set()
        wizard.send("n")
        die(wizard, title)
    [left] = bones.iterdir()
    assert re.fullmatch(r"bonD0\.[5O](\.gz)?", left.name)
    assert ("wizard", 5, game) in scores(capsys, door)
    with door.opens("ben") as ben:
        begin(title, ben)
        while not go_down(ben):
            leave(ben, title)
            begin(title, ben)
        ben.send("y")
        ben.wait_for("Unlink bones?")
        ben.send("y")
        answer(ben, {MORE: " "}, until="Dlvl:5")
        ben.send("Sy")
        answer(ben, {MORE: " ", DONE: " "}, until=f"{title} has ended")
    assert [*bones.iterdir()] == []


def test_who_plays_nethack_talks_with_those_who_watch_and_plays_on(door: Door) -> None:
    with door.opens("wizard") as wizard, door.opens("cyn") as cyn:
        begin("NetHack for wizards", wizard)
        answer(wizard, {MORE: " "}, until="Dlvl:1")
        before = wizard.rows
        cyn.wait_for("Enter open")
        cyn.wait_for("Dlvl:1")
        cyn.send("*")
        cyn.wait_for("h help")
        cyn.send("T")
        cyn.wait_for("to all:")
        cyn.send("well played\r")
        cyn.wait_for("cyn: well played")
        wizard.wait(lambda rows: b"cyn: well played  [Ctrl-] answers]" in wizard.written)
        wizard.send("\x1dthanks")
        wizard.wait_for("To all who watch: thanks")
        wizard.send("\r")
        cyn.wait_for("wizard: thanks")
        wizard.wait(lambda rows: rows == before)
        wizard.send("#quit\r")
        answer(wizard, {"Really quit?": "y", "[ynq]": "q", MORE: " ", DONE: " "}, until="NetHack for wizards: quit")


@pytest.mark.skipif(not Path("/usr/games/nethack").exists(), reason="no NetHack on this machine: nethack-console")
def test_a_game_that_was_saved_on_a_server_of_dgamelaunch_goes_on_here(
    door: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    door.let_in("dan")
    with door.opens("dan") as dan:
        begin("NetHack", dan)
        answer(dan, {"Shall I pick": "y", "Is this ok?": "y", MORE: " "}, until="Dlvl:1")
        before = walls(dan.rows)
        dan.send("Sy")
        answer(dan, {MORE: " ", DONE: " "}, until="NetHack has ended")
    [saved] = (door.players / "dan/folders/var-games-nethack/save").iterdir()
    user, name = re.fullmatch(r"(\d+)(dan.*)", saved.name).groups()
    assert int(user) == door.players.stat().st_uid
    elsewhere = tmp_path / "chroot/nh366/var/save"
    elsewhere.mkdir(parents=True)
    saved.rename(elsewhere / f"4711{name}")  # games run as another user there
    shutil.rmtree(door.players / "dan")
    (tmp_path / "chroot/list").write_text("dan::hash:\n")
    (tmp_path / "dgamelaunch.conf").write_text(
        f'chroot_path = "{tmp_path}/chroot"\npasswd = "/list"\nDEFINE {{ short_name = "NH" }}\n'
    )
    words = ("--game", "NH=nethack", "--saves", "NH=/nh366/var/save", "--yes")
    door.administer("migrate", str(tmp_path / "dgamelaunch.conf"), *words)
    assert (
        f"dan nh366/var/save/4711{name} -> {door.players}/dan/brought/nethack/{user}{name}" in capsys.readouterr().out
    )
    with door.opens("dan") as dan:
        begin("NetHack", dan)
        answer(dan, {MORE: " "}, until="Dlvl:1")
        assert before == walls(dan.rows) != set()
        dan.send("#quit\r")
        answer(dan, {"Really quit?": "y", "[ynq]": "q", MORE: " ", DONE: " "}, until="NetHack: quit")
    assert not (door.players / "dan/brought/nethack").exists()


@pytest.mark.skipif(not Path("/usr/games/crawl").exists(), reason="no Dungeon Crawl on this machine: crawl")
@pytest.mark.parametrize(("player", "seed"), [("fay", ""), ("eve", "42")])
def test_who_leaves_crawl_for_good_stands_in_the_scores_with_a_morgue_file(
    door: Door, capsys: pytest.CaptureFixture[str], player: str, seed: str
) -> None:
    door.let_in(player)
    with door.opens(player) as hero:
        begin("Dungeon Crawl", hero)
        if seed:
            hero.wait_for("select your species")
            hero.send("\x1b")
            hero.wait_for(MENU)
            hero.send("\x1bOB\r")
            hero.wait_for("Seed: 0")
            hero.send(f"{seed}\r")
        for chosen in ("Human", "Conjurer"):  # who has no choice of weapons
            rows = hero.wait_for(f"- {chosen}")
            hero.send(re.findall(rf"(\w) - {chosen}", "\n".join(rows))[0])
        hero.wait_for(f"{player} the Human Conjurer.")
        hero.send("\x11")
        hero.wait_for("abandon this character")
        hero.send("yes\r")
        answers = {"--more--": "\x1b", "Inventory:": "\x1b", "Goodbye, ": " ", MENU: "\x1b", DONE: " "}
        answer(hero, answers, until="Dungeon Crawl: quit")
    assert (player, 1, "crawl") in scores(capsys, door)
    assert main(["scores", str(door.finished), "--player", player, "--json"]) == 0
    [score] = map(json.loads, capsys.readouterr().out.splitlines())
    assert not seed or score["seed"] == seed
    [morgue] = door.finished.glob(f"{player}.crawl.morgue-{player}-*.txt")
    assert score["dumplog"] == morgue.name
    assert "Human Conjurer" in morgue.read_text()


@pytest.mark.skipif(not Path("/usr/games/angband").exists(), reason="no Angband on this machine: angband")
def test_a_lost_connection_leaves_angband_running_and_who_leaves_it_comes_back_to_a_saved_hero(door: Door) -> None:
    def choose(player: Pty, text: str, keys: str) -> None:
        player.wait_for(text)
        player.send(keys)

    with door.opens("ben") as ben:
        begin("Angband", ben)
        choose(ben, "[Press any key to continue]", " ")
        for menu in ("Sex does not", "Race affects", "Class affects"):
            choose(ben, menu, "\r")
        choose(ben, "Point-based", "\r")
        answer(ben, {ANGBANDS_COSTS: "\r", ANGBANDS_NAME: "\r", ANGBANDS_SHEET: " "}, until="LEVEL")
        ben.hang_up()
    with door.opens("ben") as ben:
        begin("Angband", ben)
        ben.wait_for("LEVEL")
        ben.send("\x18")
        answer(ben, {"Press Return": "\r", "Hall of Fame": "\x1b", DONE: " "}, until="Angband has ended")
    [saved] = (door.players / "ben" / "folders" / "var-games-angband" / "save").iterdir()
    assert saved.stat().st_size > 0
    with door.opens("ben") as ben:
        begin("Angband", ben)
        choose(ben, "[Press any key to continue]", " ")
        ben.wait_for("LEVEL")
        ben.send("Q")
        choose(ben, "[y/n]", "y")
        choose(ben, "'@' sign", "@")
        choose(ben, "Score not registered", "\r")
        choose(ben, ANGBANDS_QUIT, "f")
        choose(ben, "ben.txt", "\r")
        ben.wait_for(ANGBANDS_MORE)
        answer(ben, {ANGBANDS_MORE: "\r", "[y/n]": "y", ANGBANDS_QUIT: "q", DONE: " "}, until="Angband has ended")
    [dump] = door.finished.glob("ben.angband.*.txt")
    assert "Human" in dump.read_text()


@pytest.mark.skipif(not Path("/opt/nethack4/bin/nethack4").exists(), reason="no NetHack 4 here (docs/games.md)")
def test_nethack_4_is_listed_for_others_by_its_log_while_it_is_played(door: Door) -> None:
    with door.opens("cyn") as cyn, door.opens("ben") as ben:
        begin("NetHack 4", cyn)
        for shown, key in (("Message of the Day", "n"), ("n - new game", "n"), ("Shall I pick", "y")):
            cyn.wait_for(shown)
            cyn.send(key)
        cyn.wait_for("Dungeons:1")
        [log] = (door.players / "cyn" / "logs" / "four").glob("*.nhgame")
        assert [*(door.players / "cyn" / "recordings").glob("*.four.*")] == []
        ben.wait_for("games of others")
        assert any("cyn, " in row for row in ben.wait_for("NetHack 4.3"))
        assert log.stat().st_size > 0


def begin(title: str, player: Pty, telling: str = "") -> None:
    player.wait_for("Enter open")
    player.send("n")
    rows = player.wait_for("Which game?")
    [letter] = re.findall(rf"(\w) [->] {re.escape(title)}(?: [ (]|$)", "\n".join(rows), re.MULTILINE)
    player.send(letter)
    if telling:
        player.wait_for(telling)
        player.send(" ")


def go_down(player: Pty) -> bool:
    """Go to the fifth level, where no branch begins; returns whether bones are found there.

    They are if the Oracle is there in both dungeons, or in neither.  Who dies in the first turn leaves none.
    """
    answer(player, {MORE: " "}, until="Dlvl:1")
    player.send("....\x1b\x1b\x16")  # whatever happens meanwhile
    player.wait_for("To what level do you want to teleport?")
    player.send("5\r")
    rows = player.wait(lambda rows: any(text in row for text in ("Get bones?", "Dlvl:5") for row in rows))
    if "Get bones?" in "".join(rows):
        return True
    answer(player, {MORE: " "}, until="Dlvl:5")
    return False


def leave(player: Pty, title: str) -> None:
    player.send("#quit\r")
    player.wait_for("Really quit?")
    player.send("y")
    answer(player, {"[ynq]": "q", MORE: " ", DONE: " "}, until=f"{title} has ended")


def die(player: Pty, title: str) -> None:
    player.send("\x17")
    player.wait_for("For what do you wish?")
    player.send("wand of death\r")
    rows = player.wait(lambda rows: " wand" in rows[0] and " - " in rows[0])
    player.send(f"z{re.findall(r'(.) - ', rows[0])[0]}.")
    questions = {"Die?": "y", "Save bones?": "y", "[ynq]": "q", MORE: " ", DONE: " "}
    answer(player, questions, until=f"{title}: shot ")


def answer(player: Pty, answers: Mapping[str, str], until: str) -> None:
    """Answer what is asked until there is this text, and nothing is asked."""

    def shown(rows: list[str]) -> list[str]:
        return [text for text in (*answers, until) if any(text in row for row in rows)]

    while (found := shown(player.wait(lambda rows: bool(shown(rows))))[0]) != until:
        before = player.rows
        player.send(answers[found])
        player.wait(changed(before) if found in STAY else gone(found))


def changed(before: list[str]) -> Callable[[list[str]], bool]:
    return lambda rows: rows != before


def gone(text: str) -> Callable[[list[str]], bool]:
    return lambda rows: not any(text in row for row in rows)


def walls(rows: list[str]) -> set[tuple[int, int]]:
    """Where the walls of a level are, whatever else moved on it."""
    level = enumerate(rows[1:21])
    return {(x, y) for y, row in level for x, letter in enumerate(row) if letter in "|-"}


def playing(door: Door, name: str) -> int:
    """The process of the NetHack of a player on this server."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):  # it ended just now
                it_is = (entry / "comm").read_text().startswith("nethack")
                if it_is and f"NHLOG_RECORDING={door.players / name}/" in (entry / "environ").read_text():
                    return int(entry.name)
    raise AssertionError("nobody plays")


def scores(capsys: pytest.CaptureFixture[str], door: Door) -> list[tuple[str, int, str]]:
    """Of all finished games the player, the depth and the game."""
    capsys.readouterr()
    assert main(["scores", "--all-modes", "--json", str(door.finished)]) == 0
    found = map(json.loads, capsys.readouterr().out.splitlines())
    return [(score["player"], score["depth"], score["version"].split()[0]) for score in found]
