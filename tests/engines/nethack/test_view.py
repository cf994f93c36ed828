"""How a game of NetHack looks: as NetHack drew it, on terminals of any size."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.engines.protocol import NewGame
from nhlog.session.replay import GameReplay
from terminal.replay.open import open_viewed
from terminal.views import Viewpoint
from terminal.views.nethack.view import VIEW
from tests.engines.nethack.games import Player, begin
from tests.engines.nethack.installed import needs_nethack

pytestmark = needs_nethack


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("view") / "game.nhgame"
    begin(made)
    with Player(made) as player:
        player.press("\ri")
    return made


@pytest.fixture
def replay(path: Path) -> Iterator[GameReplay]:
    with closing(open_viewed(str(path))) as opened:
        assert isinstance(opened, GameReplay)
        opened.seek(opened.timeline.last)
        yield opened


def test_it_looks_as_nethack_drew_it(replay: GameReplay) -> None:
    shown = VIEW.body(replay, 80, 24, Viewpoint())
    screen = replay.session.game.record()["screen"]
    assert [row.rstrip() for row in shown.text()] == [row.rstrip() for row in screen]
    x, y = replay.session.game.record()["cursor"].values()
    assert shown.style_at(x, y).reverse
    assert "a - a +1 long sword (weapon in hand)" in "\n".join(shown.text())


def test_the_pack_stands_beside_it_where_there_is_room(replay: GameReplay) -> None:
    assert "food ration" in "\n".join(row[81:] for row in VIEW.body(replay, 120, 30, Viewpoint()).text())


def test_the_levels_where_the_hero_has_been_stand_below_the_pack(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path, NewGame("Ann", "Wizard", "human", "female", "neutral", 2, 7))
    with Player(path) as player:
        for level in "352":
            player.press(f"\r\x16{level}\r\r\r")
    with closing(open_viewed(str(path))) as opened:
        opened.seek(opened.timeline.last)
        for height in (24, 40):
            beside = [row[81:].rstrip() for row in VIEW.body(opened, 100, height, Viewpoint()).text()]
            assert beside[-2:] == ["levels", "Dungeons 1-3 5"]
        assert [row[81:].rstrip() for row in VIEW.body(opened, 100, 10, Viewpoint()).text()][-4:-2] == ["...", ""]
        opened.seek(0)
        assert VIEW.body(opened, 100, 40, Viewpoint()).text()[-1][81:].rstrip() == "Dungeons 1"


@pytest.mark.parametrize("size", [(1, 1), (40, 10), (79, 23), (200, 60)])
def test_a_terminal_of_any_size_has_the_cursor_in_it(replay: GameReplay, size: tuple[int, int]) -> None:
    shown = VIEW.body(replay, *size, Viewpoint())
    assert (shown.width, shown.height) == size
    styles = [shown.style_at(x, y) for y in range(shown.height) for x in range(shown.width)]
    assert sum(style.reverse for style in styles) >= 1


def test_a_square_is_told_in_words_where_it_is_drawn(replay: GameReplay) -> None:
    """Also under the menu that covers a part of the map."""
    assert VIEW.look is not None
    x, y = replay.session.game.here[1:]
    rows = replay.session.game.record()["map"]
    (dog,) = [(column, row) for row, text in enumerate(rows) for column, char in enumerate(text) if char in "df"]
    found = VIEW.look(replay, Viewpoint(), dog[0] - x, dog[1] - y)
    assert found.text in ("tame kitten", "tame little dog")
    assert found.place(80, 24) == (dog[0], dog[1] + 1)
    assert VIEW.look(replay, Viewpoint(), 0, 0).text == "valkyrie"
    assert VIEW.look(replay, Viewpoint(), 90, 0).text == "nothing is known of that"


def test_its_panels_and_facts_are_those_of_the_save(replay: GameReplay) -> None:
    assert "a - a +1 long sword" in "\n".join(VIEW.panels["inventory"](replay).text())
    assert "strength" in "\n".join(VIEW.panels["attributes"](replay).text())
    assert ("HP", "16(16)") in VIEW.facts(replay)
