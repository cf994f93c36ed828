"""What is drawn: whole screens as text, and what text alone does not show."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.replay import Status
from nhlog.screen import Screen
from nhlog.testing.fakes import FakeRecording, Happening
from nhlog.timeline import Marker
from terminal.replay.controls import KEYS, Controls
from terminal.replay.drawing.bar import draw_axis, draw_names, draw_transport
from terminal.replay.drawing.frame import draw_frame, draw_help
from terminal.replay.layout.line import Track, transport_of
from terminal.replay.layout.rows import layout_of
from terminal.replay.menu import MENU_KEYS, Menu
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.views import view_of
from tests.terminal.replay import sizes
from tests.terminal.replay.drawn import CASES, FOLDER, HOSTILE, FakeLog, drawn_frame


@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_as_it_was_drawn(name: str) -> None:
    assert CASES[name]().text() == (FOLDER / f"{name}.txt").read_text().removesuffix("\n").split("\n")


@pytest.mark.parametrize("name", sizes.CASES)
def test_a_view_looks_as_it_was_drawn_in_every_size(name: str) -> None:
    assert sizes.CASES[name]().text() == (sizes.FOLDER / f"{name}.txt").read_text().removesuffix("\n").split("\n")


def test_every_drawing_has_a_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)
    assert {path.stem for path in sizes.FOLDER.iterdir()} == set(sizes.CASES)


def rows(count: int = 30) -> FakeLog:
    return FakeLog([Happening(f"moves {n}", 1.0, n) for n in range(count)])


def test_the_row_where_one_stands_differs_from_what_was_and_what_will_be() -> None:
    screen = drawn_frame(rows(5), "...", 80, 24)
    styles = {screen.text()[y][30:37]: screen.style_at(30, y) for y in range(2, 7)}
    assert styles["moves 1"].fg is None
    assert styles["moves 2"] == theme.HERE
    assert styles["moves 3"] == styles["moves 4"] == theme.FUTURE


def test_every_style_of_a_meaning_survives_the_loss_of_colour() -> None:
    for style in (theme.HERE, theme.TITLE, theme.CURSOR):
        assert style.reduced(0).reverse
    for style in (theme.ALARM, theme.KEY, theme.GOOD, theme.PLAYED):
        assert style.reduced(0).bold


@given(st.integers(0, 210), st.integers(0, 70), st.text("h. o?/5G%Flt{r", max_size=4), st.integers(1, 4))
def test_no_size_is_too_strange(width: int, height: int, keys: str, count: int) -> None:
    for replay in (rows(count), FakeRecording([Happening(HOSTILE, 9e12, 10**30)] * count, title=HOSTILE)):
        screen = drawn_frame(replay, keys, width, height)
        assert (screen.width, screen.height) == (width, height)


def test_nothing_at_all_can_be_shown() -> None:
    class Empty(FakeRecording):
        def events(self, first: int, last: int):  # type: ignore[no-untyped-def]
            return iter(())

    assert "nothing has happened yet" in drawn_frame(Empty([Happening("")]), "", 80, 24).text()[2]


def test_moments_outside_the_calendar_are_shown_as_such() -> None:
    assert "not a date" in drawn_frame(FakeLog([Happening("late", 1e13)]), "", 200, 24).text()[22]


@given(st.integers(1, 400), st.integers(0, 500), st.lists(st.integers(0, 399), max_size=5))
def test_the_bar_always_shows_where_one_stands(count: int, step: int, marked: list[int]) -> None:
    replay = FakeRecording(
        [Happening("x")] * count,
        keyframes=sorted(marked),
        markers=[Marker(at, "x", "x") for at in sorted(marked)],
    )
    replay.seek(step)
    line, track = transport_line(Player(replay), 80)
    assert line.count("●") == 1
    assert line.index("●") == track.column(replay.step)


def transport_line(player: Player, width: int) -> tuple[str, Track]:
    transport = transport_of(player, width)
    return draw_transport(transport, player, width).text()[0], transport.track


def marked(*markers: tuple[int, str], count: int = 1000) -> Player:
    """A player of a recording with these markers, at its first step."""
    return Player(
        FakeRecording(
            [Happening("x", turn=n, wait=1.0) for n in range(count)],
            markers=[Marker(step, "checkpoint", name) for step, name in markers],
        )
    )


@given(st.integers(0, 100), st.integers(1, 300), st.integers(0, 5000), st.integers(0, 5000))
def test_a_column_of_the_bar_and_its_step_say_the_same(left: int, width: int, last: int, step: int) -> None:
    track, step = Track(left, width, last), min(step, last)
    column = track.column(step)
    assert left <= column < left + width
    assert track.column(track.step(column)) == column or last < width - 1
    assert track.step(column) == step or last > width - 1
    assert track.step(left - 1) == 0
    assert track.step(left + width) == (last if width > 1 else 0)


def test_crowded_keyframes_are_not_drawn() -> None:
    line, track = transport_line(Player(FakeRecording([Happening("x")] * 100, keyframes=range(100))), 80)
    assert set(line[track.left : track.left + track.width]) == {"●", "─"}


def test_the_transport_line_tells_state_speed_and_position_at_any_width_and_the_bar_keeps_its_place() -> None:
    for width in (30, 40, 60, 80, 120, 200):
        player = marked()
        tracks = set()
        for step in (0, 9, 99, 999):
            player.seek(step)
            line, track = transport_line(player, width)
            assert line.startswith(" ⏸ ")
            assert f"{step}/999" in line
            tracks.add(track)
        assert len(tracks) == 1
        assert track.width >= width // 4
    assert all(told in transport_line(player, 80)[0] for told in ("paused", " 1x ", "16:40/16:40", "100%"))


def test_the_transport_line_says_whether_one_is_live_or_how_far_behind() -> None:
    player = Player(FakeRecording([Happening("x", turn=n) for n in range(50)], status=Status.LIVE))
    assert "  live  " in transport_line(player, 80)[0]
    player.follow()
    assert transport_line(player, 80)[0].startswith(" ● live ")
    player.step_by(-7)
    assert "  7 behind  " in transport_line(player, 80)[0]


@pytest.mark.parametrize("width", range(30, 60))
def test_hints_are_whole_or_not_there(width: int) -> None:
    last = drawn_frame(rows(), "", width, 10).text()[-1].split("  ")
    assert {hint.strip() for hint in last} <= {"", "Space play", "/ search", "h help", "q quit"}


def test_markers_nearer_than_a_column_are_one_with_their_number() -> None:
    player = marked((100, "a"), (500, "b"), (501, "c"), *((900 + n, f"m{n}") for n in range(10)), (999, "z"))
    line, track = transport_line(player, 80)
    assert [line[track.column(step)] for step in (100, 500, 999)] == ["◆", "2", "◆"]
    assert line[track.column(900)] in "9+"
    for name in ("a", "b", "c", "m0"):
        player.to_marker(1)
        while player.seeker.work():
            pass
        assert player.message == f"marker: {name}" or name in player.message


def test_ninety_one_checkpoints_are_ninety_one_on_the_bar() -> None:
    player = marked(*((11 * n, f"checkpoint {n}") for n in range(91)))
    track = transport_of(player, 80).track
    clusters = track.clusters(player.markers)
    assert sum(len(cluster) for cluster in clusters.values()) == 91
    assert len(clusters) <= track.width


def test_names_stand_above_their_marks_and_beside_one_another() -> None:
    player = marked((0, "the start"), (300, "bridge"), (330, "tower"), (331, "falls"), (999, "a long last name"))
    track = transport_of(player, 120).track
    row = draw_names(track, player, 120).text()[0]
    near = marked((980, "low health"), (999, "killed by a newt"))
    assert draw_names(transport_of(near, 120).track, near, 120).text()[0].split("  ")[-1].strip() == "killed by a newt"
    for step, name in ((0, "the start"), (300, "bridge"), (999, "a long last name")):
        begin = row.index(name)
        assert begin <= track.column(step) < begin + len(name)
    assert "bridge  tower +1" in row or "tower" not in row


def test_a_backup_is_a_keyframe_and_no_marker_of_the_bar() -> None:
    replay = FakeRecording([Happening("x")] * 100, markers=[Marker(50, "backup", "backup 1")])
    line, track = transport_line(Player(replay), 80)
    assert "◆" not in line
    assert draw_names(track, Player(replay), 80).text() == [""]


def test_the_axis_is_in_time_with_turns_where_there_are_any_and_says_nothing_twice() -> None:
    turns = Player(FakeRecording([Happening("x", turn=n, wait=1.0) for n in range(100)]))
    assert draw_axis(Track(2, 60, 99), turns, 80).text()[0].split("  ")[0].strip() == "turn 0, 0:01"
    ticks = Player(FakeRecording([Happening("x", turn=n, wait=1.0) for n in range(100)], unit="tick"))
    assert draw_axis(Track(2, 60, 99), ticks, 80).text()[0].split() == ["0:01", "0:33", "1:06", "1:40"]
    still = Player(FakeRecording([Happening("x", wait=0.0)] * 100, unit="tick"))
    assert draw_axis(Track(2, 60, 99), still, 80).text()[0].split() == ["0:00"]


@pytest.mark.parametrize("height", range(24, 34))
def test_every_layout_has_one_transport_line_and_all_of_the_view_that_fits(height: int) -> None:
    layout = layout_of((80, 24), 80, height)
    assert layout.rows >= min(24, height - 1)
    assert layout.body + layout.rows + layout.around <= layout.transport < height
    assert layout.message in (None, height - 1)


def test_a_view_as_large_as_the_terminal_loses_a_blank_row_to_the_transport_line() -> None:
    replay = FakeRecording([Happening("x", turn=n) for n in range(50)])
    view = replace(view_of("fake"), body=lambda replay, width, height, viewpoint: numbered(width, height))
    view = replace(view, least=lambda replay: (80, 24))
    shown = draw_frame(Controls(Player(replay), view), 80, 24).text()
    assert shown[:23] == [str(n) for n in range(24) if n != 7]
    assert "turn  0/49" in shown[23]


def numbered(width: int, height: int) -> Screen:
    """Rows with their numbers, of which the seventh is blank."""
    screen = Screen(width, height)
    for y in range(height):
        screen.put(0, y, str(y) if y != 7 else "")
    return screen


def helped() -> Controls:
    """Of a recording in which little has a meaning."""
    return Controls(Player(FakeRecording([Happening("begins")], status=Status.FINISHED)), view_of("fake"))


def test_the_help_tells_every_key() -> None:
    controls = Controls(Player(FakeLog([Happening("begins")])), view_of("nhgame"))
    told = "\n".join(draw_help(controls, 0, 60, 80).text())
    assert all(key.label in told and controls.help_words(key) in told for key in KEYS if key.fits(controls))


def test_the_help_can_be_scrolled_to_its_end_and_no_further() -> None:
    controls = helped()
    assert draw_help(controls, 1000, 40, 5).text()[-1] == " q          quit"


def test_a_repeated_event_is_still_one_row() -> None:
    text = drawn_frame(FakeLog([Happening("goes on")] * 5), "...", 80, 24).text()
    assert [row[:1] for row in text[2:7]] == [" ", " ", "▶", " ", " "]


def test_a_format_without_a_view_is_a_list_of_events() -> None:
    assert view_of("no such format") == view_of("nor this one") != view_of("nhgame")


def test_events_far_apart_are_found() -> None:
    class Sparse(FakeRecording):
        """A recording with many steps of which few are events."""

        def events(self, first: int, last: int):  # type: ignore[no-untyped-def]
            return (event for event in super().events(first, last) if event.step % 500 == 0)

    replay = Sparse([Happening(f"at {n}", turn=n) for n in range(3000)])
    replay.seek(1499)
    told = "\n".join(draw_frame(Controls(Player(replay), view_of("fake")), 80, 24).text())
    assert all(f"at {n}" in told for n in range(0, 3000, 500))  # a case: all there are


@pytest.mark.parametrize(
    ("keys", "index"),
    [
        (["down"], 1),
        (["down", "down", "up"], 1),
        (["up"], 0),
        (["end"], 24),
        (["G", "page-up"], 14),
        (["page-down", "page-down", "page-down"], 24),
        (["G", "g"], 0),
        (["x"], 0),
    ],
)
def test_choosing_from_the_list(keys: list[str], index: int) -> None:
    menu = Menu([f"{n}.nhgame" for n in range(25)])
    for key in keys:
        menu.press(key)
    assert menu.file == f"{index}.nhgame"


def test_opening_and_leaving_the_list() -> None:
    menu = Menu(["a", "b"])
    menu.press("enter")
    assert menu.opened
    assert not menu.done
    menu.press("q")
    assert menu.done


def test_every_key_of_the_list_does_one_thing() -> None:
    names = [name for key in MENU_KEYS for name in key.keys]
    assert len(names) == len(set(names))
