"""What a key and an idle tick cost at the log and at the engine: counted, never timed."""

import fcntl
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from nhlog.engines import engine_named
from nhlog.engines.delve import ENGINE, Delve
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.protocol import NewGame
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire import header
from nhlog.session import Session, new_game
from nhlog.session.replay import GameReplay
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.views import Viewpoint, view_of
from tests.processes import Child

MOST_LOCKS = 6  # per line appended: calls that lock or unlock
MOST_READS = 8


class Counted:
    """A pattern that counts how often it is tried."""

    def __init__(self, pattern: Any, counts: Counter[str]) -> None:
        self.pattern, self.counts = pattern, counts

    def match(self, line: bytes) -> Any:
        self.counts["parses of line 1"] += 1
        return self.pattern.match(line)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often this process did what costs something."""
    found: Counter[str] = Counter()

    def count(owner: object, name: str, what: str) -> None:
        call: Callable[..., Any] = getattr(owner, name)

        def counted(*arguments: Any, **options: Any) -> Any:
            found[what] += 1
            return call(*arguments, **options)

        monkeypatch.setattr(owner, name, counted)

    count(fcntl, "lockf", "locks")
    count(os, "pread", "reads")
    count(os, "pwrite", "writes")
    count(Log, "refresh", "refreshes")
    count(Delve, "load", "loads")
    count(DelveGame, "save", "saves")
    monkeypatch.setattr(header, "_IDENTIFICATION", Counted(header._IDENTIFICATION, found))
    return found


@pytest.fixture
def controller(tmp_path: Path, counts: Counter[str]) -> Iterator[PlayController]:
    """A game of delve, entered and drawn."""
    path = str(tmp_path / "game.nhgame")
    new_game(path, ENGINE, NewGame("Ann", "Valkyrie", "human", "female", "neutral", 0, 7)).log.source.close()
    with ExitStack() as stack:
        log = Log(stack.enter_context(LogFile(path, writable=True)))
        replay = GameReplay(Session(log, engine_named("delve"), writer=Writer(log)), LogReplay(log))
        controller = PlayController(replay, view_of(replay.info.id))
        controller.enter()
        draw_game(controller, 80, 25)
        counts.clear()
        yield controller


def test_a_key_costs_one_look_at_the_log_and_a_few_calls_for_each_line(
    controller: PlayController, counts: Counter[str]
) -> None:
    lines = 0
    for key in "s.hjklss.hhsskkss":
        before = len(controller.session.log)
        controller.press(key)
        draw_game(controller, 80, 25)
        appended = len(controller.session.log) - before
        lines += appended
        assert appended in (0, 3)
        assert counts["locks"] <= max(MOST_LOCKS * appended, 2)
        assert counts["reads"] <= max(MOST_READS * appended, 1)
        assert counts["parses of line 1"] <= 1
        assert counts["refreshes"] <= 1
        assert counts["loads"] <= 1
        assert counts["saves"] <= 2, "the turn is saved, loaded, and saved again to compare"
        counts.clear()
    assert lines > 30


def test_a_backup_costs_no_more(controller: PlayController, counts: Counter[str]) -> None:
    for _ in range(400):
        controller.press("s")
        if controller.session.log.columns.kinds[-1] == ord("*"):
            break
        counts.clear()
    else:
        pytest.fail("no backup was written")
    assert counts["locks"] <= MOST_LOCKS * 3
    assert counts["reads"] <= MOST_READS * 3
    assert counts["parses of line 1"] == counts["refreshes"] == 1


def test_an_idle_tick_costs_one_look(controller: PlayController, counts: Counter[str]) -> None:
    for key in ("", "s"):
        if key:
            controller.press(key)
        draw_game(controller, 80, 25)
        counts.clear()
        for tick in range(1, 4):
            controller.refresh()
            draw_game(controller, 80, 25)
            assert counts == {"refreshes": tick, "reads": tick}


def test_an_idle_tick_of_a_watcher_costs_one_look(controller: PlayController, counts: Counter[str]) -> None:
    for step in (controller.replay.timeline.last, 2):
        controller.replay.seek(step)
        controller.view.body(controller.replay, 80, 24, Viewpoint())
        counts.clear()
        controller.replay.refresh()
        controller.view.body(controller.replay, 80, 24, Viewpoint())
        assert counts == {"refreshes": 1, "reads": 1}


OTHER = """
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
Writer(Log(LogFile(path, writable=True))).append(Command("search"))
say("written")
"""


def test_what_another_wrote_is_still_noticed_before_a_key_counts(
    controller: PlayController, counts: Counter[str]
) -> None:
    with Child(OTHER, controller.seat.source.name) as other:
        assert other.hear() == "written"
    before = len(controller.session.log)
    controller.press("s")
    assert "somebody else wrote first" in controller.seat.message
    assert len(controller.session.log) == before + 1
    assert counts["writes"] == 0


def test_looking_at_the_game_that_is_played_changes_nothing_in_it(controller: PlayController) -> None:
    for key in "s.hjklss.hh":
        controller.press(key)
        gamestate = controller.session.following.gamestate
        assert gamestate is not None
        before = gamestate.game.save()
        assert controller.replay.state.game is gamestate.game.inner
        seen = draw_game(controller, 120, 40).text()
        panels = [panel(controller.replay).text() for panel in controller.view.panels.values()]
        assert gamestate.game.save() == before
        loaded = GameReplay(controller.session, controller.replay.lines)
        gamestate.running = True  # then the picture is drawn from the save
        assert loaded.state.game is None
        assert draw_game(controller, 120, 40).text() == seen
        assert [panel(loaded).text() for panel in controller.view.panels.values()] == panels
        gamestate.running = False


def test_a_state_that_somebody_kept_is_what_it_was(controller: PlayController) -> None:
    kept = []
    for key in "s.s.s.ss":
        state = controller.replay.state
        kept.append((state, controller.session.following.gamestate.save()))
        controller.press(key)
        assert state.game is None
    assert [state.save for state, _ in kept] == [save for _, save in kept]
