"""Cut, flipped and hostile saves: an error that says what and where, and memory in proportion to the save."""

import struct
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Unsupported
from nhlog.formats.nhgame.open import open_replay
from nhlog.log import Durability
from nhlog.log.append import create_log
from nhlog.nethack4.perception.farlook import describe
from nhlog.nethack4.perception.record import perception_record
from nhlog.nethack4.perception.view import perceive
from nhlog.nethack4.save.chains import walk_monsters, walk_objects
from nhlog.nethack4.save.levels.level import walk_level
from nhlog.nethack4.save.levels.locations import LOCATIONS_SIZE
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import BadSave, Cursor
from terminal.views import Viewpoint
from terminal.views.nethack4.panels import PANELS
from terminal.views.nethack4.view import VIEW
from tests.changed import replaced
from tests.corpus import SAMPLES
from tests.doses import dose, seeded, spread
from tests.nethack4.saves import everything, game, sample

NUMBER = struct.Struct("<I")


def outside_locations() -> list[int]:
    """The offsets of the sample that are not squares of a level."""
    squares: set[int] = set()
    for level in Save.parse(sample()).levels.values():
        squares |= set(range(level.parts.locations_at, level.parts.locations_at + LOCATIONS_SIZE))
    return [at for at in range(12, len(sample())) if at not in squares]


def read(data: bytes) -> None:
    """Read all of a save; an error must say what and where."""
    error = None
    try:
        everything(Save.parse(data))
    except BadSave as bad:
        error = bad
    assert error is None or (error.what and error.offset is not None)


def test_every_cut_is_told() -> None:
    data = sample()
    for length in [*range(4000), *spread(range(4000, len(data)))]:
        with pytest.raises(BadSave) as raised:
            Save.parse(data[:length])
        assert raised.value.offset is not None


def test_bytes_too_many_are_told() -> None:
    with pytest.raises(BadSave, match="end of the save: expected no more bytes, found 1"):
        Save.parse(sample() + b"\0")


def test_a_changed_byte_gives_a_save_or_an_error() -> None:
    data, places = sample(), outside_locations()
    for at in spread(places):
        for byte in (0, 0x7F, 0xFF, data[at] ^ 1):
            read(replaced(data, at, byte))


def test_changed_squares_give_a_save_or_an_error() -> None:
    data = bytearray(sample())
    at = Save.parse(sample()).level.parts.locations_at
    for number in range(400):
        square = at + number * 29 % LOCATIONS_SIZE
        old, data[square] = data[square], 0xFF - number % 7
        read(bytes(data))
        data[square] = old


def test_many_changes_give_a_save_or_an_error() -> None:
    chance = seeded(4)
    for _ in range(dose("nethack4.changed")):
        data = bytearray(sample())
        for _ in range(chance.choice((1, 4, 40))):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))
        gap = chance.randrange(12, len(data))
        del data[gap : gap + chance.choice((0, 0, 1, 5))]
        try:
            read(bytes(data))
        except Unsupported:
            assert bytes(data[:12]) != sample()[:12]


def look(data: bytes) -> None:
    """See and name all there is."""
    seen = perceive(data)
    seen.status_rows()
    perception_record(seen)
    for panel in PANELS.values():
        panel(seen)
    for level in seen.save.visited:
        seen.map(level).ascii()
        for x in range(79):
            describe(seen, level, x, x % 21)
    for monster in seen.save.level.monsters:
        describe(seen, seen.save.level, min(monster.x, 78), monster.y)


def test_whatever_is_changed_is_drawn_and_named_or_is_an_error_that_says_where() -> None:
    chance, places = seeded(5), outside_locations()
    drawn, told = 0, []
    for _ in range(dose("nethack4.looked")):
        data = bytearray(sample())
        for _ in range(chance.choice((1, 1, 2, 8))):
            at = chance.choice(places) if chance.random() < 0.8 else chance.randrange(12, len(data))
            data[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, data[at] ^ 1))
        try:
            look(bytes(data))
            drawn += 1
        except BadSave as error:
            told.append(error)
    assert drawn > dose("nethack4.looked") / 4
    assert [error for error in told if not error.what or error.offset is None] == []


def test_what_is_broken_beside_the_heros_level_is_told_where_it_is_looked_at(tmp_path: Path) -> None:
    """The square 0,0 of the other level remembers a trap that is none; the hero's level is as it was."""
    save = Save.parse(sample())
    other = next(number for number, level in enumerate(save.visited, 1) if level is not save.level)
    at = save.visited[other - 1].parts.locations_at
    broken = sample()[:at] + NUMBER.pack(0x1F << 21) + sample()[at + 4 :]
    header = game(SAMPLES / "died2.nhgame").header
    create_log(str(tmp_path / "broken"), header, broken, Durability.NONE).log.source.close()
    replay = open_replay(str(tmp_path / "broken"))
    told = f"offset {at}: remembered trap out of range: expected 0 to 23, found 31"
    try:
        assert VIEW.body(replay, 80, 24, Viewpoint()).text()[1:22] == perceive(sample()).map().text()
        assert VIEW.body(replay, 80, 24, Viewpoint(side=other)).text()[1] == told
        assert VIEW.panels["overview"](replay).text() == [told]
        assert VIEW.look is not None
        assert told in VIEW.look(replay, Viewpoint(side=other), -99, -99).text
    finally:
        replay.close()


def test_the_ledger_still_tells_what_was_done_where_saves_are_damaged(tmp_path: Path) -> None:
    """From a flipped bit in a diff on, no save can be rebuilt; the rows stay, and the view says what is wrong."""
    data = bytearray((SAMPLES / "died2.nhgame").read_bytes())
    log = game(SAMPLES / "died2.nhgame")
    at = log.columns.offsets[log.columns.save_lines[40]] + 20
    data[at] = ord("A") if data[at] != ord("A") else ord("B")
    (tmp_path / "damaged.nhgame").write_bytes(data)
    replay = open_replay(str(tmp_path / "damaged.nhgame"))
    try:
        replay.seek(log.columns.save_lines[60])
        rows = VIEW.body(replay, 80, 24, Viewpoint()).text()
        assert "what happened" in rows[0]
        assert sum(":" in row for row in rows) > 10
        assert any(name in ("fault", "no map") for name, _ in VIEW.facts(replay))
        for panel in VIEW.panels.values():
            assert panel(replay).text()
        assert VIEW.look is not None
        assert VIEW.look(replay, Viewpoint(), 0, 0).text == "there is no map here"
        assert VIEW.sides(replay) == []
    finally:
        replay.close()


@given(st.binary(max_size=400))
def test_no_bytes_give_anything_but_an_error(data: bytes) -> None:
    with pytest.raises(BadSave):
        Save.parse(sample()[:12] + data)
    with pytest.raises((BadSave, Unsupported)):
        Save.parse(data)


def test_a_hostile_number_takes_no_memory() -> None:
    """Every aligned-or-not number outside the squares as huge as can be, as a count or a length may be."""
    data, places = sample(), outside_locations()
    tracemalloc.start()
    try:
        for at in spread(places):
            for number in (0xFFFFFFFF, 0x7FFFFFFF, 0x00FFFFFF):
                read(data[:at] + NUMBER.pack(number) + data[at + 4 :])
        assert tracemalloc.get_traced_memory()[1] < 200 * len(data)
    finally:
        tracemalloc.stop()


def an_object(inside: bytes = b"") -> bytes:
    """An object's record, and what is in it."""
    return b"OBJ\0" + bytes(46) + bytes((bool(inside),)) + inside


def a_chain(*records: bytes) -> bytes:
    return b"OCHN" + NUMBER.pack(len(records)) + b"".join(records)


def test_containers_nest_as_deep_as_named_and_no_deeper() -> None:
    data = a_chain(an_object())
    for _ in range(64):
        data = a_chain(an_object(data))
    cursor = Cursor(data)
    assert walk_objects(cursor, "inventory")
    assert cursor.at == len(data)
    with pytest.raises(BadSave, match="inventory: nested too deep: expected at most 64 containers"):
        walk_objects(Cursor(a_chain(an_object(data))), "inventory")


def test_an_error_names_level_section_offset_expected_and_found() -> None:
    save = Save.parse(sample())
    (_, index), *_ = [(level.ledger, level.parts.objects) for level in save.levels.values() if level.parts.objects]
    at = index[1][0]
    with pytest.raises(BadSave) as raised:
        Save.parse(save.data[:at] + b"OBX" + save.data[at + 3 :])
    assert str(raised.value) == f"offset {at}: level 1: floor objects: expected b'OBJ\\x00', found b'OBX\\x00'"


def test_a_section_that_is_not_there_is_named() -> None:
    with pytest.raises(BadSave, match=r"level 7: level: expected b'LEVL', found b'LEVX'"):
        walk_level(Cursor(b"\7LEVX" + bytes(99)), Save.parse(sample()).context)
    record = b"MON\0" + struct.pack("<hh", 0, 9) + bytes(77)
    with pytest.raises(BadSave, match="monsters: extension type: expected 0, 1, 2, 3, 4 or 5, found 9"):
        walk_monsters(Cursor(b"MCHN" + NUMBER.pack(1) + record), "monsters")
