"""Parts of a save that few or no samples have, made by hand after the spec."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.nethack4.save.chains import EXTENSIONS, walk_monsters, walk_objects
from nhlog.nethack4.save.levels.regions import walk_regions, walk_timestamp
from nhlog.nethack4.save.monsters import Context, quest_people, read_attached, read_monsters
from nhlog.nethack4.save.objects import read_objects
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.state import Bubble, walk_state
from nhlog.nethack4.save.version import NETHACK4, check_engine, engine_of, engine_of_log, has_hero
from nhlog.nethack4.save.wire import BadSave, Cursor, unrotated
from nhlog.nethack4.tables import artifacts, species, table
from tests.corpus import corpus
from tests.nethack4.saves import game, sample, saves_of

CONTEXT = Context(quest_people(0), 0, 100)


def an_object(attachment: int = 0, attached: bytes = b"", kind: int = 1) -> bytes:
    head = struct.pack("<II5iII", 4, 77, 10, 3, -1, 0, 0, 0, attachment << 9 | 1 << 31 | 2 << 22)
    return b"OBJ\0" + head + struct.pack("<h9b", kind, 5, 6, -2, 2, 97, 0, 1, 0, 0) + b"Foo\0" + attached


def a_monster(extension: int = 0, extended: bytes = b"", code: int = 12) -> bytes:
    head = struct.pack("<hhiI", 0, extension, code, 99) + bytes(38) + bytes((40, 7)) + bytes(16)
    return b"MON\0" + head + struct.pack("<IBbIBBB", 1 << 9, 3, 0, 0, 0, 0, 0) + extended


def the_objects(*records: bytes) -> tuple[bytes, tuple]:
    data = b"OCHN" + struct.pack("<I", len(records)) + b"".join(records)
    cursor = Cursor(data)
    index = walk_objects(cursor, "objects")
    assert cursor.at == len(data)
    return data, read_objects(data, index)


def the_monsters(*records: bytes, context: Context = CONTEXT) -> tuple:
    data = b"MCHN" + struct.pack("<I", len(records)) + b"".join(records)
    cursor = Cursor(data)
    index = walk_monsters(cursor, "monsters")
    assert cursor.at == len(data)
    return read_monsters(data, index, context)


def test_an_object_by_the_names_of_the_spec() -> None:
    _, (obj,) = the_objects(an_object())
    assert (obj.id, obj.weight, obj.quantity, obj.corpsenm, obj.otyp, obj.x, obj.y) == (77, 10, 3, -1, 1, 5, 6)
    assert (obj.spe, obj.cls, chr(obj.invlet), obj.where, obj.name, obj.contents) == (-2, 2, "a", 1, "Foo", ())
    assert (obj.cursed, obj.blessed, obj.eroded) == (True, False, 2)


def test_an_object_remembers_a_monster_or_its_id() -> None:
    data, (statue, corpse, plain) = the_objects(an_object(1, a_monster()), an_object(2, b"\5\0\0\0"), an_object())
    monster = read_attached(data, statue, CONTEXT)
    assert monster is not None
    assert (monster.species, monster.id, monster.x, monster.y, monster.peaceful) == (12, 99, 40, 7, True)
    assert read_attached(data, corpse, CONTEXT) is None
    assert data[corpse.attached_at : corpse.attached_at + 4] == b"\5\0\0\0"
    assert read_attached(data, plain, CONTEXT) is None


@pytest.mark.parametrize("extension", range(len(EXTENSIONS)))
def test_every_extension_of_a_monster_is_as_long_as_the_spec_says(extension: int) -> None:
    raw = bytes(byte % 7 for byte in range(EXTENSIONS[extension]))
    one, other = the_monsters(a_monster(extension, raw), a_monster())
    assert one.extension == raw
    values = (None, one.priest, one.minion_align, one.pet, one.shopkeeper)
    assert {number for number, value in enumerate(values) if value is not None} == {extension} & {1, 2, 3, 4}
    assert other.species == 12


def test_a_bill_has_the_entries_in_use() -> None:
    raw = bytearray(EXTENSIONS[4])
    struct.pack_into("<h", raw, 26, 2)
    struct.pack_into("<IiibIiib", raw, 99, 11, 50, 2, 0, 12, 7, 1, 1)
    (keeper,) = the_monsters(a_monster(4, bytes(raw)))
    assert [(entry.id, entry.price, entry.quantity, entry.useup) for entry in keeper.bill] == [
        (11, 50, 2, 0),
        (12, 7, 1, 1),
    ]
    shops = [
        monster
        for _, data in saves_of(corpus("nethack4", "wiz-stopped-midturn.nhgame"))
        for level in Save.parse(data).levels.values()
        for monster in level.monsters
        if monster.shopkeeper
    ]
    assert all(monster.is_shopkeeper and monster.shopkeeper.name for monster in shops)


def test_the_people_of_the_quest_and_the_hero_are_species() -> None:
    codes = (-1000, -2000, -3000, -4000, -5000)
    found = the_monsters(*(a_monster(code=code) for code in codes), context=Context(quest_people(2), 0, 1))
    names = [species()[monster.species].name for monster in found]
    assert names == ["Shaman Karnov", "neanderthal", "Chromatic Dragon", "caveman", "cavewoman"]
    with pytest.raises(BadSave, match="species of a monster: expected below 381, found -7"):
        the_monsters(a_monster(code=-7))


def test_a_region() -> None:
    head = struct.pack("<4B3ih", 1, 2, 3, 4, 0, 8, 5, 1) + bytes((1, 2, 3, 4))
    tail = struct.pack("<h12xh3B", 9, 2, 0, 0, 1) + struct.pack("<II", 5, 6) + struct.pack("<hh", 2, 4) + b"a\0bcd\0"
    data = b"REGI" + struct.pack("<II", 30, 1) + head + tail
    cursor = Cursor(data)
    assert walk_timestamp(cursor) == 30
    (region,) = walk_regions(cursor)
    assert cursor.at == len(data)
    assert (region.effect_id, region.ttl, region.visible, region.monsters) == (8, 9, True, (5, 6))
    assert region.rectangles == (region.bounds,) == ((1, 2, 3, 4),)
    assert (region.enter_message, region.leave_message) == ("a", "bcd")


def test_the_plane_of_water_has_its_bubbles() -> None:
    save = Save.parse(sample())
    parts = save.state.parts
    start, rng = save.data.index(b"STAT"), save.data.index(parts.rng)
    water = struct.pack("<IB", 2, 1) + bytes((3, 4, 1, 0xFF, 2, 5, 6, 0, 0, 1))
    data = save.data[start:rng] + water + save.data[rng:]
    cursor = Cursor(data)
    state = walk_state(cursor, save.context, on_water=True)
    assert cursor.at == len(data)
    assert state.parts.water is not None
    assert state.parts.water.bubbles == (Bubble(3, 4, 1, -1, 2), Bubble(5, 6, 0, 0, 1))


@given(st.sampled_from((8, 32)), st.integers(1), st.integers(-(2**31), 2**31))
def test_a_rotated_counter_is_found_again(bits: int, value: int, relative: int) -> None:
    """The formula of save spec section 1, inverted."""
    most = (1 << bits) - 1
    value = (value - 1) % most + 1
    stored = (value - 1 - (relative & 0xFFFFFFFF)) % most + 1
    assert unrotated(stored, bits, relative) == value
    assert unrotated(0, bits, relative) == 0
    assert unrotated(value, bits, 0) == value


def test_flee_timers_are_relative_to_what_the_encoding_says() -> None:
    found = [
        the_monsters(a_monster(), context=Context(quest_people(0), encoding, 1000, 600))[0].fleetim
        for encoding in range(3)
    ]
    assert found == [3, (2 + (-1000 & 0xFFFFFFFF)) % 255 + 1, (2 + (-600 & 0xFFFFFFFF)) % 255 + 1]


def test_engines_are_named_by_the_first_words_and_by_the_logs_version() -> None:
    version = check_engine(sample())
    assert engine_of(sample()[:12]) == NETHACK4
    assert (version.artifacts, version.kinds, version.species) == (
        len(artifacts()),
        len(table("objects")),
        len(table("monsters")),
    )
    assert engine_of(struct.pack("<3I", 0x04030100, 0, 0x211B717C)) == "FIQHack"
    assert "Fourk" in engine_of(struct.pack("<3I", 0x04030000, 0, 0x211B0180))
    assert engine_of(struct.pack("<2I", 0x04030000, 0) + b"toy-") == "an engine whose id begins with toy-"
    assert engine_of(b"no save at all") == "an engine with the version number 0x73206f6e"
    with pytest.raises(BadSave):
        engine_of(b"short")
    heads = (sample(), b"", sample()[:11], struct.pack("<2I", 0x04030000, 0) + b"toy-")
    assert list(map(has_hero, heads)) == [True, True, True, False]
    versions = [
        game(corpus("nethack4", f"{name}.nhgame")).header.identification.version for name in ("mid1", "fiqhack1")
    ]
    assert list(map(engine_of_log, versions)) == [NETHACK4, "FIQHack"]
    assert engine_of_log("4.004.000") == "an engine of version 4.004.000"
