"""What only wizard mode permits."""

from nhlog.engines.delve.world.board import SIZE, square
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.names import caption, letter_of
from nhlog.engines.delve.world.species import SPECIES
from tests.engines.delve.arena import Arena, text, wizard


def _said(arena: Arena, wish: str) -> str:
    told = arena.do("wish", answers=[text(wish)])
    arena.do("identify")
    rows = [letter_of(slot) for slot, item in enumerate(arena.world.hero.pack) if item is not None]
    assert rows
    return told + " ".join(caption(arena.world.lore, item) for item in arena.world.hero.pack if item is not None)


def test_wishes_are_granted_in_wizard_mode_alone() -> None:
    arena = wizard()
    assert "3 blessed potions of healing" in _said(arena, "3 blessed potion of healing")
    assert "+3 plate mail" in _said(arena, "a +3 plate mail")
    assert "Nothing of that name" in _said(arena, "a pony")
    assert "Only in wizard mode" in Arena(1).do("wish")


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
