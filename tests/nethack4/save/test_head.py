"""The hero's few facts from the start of a save, against what the game wrote of them itself."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.nethack4.heroes import HeroReader
from nhlog.nethack4.save.head import HERO_SIZE, Hero, read_hero
from tests.builders import binary_save
from tests.changed import replaced
from tests.corpus import SAMPLES, corpus
from tests.logs import NETHACK4_SAMPLES

STATE = re.compile(r"Exp:(\d+), (\d+) turns, on (.+)")


def backups(path: Path) -> list[bytes]:
    log = Log(LogBytes(path.name, path.read_bytes()))
    return [log.save(number) for number in log.columns.backups]


@pytest.mark.parametrize("name", ["mid1", "mid3", "mid5", "zero-time-moves", "bones-loaded", "wiz-stopped-midturn"])
def test_level_and_place_are_those_of_the_state_line_that_went_with_the_save(name: str) -> None:
    """The latest rewriting of line 2 went with a save: at that turn, both must say the same."""
    path = corpus("nethack4", f"{name}.nhgame")
    log = Log(LogBytes(name, path.read_bytes()))
    level, turn, place = STATE.fullmatch(log.header.state).groups()
    heroes = [read_hero(log.save(number)) for number, at in enumerate(log.columns.save_turns) if at == int(turn)]
    assert (int(level), place) in {(hero.level, hero.place) for hero in heroes}


@pytest.mark.parametrize("path", NETHACK4_SAMPLES, ids=lambda path: path.stem)
def test_the_first_kilobytes_tell_as_much_as_the_whole_save(path: Path) -> None:
    for save in backups(path):
        hero = read_hero(save)
        assert hero is not None
        assert read_hero(save[:HERO_SIZE]) == hero
        assert 0 <= hero.hp <= hero.hp_max
        assert 1 <= hero.level <= 30


@pytest.mark.parametrize("path", NETHACK4_SAMPLES, ids=lambda path: path.stem)
def test_heroes_in_a_row_are_those_that_each_save_has(path: Path) -> None:
    log = Log(LogBytes(path.name, path.read_bytes()))
    reader = HeroReader()
    for number in range(len(log.columns.save_lines)):
        head = log.save(number)[:HERO_SIZE]
        assert reader.read(head) == read_hero(head)


def test_of_whatever_else_a_save_has_its_hero_is_read_as_if_it_were_the_first_one() -> None:
    """Each byte of a head changed, and each cut, after the head itself, and it again."""
    head = backups(SAMPLES / "scripted1.nhgame")[0][:HERO_SIZE]
    reader = HeroReader()
    hero = reader.read(head)
    quick = 0
    for at in range(HERO_SIZE):
        for other in (replaced(head, at, head[at] ^ 1), replaced(head, at, 0xFF), head[:at]):
            assert reader.read(head) == hero
            assert reader.read(other) == read_hero(other), at
            quick += reader.read(head) is reader.read(other)
    assert quick > 3 * HERO_SIZE // 2  # a walk makes another one


@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda data: binary_save(1, 0) + data))
def test_no_bytes_give_anything_but_a_hero_or_none(data: bytes) -> None:
    read_hero(data)


def test_a_changed_byte_or_a_cut_gives_a_hero_or_none() -> None:
    head = backups(SAMPLES / "scripted1.nhgame")[0][:HERO_SIZE]
    for at in range(HERO_SIZE):
        for byte in (0, 0x7F, 0xFF, head[at] ^ 1):
            read_hero(replaced(head, at, byte))
        read_hero(head[:at])


def test_fiqhacks_hero_is_where_its_own_state_line_says() -> None:
    path = corpus("nethack4", "fiqhack1.nhgame")
    log = Log(LogBytes(path.name, path.read_bytes()))
    level, turn, place = STATE.fullmatch(log.header.state).groups()
    newest = read_hero(log.save(len(log.columns.save_lines) - 1))
    assert (newest.place, newest.level, log.columns.last_turn) == (place, int(level), int(turn))
    save = log.save(0)
    assert read_hero(save) == Hero("Dungeons:1", 1, 16, 16)
    assert read_hero(save[:5335]) is None  # the dungeons come behind the pack
    for at in range(6000):
        read_hero(replaced(save, at, 0xFF))
