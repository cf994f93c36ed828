"""The map view: the real client's screens by way of the verbs, more room, less room, no map, and the panels."""

import json
import re
import struct
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest

from nhlog.formats import open_recording
from nhlog.formats.nhgame.ledger import Ledger
from nhlog.nethack4.perception import layers, vision
from nhlog.nethack4.perception.status import Status, draw_status
from nhlog.nethack4.save import kinds
from terminal.cli import main
from terminal.replay.controls import Controls
from terminal.replay.drawing import bar, details
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.screen.console import known_terminal, painter
from terminal.views import Viewpoint, view_of
from terminal.views.nethack4.view import perceived
from tests.builders import Game
from tests.corpus import SAMPLES, corpus
from tests.nethack4.captures import CAPTURES, Capture

GAME = str(SAMPLES / "scripted1.nhgame")


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda capture: f"{capture.log.stem}-{capture.file.stem}")
def test_show_prints_the_real_clients_screen(capture: Capture, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["show", str(capture.log), "--at", f"offset:{capture.offset}", "--size", "80x24", "--bare", "--text"]) == 0
    )
    shown = capsys.readouterr().out.split("\n")[:24]
    real = ["".join(cell[0] for cell in row).rstrip() for row in capture.rows]
    assert shown[1:] == real[1:]


def drawn(keys: list[str], width: int, height: int, path: str = GAME) -> list[str]:
    replay = open_recording(path)
    try:
        view = view_of(replay.info.id)
        controls = Controls(Player(replay), view)
        for key in keys:
            controls.press(key)
        return draw_frame(controls, width, height).text()
    finally:
        replay.close()


@pytest.mark.parametrize("size", [(80, 24), (80, 25), (80, 26), (80, 27), (80, 28), (120, 40), (200, 60)])
def test_the_map_is_whole_wherever_there_is_room(size: tuple[int, int]) -> None:
    rows = drawn(["G"], *size)
    assert any("│" in row for row in rows)
    assert sum(row.startswith(("HP:[", "Pw:[")) for row in rows) == 2


@pytest.mark.parametrize("size", [(40, 10), (79, 30), (60, 24), (30, 7)])
def test_where_there_is_less_the_hero_is_seen(size: tuple[int, int]) -> None:
    assert any("@" in row for row in drawn([], *size))


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("i", "Weapons ')'"),
        ("ctrl-e", "what happened"),
        ("ctrl-x", "abilities : St:"),
        ("ctrl-o", "1  Level 1 <- You are here"),
        ("\\", "Scrolls"),
    ],
)
def test_panels_open_and_close(key: str, told: str) -> None:
    assert told in "\n".join(drawn([key], 80, 24))
    assert told not in "\n".join(drawn([key, key], 80, 24))
    assert told not in "\n".join(drawn([key, "escape"], 80, 24))


def test_farlook_names_what_is_on_a_square() -> None:
    assert "called" in drawn([";"], 80, 24)[0]
    moved = drawn([";", "L", "l", "up"], 80, 28)
    assert re.search(r"\w \(\d+,\d+\)", moved[-1])
    assert "called" not in drawn([";", "escape"], 80, 24)[0]


def test_what_farlook_named_stays_until_the_next_key() -> None:
    assert "called" in drawn([";", "."], 80, 24)[0]
    assert "called" not in drawn([";", ".", "g"], 80, 24)[0]


TWO_LEVELS = str(SAMPLES / "died2.nhgame")


def test_any_visited_level_can_be_looked_at() -> None:
    """The stairs on which the hero came down are in view on the level above, from memory."""
    here = drawn(["G", "0", "v"], 80, 24, TWO_LEVELS)
    first = drawn(["G", "v"], 80, 24, TWO_LEVELS)
    second = drawn(["G", "v", "v"], 80, 24, TWO_LEVELS)
    assert "showing Dungeons:1" in first[0]
    assert any(">" in row for row in first[1:22])
    assert not any("@" in row for row in first[1:22])
    assert first[22:] == second[22:] == here[22:]
    assert second[1:22] == here[1:22] == drawn(["G", "v", "v", "v"], 80, 24, TWO_LEVELS)[1:22]
    assert drawn(["G", "1", "v"], 80, 24, TWO_LEVELS) == first


def test_a_remembered_level_says_so_and_has_its_own_farlook() -> None:
    rows = drawn(["G", "v", "o"], 80, 28, TWO_LEVELS)
    assert any(row.startswith("Dungeons:1 from memory: ") for row in rows)
    controls = ["G", "v", ";", *("K" * 3), *("H" * 10)]
    assert "unexplored area (0,0)" in drawn(controls, 80, 28, TWO_LEVELS)[-1]


def test_the_overview_has_the_numbers_of_the_levels() -> None:
    rows = drawn(["G", "ctrl-o"], 80, 24, str(corpus("nethack4", "mid3.nhgame")))
    told = "\n".join(rows)
    assert "5  Level 6 <- You are here" in told
    sixth = drawn(["G", "6", "v"], 80, 28, str(corpus("nethack4", "mid3.nhgame")))
    assert any(row.startswith("Dungeons:27 from memory") for row in sixth)


def test_a_level_that_does_not_fit_can_be_panned() -> None:
    assert drawn(["G"], 40, 12, TWO_LEVELS) != drawn(["G", "d", "d"], 40, 12, TWO_LEVELS)


def test_fiqhacks_game_is_named_and_drawn() -> None:
    told = "\n".join(drawn(["g"], 200, 30, str(corpus("nethack4", "fiqhack1.nhgame"))))
    assert "FIQHack: drawn by its own rules" in told
    assert "Def:4 Xp:1 Dungeons:1" in told
    assert "····@│" in told


class Other(Game):
    """A game whose saves begin with other words."""

    words: ClassVar[bytes]

    def _save(self, offset: int) -> bytes:
        save = super()._save(offset)
        self.saves[-1] = self.words + save[12:]
        return self.saves[-1]


class Fourk(Other):
    """A game whose saves begin as Fourk's: with one artifact more than NetHack 4's."""

    words = struct.pack("<3I", 0x04030000, 0, 0x221B017D)


class LaterFiqhack(Other):
    """A game of a FIQHack that has one kind of objects more than the latest that is known."""

    words = struct.pack("<3I", 0x04030100, 0, 0x211B917C)


def test_a_version_of_an_engine_that_is_not_known_is_named_by_what_it_has(tmp_path: Path) -> None:
    path = LaterFiqhack().play(5).write(tmp_path / "later.nhgame")
    told = "\n".join(drawn([], 200, 30, path))
    assert "FIQHack of another version: 441 kinds" in told
    assert "no map of its games" not in told


def test_a_game_that_cannot_be_drawn_is_named_and_shown_as_a_ledger_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Fourk().play(5).write(tmp_path / "fourk.nhgame")
    rows = drawn([], 200, 30, path)
    assert "what happened" in rows[1]
    assert "Fourk or the like (NetHack 4.3 with 34" in "\n".join(rows)
    assert "no map of its games" in "\n".join(rows)
    assert main(["state", path]) == 4
    assert "save of another engine: expected NetHack 4.3 or FIQHack, found Fourk" in capsys.readouterr().err


def test_state_is_told_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["state", GAME, "--at", "end", "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert state["hero"]["x"] >= 0
    assert len(state["map"]["rows"]) == 21
    assert state["status"]["place"].startswith("Dungeons")
    assert all({"letter", "caption"} <= item.keys() for item in state["inventory"])


def test_turn_by_turn_only_rows_that_changed_are_computed_and_sent() -> None:
    """Of 21 rows of the map hardly any changes in a turn, and class records are read when something is discovered."""
    kept = (layers._squares, layers._cells, vision._stops_left, kinds.classes_in)
    for function in kept:
        function.cache_clear()
    paint = painter(known_terminal("xterm-256color"), "auto", utf8=True).paint
    with closing(open_recording(str(SAMPLES / "died2.nhgame"))) as replay:
        controls = Controls(Player(replay), view_of(replay.info.id))
        screen, sent, turns = None, 0, len(replay.timeline.stops)
        for step in replay.timeline.stops:
            controls.player.seek(step)
            screen, before = draw_frame(controls, 80, 24), screen
            sent += len(paint(screen, before))
    rows, cells, sights, classes = (function.cache_info().misses for function in kept)
    assert rows == cells < 3 * turns
    assert sights < 3 * turns
    assert classes < turns / 10
    assert sent / turns < 100  # 1 kB/s at ten turns a second


def test_what_stays_the_same_from_turn_to_turn_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The status rows are drawn once for a save, the markers beside the view when one is passed, the scale once."""
    drawn: list[Status] = []
    monkeypatch.setattr(
        "nhlog.nethack4.perception.view.draw_status", lambda status: drawn.append(status) or draw_status(status)
    )
    kept = (details._markers_drawn, bar._axis_drawn)
    for function in (perceived, *kept):
        function.cache_clear()
    with closing(open_recording(str(SAMPLES / "scripted1.nhgame"))) as replay:
        controls = Controls(Player(replay), view_of(replay.info.id))
        passed = set()
        for step in replay.timeline.stops:
            controls.player.seek(step)
            draw_frame(controls, 200, 60)
            passed.add(sum(marker.step <= step for marker in controls.player.markers))
        saves = len(replay.log.columns.save_lines)
    assert len(drawn) <= saves < len(replay.timeline.stops)
    assert [function.cache_info().misses for function in kept] == [len(passed), 1]


def test_rows_of_the_ledger_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = Ledger._row
    monkeypatch.setattr(Ledger, "_row", lambda ledger, number: made.append(number) or make(ledger, number))
    with closing(open_recording(str(SAMPLES / "scripted1.nhgame"))) as replay:
        view = view_of(replay.info.id)
        for step in replay.timeline.stops:
            replay.seek(step)
            view.body(replay, 200, 60, Viewpoint())
            view.facts(replay)
        assert sorted(made) == [*range(len(replay.timeline.stops))]
