"""Commands that take no time and change nothing are told at once, and leave no trace in the log."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.world.terrain import CLOSED, STAIRS_DOWN, WALL
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Argument, Command
from nhlog.session import NotNow, Session, new_game
from nhlog.session.replay import GameReplay
from nhlog.testing.players import RandomPlayer
from terminal.play.controller import PlayController
from terminal.replay.controls import Controls
from terminal.replay.player import Player
from terminal.screen.page import Page
from terminal.views import view_of
from tests.engines.delve.arena import EAST, Arena, ground

LOOK = Command("look")


def towards(name: str, direction: int = EAST) -> Command:
    return Command(name, (Argument("D", direction),))


def test_a_look_tells_what_lies_here() -> None:
    arena = Arena()
    arena.lay("dagger")
    arena.do("search")  # which notices it
    before = arena.game.save()
    assert "dagger" in " ".join(arena.game.at_once(LOOK) or ())
    assert arena.game.save() == before


def test_a_look_at_nothing_says_so() -> None:
    assert Arena().game.at_once(LOOK) == ("There is nothing here.",)


def test_a_look_that_picks_up_gold_is_run() -> None:
    arena = Arena()
    arena.lay("gold piece", count=7)
    assert arena.game.at_once(LOOK) is None


@pytest.mark.parametrize("name", ["move", "run"])
def test_a_bump_into_a_wall_that_is_seen_takes_no_time(name: str) -> None:
    arena = Arena()
    ground(arena, 1, WALL)
    assert arena.game.at_once(towards(name)) == ()


@pytest.mark.parametrize("trouble", ["blind", "confused"])
def test_a_bump_in_the_dark_or_dizzy_is_run(trouble: str) -> None:
    arena = Arena()
    ground(arena, 1, WALL)
    setattr(arena.world.hero, trouble, 20)
    arena.world.level.memory[arena.world.hero.square + 1] = 0
    assert arena.game.at_once(towards("move")) is None


def test_what_leads_somewhere_is_run() -> None:
    arena = Arena()
    assert arena.game.at_once(towards("move")) is None
    ground(arena, 1, CLOSED)
    assert arena.game.at_once(towards("move")) is None
    assert arena.game.at_once(towards("open")) is None
    assert arena.game.at_once(Command("search")) is None
    assert arena.game.at_once(Command("down")) == ("You know no stairs down on this level yet: x explores it.",)
    ground(arena, 0, STAIRS_DOWN)
    assert arena.game.at_once(Command("down")) is None


def test_a_fight_with_somebody_in_a_wall_is_run() -> None:
    arena = Arena()
    ground(arena, 1, WALL)
    arena.monster("cave rat")
    assert arena.game.at_once(towards("move")) is None


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    path = str(tmp_path / "game.nhgame")
    new_game(path, ENGINE, RandomPlayer(ENGINE, 3).options(0)).log.source.close()
    log = Log(LogFile(path, writable=True))
    session = Session(log, ENGINE, writer=Writer(log))
    session.command(Command("welcome"))
    with closing(log.source):
        yield session


def test_looking_and_bumping_cost_nothing_in_the_log(session: Session) -> None:
    controller = PlayController(GameReplay(session, LogReplay(session.log)), view_of("delve"))
    while session.command(towards("move", 0)) is None:
        assert session.prompt is None
    size = session.log.source.size()
    for key in ":" * 5 + "h" * 5:
        controller.press(key)
    assert session.log.source.size() == size
    controller.press(":")
    assert controller.seat.heard.told == ["There is nothing here."]
    controller.press("s")
    assert session.log.source.size() > size


def test_a_spectator_looks_at_any_step(session: Session) -> None:
    for _ in range(5):
        session.command(Command("search"))
    session.command(Command("pray"))
    controls = Controls(Player(GameReplay(session, LogReplay(session.log))), view_of("delve"))
    size = session.log.source.size()
    told = set()
    for step in range(controls.player.timeline.last + 1):
        controls.player.replay.seek(step)
        controls.press(":")
        told.add(controls.player.message)
    assert len(told) == 1
    assert "There is" in told.pop()
    for key in ("#", *"dance", "enter"):
        controls.press(key)
    assert controls.player.message == "delve has no look named dance"
    assert session.log.source.size() == size


def test_what_the_game_cannot_tell_now_is_not_told(session: Session) -> None:
    session.game.inner.world.hero.hp = 0  # and so the game asks whether to die
    session.game.inner.world.person = replace(session.game.inner.world.person, mode=1)
    with pytest.raises(NotNow):
        GameReplay(session, LogReplay(session.log)).look("look")


def test_what_was_looked_at_is_told_until_the_next_key(session: Session) -> None:
    controller = PlayController(GameReplay(session, LogReplay(session.log)), view_of("delve"))
    size = session.log.source.size()
    for key in ";.":
        controller.press(key)
    assert controller.opened.top is None
    assert "that is you (" in controller.seat.message
    controller.press("escape")
    assert controller.seat.message == ""
    for key in (";", "escape"):
        controller.press(key)
    assert controller.seat.message == ""
    assert session.log.source.size() == size


def test_the_ledger_is_a_page_of_its_own_and_capital_l_runs(session: Session) -> None:
    controller = PlayController(GameReplay(session, LogReplay(session.log)), view_of("delve"))
    controller.press("ctrl-e")
    assert controller.opened.find(Page).name == "ledger"
    controller.press("escape")
    at = session.game.here
    controller.press("L")
    assert controller.opened.top is None
    assert session.game.here != at
