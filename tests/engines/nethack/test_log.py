"""NetHack through a log: played, continued elsewhere, taken back, killed, and watched by who has no NetHack."""

import json
import os
import random
import signal
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from nhlog.engines.protocol import NewGame
from nhlog.errors import Unsupported
from nhlog.formats.nhgame.writing.branch import branch_off
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Command
from nhlog.session import Session
from nhlog.session.session import NotNow, messages_before
from terminal.cli import main
from terminal.replay.rewind_offer import offer_way_back
from tests.doses import dose, seeded
from tests.engines.nethack.games import BEGUN, Player, begin
from tests.engines.nethack.installed import needs_nethack
from tests.engines.nethack.player import RandomNetHacker, key
from tests.processes import Child

pytestmark = needs_nethack

WALK = "\r" + "20s" + "hjklyubn" * 3 + "i\x1b,\x1b"


def played(path: Path, keys: str = WALK) -> bytes:
    """Begin a game and give it keys; returns the last save, without its head."""
    begin(path)
    with Player(path) as player:
        player.press(keys)
        return player.save


def test_it_goes_on_in_another_process_where_it_stood(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.nhgame", tmp_path / "parts.nhgame"
    last = played(whole)
    begin(parts)
    for start in range(0, len(WALK), 9):
        with Player(parts) as player:
            player.press(WALK[start : start + 9])
            assert not player.session.following.diverged
            save = player.save
    assert save == last


def test_a_key_that_was_logged_and_not_saved_is_not_lost(tmp_path: Path) -> None:
    """As after `kill -9` at that moment, whatever it killed."""
    path = tmp_path / "game.nhgame"
    last = played(path)
    data = path.read_bytes()
    line = data.rindex(b"\nkey ") + 1
    path.write_bytes(data[: data.index(b"\n", line) + 1])
    with Player(path) as player:
        assert player.save == last
        player.session.settle()
        assert not player.session.following.diverged
    assert Log(LogFile(str(path))).columns.kinds.endswith(b"~")


def test_who_watches_sees_each_save_and_runs_no_key(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path)
    with Player(path) as player:
        log = player.session.log
        watching = Session(log, player.engine)
        machines = player.engine.machines
        for code in WALK:
            player.press(code)
            before = [*machines._running]
            watching.refresh()
            assert watching.game.save() == player.save
            assert (watching.following.diverged, watching.following.desync, watching.following.frozen) == ("", "", "")
            assert machines._running == before
        for step in random.Random(1).sample(range(len(log)), 20):
            watching.seek(step)
            assert not watching.following.desync


def test_two_players_of_one_game_see_the_same(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path)
    with Player(path) as one:
        one.press("\r")
        code = "from tests.engines.nethack.games import *; import sys; from pathlib import Path\n"
        code += "with Player(Path(sys.argv[1])) as other: other.press('hhll')"
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)
        one.session.refresh()
        assert (one.session.following.diverged, one.session.following.desync) == ("", "")
        one.press("jj")
        last = one.save
    with Player(path) as again:
        assert again.save == last


def test_what_nethack_says_is_listed_for_who_plays_and_who_watches(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path, replace(BEGUN, mode=1))  # in explore mode NetHack begins with a --More--
    with Player(path) as player:
        watching = Session(player.session.log, player.engine)
        player.session.command(Command("welcome"))
        player.press("hhh\rhhh\r")
        player.press("hhhhhhhh#pray\x1b\x1bE-nixyz\x1b\x1b:")
        watching.refresh()
        fresh = Session(player.session.log, player.engine)
        told = [
            [message for piece in reversed([*messages_before(session)]) for message in piece]
            for session in (player.session, watching, fresh)
        ]
        assert [message.text for message in told[0]][-1] == player.session.game.record()["message"] != ""
        assert "It's a wall." in [message.text for message in told[0]]
        assert not any(message.text.startswith("#") for message in told[0])
        assert not any("xy" in message.text for message in told[0])  # what is typed into the dust
        assert sum("explore" in message.text for message in told[0]) == 1  # however many keys did not end a --More--
        listed = [[(message.turn, message.text) for message in messages] for messages in told]
        assert listed[0] == listed[1] == listed[2]


def test_a_player_who_looks_back_and_returns_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    last = played(path, WALK + "ss")
    other = tmp_path / "other.nhgame"
    begin(other)
    with Player(other) as player:
        player.press(WALK)
        for step in (0, 40, 3, len(player.session.log) - 2):
            player.session.seek(step)
        player.session.seek(None)
        player.press("ss")
        assert player.save == last


def test_what_was_taken_back_is_played_on_from_there(tmp_path: Path) -> None:
    straight, back = tmp_path / "straight.nhgame", tmp_path / "back.nhgame"
    played(back, "\r20s20sllllssss")
    assert run("rewind", str(back), "--to", "turn:19", "--yes", "--force").returncode == 0
    with Player(back) as player:
        log = player.session.log
        lines = [log.line(at) for at, kind in enumerate(log.columns.kinds) if kind == ord("k")]
        kept = "".join(chr(line.arguments[0].value) for line in lines)  # type: ignore[union-attr,arg-type]
        assert "\r20s" in kept
        assert "ssss" not in kept
        player.press("hh20s")
        save = player.save
    assert played(straight, kept + "hh20s") == save


def test_a_game_that_was_branched_off_goes_on_as_if_it_had_been_played_so(tmp_path: Path) -> None:
    whole, straight, other = (tmp_path / f"{name}.nhgame" for name in ("whole", "straight", "other"))
    begin(whole)
    with Player(whole) as player:
        player.press("\r20s")
        turn = player.session.game.turn
        player.press("lllljjjj")
    record = branch_off(str(whole), str(other), f"turn:{turn}")
    with Player(other) as player:
        kept = player.session.game.record()["keys"]
        assert record["turn"] == player.session.game.turn == turn
        player.press("hh20s")
        save = player.save
    assert played(straight, ("\r20s" + "lllljjjj")[:kept] + "hh20s") == save


def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "terminal.cli", *arguments], capture_output=True, text=True, env=os.environ | (env or {})
    )


def test_the_log_is_small_and_sound(tmp_path: Path) -> None:
    """Over keys of a player who explores; docs/nethack.md tells what makes up the rest."""
    path = tmp_path / "game.nhgame"
    begin(path)
    before = path.stat().st_size
    count = dose("nethack.keys")
    with Player(path) as player:
        hacker = RandomNetHacker(player.engine, 4)
        for _ in range(count):
            command = hacker.command(player.session.game)
            player.session.command(command if command.name == "key" else Command("welcome"))
            if player.session.following.over:
                break
        log = player.session.log
        assert [found for found in verify(log) if isinstance(found, Finding)] == []
        commands = sum(97 <= kind <= 122 for kind in log.columns.kinds)
    assert (path.stat().st_size - before) / commands <= 150


FALLS = NewGame("Bot", "Caveman", "gnome", "male", "neutral", 1, 765583023240253620, 1_600_800_140_000_000)
OVER = (
    "\rnUu>H]\rkLz\\\rn\rn\rn\r\x1bHBn.\rYyl\r\r>rFN\rsLn\r\x1bKu\r\x1bbllq1y"
    "k>juWonbrC\rlsy_RN.Hj\x1b>r)y\x1bzh\rn\x95\r\x1brKHzT\rn\r\x1b.\x1blhB\x04<l"
    "\r\r\x10\x11"
)
"""In explore mode Ctrl-P at the question `Die?`, and then another key: a fault of NetHack as NLE has it."""


def test_a_key_over_which_nethack_falls_is_told_and_the_game_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path, FALLS)
    with Player(path) as player:
        player.press(OVER[:-1])
        with pytest.raises(NotNow, match="NetHack ended over key 104: signal 11"):
            player.press(OVER[-1])
    with Player(path) as player, pytest.raises(NotNow, match="NetHack ended over key 104"):
        player.press("n")
    assert main(["rewind", str(path), "--to", "-3 turns", "--yes"]) == 0
    with Player(path) as player:
        player.press("s")
        assert not player.session.following.diverged


def test_who_goes_back_from_such_a_key_goes_back_to_where_nethack_takes_one(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path, FALLS)
    with Player(path) as player:
        player.press(OVER[:-2])
        asked, before = player.screen, player.session.game.record()["keys"]
        player.press(OVER[-2])
        with pytest.raises(NotNow):
            player.press(OVER[-1])
        offer = offer_way_back(player.session.log, player.engine)
        assert offer is not None
        offer.carry_out()
        player.session.refresh()
        assert (player.screen, player.session.game.record()["keys"]) == (asked, before)
        player.press("n\r")
        assert not player.session.following.desync


PLAYS = """
from pathlib import Path
from tests.engines.nethack.games import Player
with Player(Path(path)) as player:
    say("begun")
    for number in range(int(arguments[0]), 10**6):
        player.press("hjkl"[number % 4])
        say(f"{number} {player.engine.machines._running[-1][1].pid}")
"""

WATCHES = """
import select
from nhlog.engines.nethack.engine import NetHack
from nhlog.files.changes import FileChanges
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.session import Session
log, changes = Log(LogFile(path)), FileChanges(path)
session = Session(log, NetHack())
while True:
    session.refresh()
    assert not (session.following.desync or session.following.diverged), session.following.desync
    say(f"{log.columns.kinds.count(b'k')} {session.game.record()['keys']}")
    while not changes.take():
        select.select([changes], [], [])
"""


class Watches(Child):
    """A process that watches a game; `seen` are the keys of it so far, by the log and by the last save."""

    def __init__(self, path: Path) -> None:
        super().__init__(WATCHES, str(path))
        self.seen = (0, 0)
        self.look()

    def look(self) -> None:
        """Wait for what it sees next; there are never fewer keys than before, and none that is not in the log."""
        line = self.hear()
        assert line, "it ended"
        logged, played = map(int, line.split())
        assert self.seen <= (logged, played)
        assert played <= logged
        self.seen = logged, played


def test_keys_survive_kills_of_players_machines_and_watchers(tmp_path: Path) -> None:
    """Each is killed again and again at any moment: what was acknowledged stands in the log, once, in order."""
    path = tmp_path / "game.nhgame"
    begin(path)
    dice, acknowledged = seeded(5), -1
    with ExitStack() as stack:
        watchers = [stack.enter_context(Watches(path)) for _ in range(2)]
        for _ in range(dose("nethack.kills")):
            player = stack.enter_context(Child(PLAYS, str(path), str(acknowledged + 1)))
            assert player.hear() == "begun"
            for _ in range(dice.randrange(1, 12)):
                number, machine = map(int, player.hear().split())
            if dice.random() < 0.5:
                watchers.pop(0).kill()
            if dice.random() < 0.5:
                os.kill(machine, signal.SIGKILL)
                number = int(player.hear().split()[0])
            player.kill()
            rest = player.stdout.read().splitlines(keepends=True)
            player.wait()
            acknowledged = max([number, *(int(line.split()[0]) for line in rest if line.endswith("\n"))])
            log = Log(LogFile(str(path)))
            lines = [log.line(at) for at, kind in enumerate(log.columns.kinds) if kind == ord("k")]
            log.close()
            assert lines[: acknowledged + 1] == [key("hjkl"[at % 4]) for at in range(acknowledged + 1)]
            assert len(lines) <= acknowledged + 2
            acknowledged = len(lines) - 1
            for watcher in watchers:
                while watcher.seen[0] < len(lines):
                    watcher.look()
                assert watcher.seen[0] == len(lines)
            watchers += [stack.enter_context(Watches(path)) for _ in range(2 - len(watchers))]
        with Player(path) as last:
            assert not last.session.following.diverged
            assert last.session.game.record()["keys"] == acknowledged + 1
            last.press("h")
        for watcher in watchers:
            while watcher.seen[1] < acknowledged + 2:
                watcher.look()
            watcher.kill()


HIDDEN = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("nle", "gymnasium", "numpy"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "nle" else found(name, package)
from terminal.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_nethack(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDDEN, *arguments],
        capture_output=True,
        text=True,
        env=own(home),
    )


def own(home: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home)}


def test_who_has_no_nethack_watches_replays_searches_and_verifies(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    played(path)
    for verb in ("info", "verify", "stats", "dump", "events", "state"):
        done = without_nethack(verb, str(path), home=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), verb
    shown = without_nethack("show", str(path), "--at", "end", home=tmp_path)
    assert shown.returncode == 0
    assert "Ann the Stripling" in shown.stdout
    state = json.loads(without_nethack("state", str(path), "--json", home=tmp_path).stdout)
    assert state["status"]["hp_max"] == 16
    found = without_nethack("search", str(path), "key", home=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")


def test_who_has_no_nethack_is_told_how_to_get_it(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    terminal = pexpect.spawn(
        sys.executable, ["-c", HIDDEN, "play", "--new", "--game", "nethack", str(path)], env=own(tmp_path), timeout=120
    )
    terminal.expect(pexpect.EOF)
    assert terminal.before.strip() == b"nhlog: NetHack is not installed: pip install 'nhlog[nethack]' gets it"
    assert terminal.wait() == 4
    assert not path.exists()


def test_who_has_no_nethack_cannot_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.nhgame"
    played(path)
    before = path.read_bytes()
    monkeypatch.setattr("nhlog.engines.nethack.machine.machine.find_spec", lambda name: None)
    with pytest.raises(Unsupported, match="NetHack is not installed"):
        Player(path)
    assert path.read_bytes() == before


def test_a_log_whose_keys_make_another_game_is_not_played_on(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    played(path)
    data = path.read_bytes()
    at = data.index(b"key K106")
    path.write_bytes(data[:at] + b"key K107" + data[at + 8 :])
    with pytest.raises(Exception, match="keys of the log"):
        Player(path)
    assert Session(Log(LogFile(str(path))), Player.__init__.__globals__["NetHack"]()).game.turn > 1
