"""The rules of delve besides monsters and items: ways, doors, traps, levels, time, death."""

import pytest

from nhlog.engines.delve import ENGINE, DelveGame
from nhlog.engines.delve.board import INSIDE, SIZE, WIDTH, flood, square
from nhlog.engines.delve.dice import Dice
from nhlog.engines.delve.kinds import EMBER, KINDS, number_of
from nhlog.engines.delve.maps import STYLE_NAMES, new_level
from nhlog.engines.delve.naming import caption, letter_of
from nhlog.engines.delve.perception import attributes, describe, overview, status
from nhlog.engines.delve.score import score_of
from nhlog.engines.delve.sight import can_see, look_around
from nhlog.engines.delve.species import SPECIES, species_named
from nhlog.engines.delve.state import ASLEEP, HELD, Trap
from nhlog.engines.delve.terrain import (
    BROKEN,
    CLOSED,
    FLOOR,
    FOUNTAIN,
    GATE,
    LIT,
    LOCKED,
    OPEN,
    SECRET,
    STAIRS_DOWN,
    STAIRS_UP,
    WALK,
    WALL,
    WATER,
)
from nhlog.engines.delve.traps import TRAPS
from nhlog.engines.delve.wire import Bones, read_bones, write_bones
from nhlog.engines.prompts import AskPosition, AskText, AskYesNo, LookForBones
from nhlog.errors import Damaged
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument, PositionAnswer, TextAnswer, YesNoAnswer
from nhlog.log.wire.lines import Bones as BonesAnswer
from tests.engines.arena import HERE, Arena, until

PIT = next(number for number, trap in enumerate(TRAPS) if trap.name == "pit")
YES, NO = YesNoAnswer("y"), YesNoAnswer("n")
REACH = bytes(bool(walk) or byte & ~LIT in (CLOSED, LOCKED) for byte, walk in enumerate(WALK))


def text(words: str) -> TextAnswer:
    return TextAnswer(Blob.of(words.encode() + b"\0"))


def strong(seed: int = 1) -> Arena:
    return Arena(seed).strong()


def wizard(seed: int = 1) -> Arena:
    return Arena(seed, mode=2).strong()


def ground(arena: Arena, across: int, kind: int) -> None:
    arena.world.level.terrain[HERE + across] = kind | LIT
    look_around(arena.world)


# Levels.


@pytest.mark.parametrize("depth", range(1, 11))
def test_every_level_can_be_walked_from_stairs_to_stairs(depth: int) -> None:
    for seed in range(12):
        level = new_level(seed, depth)
        kinds = [byte & ~LIT for byte in level.terrain]
        start = kinds.index(GATE if depth == 1 else STAIRS_UP)
        steps = flood(level.terrain, start, REACH)
        if depth < 10:
            assert steps[kinds.index(STAIRS_DOWN)] < SIZE
        else:
            assert STAIRS_DOWN not in kinds
            (ember,) = (item for item in level.items if item is not None and item.kind == EMBER)
            assert steps[ember.place] < SIZE
        assert all(INSIDE[at] for at in range(SIZE) if WALK[level.terrain[at]])
        reached = sum(steps[at] < SIZE for at in range(SIZE) if WALK[level.terrain[at]])
        assert reached > 0.9 * sum(bool(WALK[byte]) for byte in level.terrain)
        assert len(level.live()) >= 4
        assert start not in level.occupants


def test_a_game_has_levels_of_at_least_five_styles() -> None:
    styles = {new_level(1, depth).style for depth in range(1, 11)}
    assert len(styles) >= 5
    assert len(STYLE_NAMES) == 7


def test_a_level_depends_on_the_seed_alone_not_on_what_was_played() -> None:
    first, second = wizard(4), wizard(4)
    second.wait(30)
    for arena in (first, second):
        arena.world.seed = 99
        arena.do("levelteleport", Argument("L", 5), answers=[BonesAnswer(None)])
    assert first.world.level.terrain == second.world.level.terrain


def test_a_level_that_was_left_is_as_it_was() -> None:
    arena = wizard()
    stone = arena.lay("mace", 5)
    terrain = bytes(arena.world.level.terrain)
    arena.do("levelteleport", Argument("L", 2))
    assert arena.game.state.endswith("Delve:2")
    arena.do("levelteleport", Argument("L", 1))
    assert bytes(arena.world.level.terrain) == terrain
    assert [item.kind for item in arena.world.level.items_at(HERE + 5)] == [stone.kind]
    assert next(text for text, here in overview(arena.game) if here).startswith("Delve:1")


def test_stairs_lead_to_stairs_and_those_beside_come_along() -> None:
    arena = strong()
    ground(arena, 0, STAIRS_DOWN)
    rat = arena.monster("cave rat", 1, hp=90)
    arena.wait()
    arena.world.level.move_monster(rat, HERE + 1) if rat.square != HERE + 1 else None
    arena.do("down")
    assert arena.game.state.endswith("Delve:2")
    assert arena.world.level.terrain[arena.world.hero.square] & ~LIT == STAIRS_UP
    assert rat in arena.world.level.live()
    arena.do("up")
    assert arena.game.state.endswith("Delve:1")


def test_without_stairs_there_is_no_way() -> None:
    arena = strong()
    turn = arena.game.turn
    assert "cannot go down" in arena.do("down")
    assert "cannot go up" in arena.do("up")
    assert arena.game.turn == turn


def test_away_from_the_stairs_one_walks_to_those_that_are_known() -> None:
    arena = strong()
    ground(arena, 4, STAIRS_DOWN)
    assert "set out" in arena.do("down")
    while arena.game.incomplete:
        arena.do("repeat")
    assert arena.world.hero.square == HERE + 4
    arena.do("down")
    assert arena.game.state.endswith("Delve:2")


def test_to_leave_without_the_ember_is_asked_and_ends_the_game() -> None:
    arena = strong()
    ground(arena, 0, GATE)
    arena.do("up", answers=[NO])
    assert arena.game.ending == ""
    arena.do("up", answers=[YES])
    assert arena.game.ending == "left the Delve without the Ember"


def test_with_the_ember_one_wins() -> None:
    arena = strong()
    ground(arena, 0, GATE)
    before = score_of(arena.world)
    arena.give("Ember of Aud")
    arena.do("up")
    assert arena.game.ending == "escaped with the Ember of Aud"
    assert score_of(arena.world) > before + 5000


def test_the_ember_gives_light_and_wakes_what_sleeps() -> None:
    arena = strong()
    arena.lay("Ember of Aud")
    rat = arena.monster("stone toad", 15, 4, flags=ASLEEP)
    assert "warm in your hand" in arena.do("pickup")
    arena.wait(2)
    assert not rat.flags & ASLEEP
    assert "Ember" in status(arena.game).conditions


# Sight.


def test_what_was_seen_is_remembered_and_what_is_dark_is_not_seen() -> None:
    arena = strong()
    level = arena.world.level
    assert can_see(arena.world, HERE + 20)
    level.terrain[:] = bytes(byte & ~LIT for byte in level.terrain)
    look_around(arena.world)
    assert not can_see(arena.world, HERE + 5)
    assert level.memory[HERE + 5] == FLOOR + 1
    assert describe(arena.game, HERE + 5) == "the floor, as you remember it"


def test_walls_and_closed_doors_stop_the_eye() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    ground(arena, 3, CLOSED)
    assert not can_see(arena.world, HERE + 6)
    ground(arena, 3, OPEN)
    assert can_see(arena.world, HERE + 6)


def test_a_hidden_door_looks_like_the_wall() -> None:
    arena = strong()
    ground(arena, 1, SECRET)
    assert describe(arena.game, HERE + 1) == "a wall"


# Ways.


def test_a_step_takes_a_turn_and_a_wall_none() -> None:
    arena = strong()
    arena.towards("move", 0)
    assert arena.game.here[1] == HERE % WIDTH - 1
    turn = arena.game.turn
    ground(arena, 0, WALL)
    arena.towards("move")
    assert arena.game.turn == turn


def test_deep_water_is_not_walked_into_but_floated_over() -> None:
    arena = strong()
    ground(arena, 1, WATER)
    assert "too deep" in arena.towards("move")
    arena.world.hero.floating = 9
    arena.towards("move")
    assert arena.world.hero.square == HERE + 1


def test_who_floats_too_long_over_water_is_dragged_away() -> None:
    arena = strong()
    ground(arena, 0, WATER)
    arena.world.hero.floating = 2
    arena.wait(1)
    assert arena.world.hero.square == HERE
    assert "a current drags you away" in arena.wait(2)
    assert arena.world.hero.square != HERE


def test_running_is_one_turn_a_command_and_stops_by_itself() -> None:
    arena = strong()
    arena.towards("run")
    assert arena.world.hero.square == HERE + 1
    commands = 1
    while arena.game.incomplete:
        arena.do("repeat")
        commands += 1
    assert arena.world.hero.square == square(60, 10)
    assert commands == arena.game.turn


def test_what_comes_into_view_stops_a_run() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 8 + WIDTH * down] = WALL | LIT
    ground(arena, 8, BROKEN)
    arena.world.level.terrain[HERE + 8 - WIDTH] = BROKEN | LIT
    arena.monster("grey jelly", 12, -5)
    arena.towards("run")
    places = []
    while arena.game.incomplete:
        arena.do("repeat")
        places.append(arena.world.hero.square - HERE)
    assert can_see(arena.world, HERE + 12 - 5 * WIDTH)
    assert places[-1] < 8


def test_damage_stops_a_long_search() -> None:
    arena = strong()
    arena.do("search", Argument("L", 50))
    assert arena.game.incomplete
    arena.world.hero.poisoned = 3
    arena.do("repeat")
    assert not arena.game.incomplete


def test_travel_asks_where_and_goes_there() -> None:
    arena = strong()
    arena.do("travel", answers=[PositionAnswer((50, 14, "."))])
    assert isinstance(arena.asked[0], AskPosition)
    for _ in range(30):
        if arena.game.incomplete:
            arena.do("repeat")
    assert arena.game.here[1:] == (50, 14)


def test_travel_goes_around_known_traps_and_through_doors() -> None:
    arena = strong()
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    arena.world.level.terrain[HERE + 3] = CLOSED | LIT
    look_around(arena.world)
    arena.world.level.memory[HERE + 5] = FLOOR + 1
    arena.do("travel", Argument("P", (HERE % WIDTH + 5, 10)))
    for _ in range(12):
        if arena.game.incomplete:
            arena.do("repeat")
    assert arena.world.hero.square == HERE + 5


def test_what_holds_the_hero_must_be_torn_off() -> None:
    arena = strong()
    arena.monster("pale lichen", 1, hp=90, flags=HELD)
    arena.world.hero.strength = 3
    told = arena.towards("move", 0)
    assert "cannot get away" in told or "tear yourself away" in told
    assert arena.world.hero.square == HERE


# Doors.


def test_doors_open_by_walking_and_by_hand_and_close() -> None:
    arena = strong()
    ground(arena, 1, CLOSED)
    arena.towards("move")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == OPEN
    arena.towards("close")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == CLOSED
    arena.towards("open")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == OPEN


def test_a_locked_door_is_kicked_in() -> None:
    arena = strong()
    ground(arena, 1, LOCKED)
    assert "locked" in arena.towards("open")
    for _ in range(20):
        arena.towards("kick")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == BROKEN


def test_searching_finds_doors_and_traps() -> None:
    arena = strong()
    ground(arena, 1, SECRET)
    arena.world.level.traps.append(Trap(PIT, HERE - 1))
    for _ in range(40):
        arena.do("search")
    assert arena.world.level.terrain[HERE + 1] & ~LIT == CLOSED
    assert arena.world.level.traps[0].seen  # type: ignore[union-attr]


# Traps.


@pytest.mark.parametrize("number", range(1, len(TRAPS)))
def test_a_trap_springs_is_known_and_is_asked_about_then(number: int) -> None:
    arena = strong()
    arena.world.level.traps.append(Trap(number, HERE + 1))
    before = (arena.world.hero.hp, arena.world.hero.square, arena.game.turn)
    told = arena.towards("move")
    name = TRAPS[number].name
    hero = arena.world.hero
    happened = {
        "dart trap": "dart" in told,
        "pit": hero.stuck > 0,
        "snare": hero.stuck > 0,
        "alarm wire": "bells" in told,
        "sleep gas vent": arena.game.turn > before[2] + 4,
        "trapdoor": arena.game.state.endswith("Delve:2"),
        "fire jet": hero.hp < before[0],
        "standing stone of elsewhere": "somewhere else" in told,
    }
    assert happened[name]
    if name == "trapdoor":
        return
    assert arena.world.level.traps[0].seen  # type: ignore[union-attr]
    hero.stuck = 0
    hero.square = HERE
    arena.do("move", Argument("D", 4), answers=[NO])
    assert isinstance(arena.asked[-1], AskYesNo)
    assert hero.square == HERE


def test_who_floats_touches_no_trap() -> None:
    arena = strong()
    arena.world.level.traps.append(Trap(PIT, HERE + 1))
    arena.world.hero.floating = 9
    arena.towards("move")
    assert arena.world.hero.stuck == 0


# The body.


def test_hunger_comes_in_steps_and_ends_in_death() -> None:
    arena = strong()
    words = []
    for nutrition in (1200, 500, 100, 20, -5):
        arena.world.hero.nutrition = nutrition
        words.append(list(status(arena.game).conditions))
    assert words == [["Satiated"], [], ["Hungry"], ["Weak"], ["Fainting"]]
    arena.world.hero.nutrition = -150
    arena.wait(1)
    assert arena.game.ending == "died of starvation"


def test_wounds_heal_with_time() -> None:
    arena = Arena(1)
    arena.world.hero.hp = 5
    arena.wait(60)
    assert arena.world.hero.hp > 8


def test_a_spring_heals_faster() -> None:
    arena = Arena(1)
    ground(arena, 0, FOUNTAIN)
    arena.world.hero.hp = 5
    arena.wait(8)
    assert arena.world.hero.hp == 13


def test_experience_raises_the_level() -> None:
    arena = strong()
    arena.monster("cave ogre", 1, hp=1)
    while arena.world.level.live():
        arena.towards("fight")
    assert arena.world.hero.level > 1
    assert arena.world.hero.kills == 1
    assert any("1 kill" in line for line in attributes(arena.game))


def test_prayer_helps_once_in_need_and_not_soon_again() -> None:
    arena = Arena(1)
    arena.world.hero.hp = 1
    assert "much better" in arena.do("pray", answers=[YES])
    assert arena.world.hero.hp > 10
    arena.world.hero.hp = 10
    assert "warm" not in arena.do("pray", answers=[YES])


def test_prayer_can_be_thought_better_of() -> None:
    arena = Arena(1)
    turn = arena.game.turn
    arena.do("pray", answers=[NO])
    assert arena.game.turn == turn


def test_words_stay_in_the_dust_and_wear() -> None:
    arena = strong()
    arena.do("engrave", answers=[text("beware")])
    assert isinstance(arena.asked[0], AskText)
    assert 'written: "beware"' in arena.do("look")
    for _ in range(5):
        arena.towards("move", 4)
        arena.towards("move", 0)
    assert arena.world.level.engraving_at(HERE) is None


def test_the_first_welcome_has_a_hint_and_the_next_is_short() -> None:
    arena = Arena(1)
    assert "? all keys" in arena.do("welcome")
    assert "Welcome back" in arena.do("welcome")


# The end.


def died(seed: int = 1, mode: int = 0, depth: int = 1) -> Arena:
    arena = Arena(seed, mode=mode, depth=depth)
    arena.give("mace")
    arena.world.hero.hp = 1
    arena.monster("cave ogre", 1, hp=90)
    return arena


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


def test_to_quit_is_asked() -> None:
    arena = Arena(1)
    arena.do("quit", answers=[NO])
    assert arena.game.ending == ""
    arena.do("quit", answers=[YES])
    assert arena.game.ending == "quit"


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


def arrived(answer: BonesAnswer) -> Arena:
    def looked(arena: Arena) -> bool:
        arena.do("levelteleport", Argument("L", 3), answers=[answer])
        return bool(arena.asked)

    return until(looked, wizard)


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


# Wizard mode.


def test_wishes_are_granted_in_wizard_mode_alone() -> None:
    arena = wizard()
    assert "3 blessed potions of healing" in _said(arena, "3 blessed potion of healing")
    assert "+3 plate mail" in _said(arena, "a +3 plate mail")
    assert "Nothing of that name" in _said(arena, "a pony")
    assert "Only in wizard mode" in Arena(1).do("wish")


def _said(arena: Arena, wish: str) -> str:
    told = arena.do("wish", answers=[text(wish)])
    arena.do("identify")
    rows = [letter_of(slot) for slot, item in enumerate(arena.world.hero.pack) if item is not None]
    assert rows
    return told + " ".join(caption(arena.world.lore, item) for item in arena.world.hero.pack if item is not None)


def test_every_kind_can_be_wished_for_and_every_species_created() -> None:
    arena = wizard()
    for kind in KINDS[1:]:
        if kind.name == "corpse":
            continue
        arena.world.hero.pack[:] = [None] * len(arena.world.hero.pack)
        before = arena.world.hero.gold
        arena.do("wish", answers=[text(kind.name)])
        assert arena.world.hero.gold > before or any(
            item is not None and KINDS[item.kind] is kind for item in arena.world.hero.pack
        )
    for species in SPECIES[1:]:
        arena.do("create", answers=[text(species.name)])
        (monster,) = arena.world.level.live()
        assert SPECIES[monster.species] is species
        arena.world.level.remove_monster(monster)


def test_the_map_is_shown_in_wizard_mode_alone() -> None:
    for arena, shown in ((wizard(), True), (Arena(1), False)):
        arena.world.level.memory[:] = bytes(SIZE)
        arena.do("map")
        assert bool(arena.world.level.memory[square(25, 6)]) is True or not shown
        assert (arena.world.level.memory[square(20, 4)] != 0) or not shown
