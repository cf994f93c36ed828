"""FIQHack's saves, whose layout differs: walked to the last byte, and in NetHack 4's numbers behind that."""

import random
import struct
from collections import Counter

import pytest

from nhlog.errors import NhlogError, Unsupported
from nhlog.nethack4.hero.body import attributes_of
from nhlog.nethack4.hero.properties import properties_of
from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.view import perceive
from nhlog.nethack4.save.head import read_hero, skip_head
from nhlog.nethack4.save.levels.locations import ROWNO
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACK, MAGIC_SIZE, Cursor
from nhlog.nethack4.save.you import YOU
from nhlog.nethack4.tables import fork, kinds, species, table
from tests.corpus import corpus
from tests.nethack4.saves import everything, game, saves_of

REVISION_AT = 16 + 107
SEE_INVIS, BLINDED = 12, 30  # properties
LOG = ("nethack4", "fiqhack1.nhgame")


def saves(step: int) -> list[bytes]:
    return [data for _, data in saves_of(corpus(*LOG), step)]


def test_every_save_is_walked_to_its_last_byte_and_is_of_the_logs_turn() -> None:
    log = game(corpus(*LOG))
    turns = log.columns.save_turns
    assert len(turns) == 377
    for number, turn in enumerate(turns):
        save = Save.parse(log.save(number))
        assert (save.moves, save.you.name) == (turn, log.header.player)
    assert log.header.state == f"Exp:{save.you.ulevel}, {save.moves} turns, on {save.dungeons.place(save.here)}"


def test_all_of_a_save_can_be_read_and_is_possible() -> None:
    for data in saves(60):
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
    perception = perceive(saves(999)[0])
    record, you = perception_record(perception), perception.save.you
    assert [item["caption"] for item in record["inventory"]] == [
        "a +1 long sword (weapon in hand)",
        "a +0 dagger",
        "an uncursed +3 small shield (being worn)",
        "an uncursed food ration",
        "a wand of wishing (0:3)",  # of explore mode
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
    data = bytearray(saves(999)[0])
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
    numbers = numbers_of(FIQHACK)
    assert (len(numbers.kinds), len(numbers.species), len(numbers.backgrounds)) == (439, 380, 60)
    for ours, count in ((numbers.kinds, len(kinds())), (numbers.species, len(species()))):
        assert Counter(ours).most_common(1)[0][1] == 1
        assert max(ours) == count - 1
    assert [kinds()[number].cls for number in numbers.kinds] == sorted(kinds()[number].cls for number in numbers.kinds)
    assert len(table("objects")) + len(fork()["more_kinds"]) == len(kinds())
    shields = {kinds()[number].ac for number in numbers.kinds if kinds()[number].name == "dwarvish roundshield"}
    assert shields == {3}  # NetHack 4's has 2


def test_a_save_of_another_revision_is_refused_by_its_number() -> None:
    data = saves(999)[0]
    later = data[:REVISION_AT] + struct.pack("<I", 21) + data[REVISION_AT + 4 :]
    with pytest.raises(Unsupported, match="save of another FIQHack: expected revision 18, found revision 21"):
        Save.parse(later)
    with pytest.raises(Unsupported, match="expected 33 artifacts, 439 kinds of objects, 380 species, found 33 artif"):
        Save.parse(data[:8] + struct.pack("<I", 0x211B817C) + data[12:])


def test_damage_is_an_error_with_a_name() -> None:
    good, choice = saves(999)[0], random.Random(15)
    for _ in range(150):
        at = choice.choice(
            (choice.randrange(6500), choice.randrange(len(good)), len(good) - choice.randrange(1, 17000))
        )
        data = good[:at] + bytes((choice.choice((0, 0x7F, 0xFF)),)) + good[at + 1 :]
        try:
            everything(perceive(data[: choice.choice((None, None, None, at))]).save)
        except NhlogError as error:
            assert error.expected or error.found  # noqa: PT017
