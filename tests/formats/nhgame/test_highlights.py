"""Markers: found by the saves' heads, each once, and the same however the log came to its length."""

from pathlib import Path

import pytest

from nhlog.formats.nhgame.highlights import Highlights, highlights_so_far, kept_highlights
from nhlog.formats.nhgame.open import open_replay
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.nethack4.save.head import Hero
from nhlog.screencast.games import Status
from nhlog.screencast.survey.journal import Journal
from nhlog.timeline import Marker, Markers
from tests.builders import played
from tests.corpus import SAMPLES, corpus

HEROES = [
    Hero("Dungeons:1", 1, 10, 10),
    Hero("Dungeons:2", 1, 1, 10),
    None,
    Hero("Dungeons:1", 2, 1, 12),
    Hero("Dungeons:2", 1, 9, 12),
    Hero("Dungeons:2", 2, 0, 12),
]
FOUND = [(1, "Dungeons:2"), (1, "low HP 1"), (3, "level 2")]
"""Who is at 0 is dead: the end of the log tells of that."""


def test_a_new_place_a_new_level_and_low_health_are_highlights() -> None:
    highlights = Highlights(range(10), HEROES.__getitem__)
    assert [(marker.step, marker.name) for marker in highlights.upto(6)] == FOUND


def test_what_is_worth_a_marker_is_the_same_in_a_log_and_on_a_recorded_screen() -> None:
    """Low at a seventh of the most there was, and at five points: HP 5 of 30 was low on a screen alone."""
    health = [(30, 30), (6, 30), (5, 30), (6, 30), (5, 5), (3, 30), (6, 42), (7, 42), (0, 42), (42, 42), (0, 42)]
    heroes = [Hero(f"Dungeons:{1 + number // 3}", 1 + number // 4, *hp) for number, hp in enumerate(health)]
    highlights, journal = Highlights(range(len(heroes)), heroes.__getitem__), Journal()
    for step, hero in enumerate(heroes):
        numbers = {"level": hero.level, "hp": hero.hp, "hp_max": hero.hp_max, "turn": step}
        journal.note(step, Status(game="NetHack", name="Ann", place=hero.place, **numbers))
    told = [(marker.step, marker.name) for marker in journal.markers]
    assert [(step, name) for step, name in told if "HP" in name] == [(2, "low HP 1"), (5, "low HP 2")]
    assert [step for step, name in told if name == "death"] == [8, 10]
    logged = [(marker.step, marker.name) for marker in highlights.upto(len(heroes))]
    assert logged == [(step, name) for step, name in told if name != "death"]


def test_highlights_are_the_same_when_a_log_grows() -> None:
    highlights = Highlights(range(10), HEROES.__getitem__)
    for saves in range(7):
        told = [(marker.step, marker.name) for marker in highlights.upto(saves)]
        assert told == [(step, name) for step, name in FOUND if step < saves]


def test_what_an_engine_tells_besides_is_a_highlight_where_it_begins() -> None:
    """A state where it begins, a deed once however long it is told of, the first of each of the firsts."""
    told = [
        ((), (), ()),
        (("blind",), ("prayer",), ("kills newt", "kills newt")),
        (("blind", "weak"), ("prayer",), ()),
        ((), (), ("kills newt", "kills rat")),
        (("blind",), ("prayer",), ()),
    ]
    heroes = [Hero("Dungeons:1", 1, 9, 9, 1, *also) for also in told]
    highlights = Highlights(range(len(heroes)), heroes.__getitem__)
    assert [(marker.step, marker.kind, marker.name) for marker in highlights.upto(len(heroes))] == [
        (1, "first", "kills newt"),
        (1, "state", "blind"),
        (1, "deed", "prayer"),
        (2, "state", "weak"),
        (3, "first", "kills rat"),
        (4, "state", "blind 2"),
        (4, "deed", "prayer 2"),
    ]


def looked_at(path: Path, teller: str = "", find=highlights_so_far) -> list[int]:
    """The saves that are looked at for the highlights of a log, which are those of all its saves."""
    asked: list[int] = []

    def hero(number: int) -> Hero:
        return Hero(f"Dungeons:{1 + number % 700 // 100}", 1 + number // 300, 1 + number % 40, 40)

    def counted(number: int) -> Hero:
        asked.append(number)
        return hero(number)

    with LogFile(str(path)) as file, Log(file) as log:
        lines = log.columns.save_lines
        found = find(log, Highlights(lines, counted), teller)
        assert found == Highlights(lines, hero).upto(len(lines))
        assert len(found) > 20
    return asked


def test_of_a_game_that_goes_on_only_new_saves_are_looked_at_again(tmp_path: Path) -> None:
    game = played(2000, backup_every=100)
    path, before = Path(game.write(tmp_path / "long.nhgame")), len(game.data)
    assert looked_at(path) == list(range(2001))
    assert looked_at(path) == []
    game.play(10)
    with path.open("ab") as file:
        file.write(bytes(game.data)[before:])
    assert looked_at(path) == list(range(2001, 2011))


def test_of_a_game_that_was_taken_back_all_saves_are_looked_at_again(tmp_path: Path) -> None:
    game = played(2000, backup_every=100)
    path = Path(game.write(tmp_path / "long.nhgame"))
    looked_at(path)
    with path.open("r+b") as file:
        file.write(bytes(game.data).replace(b" 00000001 ", b" 00000002 ", 1))
    assert looked_at(path) == list(range(2001))


@pytest.mark.parametrize("find", [highlights_so_far, kept_highlights])
def test_what_was_found_before_an_engine_was_installed_is_not_taken(tmp_path: Path, find) -> None:
    path = Path(played(2000, backup_every=100).write(tmp_path / "long.nhgame"))
    assert looked_at(path, "", find) == looked_at(path, "delve", find) == list(range(2001))
    assert looked_at(path, "delve", find) == []


def test_what_is_kept_of_another_log_is_not_taken(tmp_path: Path) -> None:
    """One that lies where the other one did, with other lines and as many saves."""
    path = Path(played(2000, backup_every=100).write(tmp_path / "long.nhgame"))
    looked_at(path)
    path.write_bytes(bytes(played(2000, backup_every=70).data))
    assert looked_at(path) == list(range(2001))


def test_markers_are_found_once_and_only_when_asked_for() -> None:
    asked: list[int] = []

    def find() -> list[Marker]:
        asked.append(1)
        return [Marker(3, "level", "level 2")]

    markers = Markers(find)
    assert asked == []
    assert (len(markers), markers[0].step, list(markers)) == (1, 3, markers[:])
    assert asked == [1]


def markers_of(path: Path, *kinds: str) -> list[tuple[str, int, str]]:
    replay = open_replay(str(path))
    try:
        return [
            (marker.kind, replay.timeline.at("turn", marker.step), marker.name)
            for marker in replay.timeline.markers
            if marker.kind in kinds
        ]
    finally:
        replay.close()


def test_a_death_is_named_by_its_cause() -> None:
    assert markers_of(SAMPLES / "died2.nhgame", "death", "end") == [("death", 449, "killed by a sewer rat")]


@pytest.mark.parametrize("how", ["quit", "escaped", "ascended (with the Amulet)"])
def test_who_leaves_does_not_die(tmp_path: Path, how: str) -> None:
    data = bytearray(played(2).over().data)
    data[31:109] = how.rjust(78).encode()
    (tmp_path / "left").write_bytes(data)
    assert [(kind, name) for kind, _, name in markers_of(tmp_path / "left", "death", "end")] == [("end", how)]


def test_a_recovery_is_where_the_game_was_taken_up_again() -> None:
    path = corpus("nethack4", "kill9/k-complete.recovered.nhgame")
    assert [name for _, _, name in markers_of(path, "recovery")] == ["recovery 1"]
    assert markers_of(corpus("nethack4", "kill9/k-complete.nhgame"), "recovery") == []


def test_who_came_back_more_often_than_the_log_was_recovered_hides_where(tmp_path: Path) -> None:
    game = played(2)
    for _ in range(3):
        game.input(b"welcome")
        game.diff()
    data = bytearray(game.data)
    for count, found in ((1, []), (2, []), (3, ["recovery 1", "recovery 2"])):
        data[12:20] = b"%08x" % count
        (tmp_path / "log").write_bytes(data)
        assert [name for _, _, name in markers_of(tmp_path / "log", "recovery")] == found
