"""Engines that change: whose version a log is of is looked at when it is opened, and what differs is told."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.errors import Unsupported
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Argument, Command, Time
from nhlog.savehead import parse_save_head
from nhlog.session import NotNow, Session, last_agreeing, new_game
from nhlog.session.following import Age, age_of
from nhlog.session.replay import GameReplay
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.play.open import open_game
from terminal.views import view_of
from tests.session.toy import STATE, Toy, ToyGame, options

MOVES = [Command("move", (Argument("D", direction),)) for direction in (0, 4, 2, 6)]


class LaterToy(Toy):
    """A version with other rules and other saves: a byte at their end tells them from the earlier ones."""

    version = "1.002.000"
    mark = b"2"

    def load(self, save: bytes) -> ToyGame:
        if not save.endswith(self.mark):
            return super().load(b"")
        game = super().load(save[:-1])
        return LaterGame(game.turn, game.total, game.spoiled, game.ending)

    def migrate(self, save: bytes) -> bytes:
        if len(save) != STATE.size:
            raise Unsupported("no save of the earlier toy")
        return save + self.mark


class LaterGame(ToyGame):
    def save(self) -> bytes:
        return super().save() + LaterToy.mark

    def _mix(self, data: bytes) -> None:
        super()._mix(data + b"!")


class PatchedToy(Toy):
    version = "1.000.003"


class OtherRules(Toy):
    """The same version and the same saves, but other rules: somebody forgot to count."""

    def load(self, save: bytes) -> ToyGame:
        game = super().load(save)
        return OtherGame(game.turn, game.total, game.spoiled, game.ending)


class OtherGame(ToyGame):
    def _mix(self, data: bytes) -> None:
        super()._mix(data + b"?")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A game of some turns, played by the toy."""
    path = str(tmp_path / "toy.nhgame")
    with new_game(path, Toy(), options()) as writer:
        session = Session(writer.log, Toy(), writer=writer)
        for move in MOVES:
            session.command(move)
    return path


@pytest.fixture
def opened(path: str) -> Iterator[Log]:
    with Log(LogFile(path, writable=True)) as log:
        yield log


@pytest.mark.parametrize(
    ("version", "age"),
    [
        ("1.000.000", Age.SAME),
        ("1.000.007", Age.SAME),
        ("1.001.000", Age.NEWER),
        ("2.000.000", Age.NEWER),
        ("0.009.009", Age.OLDER),
    ],
)
def test_the_first_two_numbers_of_a_version_count(opened: Log, version: str, age: Age) -> None:
    Writer(opened).adopt(version)
    assert age_of(opened, Toy()) is age


def test_a_game_of_a_patched_engine_goes_on(opened: Log) -> None:
    session = Session(opened, PatchedToy(), writer=Writer(opened))
    assert session.following.frozen == ""
    session.command(MOVES[0])
    assert opened.header.identification.version == "1.000.000"


def test_an_older_game_that_cannot_be_carried_over_stands_still_between_its_saves(opened: Log) -> None:
    class Unkind(LaterToy):
        load = Toy.load
        migrate = Toy.migrate

    session = Session(opened, Unkind(), writer=Writer(opened))
    turns = []
    for line in range(len(opened)):
        session.seek(line)
        turns.append(session.game.turn)
        assert session.prompt is None
    assert turns == [opened.columns.turn(line) for line in range(len(opened))]
    session.seek(None)
    assert (
        session.following.frozen
        == "a game of toy 1.000.000, older than 1.002.000 here: it stands still between its saves"
    )
    size = opened.source.size()
    with pytest.raises(NotNow, match="older than"):
        session.command(MOVES[0])
    assert opened.source.size() == size


def test_an_older_game_is_carried_over_by_its_engine_and_its_past_can_be_seen(opened: Log) -> None:
    before = len(opened)
    turn = opened.columns.last_turn
    session = Session(opened, LaterToy(), writer=Writer(opened))
    session.carry_over()
    assert session.following.frozen == session.following.desync == ""
    assert opened.header.identification.version == "1.002.000"
    assert session.game.turn == turn
    session.command(MOVES[0])
    assert session.game.turn == turn + 1
    assert [found for found in verify(opened) if isinstance(found, Finding)] == []
    session.seek(before - 2)
    assert "an earlier version of toy" in session.following.frozen
    assert session.game.turn == opened.columns.turn(before - 2)
    session.seek(None)
    assert (session.following.frozen, session.following.check(), session.game.turn) == ("", "", turn + 1)


def test_time_that_passed_since_the_newest_save_is_carried_over_once(opened: Log) -> None:
    writer = Writer(opened)
    clock = parse_save_head(opened.save(len(opened.columns.save_lines) - 1)).clock
    writer.append(MOVES[0])
    writer.append(Time(5_000_000))
    session = Session(opened, LaterToy(), writer=writer)
    session.carry_over()
    assert parse_save_head(opened.save(len(opened.columns.save_lines) - 1)).clock == clock + 5_000_000


def test_an_older_game_that_nobody_can_load_is_not_carried_over(opened: Log) -> None:
    class Strange(LaterToy):
        migrate = Toy.migrate

    session = Session(opened, Strange(), writer=Writer(opened))
    size = opened.source.size()
    with pytest.raises(Unsupported):
        session.carry_over()
    assert opened.source.size() == size


def test_a_newer_game_is_only_watched(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Log(LogFile(path, writable=True)) as log:
        Writer(log).adopt("3.000.000")
    monkeypatch.setattr("terminal.play.open.engine_named", lambda name: Toy())
    with pytest.raises(Unsupported, match=r"a game of toy 3.000.000, newer than 1.000.000 here"):
        open_game(path, Config())


def test_opening_to_play_carries_an_older_game_over(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminal.play.open.engine_named", lambda name: LaterToy())
    with closing(open_game(path, Config())) as controller:
        assert controller.session.log.header.identification.version == "1.002.000"
        controller.enter()
        assert controller.session.following.desync == ""


def test_what_differs_is_found_at_every_save_also_where_one_seeks(opened: Log) -> None:
    replay = GameReplay(Session(opened, OtherRules()), LogReplay(opened))
    saves = opened.columns.save_lines
    for number in (3, 1, 4, 2):
        replay.seek(saves[number])
        assert replay.state.check() == f"turn {number + 1}: toy makes a different game of the commands"
    replay.seek(saves[0])
    assert replay.state.check() == ""
    agreeing = GameReplay(Session(opened, Toy()), replay.lines)
    for number in (3, 1, 4, 2):
        agreeing.seek(saves[number])
        assert agreeing.state.check() == ""


def test_the_last_point_where_both_agree_is_found(opened: Log) -> None:
    assert last_agreeing(opened, OtherRules()) is None
    session = Session(opened, OtherRules(), writer=Writer(opened))
    session.command(MOVES[0])
    session.command(MOVES[0])
    Session(opened, Toy(), writer=Writer(opened)).command(MOVES[1])
    found = last_agreeing(opened, OtherRules())
    assert found is not None
    assert (found.turn, found.lost) == (7, 1)


def test_one_who_comes_to_play_is_offered_the_way_back_to_where_both_agree(opened: Log) -> None:
    played = Session(opened, Toy(), writer=Writer(opened))
    Session(opened, OtherRules(), writer=Writer(opened)).command(MOVES[0])
    assert played.refresh()
    controller = PlayController(
        GameReplay(Session(opened, Toy(), writer=Writer(opened)), LogReplay(opened)), view_of("no such game")
    )
    controller.session.seek(None)
    controller.enter()
    told = draw_game(controller, 80, 24).text()[:2]
    assert "toy makes a different game of the commands. Go back to turn 5? Lost: 1 turn" in " ".join(told)
    controller.press("y")
    assert (controller.session.game.turn, controller.session.following.check()) == (5, "")
