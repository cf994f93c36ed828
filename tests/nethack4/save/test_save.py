"""Whole saves: walked to the last byte, true to what else is known of the game, unpacked only when asked for."""

import re
import struct
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from nhlog.errors import Unsupported
from nhlog.nethack4.save.dungeon import DLevel
from nhlog.nethack4.save.head import HERO_SIZE, read_hero
from nhlog.nethack4.save.levels import level as level_module
from nhlog.nethack4.save.levels.locations import COLNO, ROWNO, Locations
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import kinds
from tests.corpus import corpus
from tests.logs import NETHACK4_SAMPLES, every_log
from tests.nethack4.saves import everything, game, sample, saves_of

STATE = re.compile(r"Exp:(\d+), (\d+) turns, on (.+)")
LOGS = [path for path in every_log() if not re.search("fiqhack|delve", path.name)]
LONG = ["mid1", "mid3", "mid5", "bones-loaded", "wiz-stopped-midturn"]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_save_is_walked_to_its_last_byte_and_tells_what_its_first_bytes_tell(path: Path) -> None:
    for number, data in saves_of(path):
        save = Save.parse(data)
        everything(save)
        hero = read_hero(data[:HERO_SIZE])
        assert hero is not None
        assert (hero.hp, hero.hp_max, hero.level) == (save.you.uhp, save.you.uhpmax, save.you.ulevel), number
        assert hero.place == save.dungeons.place(save.here)


@pytest.mark.parametrize("name", LONG)
def test_turn_level_and_place_are_those_of_the_log(name: str) -> None:
    """At the turn of the header's second line some save says the same; every save's turn is the log's."""
    log = game(corpus("nethack4", f"{name}.nhgame"))
    turns = log.columns.save_turns
    line = STATE.fullmatch(log.header.state)
    assert line
    then = [Save.parse(log.save(number)) for number, turn in enumerate(turns) if turn == int(line[2])]
    assert (int(line[1]), line[3]) in {(save.you.ulevel, save.dungeons.place(save.here)) for save in then}
    for number in log.columns.backups:
        save = Save.parse(log.save(number))
        assert save.moves == turns[number]
        assert save.you.name == log.header.player


@pytest.mark.parametrize("path", NETHACK4_SAMPLES, ids=lambda path: path.stem)
def test_the_hero_stands_on_a_square_that_can_be_stood_on(path: Path) -> None:
    for _, data in saves_of(path):
        save = Save.parse(data)
        you, level = save.you, save.level
        assert level.here == DLevel(you.dnum, you.dlevel) == save.here
        assert level.locations.typ[you.ux * ROWNO + you.uy] >= 16  # from here on terrain is no rock or wall
        assert save.hero.name == ""


def test_counters_stored_relative_to_the_turn_tick_with_it() -> None:
    """A turn takes one nutrition, while the stored number stays the same."""
    log = game(corpus("nethack4", "mid1.nhgame"))
    saves = [Save.parse(log.save(number)) for number in range(len(log.columns.save_lines))]
    turns = [(then.you, now.you) for then, now in pairwise(saves) if now.moves == then.moves + 1]
    used = Counter(then.uhunger - now.uhunger for then, now in turns)
    assert used[1] > 0.9 * len(turns) > 100
    assert all(then.uhunger_stored == now.uhunger_stored for then, now in turns if then.uhunger == now.uhunger + 1)


def test_a_level_is_unpacked_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    data = next(data for _, data in saves_of(corpus("nethack4", "mid3.nhgame")) if len(Save.parse(data).levels) > 2)
    planes, chains = Counter[int](), Counter[bytes]()
    plane, read_objects = Locations._plane, level_module.read_objects
    monkeypatch.setattr(Locations, "_plane", lambda self, byte: planes.update([self._at]) or plane(self, byte))
    monkeypatch.setattr(level_module, "read_objects", lambda *given: chains.update(["objects"]) or read_objects(*given))
    save = Save.parse(data)
    assert (len(planes), len(chains)) == (0, 0)
    first, second, *_ = save.levels.values()
    assert first.locations.typ == first.locations.typ
    assert len(first.locations.lit) == COLNO * ROWNO
    assert planes == {first.parts.locations_at: 2}
    assert second.objects is second.objects
    assert chains == {"objects": 1}


def test_planes_and_memory_are_the_bits_of_the_squares() -> None:
    """Against the words of each square, taken one by one (save spec section 3.1)."""
    save = Save.parse(sample())
    squares, at = save.level.locations, save.level.parts.locations_at
    for square in range(COLNO * ROWNO):
        memory, typ, seenv, flags = struct.unpack_from("<IBBH", save.data, at + 8 * square)
        found = squares.memory[square]
        assert (squares.typ[square], squares.seenv[square]) == (typ, seenv)
        assert squares.flags[square] == flags >> 11
        assert squares.horizontal[square] == flags >> 10 & 1
        assert squares.lit[square] == flags >> 9 & 1
        assert squares.waslit[square] == flags >> 8 & 1
        assert squares.room[square] == flags >> 2 & 63
        assert squares.edge[square] == flags >> 1 & 1
        assert found.trap == memory >> 21 & 31
        assert found.obj == memory >> 11 & 1023
        assert found.obj_mn == memory >> 2 & 511
        assert (found.invis, found.stepped) == (bool(memory & 2), bool(memory & 1))
        if memory >> 26 < 43:
            assert (found.bg, found.lock_known, found.trap_known) == (memory >> 26, False, False)


def test_the_blindfold_blinds() -> None:
    """Its property is written changed, and the towel's (save spec section 4, trap 5)."""
    save = Save.parse(sample())
    blinding = {kinds()[number].name for number, record in enumerate(save.classes) if record.prop == 30}
    assert blinding == {"blindfold", "towel", "blindness"}


def test_a_save_of_another_engine_is_refused_by_name() -> None:
    fiqhack = struct.pack("<3I", 0x04030100, 0, 0x211B717C)
    with pytest.raises(Unsupported, match="FIQHack of another version: expected revision 18, found revision 1"):
        Save.parse(fiqhack + sample()[12:])
    with pytest.raises(Unsupported, match=r"Fourk or the like .*34 artifacts"):
        Save.parse(struct.pack("<3I", 0x04030000, 0, 0x221B017D) + sample()[12:])
