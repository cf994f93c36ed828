"""FIQHack's saves, whose layout differs: walked to the last byte, and in NetHack 4's numbers behind that."""

import struct
from collections import Counter
from collections.abc import Iterator

import pytest

from nhlog.errors import NhlogError, Unsupported
from nhlog.nethack4.hero.body import attributes_of
from nhlog.nethack4.hero.properties import properties_of
from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.view import perceive
from nhlog.nethack4.save.chains import walk_monsters, walk_objects
from nhlog.nethack4.save.head import read_hero, skip_head
from nhlog.nethack4.save.levels.locations import ROWNO
from nhlog.nethack4.save.monsters import Context, Monster, Priest, quest_people, read_attached, read_monsters
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.objects import read_objects
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACK_18, FIQHACK_21, FIQHACKS, MAGIC_SIZE, BadSave, Cursor
from nhlog.nethack4.save.you import YOU
from nhlog.nethack4.tables import fork, kinds, species, table
from tests.changed import replaced
from tests.corpus import corpus
from tests.doses import dose, seeded
from tests.nethack4.saves import everything, game, saves_of

REVISION_AT = 16 + 107
SEE_INVIS, BLINDED = 12, 30  # properties
LOG = ("nethack4", "fiqhack1.nhgame")


def saves() -> Iterator[bytes]:
    return (data for _, data in saves_of(corpus(*LOG)))


def test_every_save_is_walked_to_its_last_byte_and_is_of_the_logs_turn() -> None:
    log = game(corpus(*LOG))
    turns = log.columns.save_turns
    assert len(turns) == 377
    for number, turn in enumerate(turns):
        save = Save.parse(log.save(number))
        assert (save.moves, save.you.name) == (turn, log.header.player)
    assert log.header.state == f"Exp:{save.you.ulevel}, {save.moves} turns, on {save.dungeons.place(save.here)}"


def test_all_of_a_save_can_be_read_and_is_possible() -> None:
    for data in saves():
        save = Save.parse(data)
        assert everything(save) > 20
        hero, you = read_hero(data), save.you
        assert hero is not None
        assert (hero.hp, hero.hp_max, hero.level) == (you.uhp, you.uhpmax, you.ulevel)
        assert save.level.locations.typ[you.ux * ROWNO + you.uy] >= 16  # from here on terrain is no rock or wall
        for level in save.visited:
            assert all(kinds()[obj.otyp].cls == obj.cls for obj in level.objects)
        assert all(kinds()[obj.otyp].cls == obj.cls for obj in save.inventory)


def test_the_hero_of_the_first_save_has_what_such_heroes_begin_with() -> None:
    perception = perceive(next(saves()))
    record, you = perception_record(perception), perception.save.you
    assert [item["caption"] for item in record["inventory"]] == [
        "an uncursed +1 long sword (weapon in hand)",
        "an uncursed +0 dagger",
        "an uncursed +3 small shield (being worn)",
        "an uncursed food ration",
        "an uncursed wand of wishing (0:3)",  # of explore mode
        "an uncursed oil lamp (0:1043)",
    ]
    assert record["map"]["rows"][you.uy][you.ux] == "@"
    assert [(monster["name"], monster["brand"]) for monster in record["monsters"]] == [
        ("kitten", "tame"),
        ("valkyrie", ""),
    ]
    status = record["status"]
    assert [status[key] for key in ("title", "hp", "pw", "defense", "place")] == ["Stripling", 16, 2, 4, "Dungeons:1"]


def test_power_and_properties_come_from_the_record_of_the_hero_as_a_monster() -> None:
    data = bytearray(next(saves()))
    head = skip_head(Cursor(bytes(data)))
    body = head.monster_at + MAGIC_SIZE
    data[head.you.at + YOU.offset("ulevel")] = 7  # at which valkyries become fast
    data[body + 74 + 2 * BLINDED] = 5  # turns
    data[body + 222 + SEE_INVIS // 8] = 1 << SEE_INVIS % 8
    data[body + 254] = 77
    save = Save.parse(bytes(data))
    assert properties_of(save).held == {"FAST", "BLINDED", "SEE_INVIS"}
    assert (save.you.uen, save.you.uenmax) == (77, 2)
    assert attributes_of(save)[0] == 121  # NetHack 4's number for 21, which follows 18/**


def test_every_number_of_fiqhacks_has_one_of_ours_and_the_class_that_its_row_has() -> None:
    for edition, number_of_kinds in ((FIQHACK_18, 439), (FIQHACK_21, 440)):
        numbers = numbers_of(edition)
        assert tuple(map(len, numbers)) == (number_of_kinds, 380, 60)
        assert all(Counter(ours).most_common(1)[0][1] == 1 for ours in numbers)
        assert max(numbers.species) == len(species()) - 1
        classes = [kinds()[number].cls for number in numbers.kinds]
        assert classes == sorted(classes)
    assert {ours for edition in FIQHACKS for ours in numbers_of(edition).kinds} >= set(range(432, len(kinds())))
    added = set(numbers_of(FIQHACK_21).kinds) - set(numbers_of(FIQHACK_18).kinds)
    assert [kinds()[number].name for number in sorted(added)] == ["magic chest", "recall"]
    assert len(table("objects")) + len(fork()["more_kinds"]) == len(kinds())
    shields = {kinds()[number].ac for number in numbers.kinds if kinds()[number].name == "dwarvish roundshield"}
    assert shields == {3}  # NetHack 4's has 2


def test_a_save_of_another_revision_is_refused_by_its_number() -> None:
    data = next(saves())
    later = data[:REVISION_AT] + struct.pack("<I", 21) + data[REVISION_AT + 4 :]
    with pytest.raises(Unsupported, match="FIQHack of another version: expected revision 18, found revision 21"):
        Save.parse(later)
    with pytest.raises(Unsupported, match="expected 439 or 440 kinds of objects, found 441 kinds of objects"):
        Save.parse(data[:8] + struct.pack("<I", 0x211B917C) + data[12:])


def test_damage_is_an_error_with_a_name() -> None:
    good, choice = next(saves()), seeded(15)
    for _ in range(dose("nethack4.fiqhack")):
        at = choice.choice(
            (choice.randrange(6500), choice.randrange(len(good)), len(good) - choice.randrange(1, 17000))
        )
        data = replaced(good, at, choice.choice((0, 0x7F, 0xFF)))
        try:
            everything(perceive(data[: choice.choice((None, None, None, at))]).save)
        except NhlogError as error:
            assert error.expected or error.found  # noqa: PT017


def a_monster(number: int, extension: bytes, *, flags: int = 0, image: tuple[int, int] = (79, 21)) -> Monster:
    """A monster of FIQHack's with what is written behind its record."""
    record = bytearray(617)
    struct.pack_into("<hhi", record, 0, 0, 9, number)
    struct.pack_into("<I", record, 69, flags)
    record[47:49] = image
    data = b"MCHN\1\0\0\0MON\0" + record + extension
    cursor = Cursor(data, edition=FIQHACK_18)
    index = walk_monsters(cursor, "monsters")
    assert cursor.at == len(data)
    return read_monsters(data, index, Context(quest_people(0), 0, 100, edition=FIQHACK_18))[0]


def test_what_follows_a_monsters_record_becomes_its_name_and_its_extension() -> None:
    pet = a_monster(32, b"\x51" + b"\6Tigra\0" + struct.pack("<8ib", *range(8), 1))
    assert (pet.name, pet.pet.whistletime, pet.pet.mhpmax_penalty, pet.pet.killed_by_u) == ("Tigra", 3, 7, 1)
    bill = struct.pack("<IiiB", 77, 5, 1, 0) + bytes(199 * 13)
    accounts = struct.pack("<I4b4i3h5b32s", 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, b"Fiqq")
    keeper = a_monster(270, b"\x14" + b"\7Sipali\0" + accounts + bill)
    assert (keeper.is_shopkeeper, keeper.shopkeeper.name, keeper.shopkeeper.customer) == (True, "Sipali", "Fiqq")
    assert [(entry.id, entry.price) for entry in keeper.bill] == [(77, 5)]
    priest = a_monster(273, b"\2\3\5\6\0\1", flags=2 << 1)
    assert (priest.is_priest, priest.priest) == (True, Priest(-1, 3, 5, 6, 0, 1))
    minion = a_monster(123, b"\2\0\5\6\0\1")
    assert (minion.is_minion, minion.minion_align) == (True, 1)


def test_what_follows_an_objects_record_becomes_its_name_and_the_monster_it_remembers() -> None:
    monster = b"MON\0" + struct.pack("<hhi", 0, 8, 12) + bytes(609)
    statue = next(number for number, ours in enumerate(numbers_of(FIQHACK_18).kinds) if kinds()[ours].name == "statue")
    record = struct.pack("<II5iIIh8bB", 1, 5, 10, 1, 12, 0, 0, 0, 3 << 9, statue, 0, 0, 3, 14, 65, 0, 3, 0, 0)
    data = b"OCHN\1\0\0\0OBJ\0" + record + bytes(220) + b"\3" + b"\4Rex\0" + monster
    index = walk_objects(Cursor(data, edition=FIQHACK_18), "objects")
    [obj] = read_objects(data, index, FIQHACK_18)
    assert (kinds()[obj.otyp].name, obj.name, obj.spe) == ("statue", "Rex", 1)
    of = read_attached(data, obj, Context(quest_people(0), 0, 100, edition=FIQHACK_18))
    assert of is not None
    assert species()[of.species].name == species()[obj.corpsenm].name == "jackal"


def test_where_a_displaced_monster_is_seen_is_known() -> None:
    pet = b"\x51" + b"\6Tigra\0" + struct.pack("<8ib", *range(8), 1)
    assert [a_monster(32, pet, image=place).image for place in ((79, 21), (12, 7))] == [None, (12, 7)]
    with pytest.raises(BadSave, match="row of an image"):
        a_monster(32, pet, image=(12, 21))
