"""The end of a game, page by page: for its player, for who watches, and for who opens it again."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.cache import Index, fingerprint_of
from nhlog.engines import engines
from nhlog.scores.ranking import Ranking
from nhlog.scores.table import Score, score_of, scores_in
from terminal.ending.drawing import draw_ending
from terminal.ending.ending import ENDING_KEYS, Ending
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import SAMPLES
from tests.terminal.ending.drawn import CASES, FOLDER, SCORES


@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_as_it_was_drawn(name: str) -> None:
    assert CASES[name]().text() == (FOLDER / f"{name}.txt").read_text().removesuffix("\n").split("\n")


def test_every_drawing_has_a_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


@pytest.fixture
def ending() -> Iterator[Ending]:
    with closing(open_viewed(str(SAMPLES / "delve.nhgame"))) as replay:
        replay.seek(replay.timeline.last)
        yield Ending(replay, view_of(replay.info.id))


def test_space_and_enter_go_on_to_the_last_page_and_then_leave(ending: Ending) -> None:
    seen = []
    for key in (" ", "enter", " "):
        seen.append(ending.page)
        ending.press(key)
    assert [*seen, ending.page] == ["the end", "inventory", "attributes", "score"]
    ending.press("left")
    assert (ending.page, ending.done) == ("attributes", False)
    ending.press(" ")
    ending.press(" ")
    assert ending.done


@pytest.mark.parametrize("key", ["q", "escape"])
def test_every_page_can_be_left(ending: Ending, key: str) -> None:
    ending.press(" ")
    ending.press(key)
    assert ending.done


def test_the_keys_are_shown_until_any_key(ending: Ending) -> None:
    ending.press("?")
    shown = "\n".join(draw_ending(ending, 80, 24).text())
    assert all(key.does in shown for key in ENDING_KEYS)
    ending.press("q")
    assert not ending.helped
    assert not ending.done


def test_what_does_not_fit_is_reached_by_scrolling(ending: Ending) -> None:
    ending.press(" ")
    above = draw_ending(ending, 80, 10).text()
    ending.press(">")
    below = draw_ending(ending, 80, 10).text()
    assert "Weapons" in "".join(above)
    assert "torch" not in "".join(above)
    assert "torch" in "".join(below)
    assert "> more" in above[-1]
    assert "> more" not in below[-1]


def test_hints_say_the_keys_that_were_chosen(ending: Ending) -> None:
    chosen = Ending(ending.replay, ending.view, lambda table: table.without([">", " ", "left"]))
    chosen.press("enter")
    assert draw_ending(chosen, 80, 10).text()[-1].split()[:1] == ["Enter"]
    assert "PgDn more" in draw_ending(chosen, 80, 10).text()[-1]


# the list of scores


def whole(ranking: Ranking) -> Ranking:
    while ranking.work():
        pass
    return ranking


def test_the_game_itself_is_in_its_list_once(tmp_path: Path, ending: Ending) -> None:
    shutil.copy(SAMPLES / "delve.nhgame", tmp_path)
    own = score_of(ending.replay)
    ranking = whole(Ranking(own, [str(tmp_path), SCORES, str(tmp_path / "nowhere")]))
    assert (ranking.place, ranking.games) == (14, 16)
    assert [score.player for score in ranking.best].count("Brisk") == 1


def test_what_a_finished_log_tells_is_read_from_the_cache(tmp_path: Path) -> None:
    path = shutil.copy(SAMPLES / "delve.nhgame", tmp_path)
    [first] = scores_in(str(tmp_path))
    assert isinstance(first, Score)
    assert first.points == 616
    index = Index("scores", 1, dict[str, str | int])
    kept = index.load(fingerprint_of(path), " ".join(engines()))
    assert kept is not None
    index.store(fingerprint_of(path), kept | {"points": 617}, " ".join(engines()))
    [again] = scores_in(str(tmp_path))
    assert isinstance(again, Score)
    assert again.points == 617
    os.utime(path, ns=(0, 0))
    [anew] = scores_in(str(tmp_path))
    assert isinstance(anew, Score)
    assert anew.points == 616


# who looks on


def player_of(name: str) -> Iterator[Controls]:
    with closing(open_viewed(str(SAMPLES / name))) as replay:
        yield Controls(Player(replay), view_of(replay.info.id))


def test_who_looks_on_sees_the_same_pages_and_comes_back() -> None:
    for controls in player_of("delve.nhgame"):
        controls.press("e")
        assert "REST IN PEACE" in "\n".join(draw_frame(controls, 80, 24).text())
        controls.press("q")
        assert (controls.done, controls.player.step) == (False, controls.player.timeline.last)
        assert "REST IN PEACE" not in "\n".join(draw_frame(controls, 80, 24).text())
        controls.press("e")
        controls.press("R")
        assert (controls.opened.top, controls.player.step) == (None, 0)


@pytest.mark.parametrize(
    ("name", "told"), [("scripted1.nhgame", "this game is not finished yet"), ("run.replay", "of no game that ends")]
)
def test_what_has_no_end_says_so(name: str, told: str) -> None:
    for controls in player_of(name):
        controls.press("e")
        assert told in controls.player.message
        assert controls.opened.top is None
