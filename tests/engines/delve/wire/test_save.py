"""A save says what cannot be, and is refused by the name of the section that says it."""

from collections.abc import Callable

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.wire import read_world, write_level, write_world
from nhlog.engines.delve.world.dice import WORD, Dice
from nhlog.engines.delve.world.kinds import EMBER, KINDS, POTION, number_of
from nhlog.engines.delve.world.state import (
    BLESSED,
    CARRIED,
    CURSED,
    KIND_MEMORY,
    MOST_ITEMS,
    PACK_PLACE,
    WIELDED,
    WORN,
    Engraving,
    Item,
    Monster,
    Trap,
    World,
)
from nhlog.engines.delve.world.terrain import FLOOR, WALL
from nhlog.errors import Damaged
from tests.engines.delve.arena import HERE, Arena

POTIONS = [number for number, kind in enumerate(KINDS) if kind.symbol == POTION]


def pack(world: World, *items: Item) -> None:
    for slot, item in enumerate(items, 30):
        item.place = PACK_PLACE
        world.hero.pack[slot] = item


def put(field: str, at: int, value: int) -> Callable[[World], None]:
    def change(world: World) -> None:
        getattr(world.level, field)[at] = value

    return change


def hero(**fields: int) -> Callable[[World], None]:
    def change(world: World) -> None:
        for name, value in fields.items():
            setattr(world.hero, name, value)

    return change


def floor(item: Item) -> Callable[[World], None]:
    return lambda world: world.level.items.append(item)


@pytest.mark.parametrize(
    ("change", "section"),
    [
        (put("terrain", HERE, 99), "level: terrain"),
        (put("terrain", 5, FLOOR), "level: its edge is open"),
        (put("memory", HERE, 60), "level: memory"),
        (put("memory", 5, FLOOR + 1), "level: its edge is open"),
        (put("memory", 79, KIND_MEMORY + 1), "level: its edge is open"),
        (put("terrain", HERE, WALL), "the hero is on an impossible square"),
        (hero(square=3), "the hero is on an impossible square"),
        (hero(hp=0), None),
        (hero(hp=20, hp_most=10), "the hero has impossible points"),
        (hero(level=31), "hero: level"),
        (hero(strength=0), "hero: strength"),
        (hero(nutrition=-31_000), "hero: nutrition"),
        (lambda world: world.hero.spells.append(1), "spells"),
        (lambda world: world.hero.spells.extend([number_of("book of light")] * 2), "spells"),
        (lambda world: world.lore.looks.__setitem__(POTIONS[0], world.lore.looks[POTIONS[1]]), "looks"),
        (lambda world: world.lore.looks.__setitem__(1, 1), "an appearance of a kind that has none"),
        (lambda world: world.lore.known.__setitem__(1, 2), "known"),
        (lambda world: world.lore.called.__setitem__(1, "sword"), "called"),
        (lambda world: pack(world, Item(1, flags=CURSED | BLESSED)), "an item is both cursed and blessed"),
        (
            lambda world: pack(world, Item(1, flags=WIELDED), Item(2, flags=WIELDED)),
            "two items are worn in the same place",
        ),
        (lambda world: pack(world, Item(number_of("iron cap"), flags=WORN)), None),
        (
            lambda world: pack(world, *(Item(number_of("iron cap"), flags=WORN) for _ in "ab")),
            "two items are worn in the same place",
        ),
        (lambda world: pack(world, *(Item(number_of("ring of stealth"), flags=WORN) for _ in "ab")), None),
        (
            lambda world: pack(world, *(Item(number_of("ring of stealth"), flags=WORN) for _ in "abc")),
            "two items are worn in the same place",
        ),
        (lambda world: pack(world, Item(number_of("apple"), flags=WORN)), "an item is worn that cannot be worn"),
        (lambda world: pack(world, Item(number_of("corpse"))), "a corpse of an unknown species"),
        (lambda world: pack(world, Item(EMBER, 2)), "more than one Ember"),
        (lambda world: world.hero.pack.__setitem__(40, Item(1)), "an item in the pack belongs elsewhere"),
        (floor(Item(1, place=2)), "an item on an impossible square"),
        (floor(Item(1, place=HERE, flags=WIELDED)), "an item on the floor is in use"),
        (floor(Item(1, place=CARRIED + 3)), "an item carried by a missing monster"),
        (floor(Item(200, place=HERE)), "item: kind"),
        (floor(Item(1, 0, place=HERE)), "item: count"),
        (lambda world: world.level.monsters.append(Monster(1, HERE + 1, 5, 4)), "a monster with impossible hit points"),
        (lambda world: world.level.monsters.append(Monster(1, 4, 4, 4)), "a monster on an impossible square"),
        (lambda world: world.level.monsters.append(Monster(99, HERE + 1, 4, 4)), "monster: species"),
        (
            lambda world: world.level.monsters.extend([Monster(1, HERE + 1, 4, 4)] * 2),
            "a monster on an impossible square",
        ),
        (lambda world: world.level.monsters.append(Monster(1, HERE, 4, 4)), "the hero is on an impossible square"),
        (lambda world: world.level.traps.append(Trap(1, 0)), "a trap on an impossible square"),
        (lambda world: world.level.engravings.append(Engraving(0, 1, "x")), "an engraving on an impossible square"),
        (lambda world: world.level.items.extend([None] * (MOST_ITEMS + 8)), "level: items"),
    ],
)
def test_what_cannot_be_is_damaged(change: Callable[[World], None], section: str | None) -> None:
    world = Arena(1).world
    change(world)
    data = write_world(world)
    if section is None:
        assert write_world(read_world(data)) == data
        return
    with pytest.raises(Damaged) as caught:
        read_world(data)
    assert caught.value.what.startswith(section)
    assert 0 <= (caught.value.offset or 0) <= len(data)


def test_each_level_is_there_once_and_the_heros_among_them() -> None:
    world = Arena(1).world
    world.order.append(2)
    world.stored[2] = write_level(world.level)
    with pytest.raises(Damaged, match="the same level twice"):
        read_world(write_world(world))
    world.level.depth = 2
    world.order[:] = [2]
    spoiled = bytearray(write_world(world))
    spoiled[7] = 3
    with pytest.raises(Damaged, match="level is missing"):
        ENGINE.load(bytes(spoiled))


def test_names_and_messages_of_any_characters_are_kept() -> None:
    world = Arena(1).world
    world.level.grave = "Ötzi \U0001f9ca"
    world.messages[:] = ["“Halt!”", "ß" * 200]
    data = write_world(world)
    again = read_world(data)
    assert again.level.grave == "Ötzi \U0001f9ca"
    assert again.messages[0] == "“Halt!”"
    assert write_world(again) == data


def test_of_many_messages_the_last_are_kept() -> None:
    world = Arena(1).world
    world.messages[:] = [f"This is message number {number} of this turn." for number in range(40)]
    again = read_world(write_world(world))
    assert again.messages == world.messages[-len(again.messages) :]
    assert len(again.messages) > 10


def test_dice_roll_what_they_should() -> None:
    dice = Dice.seeded(42)
    rolls = [dice.roll(2, 6) for _ in range(3000)]
    assert (min(rolls), max(rolls)) == (2, 12)
    assert 6.8 < sum(rolls) / len(rolls) < 7.2
    assert {dice.below(0), dice.below(1)} == {0}
    assert sorted(dice.shuffled("delve")) == sorted("delve")
    assert 0 <= dice.state <= WORD
    assert [Dice(1).word(), Dice(1).word()] == [Dice(1).word()] * 2


def test_the_dice_are_pcg32() -> None:
    """The first numbers of the reference's demonstration (pcg32-demo: seed 42, stream 54, step by step)."""
    multiplier, stream = 6364136223846793005, 54 << 1 | 1
    state = 0
    state = (state * multiplier + stream) & WORD
    state = (state + 42) & WORD
    state = (state * multiplier + stream) & WORD
    words = []
    for _ in range(4):
        words.append(Dice(state).word())
        state = (state * multiplier + stream) & WORD
    assert [f"{word:#010x}" for word in words] == ["0xa15c02b7", "0x7b47f409", "0xba1d3330", "0x83d2f293"]
