"""Death, and what the dead leave for others."""

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.wire import Bones, read_bones, write_bones
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.kinds import EMBER, number_of
from nhlog.engines.delve.world.species import species_named
from nhlog.engines.prompts import AskYesNo, LookForBones
from nhlog.errors import Damaged
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument
from nhlog.log.wire.lines import Bones as BonesAnswer
from tests.engines.delve.arena import NO, YES, Arena, until, wizard


def died(seed: int = 1, mode: int = 0, depth: int = 1) -> Arena:
    arena = Arena(seed, mode=mode, depth=depth)
    arena.give("mace")
    arena.world.hero.hp = 1
    arena.monster("cave ogre", 1, hp=90)
    return arena


def arrived(answer: BonesAnswer) -> Arena:
    def looked(arena: Arena) -> bool:
        arena.do("levelteleport", Argument("L", 3), answers=[answer])
        return bool(arena.asked)

    return until(looked, wizard)


def test_death_is_put_down_to_its_cause() -> None:
    arena = died()
    arena.wait(30)
    assert arena.game.ending == "killed by a cave ogre"
    before = arena.game.save()
    arena.do("move", Argument("D", 0))
    assert arena.game.save() == before


def test_in_explore_mode_death_can_be_refused() -> None:
    arena = died(mode=1)
    for _ in range(30):
        arena.do("rest", answers=[NO])
        if arena.asked:
            break
    assert arena.asked == [AskYesNo("Die?", "yn", "n")]
    assert arena.game.ending == ""
    assert arena.world.hero.hp > 0
    assert arena.world.hero.rescued == 1
    arena.world.hero.hp = 1
    arena.monster("cave ogre", 1, hp=90)
    for _ in range(30):
        arena.do("rest", answers=[YES])
        if arena.game.ending:
            break
    assert arena.game.ending.startswith("killed by")


def test_bones_are_left_below_the_second_level_only() -> None:
    shallow, deep = died(depth=2), died(depth=3)
    for arena in (shallow, deep):
        arena.wait(40)
        assert arena.game.ending
    assert shallow.game.bones is None
    assert deep.game.bones is not None
    name, data = deep.game.bones
    assert name == "Delve:3"
    bones = read_bones(data)
    assert bones.name == "Tess"
    assert number_of("long sword") in {item.kind for item in bones.items}


def test_bones_are_looked_for_now_and_then_and_found() -> None:
    dead = died(depth=3)
    dead.wait(40)
    assert dead.game.bones is not None
    arena = arrived(BonesAnswer(Blob.of(dead.game.bones[1])))
    assert arena.asked == [LookForBones("Delve:3")]
    assert "died here before you" in " ".join(arena.game.messages)
    level = arena.world.level
    ghost = next(monster for monster in level.live() if monster.species == species_named("ghost"))
    assert level.grave == "Tess"
    assert any(item.kind == number_of("long sword") for item in level.items_at(ghost.square))
    again = ENGINE.load(arena.game.save())
    assert isinstance(again, DelveGame)
    assert again.world.level.grave == "Tess"


@pytest.mark.parametrize("data", [b"", b"delve bones\x01", b"\xff" * 300])
def test_bones_that_are_none_change_nothing(data: bytes) -> None:
    plain, fooled = arrived(BonesAnswer(None)), arrived(BonesAnswer(Blob.of(data)))
    assert plain.game.save() == fooled.game.save()


def test_spoiled_bones_are_damaged_or_harmless() -> None:
    dead = died(depth=3)
    dead.wait(40)
    assert dead.game.bones is not None
    data = dead.game.bones[1]
    assert write_bones(read_bones(data)) == data
    dice = Dice(7)
    for _ in range(400):
        spoiled = bytearray(data)
        spoiled[dice.below(len(spoiled))] ^= 1 << dice.below(8)
        try:
            bones = read_bones(bytes(spoiled))
        except Damaged:
            continue
        assert isinstance(bones, Bones)
        assert EMBER not in {item.kind for item in bones.items}
