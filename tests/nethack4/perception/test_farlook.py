"""What farlook, discoveries, overview and statistics say, in the words of perception spec 5 and of the game."""

import struct

import pytest

from nhlog.nethack4.names.discoveries import discoveries_of
from nhlog.nethack4.perception.farlook import describe
from nhlog.nethack4.perception.overview import overview_of
from nhlog.nethack4.perception.view import perceive
from terminal.views.nethack4.panels import PANELS
from tests.corpus import corpus
from tests.nethack4.edits import Edit, kind_number
from tests.nethack4.saves import game, sample

X, Y = 14, 16
HERE = (8, 14)
FLOOR = "the floor of a room"
INVISIBLE, UNDETECTED, PEACEFUL, TRAPPED, LEASHED, FEMALE = 1 << 30, 1 << 24, 1 << 9, 1 << 8, 1 << 7, 1 << 31
SHOPKEEPER, MINION, PRIEST = 1 << 4, 1 << 3, 1 << 1
SADDLE = 1 << 14


def alone() -> Edit:
    return Edit().alone()


def told(edit: Edit, x: int = HERE[0], y: int = HERE[1]) -> str:
    seen = edit.seen
    return describe(seen, seen.save.level, x, y)


def keeper(name: str) -> tuple[int, bytes]:
    raw = bytearray(2699)
    raw[67 : 67 + len(name)] = name.encode()
    return 4, bytes(raw)


def priest(alignment: int, renegade: int = 0) -> tuple[int, bytes]:
    return 1, struct.pack("<6b", alignment, renegade, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("newt", {}, "a newt"),
        ("acid blob", {}, "an acid blob"),
        ("kitten", {"tame": 10}, "a tame kitten"),
        ("kitten", {"tame": 10, "called": "Tom"}, "a tame kitten called Tom"),
        ("pony", {"flags": PEACEFUL, "worn": SADDLE}, "a peaceful saddled pony"),
        ("Oracle", {"flags": PEACEFUL}, "the peaceful Oracle"),
        ("Vlad the Impaler", {}, "Vlad the Impaler"),
        ("Asmodeus", {"flags": PEACEFUL}, "the peaceful Asmodeus"),
        ("Wizard of Yendor", {}, "the Wizard of Yendor"),
        ("ghost", {"called": "Dudley"}, "Dudley's ghost"),
        ("ghost", {"called": "Moses", "flags": PEACEFUL}, "a peaceful Moses' ghost"),
        ("knight", {"level": 1}, "a gallant"),
        ("knight", {"level": 18, "flags": FEMALE}, "a banneret"),
        ("shopkeeper", {"flags": PEACEFUL | SHOPKEEPER, "extension": keeper("Asidonhopo")}, "Asidonhopo"),
        ("shopkeeper", {"flags": SHOPKEEPER, "extension": keeper("-Tirebolu")}, "Tirebolu"),
        ("blue dragon", {"flags": SHOPKEEPER, "extension": keeper("Asidonhopo")}, "Asidonhopo the blue dragon"),
        ("aligned priest", {"flags": PRIEST | PEACEFUL, "extension": priest(1)}, "the priest of Tyr"),
        ("aligned priest", {"flags": PRIEST | FEMALE, "extension": priest(-1)}, "the priestess of Loki"),
        ("aligned priest", {"flags": MINION, "extension": priest(0, 1)}, "the renegade priest of Odin"),
        ("high priest", {"flags": PRIEST, "extension": priest(-128)}, "the high priest of Moloch"),
        ("Angel", {"flags": MINION, "extension": priest(1), "tame": 10}, "the guardian Angel of Tyr"),
        ("fire elemental", {"flags": MINION, "extension": (2, b"\xff")}, "the fire elemental of Loki"),
        ("newt", {"flags": LEASHED}, "a newt, leashed to you"),
    ],
)
def test_monsters_are_named_as_the_game_names_them(name: str, options: dict, expected: str) -> None:
    assert told(alone().monster(name, *HERE, **options)) == f"{expected}; {FLOOR}"


def test_other_senses_than_plain_sight_are_told() -> None:
    edit = alone().monster("newt", *HERE, INVISIBLE).intrinsic("SEE_INVIS")
    assert told(edit) == f"an invisible newt [seen: see invisible]; {FLOOR}"
    edit = alone().monster("jackal", *HERE).intrinsic("INFRAVISION", "DETECT_MONSTERS")
    assert told(edit) == f"a jackal [seen: normal vision, infravision, monster detection]; {FLOOR}"


def test_what_holds_the_hero_says_so() -> None:
    edit = alone().monster("owlbear", X - 1, Y, number=77).you(208, "I", 77)
    assert told(edit, X - 1, Y) == f"an owlbear, holding you; {FLOOR}"
    assert told(edit.form("owlbear"), X - 1, Y) == f"an owlbear, being held [seen: normal vision, scent]; {FLOOR}"


def test_who_sits_in_a_trap_says_so_and_the_trap_is_named_where_it_is_remembered() -> None:
    edit = alone().monster("newt", *HERE, TRAPPED).trap(5, *HERE)
    assert told(edit) == f"a newt, trapped in a bear trap; {FLOOR}"
    assert told(edit.memory(*HERE, trap=5)) == f"a newt, trapped in a bear trap; bear trap; {FLOOR}"
    assert told(alone().monster("newt", *HERE, TRAPPED).trap(13, *HERE)) == f"a newt; {FLOOR}"


def test_warning_speaks_of_fear() -> None:
    for level, fear in ((4, "concern"), (22, "dread")):
        edit = alone().intrinsic("WARNING").monster("troll", X + 9, Y, level=level)
        assert told(edit, X + 9, Y) == f"unknown creature causing you {fear}; {described_background(edit, X + 9, Y)}"


def described_background(edit: Edit, x: int, y: int) -> str:
    return told(Edit(bytes(edit.data)).alone(), x, y)


def test_a_worms_body_is_a_tail() -> None:
    edit = alone().monster("long worm", *HERE, wormno=1).worm((10, 14), (9, 14), HERE)
    assert told(edit, 9, 14) == f"tail of a long worm; {FLOOR}"
    edit = alone().monster("long worm", 30, 17, wormno=1).worm((9, 14), (30, 17))
    assert told(edit, 9, 14) == f"tail of an unseen long worm; {FLOOR}"


def test_the_hero_is_named_with_race_form_and_steed() -> None:
    assert told(alone().memory(X, Y), X, Y) == f"human valkyrie called Dies2; {FLOOR}"
    assert told(alone().memory(X, Y).form("jackal"), X, Y) == f"jackal called Dies2; {FLOOR}"
    rider = alone().memory(X, Y).monster("pony", X, Y, number=55, tame=10, worn=SADDLE).you(212, "I", 55)
    assert told(rider, X, Y) == f"human valkyrie called Dies2, mounted on your pony; {FLOOR}"
    named = alone().memory(X, Y).monster("pony", X, Y, number=55, tame=10, called="Sam").you(212, "I", 55)
    assert told(named, X, Y) == f"human valkyrie called Dies2, mounted on Sam; {FLOOR}"


def test_a_hero_who_is_sensed_though_invisible_is_told_how() -> None:
    edit = alone().memory(X, Y).intrinsic("INVIS", "DETECT_MONSTERS")
    assert told(edit, X, Y) == f"invisible human valkyrie called Dies2 [seen: monster detection]; {FLOOR}"
    assert told(alone().memory(X, Y).intrinsic("INVIS"), X, Y) == FLOOR


def test_the_swallowed_see_an_interior() -> None:
    edit = alone().monster("purple worm", X, Y, number=77).you(208, "I", 77).yflag(31).memory(*HERE)
    assert told(edit) == f"interior of a purple worm; {FLOOR}"
    assert told(edit.intrinsic("BLINDED")) == f"interior of a monster; {FLOOR}"


def test_an_unseen_creature_is_remembered() -> None:
    assert told(alone().memory(*HERE, invis=1)) == f"remembered, unseen, creature; {FLOOR}"


@pytest.mark.parametrize(
    ("name", "cls", "options", "expected"),
    [
        ("dagger", 2, {}, "dagger"),
        ("dagger", 2, {"quantity": 3}, "daggers"),
        ("water", 8, {"flags": 0}, "potion"),
        ("water", 8, {}, "clear potion"),
        ("corpse", 7, {"species": 12}, "corpse"),
        ("statue", 14, {"species": 12}, "statue of a jackal"),
        ("dagger", 2, {"called": "Sting II"}, "dagger named Sting II"),
        ("elven shield", 3, {"flags": 0}, "shield"),
    ],
)
def test_objects_are_named_as_from_afar(name: str, cls: int, options: dict, expected: str) -> None:
    edit = alone().floor(name, *HERE, cls, **options).memory(*HERE, obj=kind_number(name, cls) + 1)
    assert told(edit) == f"{expected}; {FLOOR}"


def test_an_object_that_is_no_longer_there_is_one_of_its_kind() -> None:
    for name, cls, expected in (("statue", 14, "statue of a tengu"), ("water", 8, "potion"), ("dagger", 2, "dagger")):
        assert told(alone().memory(*HERE, obj=kind_number(name, cls) + 1)) == f"{expected}; {FLOOR}"
    assert told(alone().memory(*HERE, obj=1)) == f"strange object; {FLOOR}"


@pytest.mark.parametrize(
    ("typ", "flags", "suffix"),
    [
        (13, 0, " stuck in a tree"),
        (0, 0, " embedded in stone"),
        (15, 0, " embedded in stone"),
        (2, 0, " embedded in a wall"),
        (14, 0, " embedded in a wall"),
        (22, 4, " embedded in a door"),
        (22, 2, ""),
        (16, 0, " in water"),
        (19, 0, " in water"),
        (19, 4, " in molten lava"),
        (20, 0, " in molten lava"),
        (24, 0, ""),
    ],
)
def test_an_object_lies_in_the_true_terrain(typ: int, flags: int, suffix: str) -> None:
    edit = alone().terrain(*HERE, typ, flags).floor("boulder", *HERE, 14).memory(*HERE, obj=kind_number("boulder") + 1)
    assert told(edit) == f"boulder{suffix}; {FLOOR}"


@pytest.mark.parametrize(
    ("bg", "flags", "expected"),
    [
        (0, 0, "unexplored area"),
        (1, 0, "solid rock"),
        (34, 1, "chaotic altar"),
        (34, 2, "neutral altar"),
        (34, 4, "lawful altar"),
        (34, 0, "unaligned altar"),
        (21, 0, "doorway"),
        (21, 1 | 16, "broken door"),
        (17, 0, "fog/vapor cloud"),
        (36, 0, "opulent throne"),
    ],
)
def test_backgrounds_have_their_words(bg: int, flags: int, expected: str) -> None:
    assert told(alone().terrain(*HERE, 24, flags).memory(*HERE, bg=bg)) == expected


def test_a_doorway_under_a_drawbridge_is_its_portcullis() -> None:
    edit = alone().terrain(*HERE, 22).memory(*HERE, bg=21).terrain(HERE[0] + 1, HERE[1], 33, flags=3)
    assert told(edit) == "open drawbridge portcullis"
    assert told(edit.terrain(HERE[0] + 1, HERE[1], 33, flags=2)) == "doorway"


def test_clouds_are_cloudy_areas_on_the_plane_of_air_only() -> None:
    assert told(alone().memory(*HERE, bg=17).special(18)) == "cloudy area"


def test_another_level_is_told_from_memory() -> None:
    seen = perceive(sample())
    (other,) = [level for level in seen.save.visited if level is not seen.save.level]
    told_of = {describe(seen, other, x, y) for x in range(79) for y in range(21)}
    assert "staircase down" in told_of
    assert not any("called" in text for text in told_of)


def test_discoveries_are_listed_by_class_with_looks_and_names() -> None:
    found = dict(discoveries_of(perceive(game(corpus("nethack4", "mid3.nhgame")).save(600)).save))
    assert {"* katana (samurai sword)", "* ya (bamboo arrow)"} <= set(found["Weapons"])
    assert all(line.startswith(("* potion ", "  potion ")) and line.endswith(")") for line in found["Potions"])


def test_unique_things_have_a_heading_of_their_own() -> None:
    headings = [heading for heading, _ in discoveries_of(alone().known("Bell of Opening").seen.save)]
    assert headings[0] == "Unique Items"


def overview(edit: Edit) -> list[str]:
    return [text for note in overview_of(edit.seen.save) for text in (note.title, *note.features)]


def test_the_overview_counts_as_the_game_does() -> None:
    edit = alone()
    for x in range(5, 9):
        edit.memory(x, 14, bg=38).seen_from_everywhere(x, 14)
    told_of = overview(edit)
    assert told_of[0] == "Level 1"
    assert "Level 2 <- You are here" in told_of
    assert any("many fountains" in text for text in told_of)


def test_the_overview_knows_to_whom_altars_belong() -> None:
    edit = alone()
    for x, flags in ((5, 4), (6, 1)):
        edit.terrain(x, 14, 31, flags).memory(x, 14, bg=34).seen_from_everywhere(x, 14)
    (features,) = [text for text in overview(edit) if "altar" in text]
    assert features.startswith("some altars to Tyr")
    assert "Loki" in features


def test_several_dungeons_and_levels_are_listed_in_their_order() -> None:
    log = game(corpus("nethack4", "mid3.nhgame"))
    notes = list(overview_of(perceive(log.save(len(log.columns.save_lines) - 1)).save))
    assert {note.dungeon for note in notes} == {"The Dungeons of Doom: levels 1 to 29"}
    assert [note.title for note in notes][:2] == ["Level 1 (A)", "Level 3"]
    assert notes[0].features == ("some fountains", "a long staircase")
    assert notes[3].features == ("a general store, a fountain",)


def test_the_statistics_have_the_games_rows() -> None:
    rows = [text for text, _ in PANELS["attributes"](alone().seen)]
    assert rows[1:4] == ["name      : Dies2", "race      : human        (originally human)", "role      : Valkyrie"]
    assert any(row.startswith("abilities : St:") for row in rows)
    assert "Lawful    : Tyr               (s,c)" in rows
    assert "level     : 1 (exp: 0, 20 needed)" in rows
