"""What a game may have that others do not: all keys, letters in its menus, screens and windows of its own."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nhlog.config import Choice as Chosen
from nhlog.engines.prompts import AskMenu, AskScreen, Choice, Prompt, question_of
from nhlog.engines.protocol import Binding
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command, KeyAnswer, Line, MenuAnswer
from nhlog.screen import Style
from nhlog.session import Session, new_game
from nhlog.session.replay import GameReplay
from nhlog.testing.engines import EngineContract, every_answer
from nhlog.testing.players import RandomPlayer
from terminal.play.controller import PLAY_KEYS, PlayController
from terminal.play.drawing import draw_game
from terminal.play.loop import joined
from terminal.prompts.drawing import draw_prompt
from terminal.prompts.inputs import prompt_input
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.screen.keys import Bound, as_they_are, key_code, key_label
from terminal.views import View, view_of
from tests.session.toy import Toy, ToyGame, options
from tests.terminal.play.test_controller import first_row, typed, written

RED = Style(fg=1)
ROWS = ("", "  A scroll of the game's own", "", "  It goes on.", "--More--")
PAGE = AskScreen(tuple(tuple((char, RED) for char in row) for row in ROWS), " \r\x1b")
TITLES = ("A long text", *(f"Row {number} of a long text" for number in range(30)))
WINDOW = AskMenu("A window", tuple(Choice(0, row) for row in TITLES), 0)
ARMS = (Choice(0, "Weapons"), Choice(4, "a sword", "$"), Choice(5, "a bow", "<"), Choice(6, "a rope"))
PACK = AskMenu("Use what?", ARMS, 1)
CODES = [("x", 120), ("escape", 27), ("ctrl-x", 24), ("tab", 9), ("backspace", 8), ("é", 233)]
KEYS = {
    "i": "pack",
    "?": "help",
    "ctrl-x": "read",
    "\\": "type",
    "5": "search",
    "R": "recite",
    "S": "look",
    "h": "move",
    "alt-p": "recite",
}


class DoorsGame(ToyGame):
    def run(self, command: Command) -> Generator[Prompt, Line, None]:
        prompts = {"pack": PACK, "help": PAGE, "read": WINDOW, "type": AskScreen(PAGE.cells)}
        if command.name in prompts:
            self.messages = ["You stop."]
            answer = yield prompts[command.name]
            self.messages.append(f"You answer {answer.format().decode()}.")
            self.turn += 1
        else:
            yield from super().run(command)


class Doors(Toy):
    """An engine that claims its keys."""

    prefix = "f1"
    bindings = tuple(
        Binding(key, Command(name), "", "Game", f"{name} by {key_label(key)}") for key, name in KEYS.items()
    )
    commands = Toy.commands | dict.fromkeys(("pack", "help", "read", "type"), "")

    def new(self, options: object) -> DoorsGame:
        return DoorsGame(1, 5, 0)

    def load(self, save: bytes) -> DoorsGame:
        toy = super().load(save)
        return DoorsGame(toy.turn, toy.total, toy.spoiled, toy.ending, tuple(toy.messages))


@contextmanager
def entered(tmp_path: Path, view: View, bound: Bound = as_they_are) -> Iterator[PlayController]:
    """A seat at a new game, already entered."""
    path = str(tmp_path / "doors.nhgame")
    new_game(path, Doors(), options()).log.source.close()
    with ExitStack() as stack:
        log = Log(stack.enter_context(LogFile(path, writable=True)))
        controller = PlayController(
            GameReplay(Session(log, Doors(), writer=Writer(log)), LogReplay(log)), view, bound=bound
        )
        controller.enter()
        yield controller


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[PlayController]:
    with entered(tmp_path, view_of("no such game")) as controller:
        yield controller


# keys


@pytest.mark.parametrize("key", [key for key in KEYS if key != "S"])
def test_a_key_that_the_engine_claims_is_its_own(controller: PlayController, key: str) -> None:
    controller.press(key)
    assert written(controller)[0] == KEYS[key]
    assert controller.opened.top is None
    assert not controller.wants_replay


def test_the_client_has_it_after_the_prefix(controller: PlayController) -> None:
    typed(controller, "<f1>R")
    assert controller.wants_replay
    typed(controller, "<f1>S")
    assert controller.done
    assert written(controller) == []


def test_what_the_engine_leaves_is_the_clients_with_and_without_the_prefix(controller: PlayController) -> None:
    for keys in ("O", "<f1>O"):
        typed(controller, keys)
        assert controller.opened.top is not None
        typed(controller, "<escape>")
    typed(controller, "3h")
    assert written(controller)[0] == "move"


def test_escape_and_a_character_at_once_are_one_with_alt_where_the_game_has_it_and_takes_it(
    controller: PlayController,
) -> None:
    """Terminals send Alt so; what is the client's has Escape."""
    assert [*joined(controller, ["x", "escape", "p", "escape", "q", "escape"])] == [
        *("x", "alt-p", "escape", "q", "escape")
    ]
    for key in joined(controller, ["O", "escape", "p"]):
        controller.press(key)
    assert controller.opened.top is None
    assert written(controller) == []
    for key in joined(controller, ["escape", "p"]):
        controller.press(key)
    assert written(controller)[0] == "recite"


def test_after_the_prefix_no_key_is_the_games(controller: PlayController) -> None:
    typed(controller, "<f1>h")
    assert "F1 h does nothing: F1 ? shows the keys" in controller.seat.message
    assert written(controller) == []
    typed(controller, "h")
    assert written(controller)[0] == "move"


def test_who_enters_is_told_and_help_and_hints_have_the_prefix(controller: PlayController) -> None:
    assert controller.seat.message == "F1 ? shows the keys"
    assert "F1 ? keys" in draw_game(controller, 80, 40).text()[-1]
    typed(controller, "<f1>?")
    shown = "\n".join(draw_game(controller, 80, 60).text())
    assert "F1 R" in shown
    assert "recite by R" in shown
    assert "F1      before a key of this client" in shown
    screen = draw_game(controller, 80, 60)
    row = next(y for y, text in enumerate(screen.text()) if "F1 R" in text)
    controller.press(screen.target_at(next(x for x in range(80) if screen.target_at(x, row)), row))
    assert controller.wants_replay


def test_the_prefix_can_be_chosen(tmp_path: Path) -> None:
    mine = PLAY_KEYS.chosen([Chosen("play", "prefix", ("F2",), "config.toml", 1)])

    def bound(table: Any) -> Any:
        return mine if table is PLAY_KEYS else table

    with entered(tmp_path, view_of("no such game"), bound) as controller:
        assert controller.seat.message == "F2 ? shows the keys"
        typed(controller, "<f1>")
        assert "F1 does nothing" in controller.seat.message
        typed(controller, "<f2>R")
        assert controller.wants_replay
        assert written(controller) == []


def test_where_the_game_says_itself_what_it_says_the_client_speaks_below_where_there_is_room(tmp_path: Path) -> None:
    with entered(tmp_path, replace(view_of("no such game"), speaks=True)) as controller:
        for height, row in ((40, 24), (26, 24), (25, 0), (24, 0)):
            assert [y for y, text in enumerate(draw_game(controller, 80, height).text()) if "F1 ? shows" in text] == [
                row
            ]


def test_the_prefix_works_when_the_game_is_over(controller: PlayController) -> None:
    typed(controller, "<f1>#die<enter>y")
    assert controller.session.following.over
    assert "F1 R replays" in controller.says
    typed(controller, "<f1>R")
    assert controller.wants_replay


# menus


def menu(controller: PlayController) -> list[str]:
    """The rows over the right side of the screen."""
    return [row.partition("│ ")[2] for row in draw_game(controller, 80, 30).text() if "│ " in row]


@pytest.mark.parametrize(("key", "picked"), [("$", 4), ("<", 5), ("a", 6)])
def test_a_letter_of_its_own_picks_a_row_of_a_menu(controller: PlayController, key: str, picked: int) -> None:
    controller.press("i")
    assert menu(controller) == ["Weapons", "$ > a sword", "< - a bow", "a - a rope"]
    controller.press(key)
    assert MenuAnswer((picked,)).format().decode() in written(controller)


# screens and windows


def test_a_screen_of_the_games_own_covers_everything_until_one_of_its_keys(controller: PlayController) -> None:
    controller.press("?")
    screen = draw_game(controller, 80, 24)
    assert screen.text()[:5] == list(ROWS)
    assert screen.style_at(2, 1) == RED
    assert not any(screen.text()[5:])
    controller.press("h")
    assert controller.seat.failed
    assert draw_game(controller, 80, 24).text()[-1] == "h does nothing here"
    controller.press("enter")
    assert "K13" in written(controller)
    assert "You answer K13." in first_row(controller)


@pytest.mark.parametrize(("key", "code"), CODES)
def test_without_keys_any_that_has_a_code_answers(controller: PlayController, key: str, code: int) -> None:
    controller.press("\\")
    controller.press("left")
    assert "Left does nothing here" in draw_game(controller, 80, 24).text()[-1]
    controller.press(key)
    assert f"K{code}" in written(controller)
    assert key_code(key) == code


def test_who_watches_sees_the_screen(controller: PlayController) -> None:
    controller.press("?")
    controls = Controls(Player(controller.replay), controller.view)
    shown = draw_frame(controls, 100, 30).text()
    assert "  A scroll of the game's own" in [row.rstrip() for row in shown]
    assert question_of(PAGE) == "A scroll of the game's own"


def test_cells_of_a_game_cannot_steer_the_terminal(controller: PlayController) -> None:
    screen = draw_game(controller, 80, 24)
    wild = AskScreen(((("\x1b[2J", RED), ("\x9b", RED), ("界", RED)), (), (("a", RED),) * 500) + ((),) * 99)
    draw_prompt(screen, prompt_input(wild))
    assert all(glyph == "" or glyph.isprintable() for row in screen.cells() for glyph, _ in row)


def test_a_text_window_is_a_menu_to_read(controller: PlayController) -> None:
    controller.press("ctrl-x")
    assert menu(controller) == [*TITLES[:18]]
    controller.press(" ")
    assert TITLES[-1] in "\n".join(draw_game(controller, 80, 30).text())
    controller.press(" ")
    assert "M" in written(controller)


def test_what_is_told_in_many_rows_has_the_clients_own_more(controller: PlayController) -> None:
    controller.press("R")
    assert "--More--" in "\n".join(draw_game(controller, 80, 24).text())
    before = len(controller.session.log)
    while controller.seat.heard.has_more:
        controller.press(" ")
    assert len(controller.session.log) == before


# the contract


def test_the_contract_lets_an_engine_with_a_prefix_have_the_clients_keys() -> None:
    class Contract(EngineContract):
        engine = Doors()

    Contract().test_its_keys_are_free_and_have_one_meaning()
    Contract.engine.bindings += (Binding("f1", Command("look"), "", "Game", "look"),)  # type: ignore[misc]
    with pytest.raises(AssertionError):
        Contract().test_its_keys_are_free_and_have_one_meaning()


@pytest.mark.parametrize("prompt", [PAGE, AskScreen(()), PACK])
def test_the_contract_answers_these_prompts(prompt: Prompt) -> None:
    player = RandomPlayer(Doors(), 1)
    lines = [*every_answer(prompt), *(player.answer(prompt) for _ in range(30))]  # a case: sensible and senseless ones
    assert all(prompt.accepts(line) for line in lines)
    assert {type(line) for line in lines} == {MenuAnswer if prompt is PACK else KeyAnswer}


def test_two_rows_of_a_menu_with_one_letter_break_the_contract() -> None:
    with pytest.raises(AssertionError, match="each letter picks one row"):
        RandomPlayer(Doors(), 1).answer(AskMenu("", (Choice(1, "", "a"), Choice(2, "", "a")), 1))
