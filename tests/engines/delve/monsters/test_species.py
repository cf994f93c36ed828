"""Each species does what it is there for."""

import pytest

from nhlog.engines.delve.combat.harm import frighten
from nhlog.engines.delve.monsters.minds import MINDS
from nhlog.engines.delve.world.board import WIDTH, distance
from nhlog.engines.delve.world.kinds import GOLD, number_of
from nhlog.engines.delve.world.species import SPECIES, species_named
from nhlog.engines.delve.world.state import ASLEEP, CARRIED, DISGUISED, FLEEING, HELD, HURRIED, WIELDED, WORN, Item
from nhlog.engines.delve.world.terrain import CLOSED, FLOOR, LIT, OPEN, ROCK, WALL, WATER
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument
from tests.engines.delve.arena import HERE, Arena, strong, until


def fill(arena: Arena, kind: int, left: int, right: int) -> None:
    """Another ground in columns so far from the hero."""
    level = arena.world.level
    for at in range(len(level.terrain)):
        if left <= at % WIDTH - HERE % WIDTH <= right and level.terrain[at] == FLOOR | LIT:
            level.terrain[at] = kind | LIT


def test_there_are_more_than_24_species_with_more_than_12_minds() -> None:
    assert len(SPECIES) > 24 + 1
    assert {species.mind for species in SPECIES} == set(MINDS)
    assert len(MINDS) > 12


@pytest.mark.parametrize("number", range(1, len(SPECIES)))
def test_every_species_lives_beside_a_hero_for_a_while(number: int) -> None:
    arena = strong(number)
    arena.monster(SPECIES[number].name, 3, hp=200)
    for _ in range(40):
        arena.do("search")
        arena.do("fight", Argument("D", 4))
        assert arena.game.ending == "" or arena.world.hero.hp <= 0


@pytest.mark.parametrize("name", ["cave rat", "goblin miner", "lurking ghoul", "cave ogre", "wight", "berserker"])
def test_a_hunter_comes_and_strikes(name: str) -> None:
    arena = strong(1)
    monster = arena.monster(name, 6, hp=50)
    arena.wait(14)
    assert distance(monster.square, HERE) == 1
    assert arena.world.hero.hp < 900 or "misses you" in arena.wait(5)


def test_a_hunter_finds_the_way_around_a_wall() -> None:
    arena = strong(1)
    for down in range(-4, 5):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
    monster = arena.monster("cave rat", 6, goal=HERE)
    arena.wait(25)
    assert distance(monster.square, HERE) == 1


def test_only_hands_open_doors() -> None:
    for name, opens in (("goblin miner", True), ("cave rat", False)):
        arena = strong(1)
        for down in range(-6, 7):
            arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL | LIT
        arena.world.level.terrain[HERE + 3] = CLOSED | LIT
        arena.monster(name, 5, goal=HERE)
        arena.wait(12)
        assert (arena.world.level.terrain[HERE + 3] & ~LIT == OPEN) is opens


def test_a_bat_flutters_and_does_not_stay() -> None:
    arena = strong(1)
    bat = arena.monster("bat", 4, hp=50)
    places = set()
    for _ in range(30):
        arena.wait()
        places.add(bat.square)
    assert len(places) > 12


def test_a_tunnel_imp_throws_darts() -> None:
    arena = until(lambda arena: "throws a dart" in (arena.monster("tunnel imp", 5) and arena.wait(3)), strong)
    assert any(item is not None and item.kind == number_of("dart") for item in arena.world.level.items) or (
        arena.world.hero.hp < 900
    )


def test_a_dead_archer_shoots_from_afar_and_keeps_away() -> None:
    arena = strong(2)
    archer = arena.monster("dead archer", 6, hp=50)
    told = arena.wait(12)
    assert "shoots an arrow" in told
    assert distance(archer.square, HERE) > 1


def test_a_lichen_sticks_and_holds() -> None:
    arena = strong(1)
    lichen = arena.monster("pale lichen", 1, hp=500)
    arena.wait(10)
    assert lichen.flags & HELD
    arena.world.hero.strength = 3
    told = " ".join(arena.towards("move", 0) for _ in range(2))
    assert "get away" in told or "tear yourself" in told


def test_a_dust_beetle_minds_its_own_business_until_it_is_hurt() -> None:
    arena = strong(1)
    beetle = arena.monster("dust beetle", 5, 2)
    arena.wait(4)
    beetle.hp -= 1
    beetle.goal = HERE
    arena.wait(15)
    assert distance(beetle.square, HERE) == 1


def test_a_pack_wakes_together_and_a_wounded_hound_alone_keeps_off() -> None:
    arena = strong(1)
    first = arena.monster("gaunt hound", 6)
    second = arena.monster("gaunt hound", 6, 3, flags=ASLEEP)
    arena.wait(2)
    assert first.goal
    assert not second.flags & ASLEEP
    lone = strong(2)
    hound = lone.monster("gaunt hound", 2, hp=3, most=20)
    away = 0
    for _ in range(12):
        lone.wait()
        away += distance(hound.square, HERE) > 1
    assert away > 4


def test_a_shrieking_cap_wakes_the_level() -> None:
    arena = strong(1)
    arena.monster("shrieking cap", 4)
    sleeper = arena.monster("cave rat", 15, 4, flags=ASLEEP)
    assert "shrieks!" in arena.wait(20)
    assert not sleeper.flags & ASLEEP


def test_a_coin_imp_takes_gold_and_vanishes() -> None:
    arena = strong(1)
    arena.world.hero.gold = 100
    imp = arena.monster("coin imp", 1, hp=90)
    assert "from your purse" in arena.wait(10)
    assert arena.world.hero.gold < 100
    (loot,) = arena.world.level.items_at(CARRIED + arena.world.level.slot_of(imp))
    assert loot.kind == GOLD
    assert loot.count + arena.world.hero.gold == 100
    assert imp.flags & FLEEING


def test_a_thief_that_is_killed_drops_what_it_took() -> None:
    arena = strong(1)
    arena.world.hero.gold = 100
    imp = arena.monster("coin imp", 1, hp=90)
    arena.wait(10)
    arena.world.level.move_monster(imp, HERE + 1)
    imp.hp = 1
    while imp.hp > 0:
        arena.towards("fight")
        if imp.hp > 0:
            arena.world.level.move_monster(imp, HERE + 1)
    assert [item.count for item in arena.world.level.items if item is not None and item.kind == GOLD] != []


def test_grey_jelly_waits_and_splashes_acid() -> None:
    arena = strong(1)
    jelly = arena.monster("grey jelly", 1, hp=200)
    arena.wait(5)
    assert arena.world.hero.hp == 900
    assert "splashed by its acid" in " ".join(arena.towards("fight") for _ in range(20))
    assert jelly.square == HERE + 1


def test_a_goblin_miner_runs_when_it_is_badly_hurt() -> None:
    arena = strong(1)
    goblin = arena.monster("goblin miner", 1, hp=2, most=20)
    arena.wait(12)
    assert goblin.flags & FLEEING or distance(goblin.square, HERE) > 2


def test_a_cinder_mote_bursts() -> None:
    arena = strong(1)
    mote = arena.monster("cinder mote", 1)
    assert "bursts into flame" in arena.wait(8)
    assert mote not in arena.world.level.live()
    assert arena.world.hero.hp < 900


def test_a_viper_lies_in_wait_and_poisons() -> None:
    arena = strong(1)
    viper = arena.monster("cave viper", 8)
    arena.wait(5)
    assert viper.square == HERE + 8
    arena.world.level.move_monster(viper, HERE + 2)
    arena.wait(25)
    assert arena.world.hero.poisoned or arena.world.hero.hp < 895


def test_a_mimic_looks_like_a_thing_until_it_is_touched() -> None:
    arena = strong(1)
    mimic = arena.monster("glue mimic", 1)
    assert mimic.flags & DISGUISED
    arena.wait(3)
    assert mimic.square == HERE + 1
    assert "stuck to it" in arena.towards("move")
    assert not mimic.flags & DISGUISED


def test_a_packrat_gathers_and_steals() -> None:
    arena = strong(1)
    arena.lay("apple", 3)
    rat = arena.monster("packrat", 5)
    arena.wait(6)
    assert arena.world.level.items_at(CARRIED + arena.world.level.slot_of(rat))
    thief = until(
        lambda arena: "steals" in (arena.monster("packrat", 1, hp=90) and arena.wait(12)),
        strong,
    )
    for item in thief.world.level.items:
        assert item is None or not item.flags & (WIELDED | WORN)


def test_a_ghoul_paralyses_but_not_for_ever() -> None:
    arena = until(
        lambda arena: "You cannot move!" in (arena.monster("lurking ghoul", 1, hp=90) and arena.wait(6)), strong
    )
    assert arena.world.helpless == 0
    assert "You can move again." in " ".join(arena.game.messages) or not arena.game.ending


def test_freedom_protects_from_the_ghoul() -> None:
    arena = strong(1)
    arena.with_item("puton", arena.give("ring of freedom"))
    arena.monster("lurking ghoul", 1, hp=90)
    told = arena.wait(30)
    assert "You stiffen for a moment." in told
    assert "You cannot move!" not in told


def test_an_ooze_splits_when_it_is_hurt() -> None:
    arena = strong(1)
    arena.monster("splitting ooze", 1, hp=60)
    for _ in range(8):
        arena.towards("fight")
    oozes = [monster for monster in arena.world.level.live() if SPECIES[monster.species].name == "splitting ooze"]
    assert len(oozes) > 1


def test_a_rust_moth_eats_iron_and_leaves_leather() -> None:
    arena = strong(1)
    arena.world.hero.pack[0] = None
    for item in list(arena.world.worn()):
        item.flags &= ~WORN
    cap = arena.give("iron cap")
    arena.with_item("wear", cap)
    arena.monster("rust moth", 1, hp=90)
    arena.wait(25)
    assert -3 <= arena.item(cap).bonus < 0


def test_a_blinking_hound_comes_out_of_nowhere() -> None:
    arena = strong(1)
    hound = arena.monster("blinking hound", 10, hp=90)
    leaps = 0
    for _ in range(15):
        before = hound.square
        arena.wait()
        leaps += distance(before, hound.square) > 3
    assert leaps


def test_a_whisper_is_not_seen_without_true_sight() -> None:
    arena = strong(1)
    arena.monster("whisper", 1, hp=90)
    assert "It hits you" in arena.wait(12)
    arena.with_item("puton", arena.give("ring of true sight"))
    assert "The whisper" in arena.wait(12)


def test_a_bone_caller_calls_the_dead() -> None:
    arena = strong(1)
    arena.monster("bone caller", 6, hp=90)
    assert "Bones rise" in arena.wait(25)
    assert any(monster.species == species_named("rattling bones") for monster in arena.world.level.live())


def test_a_drowned_miner_swims_and_holds() -> None:
    arena = strong(1)
    fill(arena, WATER, 2, 6)
    miner = arena.monster("drowned miner", 6, hp=90)
    told = arena.wait(25)
    assert distance(miner.square, HERE) == 1
    assert "grabs you" in told


def test_an_eel_stays_in_the_water_and_pulls() -> None:
    arena = strong(1)
    fill(arena, WATER, 1, 6)
    eel = arena.monster("blind eel", 6, hp=90)
    told = arena.wait(25)
    assert arena.world.level.terrain[eel.square] & ~LIT == WATER
    assert "coils around you" in told
    dry = strong(2)
    fill(dry, WATER, 4, 6)
    dry.monster("blind eel", 6, hp=90)
    dry.wait(20)
    assert dry.world.hero.hp == 900


def test_a_stone_toad_sleeps_deep_and_strikes_hard() -> None:
    arena = strong(1)
    toad = arena.monster("stone toad", 7, flags=ASLEEP)
    arena.wait(1)
    assert toad.flags & ASLEEP
    awake = strong(1)
    awake.monster("stone toad", 1, hp=90)
    before = awake.world.hero.hp
    awake.wait(12)
    assert before - awake.world.hero.hp >= 6


def test_a_mender_heals_others() -> None:
    arena = strong(1)
    ogre = arena.monster("cave ogre", 8, 4, hp=10, most=40, flags=ASLEEP, timer=100)
    arena.monster("mender", 9, 4)
    arena.wait(6)
    assert ogre.hp > 10


def test_a_berserker_rages_when_it_is_wounded() -> None:
    arena = strong(1)
    berserker = arena.monster("berserker", 1, hp=21, most=40)
    for _ in range(10):
        arena.towards("fight")
        if berserker.hp <= 0 or berserker.flags & HURRIED:
            break
    assert berserker.flags & HURRIED


def test_a_rock_worm_digs_a_tunnel() -> None:
    arena = strong(1)
    for down in range(-6, 7):
        for across in (3, 4):
            arena.world.level.terrain[HERE + across + WIDTH * down] = ROCK
    worm = arena.monster("rock worm", 6, hp=90, goal=HERE)
    arena.wait(25)
    assert distance(worm.square, HERE) == 1


@pytest.mark.parametrize("name", ["shade", "ghost"])
def test_a_spirit_goes_through_walls(name: str) -> None:
    arena = strong(1)
    for down in range(-6, 7):
        arena.world.level.terrain[HERE + 3 + WIDTH * down] = WALL
    spirit = arena.monster(name, 6, hp=90, goal=HERE)
    arena.wait(25)
    assert distance(spirit.square, HERE) == 1


@pytest.mark.parametrize("number", range(1, len(SPECIES)))
def test_every_species_flees_when_it_is_frightened(number: int) -> None:
    arena = strong(number)
    if "waterbound" in SPECIES[number].traits:
        fill(arena, WATER, -10, 10)
    monster = arena.monster(SPECIES[number].name, 2, hp=200)
    frighten(arena.world, monster, 30)
    arena.wait(12)
    stays = (
        {"rooted", "waterbound"} & SPECIES[number].traits
        or SPECIES[number].speed < 6
        or "Warden" in SPECIES[number].name
    )
    assert stays or not monster.flags & FLEEING or distance(monster.square, arena.world.hero.square) > 3


def test_a_giant_is_slow_and_throws_boulders() -> None:
    arena = strong(1)
    giant = arena.monster("stone giant", 8, hp=90)
    assert "hurls a boulder" in arena.wait(12)
    assert distance(giant.square, HERE) > 1


def test_a_wight_drains_experience_but_not_through_a_warded_cloak() -> None:
    arena = strong(1)
    arena.world.hero.level = 5
    arena.monster("wight", 1, hp=90)
    arena.wait(40)
    assert arena.world.hero.level < 5
    warded = strong(1)
    warded.world.hero.level = 5
    warded.with_item("wear", warded.give("cloak of warding"))
    warded.monster("wight", 1, hp=90)
    warded.wait(40)
    assert warded.world.hero.level == 5


def test_a_troll_rises_once_more() -> None:
    arena = strong(1)
    arena.world.hero.level = 15
    troll = arena.monster("troll of the deep", 1, hp=8, most=30)
    told = ""
    for _ in range(10):
        told += arena.towards("fight")
        if "wounds are closing" in told:
            break
    assert troll in arena.world.level.live()
    for _ in range(30):
        told += arena.towards("fight")
    assert "You kill the troll" in told


def test_a_drake_breathes_fire_along_lines() -> None:
    arena = strong(1)
    arena.monster("ash drake", 5, hp=90)
    assert "breathes fire" in arena.wait(15)


def test_the_warden_calls_hounds_and_does_not_fear_words() -> None:
    arena = strong(1)
    arena.monster("Warden of Ash", 3, hp=300)
    arena.do("engrave", Argument("T", _text("AUD")))
    told = arena.wait(30)
    assert "Warden of Ash hits you" in told
    assert "the ashes answer" in told


def test_others_fear_the_word() -> None:
    arena = strong(1)
    arena.world.dice.state = 5
    arena.do("engrave", Argument("T", _text("Aud!")))
    arena.monster("cave ogre", 1, hp=90)
    lost = 900 - arena.wait(6).count("hits you")
    assert lost > 897
    assert arena.world.level.engraving_at(HERE) is not None


def test_a_sleeper_wakes_near_a_hero_without_stealth() -> None:
    arena = Arena(1, "Priest").strong()
    rat = arena.monster("cave rat", 4, flags=ASLEEP)
    arena.wait(20)
    assert not rat.flags & ASLEEP


def test_what_it_carries_stays_when_a_monster_leaves_the_level() -> None:
    arena = strong(1)
    rat = arena.monster("packrat", 3)
    level = arena.world.level
    assert level.add_item(Item(number_of("apple")), CARRIED + level.slot_of(rat))
    level.remove_monster(rat)
    assert [item.kind for item in level.items_at(HERE + 3)] == [number_of("apple")]


def _text(words: str) -> Blob:
    return Blob.of(words.encode() + b"\0")
