"""Each kind of item does what it is there for, and is known by what it did."""

import pytest

from nhlog.engines.delve.board import WIDTH
from nhlog.engines.delve.kinds import (
    AMULET,
    ARMOUR,
    BOOK,
    FOOD,
    KINDS,
    POTION,
    RING,
    SCROLL,
    TOOL,
    WAND,
    WEAPON,
    number_of,
)
from nhlog.engines.delve.naming import LOOKS
from nhlog.engines.delve.perception import describe, discoveries, inventory
from nhlog.engines.delve.powers import armour_class, has, light_radius, strength
from nhlog.engines.delve.sight import visible_monsters
from nhlog.engines.delve.state import (
    ASLEEP,
    BLESSED,
    CURSED,
    FLEEING,
    QUIVERED,
    SLOWED,
    UNCURSED_KNOWN,
    WIELDED,
    WORN,
)
from nhlog.engines.delve.terrain import ALTAR, CLOSED, CORRIDOR, FLOOR, LIT, LOCKED, ROCK, WALL
from nhlog.engines.prompts import AskKey, AskMenu, AskObjects, AskPosition
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    Argument,
    DirectionAnswer,
    KeyAnswer,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    YesNoAnswer,
)
from tests.engines.arena import HERE, Arena, until

YES = YesNoAnswer("y")


def names(symbol: str) -> list[str]:
    return [kind.name for kind in KINDS if kind.symbol == symbol and kind.rarity]


def strong(seed: int = 1, role: str = "Valkyrie") -> Arena:
    return Arena(seed, role).strong()


def test_there_are_more_than_36_kinds_and_each_unknown_one_has_a_look_of_its_own() -> None:
    assert len(KINDS) > 36 + 1
    for symbol, looks in LOOKS.items():
        assert len(set(looks)) == len(looks) >= len(names(symbol))


def test_looks_differ_from_game_to_game_and_tell_nothing() -> None:
    arenas = [Arena(seed) for seed in range(1, 9)]
    captions = {arena.do("look") or inventory_of(arena, arena.give("potion of venom")) for arena in arenas}
    assert len(captions) > 3
    assert not any("venom" in caption for caption in captions)


def inventory_of(arena: Arena, letter: str) -> str:
    return next(row.caption for row in inventory(arena.game) if row.letter == letter)


# Potions.


@pytest.mark.parametrize("name", names(POTION))
def test_a_potion_can_be_drunk_blessed_and_cursed_and_thrown(name: str) -> None:
    for flags in (0, BLESSED, CURSED):
        arena = strong()
        letter = arena.give(name, flags=flags, count=2)
        before = arena.game.turn
        assert arena.with_item("quaff", letter)
        assert arena.game.turn > before
        arena.monster("cave rat", 3, hp=50)
        assert "breaks on" in arena.do("throw", Argument("D", 4), Argument("I", letter))


def drunk(name: str, **hero: int) -> Arena:
    arena = Arena()
    for field, value in hero.items():
        setattr(arena.world.hero, field, value)
    arena.with_item("quaff", arena.give(name))
    return arena


def test_healing_heals_and_makes_known() -> None:
    arena = drunk("potion of healing", hp=3)
    assert arena.world.hero.hp > 6
    assert arena.known("potion of healing")
    assert "potion of healing" in str(discoveries(arena.game))


def test_great_healing_heals_more_and_beyond() -> None:
    arena = drunk("potion of great healing")
    assert arena.world.hero.hp_most > 16


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("swiftness", "fast"),
        ("blindness", "blind"),
        ("confusion", "confused"),
        ("floating", "floating"),
        ("venom", "poisoned"),
    ],
)
def test_what_lasts_is_counted_down(name: str, field: str) -> None:
    arena = drunk(f"potion of {name}")
    first = getattr(arena.world.hero, field)
    assert first > 0
    arena.wait(10)
    assert getattr(arena.world.hero, field) < first


def test_sleep_passes_several_turns_in_one_command() -> None:
    arena = Arena()
    before = arena.game.turn
    told = arena.with_item("quaff", arena.give("potion of sleep"))
    assert arena.game.turn - before > 4
    assert "You can move again." in told
    assert not arena.game.incomplete


def test_experience_might_and_a_clear_mind_last() -> None:
    assert drunk("potion of experience").world.hero.level == 2
    assert drunk("potion of might", strength=12).world.hero.strength == 13
    assert drunk("potion of clear mind").world.hero.pw_most > 1


def test_keen_sight_shows_what_is_invisible() -> None:
    arena = drunk("potion of keen sight", blind=5)
    whisper = arena.monster("whisper", 3)
    assert whisper in visible_monsters(arena.world)
    assert not arena.world.hero.blind


def test_fast_heroes_act_more_often() -> None:
    arena = drunk("potion of swiftness")
    before = arena.game.turn
    arena.wait(20)
    assert arena.game.turn - before < 20


# Scrolls.


def read(name: str, *answers: object, arena: Arena | None = None, flags: int = 0) -> Arena:
    arena = arena or strong()
    arena.with_item("read", arena.give(name, flags=flags), answers=answers)  # type: ignore[arg-type]
    return arena


@pytest.mark.parametrize("name", names(SCROLL))
@pytest.mark.parametrize("flags", [0, BLESSED, CURSED])
def test_a_scroll_can_be_read_and_is_gone(name: str, flags: int) -> None:
    arena = strong()
    letter = arena.give(name, flags=flags)
    number = number_of(name)
    arena.with_item("read", letter, answers=[MenuAnswer(None)] if "identify" in name else [PositionAnswer(None)])
    assert not any(item is not None and item.kind == number for item in arena.world.hero.pack)


def test_identify_asks_which() -> None:
    arena = strong()
    arena.give("ring of hunger")
    letter = arena.give("wand of fire")
    arena.with_item("read", arena.give("scroll of identify"), answers=[MenuAnswer((2,))])
    (menu,) = arena.asked
    assert isinstance(menu, AskMenu)
    assert arena.known("wand of fire")
    assert "wand of fire (" in inventory_of(arena, letter)
    assert not arena.known("ring of hunger")


def test_enchanting_raises_and_uncurses() -> None:
    arena = strong()
    arena.item("a").flags |= CURSED
    read("scroll of enchant weapon", arena=arena)
    assert arena.item("a").bonus == 2
    assert not arena.item("a").flags & CURSED
    before = armour_class(arena.world)
    read("scroll of enchant armour", arena=arena)
    assert armour_class(arena.world) == before - 1
    read("scroll of rust", arena=arena)
    read("scroll of enchant weapon", arena=arena, flags=CURSED)
    assert arena.item("a").bonus == 1


def test_remove_curse_frees_what_is_worn() -> None:
    arena = strong()
    ring = arena.give("ring of hunger", flags=CURSED)
    arena.with_item("puton", ring)
    arena.with_item("remove", ring)
    assert arena.item(ring).flags & WORN
    read("scroll of remove curse", arena=arena)
    arena.with_item("remove", ring)
    assert not arena.item(ring).flags & WORN


def test_teleportation_goes_anywhere_and_when_blessed_where_one_wants() -> None:
    assert read("scroll of teleportation").world.hero.square != HERE
    arena = read("scroll of teleportation", PositionAnswer((25, 6, ".")), flags=BLESSED)
    assert isinstance(arena.asked[-1], AskPosition)
    assert arena.game.here[1:] == (25, 6)


def test_mapping_shows_the_level() -> None:
    arena = strong()
    arena.world.level.memory[:] = bytes(len(arena.world.level.memory))
    arena.world.hero.blind = 0
    read("scroll of mapping", arena=arena)
    assert arena.world.level.memory[HERE + 20] == FLOOR + 1
    assert "wall" in describe(arena.game, HERE + 22)


def test_light_lights_the_place() -> None:
    arena = strong()
    level = arena.world.level
    level.terrain[:] = bytes(byte & ~LIT for byte in level.terrain)
    read("scroll of light", arena=arena)
    assert level.terrain[HERE + 5] & LIT


def test_terror_makes_them_flee() -> None:
    arena = strong()
    ogre = arena.monster("cave ogre", 5, hp=50)
    read("scroll of terror", arena=arena)
    assert ogre.flags & FLEEING
    assert arena.known("scroll of terror")


def test_fire_burns_those_beside() -> None:
    arena = strong()
    ogre = arena.monster("cave ogre", 1, hp=60)
    read("scroll of fire", arena=arena)
    assert ogre.hp < 60
    assert arena.world.hero.hp < 900


def test_beckoning_brings_somebody() -> None:
    assert read("scroll of beckoning").world.level.live()


def test_return_brings_one_to_the_gate_after_a_while() -> None:
    arena = Arena(1, depth=1).strong()
    arena.world.level.depth = 3
    arena.world.order[:] = [3]
    read("scroll of return", arena=arena)
    arena.wait(30)
    assert arena.game.state.endswith("Delve:1")
    assert sorted(arena.world.order) == [1, 3]


# Books and spells.


@pytest.mark.parametrize("name", names(BOOK))
def test_a_book_teaches_a_spell_that_can_be_cast(name: str) -> None:
    arena = Arena(3, "Wizard").strong()
    arena.world.hero.spells.clear()
    arena.world.hero.pw = arena.world.hero.pw_most = 300
    letter = arena.give(name)
    for _ in range(20):
        arena.with_item("read", letter)
        arena.world.hero.confused = 0
    assert arena.world.hero.spells == [number_of(name)]
    foe = arena.monster("cave ogre", 2, hp=400)
    for _ in range(12):
        arena.do("cast", Argument("S", "a"), answers=[DirectionAnswer(4)] * KINDS[number_of(name)].aimed)
    hero = arena.world.hero
    assert hero.pw < 300
    done = {
        "book of force bolt": foe.hp < 400,
        "book of fire bolt": foe.hp < 400,
        "book of sleep": "asleep" in describe(arena.game, foe.square),
        "book of sensing": hero.sensing > 0,
        "book of haste": hero.fast > 0,
        "book of blinking": hero.square != HERE,
    }
    assert done.get(name, True)


def test_a_spell_can_be_chosen_from_a_menu_and_needs_power() -> None:
    arena = Arena(1, "Wizard")
    arena.world.hero.pw = 0
    assert "do not have the power" in arena.do("cast", answers=[MenuAnswer((1,))])
    assert "You know no such spell." in arena.do("cast", answers=[MenuAnswer(None)])


def test_the_healing_spell_heals_the_caster() -> None:
    arena = Arena(1, "Priest")
    arena.world.hero.hp = 2
    for _ in range(4):
        arena.world.hero.pw = 7
        arena.do("cast", Argument("S", "a"), answers=[DirectionAnswer(10)])
    assert arena.world.hero.hp > 4


# Wands.


@pytest.mark.parametrize("name", names(WAND))
def test_a_wand_is_used_up(name: str) -> None:
    arena = strong()
    letter = arena.give(name, charges=2)
    for _ in range(2):
        assert "Nothing happens" not in arena.with_item("zap", letter, answers=[DirectionAnswer(4)])
    arena.world.lore.known[number_of(name)] = 0
    assert "Nothing happens" in arena.with_item("zap", letter, answers=[DirectionAnswer(4)])


@pytest.mark.parametrize(
    ("name", "flag"),
    [("slumber", ASLEEP), ("slowness", SLOWED), ("striking", 0), ("sparks", 0), ("fire", 0), ("frost", 0)],
)
def test_a_wand_strikes_whom_it_is_aimed_at(name: str, flag: int) -> None:
    arena = strong()
    ogre = arena.monster("cave ogre", 5, hp=200)
    arena.with_item("zap", arena.give(f"wand of {name}"), answers=[DirectionAnswer(4)])
    assert ogre.flags & flag if flag else ogre.hp < 200
    assert arena.known(f"wand of {name}")


def test_fire_does_not_hurt_what_is_fireproof_but_frost_does_more() -> None:
    arena = strong()
    drake = arena.monster("ash drake", 5, hp=200)
    arena.with_item("zap", arena.give("wand of fire"), answers=[DirectionAnswer(4)])
    assert drake.hp == 200
    arena.world.level.move_monster(drake, HERE + 5)
    arena.with_item("zap", arena.give("wand of frost"), answers=[DirectionAnswer(4)])
    assert drake.hp < 200


def test_banishing_sends_away_all_but_the_warden() -> None:
    arena = strong()
    letter = arena.give("wand of banishing")
    ogre = arena.monster("cave ogre", 2, hp=200)
    arena.with_item("zap", letter, answers=[DirectionAnswer(4)])
    assert abs(ogre.square - HERE) > 2
    arena.world.level.remove_monster(ogre)
    arena.monster("Warden of Ash", 3, hp=200)
    assert "cannot be sent" in arena.with_item("zap", letter, answers=[DirectionAnswer(4)])


def test_digging_goes_through_stone() -> None:
    arena = strong()
    for across in range(3, 6):
        arena.world.level.terrain[HERE + across] = ROCK
    arena.with_item("zap", arena.give("wand of digging"), answers=[DirectionAnswer(4)])
    assert arena.world.level.terrain[HERE + 4] == CORRIDOR


def test_calling_brings_somebody_and_light_needs_no_direction_once_known() -> None:
    arena = strong()
    arena.with_item("zap", arena.give("wand of calling"), answers=[DirectionAnswer(4)])
    assert arena.world.level.live()
    letter = arena.give("wand of light")
    arena.with_item("zap", letter, answers=[DirectionAnswer(4)])
    asked = len(arena.asked)
    arena.with_item("zap", letter)
    assert len(arena.asked) == asked


# What is worn.


@pytest.mark.parametrize("name", names(ARMOUR))
def test_armour_is_worn_and_taken_off(name: str) -> None:
    arena = Arena(1, "Rogue").strong()
    for item in arena.world.worn():
        item.flags &= ~WORN
    letter = arena.give(name)
    before = armour_class(arena.world)
    arena.with_item("wear", letter)
    assert armour_class(arena.world) == before - KINDS[number_of(name)].armour
    arena.with_item("takeoff", letter)
    assert armour_class(arena.world) == before


def test_heavy_armour_takes_turns_to_put_on() -> None:
    arena = Arena(1, "Wizard").strong()
    for item in arena.world.worn():
        item.flags &= ~WORN
    before = arena.game.turn
    arena.with_item("wear", arena.give("plate mail"))
    assert arena.game.turn - before == 5


def test_two_cannot_be_worn_in_one_place() -> None:
    arena = Arena(1)
    assert "already" in arena.with_item("wear", arena.give("ring mail"))


def test_might_stealth_and_light_come_with_what_is_worn() -> None:
    arena = Arena(1, "Priest").strong()
    arena.with_item("wear", arena.give("gauntlets of might"))
    assert strength(arena.world) == 23
    arena.with_item("wear", arena.give("felt boots"))
    assert has(arena.world, "stealth")
    before = light_radius(arena.world)
    arena.with_item("wear", arena.give("miner's helm"))
    assert light_radius(arena.world) > before


@pytest.mark.parametrize("name", names(RING) + names(AMULET))
def test_a_ring_or_an_amulet_is_put_on_and_removed(name: str) -> None:
    arena = strong()
    letter = arena.give(name)
    arena.with_item("puton", letter)
    assert arena.item(letter).flags & WORN
    arena.wait(30)
    arena.with_item("remove", letter)
    assert not arena.item(letter).flags & WORN


def test_rings_do_what_they_are_called() -> None:
    arena = Arena(1)
    before = armour_class(arena.world), strength(arena.world)
    arena.with_item("puton", arena.give("ring of protection", bonus=2))
    arena.with_item("puton", arena.give("ring of strength", bonus=-3))
    assert (armour_class(arena.world), strength(arena.world)) == (before[0] - 2, before[1] - 3)
    assert "no finger free" in arena.with_item("puton", arena.give("ring of stealth"))


def test_regeneration_heals_and_hunger_hungers() -> None:
    arena = Arena(1)
    arena.world.hero.hp = 5
    arena.with_item("puton", arena.give("ring of regeneration"))
    arena.wait(10)
    assert arena.world.hero.hp >= 15
    assert arena.world.hero.nutrition < 900 - 11


def test_restlessness_moves_its_bearer_about() -> None:
    arena = strong()
    arena.with_item("puton", arena.give("ring of restlessness"))
    arena.wait(300)
    assert arena.world.hero.square != HERE


def test_sensing_shows_minds_behind_walls() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL
    rat = arena.monster("cave rat", 8)
    assert rat not in visible_monsters(arena.world)
    arena.with_item("puton", arena.give("amulet of sensing"))
    assert rat in visible_monsters(arena.world)
    assert "felt from afar" in describe(arena.game, rat.square)


def test_lead_keeps_power_from_coming_back() -> None:
    arena = Arena(1, "Wizard")
    arena.with_item("puton", arena.give("amulet of lead"))
    arena.world.hero.pw = 0
    arena.wait(60)
    assert arena.world.hero.pw == 0


def test_the_second_chance_is_taken() -> None:
    arena = Arena(1)
    arena.with_item("puton", arena.give("amulet of second chance"))
    arena.world.hero.hp = 1
    arena.world.hero.poisoned = 5
    assert "You live!" in arena.wait()
    assert arena.game.ending == ""
    assert arena.world.hero.hp == arena.world.hero.hp_most


# Weapons and missiles.


@pytest.mark.parametrize("name", names(WEAPON))
def test_a_weapon_is_wielded_and_strikes(name: str) -> None:
    arena = Arena(1, "Ranger").strong()
    arena.with_item("wield", arena.give(name))
    assert arena.world.wielded() is not None
    ogre = arena.monster("cave ogre", 1, hp=300)
    for _ in range(25):
        arena.towards("fight")
    assert ogre.hp < 300


def test_a_cursed_weapon_sticks_to_the_hand() -> None:
    arena = Arena(1)
    letter = arena.give("mace", flags=CURSED)
    arena.with_item("wield", letter)
    assert "sticks" in arena.with_item("wield", "a")
    assert arena.item(letter).flags & WIELDED
    arena.do("drop", answers=[KeyAnswer(ord(letter), -1)])
    assert arena.item(letter).flags & WIELDED


def test_two_hands_and_a_shield_do_not_go_together() -> None:
    arena = Arena(1)
    assert "shield" in arena.with_item("wield", arena.give("great maul"))


def test_arrows_fly_farther_and_hit_harder_from_a_bow() -> None:
    losses = []
    for wield in (True, False):
        arena = Arena(2, "Ranger").strong()
        if not wield:
            arena.with_item("wield", "b")
        ogre = arena.monster("cave ogre", 4, hp=500, flags=ASLEEP, timer=200)
        for _ in range(20):
            ogre.flags |= ASLEEP
            ogre.timer = 200
            arena.do("throw", Argument("D", 4), Argument("I", "c"))
        losses.append(500 - ogre.hp)
    assert losses[0] > 2 * losses[1] > 0


def test_what_is_ready_is_fired_and_lies_where_it_fell() -> None:
    arena = Arena(1, "Rogue")
    daggers = next(item for item in arena.world.hero.pack if item is not None and item.flags & QUIVERED)
    before = daggers.count
    arena.towards("fire")
    fallen = [item for item in arena.world.level.items if item is not None]
    assert sum(item.count for item in fallen) == before - daggers.count > 0
    other = arena.give("dart", count=5)
    arena.with_item("quiver", other)
    assert arena.item(other).flags & QUIVERED
    assert not daggers.flags & QUIVERED


# Food.


@pytest.mark.parametrize("name", names(FOOD))
def test_food_feeds(name: str) -> None:
    arena = strong()
    arena.world.hero.nutrition = 200
    letter = arena.give(name, count=1)
    arena.with_item("eat", letter)
    while arena.game.incomplete:
        arena.do("repeat")
    assert arena.world.hero.nutrition > 200 + KINDS[number_of(name)].nutrition // 2


def test_a_meal_takes_turns_and_can_be_interrupted_and_gone_on_with() -> None:
    arena = strong()
    arena.world.hero.nutrition = 0
    letter = arena.give("ration")
    eaten = next(slot for slot, item in enumerate(arena.world.hero.pack) if item and item.kind == number_of("ration"))
    arena.world.hero.pack[eaten].count = 1  # type: ignore[union-attr]
    arena.with_item("eat", letter)
    assert arena.game.incomplete
    arena.do("repeat")
    assert "stop eating" in arena.do("interrupt")
    assert not arena.game.incomplete
    assert "partly eaten" in inventory_of(arena, letter)
    arena.with_item("eat", letter)
    for _ in range(4):
        arena.do("repeat")
    assert arena.world.hero.nutrition > 700
    assert "partly eaten" not in str(inventory(arena.game))


def test_a_corpse_is_of_somebody() -> None:
    arena = strong()
    letter = arena.give("corpse", extra=1)
    assert "cave rat corpse" in inventory_of(arena, letter)
    arena.with_item("eat", letter)
    while arena.game.incomplete:
        arena.do("repeat")
    assert arena.world.hero.nutrition > 1000


# Tools.


@pytest.mark.parametrize("name", names(TOOL))
def test_a_tool_can_be_used(name: str) -> None:
    arena = strong()
    told = arena.with_item("apply", arena.give(name), answers=[DirectionAnswer(4), YES])
    assert told


@pytest.mark.parametrize("name", ["torch", "brass lantern"])
def test_a_light_burns_down(name: str) -> None:
    arena = Arena(1, "Ranger").strong()
    letter = arena.give(name, extra=12)
    before = light_radius(arena.world)
    arena.with_item("apply", letter)
    assert light_radius(arena.world) > before
    assert "goes out" in arena.wait(14)
    assert light_radius(arena.world) == before
    assert "burnt out" in arena.with_item("apply", letter)


def test_a_light_shows_the_dark() -> None:
    arena = strong()
    level = arena.world.level
    level.terrain[:] = bytes(byte & ~LIT for byte in level.terrain)
    rat = arena.monster("cave rat", 4, flags=ASLEEP, timer=50)
    assert rat not in visible_monsters(arena.world)
    arena.with_item("apply", arena.give("brass lantern"))
    assert rat in visible_monsters(arena.world)


def test_a_key_locks_and_unlocks() -> None:
    def opened(arena: Arena) -> bool:
        arena.world.level.terrain[HERE + 1] = LOCKED | LIT
        arena.with_item("apply", arena.give("skeleton key"), answers=[DirectionAnswer(4), YES])
        return arena.world.level.terrain[HERE + 1] == CLOSED | LIT

    until(opened)
    until(lambda arena: not opened(arena))


def test_a_pick_axe_digs() -> None:
    arena = strong()
    arena.world.level.terrain[HERE + 1] = WALL
    letter = arena.give("pick-axe")
    for _ in range(20):
        arena.with_item("apply", letter, answers=[DirectionAnswer(4)])
    assert arena.world.level.terrain[HERE + 1] == CORRIDOR


def test_a_whistle_wakes_all() -> None:
    arena = strong()
    rat = arena.monster("cave rat", 15, 3, flags=ASLEEP)
    arena.with_item("apply", arena.give("tin whistle"))
    assert not rat.flags & ASLEEP


# Hands.


def test_several_things_are_picked_up_from_a_menu() -> None:
    arena = strong()
    for name in ("apple", "dart", "mace"):
        arena.lay(name, count=3 if name == "dart" else 1)
    arena.do("pickup", answers=[ObjectMenuAnswer(((2, 2), (3, -1)))])
    assert isinstance(arena.asked[-1], AskObjects)
    left = {KINDS[item.kind].name: item.count for item in arena.world.level.items_at(HERE)}
    assert left == {"apple": 1, "dart": 1}


def test_gold_is_taken_in_passing() -> None:
    arena = strong()
    arena.lay("gold piece", 1, count=33)
    assert "33 gold pieces" in arena.towards("move")
    assert arena.world.hero.gold == 33


def test_some_of_a_stack_are_dropped() -> None:
    arena = Arena(1, "Rogue")
    letter = next(row.letter for row in inventory(arena.game) if "daggers" in row.caption)
    arena.do("drop", answers=[KeyAnswer(ord(letter), 4)])
    prompt = arena.asked[-1]
    assert isinstance(prompt, AskKey)
    assert prompt.counted
    assert arena.item(letter).count == 5
    assert [item.count for item in arena.world.level.items_at(HERE)] == [4]


def test_several_things_are_dropped_from_a_menu() -> None:
    arena = Arena(1)
    before = sum(item is not None for item in arena.world.hero.pack)
    arena.do("multidrop", answers=[ObjectMenuAnswer(((1, -1), (2, -1)))])
    assert sum(item is not None for item in arena.world.hero.pack) == before - 2
    assert len(arena.world.level.items_at(HERE)) == 2


def test_a_hearth_tells_what_is_cursed() -> None:
    arena = Arena(1)
    arena.world.level.terrain[HERE] = ALTAR | LIT
    letter = arena.give("mace", flags=CURSED)
    assert "black glow" in arena.do("drop", answers=[KeyAnswer(ord(letter), -1)])
    (item,) = arena.world.level.items_at(HERE)
    assert item.flags & UNCURSED_KNOWN


def test_an_unknown_kind_can_be_given_a_name() -> None:
    arena = Arena(1)
    letter = arena.give("potion of sleep")
    arena.do("call", Argument("I", letter), Argument("T", Blob.of(b"bad\0")))
    assert "called bad" in inventory_of(arena, letter)
    assert "called bad" in str(discoveries(arena.game))


def test_what_is_picked_up_is_told_with_its_letter() -> None:
    arena = Arena(1)
    arena.lay("apple")
    assert arena.do("pickup") == "g - an apple."


def test_the_pack_has_an_end() -> None:
    arena = Arena(1)
    for _ in range(60):
        arena.give("mace")
    arena.lay("mace")
    assert "pack is full" in arena.do("pickup")
    assert len(arena.world.level.items_at(HERE)) == 1
