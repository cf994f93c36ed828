"""What a game of delve looks like: nothing that the hero does not know, in every size, without colour and in ASCII."""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.perception import describe
from nhlog.engines.delve.world.board import WIDTH
from nhlog.engines.delve.world.sight import look_around
from nhlog.engines.delve.world.state import CURSED, UNCURSED_KNOWN, Trap
from nhlog.engines.delve.world.terrain import CLOSED, LIT, OPEN, STAIRS_DOWN, TERRAINS, WATER
from nhlog.engines.protocol import NewGame
from nhlog.formats import open_recording
from nhlog.log.wire.lines import YesNoAnswer
from nhlog.savehead import HEAD_SIZE
from nhlog.screen import Screen
from nhlog.session import new_game
from nhlog.session.replay import GameReplay, with_engine
from nhlog.timeline import parse_position
from terminal.views import Viewpoint, view_of
from terminal.views.delve.view import CLIENT, PANELS, VIEW, draw
from tests.corpus import SAMPLES
from tests.engines.delve.arena import HERE, Arena

COLUMN, ROW = HERE % WIDTH, HERE // WIDTH + 1  # of the hero on a screen of 80 by 24


def rows(arena: Arena, width: int = 80, height: int = 24) -> list[str]:
    return draw(arena.game, width, height).text()


def test_the_screen_is_message_map_and_status() -> None:
    arena = Arena(1)
    arena.do(
        "search",
    )
    screen = rows(arena)
    assert len(screen) == 24
    assert screen[ROW][COLUMN] == "@"
    assert screen[4].strip() == "┌" + "─" * 41 + "┐"
    assert screen[18].strip() == "└" + "─" * 41 + "┘"
    assert screen[22].startswith("Tess the Shieldmaid")
    assert screen[23].startswith("Delve:1 $:0 HP:16(16)")
    assert screen[23].endswith("T:2")


def test_things_have_the_classic_symbols() -> None:
    arena = Arena(1)
    for across, name in enumerate(("dagger", "ring mail", "apple", "potion of sleep", "scroll of fire", "torch"), 2):
        arena.lay(name, across)
    for across, kind in ((-2, STAIRS_DOWN), (-3, WATER), (-4, OPEN), (-6, CLOSED)):
        arena.world.level.terrain[HERE + across] = kind | LIT
    arena.world.level.traps.append(Trap(1, HERE - 5, 1))
    arena.monster("cave ogre", 1)
    look_around(arena.world)
    assert rows(arena)[ROW][COLUMN - 6 : COLUMN + 8] == "+^|≈>·@O)[%!?("


def test_what_is_not_known_is_not_shown() -> None:
    arena = Arena(1)
    arena.world.level.memory[:] = bytes(len(arena.world.level.memory))
    arena.world.level.terrain[:] = bytes(byte & ~LIT for byte in arena.world.level.terrain)
    arena.world.level.traps.append(Trap(1, HERE + 1))
    arena.monster("cave rat", 5)
    arena.monster("whisper", 1)
    look_around(arena.world)
    screen = rows(arena)
    assert screen[ROW].strip() == "·@·"
    assert not any("r" in row for row in screen[1:22])


def test_what_is_remembered_is_dim_and_what_is_seen_is_not() -> None:
    arena = Arena(1)
    arena.lay("mace", 3)
    look_around(arena.world)
    assert not draw(arena.game, 80, 24).style_at(COLUMN + 3, ROW).dim
    arena.world.hero.blind = 9
    look_around(arena.world)
    assert draw(arena.game, 80, 24).style_at(COLUMN + 3, ROW).dim
    assert rows(arena)[ROW][COLUMN + 3] == ")"


def test_it_can_be_drawn_in_ascii() -> None:
    arena = Arena(1)
    arena.world.level.terrain[HERE + 1] = WATER | LIT
    look_around(arena.world)
    plain = draw(arena.game, 80, 24).ascii().text()
    assert all(row.isascii() for row in plain)
    assert "?" not in "".join(plain[1:22])
    assert plain[4].strip() == "-" + "-" * 41 + "-"


@pytest.mark.parametrize("symbol", [terrain.symbol for terrain in TERRAINS])
def test_every_terrain_has_an_ascii_symbol(symbol: str) -> None:
    screen = Screen(1, 1)
    screen.put(0, 0, symbol)
    assert screen.ascii().text() != ["?"]


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (30, 7), (40, 12), (80, 20), (80, 24), (120, 40), (200, 60)])
def test_every_size_shows_the_hero_or_nothing(size: tuple[int, int]) -> None:
    arena = Arena(1)
    for square in (HERE, 2 * WIDTH + 2):
        arena.world.hero.square = square
        screen = draw(arena.game, *size)
        assert (screen.width, screen.height) == size
        if size >= (7, 3):
            assert any("@" in row for row in screen.text())


def test_the_first_row_is_left_for_messages() -> None:
    arena = Arena(1)
    arena.world.say("Something happened.")
    assert rows(arena)[0] == ""


def test_more_room_shows_the_pack_and_the_levels() -> None:
    arena = Arena(1)
    arena.do("search")
    screen = rows(arena, 130, 40)
    assert any("a +1 long sword (wielded)" in row[80:] for row in screen)
    assert any("▶ Delve:1" in row for row in screen[24:])


@pytest.mark.parametrize(("size", "column"), [((120, 30), 82), ((80, 40), 0), ((200, 60), 82)])
def test_more_room_shows_the_messages_of_earlier_turns(size: tuple[int, int], column: int) -> None:
    with closing(open_recording(str(SAMPLES / "delve.nhgame"))) as lines:
        game = with_engine(lines)  # type: ignore[arg-type]
        game.seek(game.timeline.resolve(parse_position("turn:560")))
        shown = [row[column:] for row in VIEW.body(game, *size, Viewpoint()).text()]
        told = [told.text for piece in islice(game.messages(), 40) for told in reversed(piece)]
        assert "Messages" in shown
        assert sum(text in shown for text in told) > 5


def test_there_is_no_room_for_messages_on_a_usual_screen(replay: GameReplay) -> None:
    assert "Messages" not in "".join(VIEW.body(replay, 80, 24, Viewpoint()).text())


def test_the_panels_tell_what_the_hero_knows() -> None:
    arena = Arena(1, "Wizard")
    arena.give("mace", flags=CURSED | UNCURSED_KNOWN)
    told = {name: [text for text, _ in lines(arena.game)] for name, lines in PANELS.items()}
    assert "h - a cursed mace" in " ".join(told["inventory"]) or "a cursed mace" in " ".join(told["inventory"])
    assert any("wand of striking (" in row for row in told["discoveries"])
    assert told["overview"][1].startswith("▶ Delve:1")
    assert any("force bolt" in row for row in told["attributes"])


@pytest.fixture
def replay(tmp_path: Path) -> Iterator[GameReplay]:
    path = str(tmp_path / "game.nhgame")
    options = NewGame("Tess", "Valkyrie", "human", "female", "lawful", 0, 1)
    new_game(path, ENGINE, options).log.source.close()
    opened = open_recording(path)
    game = opened if isinstance(opened, GameReplay) else with_engine(opened)  # type: ignore[arg-type]
    assert isinstance(game, GameReplay)
    yield game
    game.close()


def test_a_log_of_the_game_is_shown_by_it(replay: GameReplay) -> None:
    assert view_of(replay.info.id) is VIEW
    assert VIEW.least(replay) == CLIENT
    game = ENGINE.load(replay.state.save[HEAD_SIZE:])
    assert VIEW.body(replay, 80, 24, Viewpoint()) == draw(game, 80, 24)
    assert set(VIEW.panels) == {"inventory", "discoveries", "overview", "attributes", "ledger", "legend"}
    for panel in VIEW.panels.values():
        assert panel(replay).height


def test_a_square_can_be_looked_at(replay: GameReplay) -> None:
    assert VIEW.look is not None
    glance = VIEW.look(replay, Viewpoint(), 0, 0)
    assert "Tess the Valkyrie, that is you" in glance.text
    x, y = glance.place(80, 24)
    assert VIEW.body(replay, 80, 24, Viewpoint()).text()[y][x] == "@"
    assert VIEW.look(replay, Viewpoint(), -500, 500).text.endswith(" (0,20)")


def test_a_score_of_nothing_has_no_parts() -> None:
    arena = Arena(1)
    arena.do("quit", answers=[YesNoAnswer("y")])
    assert not any("the score" in text for text, _ in PANELS["attributes"](arena.game))


def test_at_the_end_belongings_have_their_true_names_and_the_score_its_parts() -> None:
    arena = Arena(1)
    letter = arena.give("potion of sleep", flags=CURSED)
    arena.world.hero.gold = 30

    def told(name: str) -> str:
        return "\n".join(text for text, _ in PANELS[name](arena.game))

    assert f"{letter} - a cursed potion of sleep" not in told("inventory")
    assert "the score:" not in told("attributes")
    arena.do("quit", answers=[YesNoAnswer("y")])
    assert f"{letter} - a cursed potion of sleep" in told("inventory")
    assert "+30  gold" in told("attributes")
    assert not arena.known("potion of sleep")  # looking changes nothing


def test_what_is_worn_in_pairs_is_told_of_as_a_pair() -> None:
    arena = Arena(1)
    arena.lay("leather boots", 3)
    look_around(arena.world)
    assert describe(arena.game, HERE + 3).startswith("a pair of ")
