"""Markers: found by the saves' heads, each once, and the same however the log came to its length."""

from nhlog.formats.nhgame.moments import Markers, Moments
from nhlog.nethack4.hero import Hero
from nhlog.timeline import Marker

HEROES = [
    Hero("Dungeons:1", 1, 10, 10),
    Hero("Dungeons:2", 1, 1, 10),
    None,
    Hero("Dungeons:1", 2, 1, 12),
    Hero("Dungeons:2", 1, 9, 12),
    Hero("Dungeons:2", 2, 0, 12),
]
FOUND = [(1, "Dungeons:2"), (1, "low HP 1"), (3, "level 2"), (5, "low HP 2")]


def test_a_new_place_a_new_level_and_low_health_are_moments() -> None:
    moments = Moments(range(10), HEROES.__getitem__)
    assert [(marker.step, marker.name) for marker in moments.upto(6)] == FOUND


def test_moments_are_the_same_when_a_log_grows() -> None:
    moments = Moments(range(10), HEROES.__getitem__)
    for saves in range(7):
        told = [(marker.step, marker.name) for marker in moments.upto(saves)]
        assert told == [(step, name) for step, name in FOUND if step < saves]


def test_markers_are_found_once_and_only_when_asked_for() -> None:
    asked: list[int] = []

    def find() -> list[Marker]:
        asked.append(1)
        return [Marker(3, "level", "level 2")]

    markers = Markers(find)
    assert asked == []
    assert (len(markers), markers[0].step, list(markers)) == (1, 3, markers[:])
    assert asked == [1]
