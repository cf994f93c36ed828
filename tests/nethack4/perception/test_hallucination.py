"""What a hallucinating hero is shown of monsters, in real saves made over: nothing that tells which they truly are."""

from collections.abc import Callable
from typing import Any

import pytest

from nhlog.log.log import Log
from nhlog.nethack4.perception.farlook import describe
from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.senses import imagined_danger, imagined_species
from nhlog.nethack4.perception.view import Perception, perceive
from nhlog.nethack4.tables import species
from nhlog.screen import Cell
from terminal.text.nhgame import state
from tests.corpus import SAMPLES
from tests.nethack4.edits import Edit, kind_number, species_number
from tests.nethack4.perception.test_farlook import keeper, priest
from tests.nethack4.saves import game

X, Y = 14, 16  # the hero of the sample: in the south-east of a lit room
HERE, BESIDE, DARK = (8, 14), (9, 14), (30, 17)
FLOOR = "the floor of a room"
INVISIBLE, UNDETECTED, PEACEFUL = 1 << 30, 1 << 24, 1 << 9
SHOPKEEPER, PRIEST = 1 << 4, 1 << 1
USTUCK, USTEED, SWALLOWED = 208, 212, 31
SADDLE, WIELDED = 1 << 14, 1 << 11
AS_MONSTER = 3
WEAPON, STING, GRAYSWANDIR = 2, 7, 14


def dreaming() -> Edit:
    """The hero alone on the level, hallucinating."""
    return Edit().alone().intrinsic("HALLUC")


def shown(edit: Edit) -> tuple[Any, ...]:
    """All that a watcher can see: layers, picture, farlook of every square, record, status."""
    seen = edit.seen
    told = [describe(seen, seen.save.level, x, y) for y in range(21) for x in range(79)]
    return seen.squares, cells(seen), told, perception_record(seen), seen.status


def cells(seen: Perception) -> dict[tuple[int, int], Cell]:
    picture = seen.map()
    rows = [row.ljust(79) for row in picture.text()]
    return {(x, y): (rows[y][x], picture.style_at(x, y)) for y in range(21) for x in range(79)}


def told(seen: Perception, x: int, y: int) -> str:
    return describe(seen, seen.save.level, x, y)


def bold(seen: Perception) -> set[tuple[int, int]]:
    return {place for place, (_, style) in cells(seen).items() if style.bold}


Scene = Callable[[Edit, str], Edit]

SCENES: dict[str, tuple[Scene, tuple[str, str]]] = {
    "in sight": (lambda edit, name: edit.monster(name, *HERE), ("jackal", "titan")),
    "tame or not": (lambda edit, name: edit.monster(name, *HERE, tame=9 * (name == "kitten")), ("kitten", "jaguar")),
    "peaceful and saddled": (lambda edit, name: edit.monster(name, *HERE, PEACEFUL, worn=SADDLE), ("pony", "horse")),
    "named": (lambda edit, name: edit.monster(name, *HERE, called=name), ("kitten", "dog")),
    "invisible": (lambda edit, name: edit.intrinsic("SEE_INVIS").monster(name, *HERE, INVISIBLE), ("newt", "lich")),
    "by infravision": (lambda edit, name: edit.intrinsic("INFRAVISION").monster(name, *HERE), ("jackal", "titan")),
    "by telepathy": (
        lambda edit, name: edit.intrinsic("TELEPAT", "BLINDED").monster(name, *DARK),
        ("newt", "minotaur"),
    ),
    "detected": (lambda edit, name: edit.intrinsic("DETECT_MONSTERS").monster(name, *DARK), ("newt", "kobold zombie")),
    "warned of": (
        lambda edit, name: edit.carry("elven dagger", WEAPON, "z", worn=WIELDED, artifact=STING).monster(name, *DARK),
        ("hill orc", "Uruk-hai"),
    ),
    "posing": (
        lambda edit, name: edit.monster("chameleon", X, Y - 1, disguise_kind=AS_MONSTER, disguise=species_number(name)),
        ("newt", "titan"),
    ),
    "a shopkeeper": (
        lambda edit, name: edit.monster(name, *HERE, PEACEFUL | SHOPKEEPER, extension=keeper("Asidonhopo")),
        ("shopkeeper", "blue dragon"),
    ),
    "a priest": (
        lambda edit, name: edit.monster(name, *HERE, PEACEFUL | PRIEST, extension=priest(1)),
        ("aligned priest", "high priest"),
    ),
    "a steed": (
        lambda edit, name: edit.memory(X, Y).monster(name, X, Y, number=55, tame=9, called=name).you(USTEED, "I", 55),
        ("pony", "baluchitherium"),
    ),
    "a swallower": (
        lambda edit, name: edit.monster(name, X, Y, number=77).you(USTUCK, "I", 77).yflag(SWALLOWED),
        ("purple worm", "fog cloud"),
    ),
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_one_species_cannot_be_told_from_another(scene: tuple[Scene, tuple[str, str]]) -> None:
    make, (one, other) = scene
    assert shown(make(dreaming(), one)) == shown(make(dreaming(), other))
    sober = Edit().alone()
    assert shown(make(Edit(bytes(sober.data)), one)) != shown(make(Edit(bytes(sober.data)), other))


def test_a_warning_does_not_tell_how_dangerous_the_monster_is() -> None:
    place = (X + 9, Y)
    edits = [dreaming().intrinsic("WARNING").monster("troll", *place, level=level) for level in (4, 8, 12, 16, 20)]
    first, *others = map(shown, edits)
    assert others == [first] * 4
    seen = edits[0].seen
    digit = imagined_danger(seen.save, *place)
    assert (seen.map().text()[Y][X + 9], place in bold(seen)) == (str(digit), True)
    assert "unknown creature causing you imagined " in told(seen, *place)


def test_what_is_imagined_is_the_same_for_the_same_save_on_every_machine() -> None:
    seen = dreaming().monster("newt", *HERE).monster("newt", *BESIDE, number=2).seen
    assert [species()[shown.mon - 1].name for shown in seen.monsters] == ["titanothere", "xorn"]


def test_what_is_imagined_says_so_in_every_form() -> None:
    seen = dreaming().monster("newt", *HERE).seen
    name = species()[imagined_species(seen.save, *HERE)].name
    (imagined,) = [one for one in perception_record(seen)["monsters"] if one["imagined"]]
    assert imagined == {
        "x": HERE[0],
        "y": HERE[1],
        "name": name,
        "how_seen": "normal vision",
        "brand": "",
        "imagined": True,
    }
    assert told(seen, *HERE) == f"an imagined {name}; {FLOOR}"
    assert bold(seen) == {HERE}
    assert f"at 8,14: {name} (imagined)" in state(perception_record(seen))
    assert ("Hallu", 12) in seen.status.words


def test_a_monster_that_is_imagined_as_what_it_is_gives_itself_away_no_more_than_others() -> None:
    name = species()[imagined_species(dreaming().save, *HERE)].name
    assert told(dreaming().monster(name, *HERE, called="Tom").seen, *HERE) == f"an imagined {name}; {FLOOR}"


def test_the_hero_is_not_imagined() -> None:
    seen = dreaming().memory(X, Y).seen
    (hero,) = perception_record(seen)["monsters"]
    assert (hero["name"], hero["how_seen"], hero["imagined"]) == ("valkyrie", "self", False)
    assert told(seen, X, Y) == f"human valkyrie called Dies2; {FLOOR}"
    assert bold(seen) == set()


def test_a_rider_imagines_the_steed_and_a_prey_the_walls_around() -> None:
    rider = dreaming().memory(X, Y).monster("pony", X, Y, number=55, tame=9, called="Sam").you(USTEED, "I", 55).seen
    name = species()[imagined_species(rider.save, X, Y)].name
    assert told(rider, X, Y) == f"human valkyrie called Dies2, mounted on your imagined {name}; {FLOOR}"
    (ridden,) = perception_record(rider)["monsters"]
    assert (ridden["name"], ridden["imagined"], bold(rider)) == (name, True, {(X, Y)})
    prey = dreaming().monster("purple worm", X, Y, number=77).you(USTUCK, "I", 77).yflag(SWALLOWED).seen
    walls = {(x, y) for x in range(X - 1, X + 2) for y in range(Y - 1, Y + 2)} - {(X, Y)}
    assert {place: prey.squares[place[1]][place[0]].effect - 1 >> 3 & 0x1FFF for place in walls} == {
        place: imagined_species(prey.save, *place) for place in walls
    }
    assert bold(prey) == walls


def test_the_body_of_a_long_worm_is_imagined_piece_by_piece() -> None:
    pieces = (HERE, BESIDE, (10, 14))
    seen = dreaming().monster("long worm", *HERE, wormno=1).worm(*reversed(pieces)).seen
    assert {(one.x, one.y): one.mon - 1 for one in seen.monsters} == {
        place: imagined_species(seen.save, *place) for place in pieces
    }
    assert told(seen, *BESIDE) == f"tail of an imagined {species()[imagined_species(seen.save, *BESIDE)].name}; {FLOOR}"


def test_a_detected_monster_is_imagined_and_still_marked_as_detected() -> None:
    seen = dreaming().intrinsic("DETECT_MONSTERS").monster("newt", *DARK).seen
    style, sober = (
        one.map().style_at(*DARK)
        for one in (seen, Edit().alone().intrinsic("DETECT_MONSTERS").monster("newt", *DARK).seen)
    )
    assert (style.bg, style.bold) == (sober.bg, True)


@pytest.mark.parametrize(
    "cure",
    [
        lambda edit: edit.intrinsic("HALLUC_RES"),
        lambda edit: edit.carry("silver saber", WEAPON, "z", worn=WIELDED, artifact=GRAYSWANDIR),
    ],
    ids=["resistance", "Grayswandir"],
)
def test_who_resists_sees_the_truth(cure: Callable[[Edit], Edit]) -> None:
    edit = cure(dreaming().monster("kitten", *HERE, tame=9, called="Tom"))
    assert told(edit.seen, *HERE) == f"a tame kitten called Tom; {FLOOR}"
    assert (edit.seen.map().text()[14][8], bold(edit.seen)) == ("f", set())
    assert ("Hallu", 12) not in edit.seen.status.words


def test_in_the_form_of_a_black_light_one_hallucinates() -> None:
    seen = Edit().alone().form("black light").intrinsic("DETECT_MONSTERS").monster("newt", *HERE).seen
    assert "imagined" in told(seen, *HERE)


def test_objects_and_traps_are_what_the_game_remembers_that_the_hero_saw() -> None:
    edit = dreaming().floor("dagger", *HERE, WEAPON).trap(5, *BESIDE)
    edit.memory(*HERE, obj=kind_number("boulder") + 1).memory(*BESIDE, trap=14)
    seen = edit.seen
    assert (seen.map().text()[14][8], told(seen, *HERE)) == ("0", f"boulder; {FLOOR}")
    assert told(seen, *BESIDE) == f"trap door; {FLOOR}"
    sober = Edit(bytes(edit.data)).intrinsic("HALLUC_RES").seen
    assert (sober.map().text(), bold(seen)) == (seen.map().text(), set())


def test_the_next_turn_brings_other_monsters_and_every_species_has_its_turn() -> None:
    log: Log = game(SAMPLES / "died2.nhgame")
    one, later = (perceive(log.save(number)).save for number in (100, 101))
    assert one.moves != later.moves
    places = [(x, y) for x in range(79) for y in range(21)]
    imagined = [imagined_species(one, *place) for place in places]
    assert [imagined_species(later, *place) for place in places] != imagined
    assert len(set(imagined)) > 360  # of 381, on 1659 squares
    assert {imagined_danger(one, *place) for place in places} == {1, 2, 3, 4, 5}
