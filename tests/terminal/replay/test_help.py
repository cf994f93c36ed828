"""What help and legend say of each kind of recording, in its own words, and that each key does something."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.screen import PLAIN
from nhlog.testing.fakes import FakeRecording, Happening
from terminal.replay.controls import KEYS, Controls
from terminal.replay.drawing.frame import draw_frame, draw_help
from terminal.replay.drawing.legend import draw_legend
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import LEGEND, view_of
from terminal.views.legend import signs_on
from tests.corpus import SAMPLES

DUNGEON = ("inventory", "dungeon", "level", "turn", "discoveries", "attributes", "square")
RACES = ("arena.butter", "coverage.teehistorian", "coverage.map")
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.suffix != ".md")


@pytest.fixture(params=NAMES)
def controls(request: pytest.FixtureRequest) -> Iterator[Controls]:
    with closing(open_viewed(str(SAMPLES / request.param))) as shown:
        shown.seek(shown.timeline.last // 2)
        yield Controls(Player(shown), view_of(shown.info.id))


def helped(controls: Controls) -> str:
    return "\n".join(draw_help(controls, 0, 60, 80).text())


def seen(controls: Controls, group: str) -> tuple[object, ...]:
    """What a key of this group may change."""
    player = controls.player
    moves = (
        player.step,
        player.time,
        player.motion,
        player.tempo.direction,
        player.tempo.speed,
        player.tempo.idle,
        player.tempo.pace,
    )
    typing = (controls.opened.mode, controls.typed, controls.done)
    drawn = draw_frame(controls, *controls.size).text() if group in ("Look", "Camera", "Screen") else []
    return *moves, *typing, player.message, player.seeker.busy, drawn


def test_every_key_of_the_help_does_something(controls: Controls) -> None:
    """Some do it to a viewpoint or a speed that was changed; pages are scrolled below."""
    first = {"centre": ("zoom-in", "pan-left"), "recorded-speed": ("faster",)}
    player, by_action = controls.player, {key.action: key for key in KEYS}
    step, idle = player.step, []
    for key in KEYS:
        if not key.fits(controls) or key.action.startswith("page"):
            continue
        fresh = Controls(Player(player.replay), controls.view)
        fresh.player.replay.seek(step)
        for action in first.get(key.action, ()):
            by_action[action].act(fresh)
        before = seen(fresh, key.group)
        key.act(fresh)
        if seen(fresh, key.group) == before:
            idle.append(key.action)
    assert idle == []


def test_the_legend_of_an_arena_has_the_letters_as_they_are_drawn() -> None:
    with closing(open_viewed(str(SAMPLES / "arena.butter"))) as shown:
        legend = "\n".join(draw_legend(Controls(Player(shown), view_of(shown.info.id))).text())
    assert all(sign in legend for sign in ("L  Loma_Ridge-", "i  Ix", "m  m0nk3y"))


def test_hints_transport_and_legend_tell_of_no_time_where_there_is_none(controls: Controls) -> None:
    still = controls.player.replay.info.format == "Teeworlds map"
    drawn = "\n".join(draw_frame(controls, 80, 24).text())
    legend = "\n".join(draw_legend(controls).text())
    assert ("paused" in drawn, "timeline" in legend) == (not still, not still)
    assert "h help" in drawn
    assert not (still and "Space play" in drawn)


def test_what_is_not_in_the_help_says_why_it_does_nothing(controls: Controls) -> None:
    silent, step = [], controls.player.step
    for key in KEYS:
        fresh = Controls(controls.player, controls.view)
        fresh.player.message = ""
        if key.fits(fresh):
            continue
        key.act(fresh)
        shows = fresh.opened.top is not None or fresh.player.step != step
        if not fresh.player.message and not shows:
            silent.append(key.action)
    assert silent == []


def test_every_view_has_a_legend(controls: Controls) -> None:
    assert LEGEND in controls.view.panels
    legend = "\n".join(draw_legend(controls).text())
    assert legend.startswith("What the signs mean")
    controls.press("ctrl-k")
    assert "What the signs mean" in "\n".join(draw_frame(controls, 80, 24).text())


@pytest.mark.parametrize("name", RACES)
def test_a_race_has_no_words_of_a_dungeon(name: str) -> None:
    with closing(open_viewed(str(SAMPLES / name))) as shown:
        told = helped(Controls(Player(shown), view_of(shown.info.id)))
    assert [word for word in DUNGEON if word in told] == []


def test_words_of_the_help_leave_room_for_two_columns_on_80(controls: Controls) -> None:
    assert {key for key, words in controls.view.words.items() if len(words) > 27} == set()
    assert set(controls.view.words) <= {key.action for key in KEYS}


def test_a_recording_without_a_view_has_the_legend_of_its_timeline() -> None:
    fake = Controls(Player(FakeRecording([Happening("begins")])), replace(view_of("fake"), panels={}))
    fake.press("ctrl-k")
    assert "on the timeline: where you are" in "\n".join(draw_frame(fake, 80, 24).text())


def test_a_save_that_cannot_be_read_has_no_map_to_explain(tmp_path: Path) -> None:
    with closing(open_viewed(str(SAMPLES / "scripted1.nhgame"))) as shown:
        view, state = view_of("nhgame"), shown.state

        class Damaged(FakeRecording):
            @property
            def state(self):  # type: ignore[no-untyped-def]
                return replace(state, saved=replace(state.saved, save=bytes(100)))

        assert "there is no map here" in view.panels[LEGEND](Damaged([Happening("begins")])).text()


def test_the_signs_of_a_map_are_each_explained_once() -> None:
    words = {"#": "a wall", "|": "a wall", ".": "the floor; and dust"}
    rows = [[("#", PLAIN), ("|", PLAIN), (" ", PLAIN)], [("#", PLAIN), (".", PLAIN), (".", PLAIN)]]
    told = signs_on(rows, lambda x, y: words[rows[y][x][0]])
    assert [(sign, meaning) for sign, _, meaning in told] == [("#|", "a wall"), (".", "the floor")]


def test_the_legend_can_be_scrolled_and_says_so_where_there_is_none(controls: Controls) -> None:
    controls.press(">")
    assert controls.player.message == "no page is shown: Ctrl-K shows one"
    controls.press("ctrl-k")
    before = draw_frame(controls, 80, 9).text()
    controls.press(">")
    after = draw_frame(controls, 80, 9).text()
    assert after != before
    controls.press("<")
    assert draw_frame(controls, 80, 9).text() == before
