"""How an Echo VR session looks."""

from contextlib import closing

import pytest

from nhlog.formats import open_recording
from nhlog.formats.butter.wire.values import IDENTITY, NO_STATS, NOBODY, Person, Player
from terminal.views import Viewpoint, view_of
from terminal.views.butter.words import letters, marks, player_words
from tests.corpus import SAMPLES, corpus
from tests.effort import within
from tests.terminal.views.drawn_butter import CASES, FOLDER, drawn

SAMPLE = str(SAMPLES / "arena.butter")


@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_as_it_did(name: str) -> None:
    assert drawn(name).text() == (FOLDER / f"{name}.txt").read_text().split("\n")[:-1]


@pytest.mark.parametrize("name", CASES)
def test_a_screen_can_be_read_in_ascii(name: str) -> None:
    screen = drawn(name)
    plain = "\n".join(screen.ascii().text())
    assert plain.isascii()
    assert "?" not in plain
    assert len(plain) == len("\n".join(screen.text()))


def player(flags: int = 0, holding: tuple[str | None, str | None] = ("none", "none")) -> Player:
    return Player(NOBODY, 1, flags, NO_STATS, 50, 0.0, holding, (3, 4, 0), (0.0,) * 12, (IDENTITY,) * 4, None)


@pytest.mark.parametrize(
    ("flags", "holding", "sign"),
    [
        (0, ("none", "none"), ""),
        (1, ("none", "none"), "●"),
        (0, ("disc", "none"), "●"),
        (2, ("none", "none"), "#"),
        (4, ("none", "none"), "!"),
        (8, ("none", "none"), "+"),
        (16, ("none", "none"), "~"),
        (6, ("geo", "none"), "!#="),
        (0, (None, None), ""),
    ],
)
def test_what_is_unusual_about_a_player_has_its_mark(flags: int, holding, sign: str) -> None:
    assert sorted(marks(player(flags, holding))) == sorted(sign)


def test_a_player_in_words() -> None:
    assert player_words(player(5, ("geo", "none")), "blue") == "blue, 5.0 m/s, ping 50, stunned, holds disc, holds geo"


def test_who_is_held_has_a_name() -> None:
    assert player_words(player(0, ("5", "geo")), "blue", {"5": "Ada"}).endswith("holds Ada, holds geo")


def test_every_player_has_a_letter_of_the_own_name_if_it_is_free() -> None:
    people = tuple(Person(row, name, row, 0, 0) for row, name in enumerate(("Ada", "Anna", "a", "-1-"), 1))
    assert letters(people) == {1: "A", 2: "N", 3: "B", 4: "C"}
    crowd = tuple(Person(row, "x", row, 0, 0) for row in range(1, 40))
    assert list(letters(crowd).values()).count("?") == 13


def test_the_camera_finds_somebody_when_its_player_leaves() -> None:
    with closing(open_recording(SAMPLE)) as replay:
        view, frames = view_of("butter"), {}
        for step in range(replay.timeline.last + 1):
            replay.seek(step)
            names = view.cameras(replay)
            frames.setdefault(names.index("") if "" in names else 0, step)
        absent, step = max(frames.items())
        assert absent > 1
        replay.seek(step)
        names = view.cameras(replay)
        there = next(number for number in (*range(absent, len(names)), *range(2, absent)) if names[number])
        left, found = (view.body(replay, 80, 20, Viewpoint(camera)) for camera in (absent, there))
        assert left.text() == found.text() != view.body(replay, 80, 20, Viewpoint()).text()


def test_every_camera_and_side_can_be_looked_from() -> None:
    with closing(open_recording(SAMPLE)) as replay:
        view = view_of(replay.info.id)
        assert list(view.sides(replay)) == ["top", "side"]
        names = list(view.cameras(replay))
        assert names[:3] == ["the arena", "the disc", replay.info.people[0]]
        for step in (0, 40, 99):
            replay.seek(step)
            for camera in range(len(names) + 1):
                for side in (0, 1):
                    for zoom in (-9, 0, 9):
                        screen = view.body(replay, 60, 15, Viewpoint(camera, side, zoom))
                        assert (screen.width, screen.height) == (60, 15)
            assert dict(view.facts(replay))["frame"] == f"{step} of 99"


@pytest.mark.parametrize(("width", "height"), [(0, 0), (1, 1), (5, 3), (300, 2), (3, 80)])
def test_no_size_is_too_small(width: int, height: int) -> None:
    with closing(open_recording(SAMPLE)) as replay:
        screen = view_of(replay.info.id).body(replay, width, height, Viewpoint())
        assert (screen.width, screen.height) == (width, height)


def test_combat_shows_the_payload_and_loadouts() -> None:
    with closing(open_recording(str(corpus("butter", "ref", "combat_short.k30.gzip.butter")))) as replay:
        replay.seek(60)
        view = view_of(replay.info.id)
        rows = view.body(replay, 100, 24, Viewpoint()).text()
        assert rows[-1].endswith("1.2 m at 0.69 m/s, checkpoint 0, 3 defend, contested")
        assert "assault/burst/wraith/Left" in dict(view.facts(replay))["L Loma_Ridge-"]
        assert "loadouts" in view.panels["attributes"](replay).text()


def test_a_screen_of_a_known_chunk_takes_no_time() -> None:
    with closing(open_recording(SAMPLE)) as replay:
        view = view_of(replay.info.id)
        replay.seek(60)
        with within(15):
            for step in range(60, 90):
                replay.seek(step)
                view.body(replay, 200, 56, Viewpoint())
                view.facts(replay)
