"""What NetHack says of a hero's deeds, and what it tells of a save besides the numbers."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.engines.nethack.engine import ENGINE
from nhlog.engines.nethack.news import deeds_in, firsts_in, identified_in
from nhlog.engines.nethack.past import Start
from nhlog.engines.nethack.save import Saved, write_save
from nhlog.engines.nethack.seen import SIZE, place_of
from nhlog.engines.protocol import NewGame
from terminal.replay.open import open_viewed
from tests.engines.nethack.games import Player, begin
from tests.engines.nethack.installed import needs_nethack


@pytest.mark.parametrize(
    ("message", "deeds", "firsts"),
    [
        ("You begin praying to Tyr.  You are surrounded by a shimmering light.", ("prayer",), ()),
        ("You may wish for an object.", ("wish",), ()),
        ("You kill the newt!  You destroy the kobold zombie!", (), ("kills newt", "kills kobold zombie")),
        ("You kill poor Hachi!", (), ("kills Hachi",)),
        ("Hello, Ann!  Welcome to Asidonhopo's general store!", (), ("Asidonhopo's general store",)),
        ("Hello, Ann!  Welcome again to Izchak's lighting store!", (), ("Izchak's lighting store",)),
        ("Velkommen Ann, welcome to NetHack!  You are a neutral human Valkyrie.", (), ()),
        ("You miss the newt.", (), ()),
    ],
)
def test_deeds_are_told_by_what_nethack_says(message: str, deeds: tuple[str, ...], firsts: tuple[str, ...]) -> None:
    assert (deeds_in(message), firsts_in(message)) == (deeds, firsts)


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("a blessed +1 ring of protection (on left hand)", "ring of protection"),
        ("2 uncursed potions of extra healing", "potion of extra healing"),
        ("a wand of sleep (0:5)", "wand of sleep"),
        ("an uncursed scroll of remove curse named wand of death", "scroll of remove curse"),
        ("an uncursed ring of protection from shape changers", "ring of protection from shape changers"),
        ("the amulet of life saving (being worn)", "amulet of life saving"),
        ("an uncursed potion called ring of power", ""),
        ("a scroll labeled ZELGO MER", ""),
        ("3 potions of holy water", ""),
        ("a cursed -1 long sword named ring of x", ""),
        ("an uncursed tin of spinach", ""),
    ],
)
def test_what_is_called_by_its_kind_is_identified(caption: str, found: str) -> None:
    assert identified_in([caption, caption]) == ((f"identifies {found}",) if found else ())


@needs_nethack
def test_what_is_identified_is_a_marker_but_not_what_was_known_from_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path, NewGame("Ann", "Wizard", "human", "female", "neutral", 2, 7))
    with Player(path) as player:
        player.press("\r\x17wand of sleep\r\x09\x09\r")
    with closing(open_viewed(str(path))) as replay:
        assert [marker.name for marker in replay.timeline.markers if marker.kind == "first"] == [
            "identifies wand of sleep"
        ]


def test_a_save_tells_of_hunger_and_conditions() -> None:
    seen, numbers = bytearray(SIZE), place_of("blstats").start
    for number, value in ((10, 7), (11, 16), (21, 3), (25, 1 << 5)):
        seen[numbers + 8 * number : numbers + 8 * number + 8] = value.to_bytes(8, "little")
    at = place_of("message").start
    seen[at : at + 13] = b"You pray.  Ow"
    told = ENGINE.vitals(write_save(Saved(bytes(8), Start(0, (1, 2, 3), b"x"), 0, 0, b"", bytes(seen))))
    assert (told.hp, told.hp_max, told.states, told.deeds) == (7, 16, ("weak", "blind"), ())


@needs_nethack
def test_a_prayer_is_a_marker_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path)
    with Player(path) as player:
        player.press("\r#pray\ry\r\r\r\r\rs")
    replay = open_viewed(str(path))
    deeds = [marker.name for marker in replay.timeline.markers if marker.kind == "deed"]
    assert deeds == ["prayer", "anger of a god"]  # in the first turn
    replay.close()
