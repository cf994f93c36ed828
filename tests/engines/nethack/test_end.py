"""The end of a game of NetHack: its line with all fields that NetHack writes, its dumplog, its place in the scores."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.engines.protocol import NewGame
from nhlog.formats.nhgame.writing.branch import branch_off
from nhlog.scores.entry import entry_of, open_ended
from nhlog.scores.wire import parse_entry
from nhlog.session.replay import GameReplay
from terminal.cli import main
from terminal.ending.dumplog import dumplog_of
from tests.engines.nethack.games import Player, begin
from tests.engines.nethack.installed import needs_nethack

pytestmark = needs_nethack

FIELDS = {
    *("version", "points", "deathdnum", "deathlev", "maxlvl", "hp", "maxhp", "deaths", "deathdate", "birthdate", "uid"),
    *("role", "race", "gender", "align", "name", "death", "conduct", "turns", "achieve", "realtime", "starttime"),
    *("endtime", "gender0", "align0", "flags"),
}
"""Those that NetHack 3.6.7 writes (topten.c, writexlentry)."""


def quits(path: Path) -> None:
    with Player(path) as player:
        for key in "\r20s#quit\ry" + "\r" * 20:
            if not player.session.following.over:
                player.press(key)
        assert player.session.following.over


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("end") / "game.nhgame"
    begin(made, NewGame("Ann-Lee", "Valkyrie", "human", "female", "neutral", 0, 5))
    quits(made)
    return made


@pytest.fixture
def replay(path: Path) -> Iterator[GameReplay]:
    with closing(open_ended(str(path))) as opened:
        assert isinstance(opened, GameReplay)
        yield opened


def test_its_line_has_all_fields_of_nethack_s_and_the_times_of_the_log(replay: GameReplay) -> None:
    entry = entry_of(replay, 7)
    own = parse_entry(str(replay.session.game.record()["xlogfile"]).encode())
    assert {*entry} >= FIELDS
    ours = {"uid", "deathdate", "birthdate", "realtime", "starttime", "endtime", "name"}
    assert {name: entry[name] for name in own if name not in ours} == {name: own[name] for name in own.keys() - ours}
    assert (entry["name"], entry["uid"], entry["conduct"]) == ("Ann-Lee", 7, "0xfff")
    assert int(entry["endtime"]) - int(entry["starttime"]) > 0


def test_its_dumplog_has_the_last_screens_and_messages(replay: GameReplay) -> None:
    text = dumplog_of(replay)
    for told in ("Dlvl:1", "Voluntary challenges:", "Farvel Ann_Lee the Valkyrie...", "  d - an uncursed food ration"):
        assert told in text
    assert "  Really quit? [yn] (n)" in text.rpartition("\nLatest\n")[2]
    assert replay.step == replay.timeline.last


def test_a_branch_that_is_over_is_in_no_list_of_scores(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.nhgame"
    branch_off(str(path), str(other), "turn:5")
    quits(other)
    assert main(["scores", str(path), "--json"]) == 0
    assert '"death":"quit"' in capsys.readouterr().out
    main(["scores", str(other), "--json"])
    assert '"death"' not in capsys.readouterr().out
