"""How a recording of a Teeworlds server looks; and that it never takes long."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats.datafile.wire.tiles import TILE
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.formats.teehistorian.state import Tee
from terminal.replay.controls import Controls
from terminal.replay.player import Player
from terminal.views import Viewpoint, view_of
from terminal.views.teeworlds.words import keys_words
from tests.effort import within
from tests.formats.teehistorian.builders import Server, played
from tests.formats.teehistorian.drawing import CASES, FOLDER, HOSTILE, frame

FRAME = 1  # million additions
VIEW = view_of("teehistorian")


@pytest.fixture(autouse=True)
def _no_other_maps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.parametrize("name", CASES)
def test_the_screen_is_the_one_that_was_looked_at(name: str) -> None:
    assert "\n".join(CASES[name]().text()) + "\n" == (FOLDER / f"{name}.txt").read_text()


def test_no_screen_is_kept_that_is_not_drawn() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


def test_no_cell_is_anything_but_what_can_be_shown() -> None:
    text = "\n".join(CASES["hostile-80x24"]().text())
    assert not any(char in text for char in HOSTILE if char != "\n" and not char.isprintable())


def test_in_ascii_everything_is_ascii() -> None:
    for name, draw in CASES.items():
        assert all(row.isascii() for row in draw().ascii().text()), name


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((-1, 0, 0, 1, 1, 1, 0, 2, 0, 0), "<- jump hook fire gun"),
        ((1, 0, 0, 0, 2, 0, 0, 6, 0, 0), "-> .... .... .... ninja"),
        ((0, 0, 0, 0, 0, 0, 0, 99, 0, 0), ".. .... .... .... "),
        (None, "no input yet"),
    ],
)
def test_keys_have_their_places(numbers: tuple[int, ...] | None, words: str) -> None:
    assert keys_words(Tee(0, "", "", 0, "", True, (0, 0), numbers)) == words


def test_a_full_server_is_drawn_in_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "full.teehistorian"
    path.write_bytes(played(200, 128).finish())
    replay = open_replay(str(path))
    replay.seek(100)
    frame(replay, "", 200, 60)
    with within(3 * FRAME):
        for zoom in (-3, 0, 2):
            VIEW.body(replay, 200, 55, Viewpoint(zoom=zoom))
            VIEW.facts(replay)
    assert len(VIEW.cameras(replay)) == 129
    replay.close()


def test_every_eye_and_size_gives_a_screen(tmp_path: Path) -> None:
    path = tmp_path / "few.teehistorian"
    path.write_bytes(bytes(played(20, 2).data))
    replay = open_replay(str(path))
    for step in (0, 5, 20):
        replay.seek(step)
        for width, height in ((1, 1), (0, 5), (7, 3), (80, 20), (300, 100)):
            for viewpoint in (
                Viewpoint(),
                Viewpoint(1, 9, -8, (500, -500)),
                Viewpoint(2, 1, 8, (-3, 3)),
                Viewpoint(77, 3, 1),
            ):
                screen = VIEW.body(replay, width, height, viewpoint)
                assert (screen.width, screen.height) == (width, height)
                glance = VIEW.look(replay, viewpoint, 3, -2)
                assert "tile" in glance.text
                glance.place(width, height)
    replay.close()


def meeting() -> Server:
    """Two who run; one dies in tick 20 and is there again in tick 30, and leaves in tick 40."""
    server = Server()
    for cid, name in enumerate(("Ada", "Bea")):
        server.join(cid, name)
    for tick in range(1, 61):
        server.tick = tick
        if tick == 20:
            server.gone(0)
        elif tick == 40:
            server.gone(0)
            server.drop(0)
        elif tick < 20 or 30 <= tick < 40:
            server.place(0, 100 * TILE + tick, 50 * TILE)
        server.place(1, 3000 * TILE + tick, 50 * TILE)
    return server


def test_the_camera_stays_where_one_died_and_finds_somebody_when_one_leaves(tmp_path: Path) -> None:
    path = tmp_path / "meeting.teehistorian"
    path.write_bytes(meeting().finish())
    with closing(open_replay(str(path))) as replay:
        middles = {}
        for step in (10, 25, 35, 50, 35):
            replay.seek(step)
            told = VIEW.look(replay, Viewpoint(), 0, 0).text
            middles[step] = int(told.partition("tile ")[2].partition(",")[0]), VIEW.cameras(replay)
    assert [round(x, -3) for x, _ in middles.values()] == [0, 0, 0, 3000]
    assert middles[50][1] == ["", "Bea", "the whole map"]
    assert middles[25][1] == ["Ada", "Bea", "the whole map"]


def test_nobody_who_is_not_there_is_offered_to_be_followed(tmp_path: Path) -> None:
    path = tmp_path / "meeting.teehistorian"
    path.write_bytes(meeting().finish())
    with closing(open_replay(str(path))) as replay:
        replay.seek(50)
        controls = Controls(Player(replay), VIEW)
        told = []
        for key in ("tab", "tab", "tab", "shift-tab", "shift-tab"):
            controls.press(key)
            told.append(controls.player.message.removeprefix("following "))
    assert told == ["Bea", "the whole map", "Bea", "the whole map", "Bea"]
