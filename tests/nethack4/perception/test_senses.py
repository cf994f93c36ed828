"""Senses and places that no sample has, in real saves made over; the rules are those of perception spec 2.3 to 2.8."""

import pytest

from nhlog.nethack4.perception.cells import Brand, Flag
from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.view import Perception
from tests.nethack4.edits import Edit, kind_number, species_number

X, Y = 14, 16  # the hero of the sample: in the south-east of a lit room from 5,13 to 16,16
DARK = (30, 17)  # rock, out of sight
INVISIBLE, UNDETECTED, BURIED, PEACEFUL = 1 << 30, 1 << 24, 1 << 22, 1 << 9
SWALLOWED, IN_WATER, HERO_BURIED, HERO_UNDETECTED = 31, 30, 26, 29
USTUCK = 208
POOL, ROOM = 16, 24
ROGUE = 2  # number of that special place
BLINDFOLD = 1 << 10  # worn on the eyes
TOOL, WEAPON, AMULET = 6, 2, 5
STING = 7


def monsters(edit: Edit) -> list[tuple[int, int, str, str, str]]:
    """All that are shown but the hero."""
    return [
        (one["x"], one["y"], one["name"], one["how_seen"], one["brand"])
        for one in perception_record(edit.seen)["monsters"]
        if one["how_seen"] != "self"
    ]


def glyph(seen: Perception, x: int, y: int) -> str:
    return seen.map().text()[y].ljust(79)[x]


def alone() -> Edit:
    return Edit().alone()


def test_a_monster_in_light_and_sight_is_seen_and_one_behind_rock_is_not() -> None:
    edit = alone().monster("newt", 8, 14).monster("newt", *DARK)
    assert monsters(edit) == [(8, 14, "newt", "normal vision", "")]


@pytest.mark.parametrize(
    ("flags", "property_name", "how"),
    [(INVISIBLE, "SEE_INVIS", "see invisible"), (UNDETECTED, "DETECT_MONSTERS", "monster detection")],
)
def test_what_is_invisible_or_hides_is_seen_by_its_sense_alone(flags: int, property_name: str, how: str) -> None:
    edit = alone().monster("newt", 8, 14, flags)
    assert monsters(edit) == []
    assert monsters(edit.intrinsic(property_name)) == [(8, 14, "newt", how, "")]


def test_a_buried_monster_is_only_detected() -> None:
    edit = alone().monster("newt", 8, 14, BURIED)
    assert monsters(edit) == []
    assert monsters(edit.intrinsic("DETECT_MONSTERS"))[0][3] == "monster detection"


def test_a_blind_telepath_feels_minds_wherever_they_are() -> None:
    edit = alone().monster("newt", *DARK).monster("kobold zombie", 8, 14).intrinsic("TELEPAT")
    assert monsters(edit) == [(8, 14, "kobold zombie", "normal vision", "")]
    edit.intrinsic("BLINDED")
    assert monsters(edit) == [(*DARK, "newt", "telepathy", "")]
    assert edit.seen.squares[DARK[1]][DARK[0]].monflags == Flag.DETECTED
    assert ("Blind", 12) in edit.seen.status.words


def test_telepathy_from_an_item_reaches_eight_squares_without_blindness() -> None:
    edit = alone().carry("amulet of ESP", AMULET, "z", worn=1 << 7)
    edit.monster("newt", X + 8, Y, number=1).monster("newt", X + 9, Y, number=2)
    assert monsters(edit) == [(X + 8, Y, "newt", "telepathy", "")]


def test_a_blindfold_blinds_and_lets_the_eyes_of_the_overworld_see() -> None:
    edit = alone().monster("newt", 8, 14).carry("blindfold", TOOL, "z", worn=BLINDFOLD)
    assert monsters(edit) == []
    edit = alone().intrinsic("BLINDED").monster("newt", 8, 14)
    edit.carry("lenses", TOOL, "z", worn=BLINDFOLD, artifact=26)
    assert monsters(edit) == [(8, 14, "newt", "normal vision", "")]


def test_the_blind_do_not_see_themselves_and_telepaths_do() -> None:
    edit = alone().memory(X, Y, obj=kind_number("dagger") + 1).intrinsic("BLINDED")
    assert glyph(edit.seen, X, Y) == ")"
    assert glyph(edit.intrinsic("TELEPAT").seen, X, Y) == "@"


def test_an_invisible_hero_who_does_not_see_the_invisible_is_not_drawn() -> None:
    edit = alone().memory(X, Y).intrinsic("INVIS")
    assert glyph(edit.seen, X, Y) == "·"
    assert glyph(edit.intrinsic("SEE_INVIS").seen, X, Y) == "@"
    assert glyph(alone().memory(X, Y).intrinsic("INVIS").carry("mummy wrapping", 3, "z", worn=2).seen, X, Y) == "@"


@pytest.mark.parametrize(("level", "digit"), [(4, 1), (7, 1), (8, 2), (23, 5), (30, 5)])
def test_warning_gives_a_digit_by_the_monsters_own_level(level: int, digit: int) -> None:
    dangerous = alone().monster("troll", X + 10, Y, level=level).intrinsic("WARNING")
    assert monsters(dangerous) == [(X + 10, Y, f"warning {digit}", "warning", "")]
    assert glyph(dangerous.seen, X + 10, Y) == str(digit)
    assert dangerous.seen.squares[Y][X + 10].monflags == Flag.WARNING


def test_warning_is_silent_about_the_harmless_the_peaceful_and_the_distant() -> None:
    edit = alone().intrinsic("WARNING").monster("newt", X + 9, Y, level=20, number=1)
    edit.monster("troll", X + 8, Y, PEACEFUL, number=2).monster("troll", X + 11, Y, number=3)
    assert monsters(edit) == []


def test_a_polymorphed_heros_own_level_is_taken_for_the_monsters() -> None:
    edit = alone().intrinsic("WARNING").monster("newt", X + 9, Y, level=0)
    assert monsters(edit.form("troll")) == [(X + 9, Y, "warning 0", "warning", "")]
    assert monsters(edit.form("newt")) == []


def test_infravision_sees_the_warm_in_the_dark() -> None:
    edit = alone()
    for x in range(5, 17):
        for y in range(13, 17):
            edit.terrain(x, y, ROOM, lit=False)
    edit.monster("jackal", 8, 14, number=1).monster("newt", 8, 15, number=2)
    assert monsters(edit) == []
    assert monsters(edit.intrinsic("INFRAVISION")) == [(8, 14, "jackal", "infravision", "")]


def test_sting_warns_of_orcs() -> None:
    edit = alone().monster("hill orc", *DARK, number=1).monster("newt", DARK[0], 18, number=2)
    edit.carry("elven dagger", WEAPON, "z", worn=1 << 11, artifact=STING)
    assert monsters(edit) == [(*DARK, "hill orc", "warned of hill orcs", "")]


def test_a_keen_nose_smells_what_is_near() -> None:
    edit = alone().form("jackal").intrinsic("BLINDED").monster("newt", X - 1, Y - 1)
    assert monsters(edit) == [(X - 1, Y - 1, "newt", "scent", "")]


def test_astral_vision_looks_through_walls_for_three_squares() -> None:
    edit = alone().terrain(X + 3, Y, ROOM).intrinsic("XRAY_VISION").monster("newt", X + 3, Y)
    assert monsters(edit) == [(X + 3, Y, "newt", "normal vision, astral vision", "")]
    assert edit.seen.sight.in_sight[Y][X + 3]


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [(1, 24, []), (2, kind_number("boulder"), []), (3, species_number("newt"), ["newt"])],
)
def test_what_poses_as_something_else_shows_as_that(kind: int, value: int, shown: list[str]) -> None:
    edit = alone().monster("large mimic", X, Y - 1, disguise_kind=kind, disguise=value)
    assert [name for _, _, name, _, _ in monsters(edit)] == shown
    for sense in ("PROT_FROM_SHAPE_CHANGERS", "DETECT_MONSTERS"):
        other = Edit(bytes(edit.data)).intrinsic(sense)
        assert [name for _, _, name, _, _ in monsters(other)] == ["large mimic"]


def test_a_mimic_that_poses_as_a_closed_door_or_a_boulder_is_in_the_way() -> None:
    for kind, value in ((1, 25), (2, kind_number("boulder"))):
        edit = alone().monster("large mimic", X, Y - 1, disguise_kind=kind, disguise=value)
        assert edit.seen.sight.opaque.blocked[Y - 1][X]
        assert not edit.seen.sight.could_see[Y - 2][X]
    assert (
        not alone().monster("large mimic", X, Y - 1, disguise_kind=1, disguise=34).seen.sight.opaque.blocked[Y - 1][X]
    )


def test_detected_objects_and_invisible_marks_are_memory_and_stay_out_of_sight() -> None:
    edit = alone().memory(*DARK, bg=0, obj=kind_number("dagger") + 1)
    assert glyph(edit.seen, *DARK) == ")"
    edit = alone().memory(*DARK, bg=0, invis=1)
    assert glyph(edit.seen, *DARK) == "I"
    assert glyph(edit.intrinsic("DETECT_MONSTERS").monster("newt", *DARK).seen, *DARK) == ":"


def test_unidentified_look_alikes_are_drawn_as_the_first_of_them() -> None:
    here = (8, 14)
    seen = {
        name: alone().memory(*here, obj=kind_number(name) + 1).seen.squares[14][8].obj
        for name in ("sack", "bag of holding", "oilskin sack")
    }
    assert len(set(seen.values())) == 1
    known = alone().memory(*here, obj=kind_number("bag of holding") + 1).known("bag of holding")
    assert known.seen.squares[14][8].obj != seen["sack"]


def test_the_swallowed_see_nothing_but_the_swallower() -> None:
    edit = alone().monster("purple worm", X, Y, number=77).you(USTUCK, "I", 77).yflag(SWALLOWED)
    seen = edit.seen
    shown = {(x, y) for y, row in enumerate(seen.squares) for x, square in enumerate(row) if any(square)}
    assert shown == {(x, y) for x in range(X - 1, X + 2) for y in range(Y - 1, Y + 2)}
    effects = [seen.squares[y][x].effect for y in range(Y - 1, Y + 2) for x in range(X - 1, X + 2) if (x, y) != (X, Y)]
    kind = species_number("purple worm")
    assert effects == [(1 << 16 | kind << 3 | number) + 1 for number in range(8)]
    assert [row[X - 1 : X + 2] for row in seen.map().text()[Y - 1 : Y + 2]] == ["/─\\", "│@│", "\\─/"]
    assert not any(map(any, seen.sight.could_see))
    assert monsters(edit) == []
    assert "Held" not in [word for word, _ in seen.status.words]


def test_under_water_only_the_water_around_is_seen() -> None:
    edit = (
        alone().yflag(IN_WATER).monster("giant eel", X - 1, Y, UNDETECTED, number=1).monster("newt", X - 2, Y, number=2)
    )
    for x, y in ((X, Y), (X - 1, Y), (X - 2, Y)):
        edit.terrain(x, y, POOL).memory(x, y, bg=15)
    seen = edit.seen
    shown = {(x, y) for y, row in enumerate(seen.squares) for x, square in enumerate(row) if any(square)}
    assert shown == {(X - 1, Y), (X, Y)}
    assert monsters(edit) == []  # it hides
    edit.data[:] = alone().yflag(IN_WATER).monster("newt", X - 2, Y).data
    assert monsters(edit) == []


def test_eels_show_only_when_they_surface_or_the_hero_is_with_them() -> None:
    above = alone().terrain(8, 14, POOL).memory(8, 14, bg=15).monster("giant eel", 8, 14)
    assert [name for _, _, name, _, _ in monsters(above)] == ["giant eel"]
    below = alone().terrain(8, 14, POOL).memory(8, 14, bg=15).monster("giant eel", 8, 14, UNDETECTED)
    assert monsters(below) == []


def test_the_buried_see_their_own_square_alone() -> None:
    edit = alone().yflag(HERO_BURIED).monster("newt", 8, 14)
    shown = [(x, y) for y, row in enumerate(edit.seen.squares) for x, square in enumerate(row) if any(square)]
    assert shown == [(X, Y)]


def test_who_sits_in_a_pit_sees_the_squares_around() -> None:
    edit = alone().you(76, "i", 5).you(80, "i", 1).monster("newt", X - 1, Y, number=1).monster("newt", 8, 14, number=2)
    assert [one[:2] for one in monsters(edit)] == [(X - 1, Y)]
    assert ("Pit", 1) in edit.seen.status.words


def test_the_tame_and_the_peaceful_are_branded() -> None:
    edit = alone().monster("jackal", 8, 14, PEACEFUL, number=1).monster("kitten", 9, 14, tame=10, number=2)
    assert [brand for *_, brand in monsters(edit)] == ["peaceful", "tame"]


def test_a_long_worm_shows_its_body_where_it_is_in_sight() -> None:
    edit = alone().monster("long worm", 8, 14, wormno=1).worm((10, 14), (9, 14), (8, 14))
    assert monsters(edit) == [
        (8, 14, "long worm", "normal vision", ""),
        (9, 14, "long worm tail", "worm segment in sight", ""),
        (10, 14, "long worm tail", "worm segment in sight", ""),
    ]


def test_a_rider_is_drawn_as_the_steed() -> None:
    edit = alone().monster("pony", X, Y, number=55, tame=10, worn=1 << 14).you(212, "I", 55)
    assert glyph(edit.seen, X, Y) == "u"
    assert edit.seen.squares[Y][X].monflags == Flag.RIDDEN
    assert monsters(edit) == []


@pytest.mark.parametrize(
    ("kind", "value", "drawn"), [(1, 38, "⌠"), (2, kind_number("boulder"), "0"), (3, species_number("newt"), ":")]
)
def test_a_hero_in_disguise_is_drawn_as_that(kind: int, value: int, drawn: str) -> None:
    assert glyph(alone().disguised(kind, value).seen, X, Y) == drawn


GAS = (3 << 16) + 9


def test_a_cloud_of_gas_is_drawn_where_it_is_in_sight() -> None:
    edit = alone().memory(8, 14).region(8, 14, GAS)
    assert (edit.seen.squares[14][8].effect, glyph(edit.seen, 8, 14)) == (GAS, "#")
    for unseen in (
        alone().region(*DARK, GAS),
        alone().region(8, 14, GAS, ttl=0),
        alone().region(8, 14, GAS, visible=0),
        alone().region(8, 14, GAS).intrinsic("BLINDED"),
        alone().region(8, 14, 0x7FFFFFFF),
        alone().region(8, 14, -1),
    ):
        assert not any(square.effect for row in unseen.seen.squares for square in row)
        unseen.seen.map()


def test_a_lamp_lights_what_is_around_it() -> None:
    edit = alone()
    for x in range(5, 17):
        for y in range(13, 17):
            edit.terrain(x, y, ROOM, lit=False)
    assert not edit.seen.sight.in_sight[Y][X - 2]
    edit.light(0, 2)
    assert edit.seen.sight.in_sight[Y][X - 2]
    assert not edit.seen.sight.in_sight[Y][X - 3]
    assert edit.seen.squares[Y][X - 2].branding & Brand.TEMPORARILY_LIT


def test_on_the_rogue_level_things_have_the_letters_of_that_game() -> None:
    edit = alone().special(ROGUE)
    edit.memory(8, 14, obj=kind_number("food ration") + 1).memory(9, 14, bg=28).memory(10, 14, bg=38)
    edit.memory(11, 14, obj=kind_number("gold piece") + 1).monster("newt", 12, 14)
    seen = edit.seen
    assert seen.map().text()[14][8:13] == ":%{*:"
    assert {(seen.map().style_at(x, 14).fg, seen.map().style_at(x, 14).bg) for x in range(8, 13)} == {(7, 0)}


def test_on_the_rogue_level_the_own_room_is_seen_if_it_is_lit() -> None:
    edit = alone().special(ROGUE).monster("newt", 8, 14)
    room = edit.save.level.locations.room[X * 21 + Y] - 3
    lit = edit.save.level.rooms[room].lit
    assert len(monsters(edit)) == (1 if lit else 0)
