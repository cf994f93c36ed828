"""A seat at a game: what each key does to the log, and what a person is told when it does nothing."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from nhlog.config import Choice
from nhlog.engines.protocol import Binding
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Argument, Command, Line
from nhlog.session import Session, new_game
from nhlog.session.replay import GameReplay
from terminal.messages.history import History
from terminal.play.controller import PLAY_KEYS, PlayController
from terminal.play.drawing import draw_game
from terminal.views import view_of
from tests.session.toy import Toy, options


class KeyedToy(Toy):
    """The toy with keys."""

    bindings = (
        Binding("h", Command("move", (Argument("D", 0),)), "", "Move", "west"),
        Binding("left", Command("move", (Argument("D", 0),)), "", "Move", "west"),
        Binding("s", Command("search"), "", "Do", "search"),
        Binding("a", Command("ask"), "", "Do", "be asked everything"),
        Binding("t", Command("throw"), "ID", "Do", "throw something somewhere"),
        Binding("_", Command("travel"), "P", "Do", "travel"),
        Binding("C", Command("call"), "T", "Do", "call"),
        Binding("x", Command("die"), "", "Do", "die"),
        Binding("p", Command("panic"), "", "Do", "panic"),
        Binding("A", Command("shout"), "", "Do", "shout"),
        Binding("T", Command("recite"), "", "Do", "recite a poem"),
        Binding(":", Command("look"), "", "Do", "look"),
    )
    commands = Toy.commands | {"throw": "ID", "travel": "P", "call": "T"}


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[PlayController]:
    """A seat at a new game, already entered."""
    toy = KeyedToy()
    path = str(tmp_path / "toy.nhgame")
    new_game(path, toy, options()).log.source.close()
    with ExitStack() as stack:
        log = Log(stack.enter_context(LogFile(path, writable=True)))
        replay = GameReplay(Session(log, toy, writer=Writer(log)), LogReplay(log))
        controller = PlayController(replay, view_of("no such game"))
        controller.enter()
        yield controller


def typed(controller: PlayController, keys: str) -> None:
    """Press keys; names of keys in angle brackets."""
    while keys:
        name, keys = (keys[1:].split(">", 1)) if keys.startswith("<") and ">" in keys[2:] else (keys[0], keys[1:])
        controller.press(name)


def written(controller: PlayController) -> list[str]:
    """The log's lines after the welcome: saves and times by their first character."""
    raw = [controller.session.log.raw(number).data.decode() for number in range(len(controller.session.log))]
    return [line[0] if line[0] in "*~+" else line for line in raw][4:]


def first_row(controller: PlayController) -> str:
    return draw_game(controller, 80, 25).text()[0]


def other_writes(controller: PlayController, *lines: Line) -> None:
    with open(controller.seat.source.name, "ab") as file:
        file.writelines(line.format() + b"\n" for line in lines)


@pytest.mark.parametrize(
    ("keys", "lines"),
    [
        ("h", ["move D0", "+", "~"]),
        ("<left>", ["move D0", "+", "~"]),
        ("tal", ["throw Ia D4", "+", "~"]),
        ("_lL.", ["travel P{x},3", "+", "~"]),
        ("Cab<backspace>c<enter>", ["call TYWMA", "+", "~"]),
        ("#move<enter>l", ["move", "+", "~", "move D4", "+", "~"][:3]),
        ("xy", ["die", "+", "Yy", "+", "~", "Q"]),
        ("xn", ["die", "+", "Yn", "+", "~"]),
    ],
)
def test_keys_are_commands(controller: PlayController, keys: str, lines: list[str]) -> None:
    _, x, _ = controller.session.game.here
    typed(controller, keys)
    assert written(controller)[: len(lines)] == [line.replace("{x}", str(min(x + 9, 78))) for line in lines]


@pytest.mark.parametrize("keys", ["t<escape>", "ta<escape>", "_<escape>", "C<escape>", "#<escape>", "#fly<enter>", "~"])
def test_what_is_cancelled_or_unknown_writes_nothing(controller: PlayController, keys: str) -> None:
    typed(controller, keys)
    assert written(controller) == []
    typed(controller, "h")
    assert written(controller) == ["move D0", "+", "~"]


def test_each_kind_of_question_is_answered(controller: PlayController) -> None:
    typed(controller, "a")
    asked = []
    for keys in ("l.", "u", "12a", "b", "y", "ab<enter>", "2a", "rock<enter>"):
        asked.append(first_row(controller))
        typed(controller, keys)
    answers = [line for line in written(controller) if line not in "+~"]
    assert answers[2:] == ["D3", "K97,12", "K98", "Yy", "M5:6", "O5,2", "Lcm9jawA="]
    assert answers[1] == "P4,4."
    assert written(controller)[-1] == "~"
    assert [question.split("?")[0] for question in asked] == [
        "Where",
        "Which way",
        "What",
        "Which",
        "Sure",
        "Which of these",
        "How many",
        "Call it what",
    ]


def test_escape_cancels_each_kind_of_question(controller: PlayController) -> None:
    typed(controller, "a" + "<escape>" * 8)
    answers = [line for line in written(controller) if line not in "+~"]
    assert answers == ["ask", "P!", "D-1", "K27,-1", "K27", "Y\x1b", "M!", "O!", "LGwA="]


def test_a_count_is_how_often_and_any_key_interrupts(controller: PlayController) -> None:
    typed(controller, "20")
    assert "Count: 20" in first_row(controller)
    typed(controller, "s")
    assert controller.advance()
    assert written(controller)[:2] == ["search L20", "+"]
    turns = controller.session.game.turn
    typed(controller, "h")
    assert written(controller)[-3:] == ["interrupt", "+", "~"]
    assert not controller.advance()
    assert controller.session.game.turn == turns


def test_a_long_command_goes_on_by_itself(controller: PlayController) -> None:
    typed(controller, "9s")
    while controller.advance():
        pass
    assert written(controller) == ["search L9", "+", *["repeat", "+"] * 8, "~"]


def test_a_key_that_came_too_late_says_so_and_does_nothing(controller: PlayController) -> None:
    other_writes(controller, Command("ask"))
    typed(controller, "h")
    assert "not used" in controller.seat.message
    assert written(controller) == ["ask"]
    assert "Where?" in first_row(controller)


def test_a_game_that_another_player_entered_is_played_by_both(controller: PlayController) -> None:
    other_writes(controller, Command("welcome"))
    controller.refresh()
    assert draw_game(controller, 80, 24).text()[-1].endswith("somebody: enters the game")
    typed(controller, "h")
    assert written(controller)[:2] == ["welcome", "+"]
    assert written(controller)[-3:] == ["move D0", "+", "~"]


def test_the_end_is_told_and_leads_to_the_replay_or_out(controller: PlayController) -> None:
    typed(controller, "xy")
    assert "died of boredom" in first_row(controller)
    typed(controller, "R")
    assert controller.wants_replay
    typed(controller, "h")
    assert not controller.done
    typed(controller, "q")
    assert controller.done


def test_an_engine_that_fails_offers_the_way_back_and_takes_it_only_when_told(controller: PlayController) -> None:
    typed(controller, "hp")
    assert "cannot continue" in first_row(controller)
    size = controller.seat.source.size()
    typed(controller, "rn")
    assert controller.seat.source.size() == size
    typed(controller, "ry")
    assert controller.session.following.desync == ""
    header = controller.session.log.header
    assert (header.identification.recovery_count, header.state) == (2, "2 turns")  # as this engine is not installed
    typed(controller, "h")
    assert written(controller)[-3:] == ["move D0", "+", "~"]


def test_one_who_comes_to_a_game_whose_newest_save_is_lost_is_told_and_mends_it(controller: PlayController) -> None:
    typed(controller, "hh")
    controller.close()
    path, engine = controller.seat.source.name, controller.session.engine
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[:-7] + bytes(6) + b"\n")
    with LogFile(path, writable=True) as file:
        log = Log(file)
        again = PlayController(
            GameReplay(Session(log, engine, writer=Writer(log)), LogReplay(log)), view_of("no such game")
        )
        again.enter()
        assert "what is shown the commands make of the save before" in again.seat.message
        assert again.session.following.carried == ""
        assert again.session.game.turn == controller.session.game.turn
        typed(again, "h")
        assert again.seat.message == ""
        assert written(again)[-6:] == ["welcome", "+", "*", "move D0", "+", "~"]


def test_help_shows_the_games_keys_and_the_clients(controller: PlayController) -> None:
    typed(controller, "?")
    shown = "\n".join(draw_game(controller, 80, 40).text())
    assert "h Left" in shown
    assert "throw something somewhere" in shown
    assert "leave; the game is kept" in shown
    typed(controller, " ")
    assert controller.opened.top is None


def test_space_shows_the_rest_of_a_long_page_and_then_leaves_it(controller: PlayController) -> None:
    typed(controller, "?")
    seen = []
    while controller.opened.top:
        seen += draw_game(controller, 80, 12).text()
        assert "Space > more  < back  Esc leaves" in seen[-1]
        typed(controller, " ")
    assert "leave; the game is kept" in "\n".join(seen)


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (30, 7), (80, 24), (200, 60)])
@pytest.mark.parametrize("keys", ["", "a", "aaaaa", "?", "C", "xy", "p"])
def test_every_size_can_be_drawn(controller: PlayController, size: tuple[int, int], keys: str) -> None:
    typed(controller, keys)
    screen = draw_game(controller, *size)
    assert (screen.width, screen.height) == size


POEM = [f"Line {number} of a poem that is longer than a screen is high or wide." for number in range(9)]


def shown(controller: PlayController) -> str:
    return " ".join(draw_game(controller, 80, 24).text()[:5])


def test_what_was_told_before_a_question_stands_above_it(controller: PlayController) -> None:
    typed(controller, "A")
    assert draw_game(controller, 80, 24).text()[:2] == ["You take a breath.", "Loudly? [yn] (n)"]
    typed(controller, "y")
    assert "Nobody answers." in first_row(controller)


@pytest.mark.parametrize("keys", ["t<escape>", "_<escape>", "<escape>", "#<escape>", "?<escape>", "<ctrl-p>q"])
def test_what_was_seen_does_not_come_back_as_if_it_were_new(controller: PlayController, keys: str) -> None:
    typed(controller, "Ay")
    assert "Nobody answers." in shown(controller)
    typed(controller, keys)
    assert "Nobody answers." not in shown(controller)


def test_many_messages_are_read_page_by_page_and_none_is_lost(controller: PlayController) -> None:
    typed(controller, "T")
    before = len(controller.session.log)
    seen = []
    while "--More--" in shown(controller):
        seen.append(shown(controller))
        typed(controller, " ")
    seen.append(shown(controller))
    assert len(seen) == 3
    assert all(any(line in page for page in seen) for line in POEM)
    typed(controller, " <enter><escape>")
    assert len(controller.session.log) == before


def test_a_key_for_the_game_only_turns_the_page_and_escape_all_pages(controller: PlayController) -> None:
    typed(controller, "Th")
    assert controller.seat.heard.turned == 1
    assert controller.seat.failed
    typed(controller, "<escape>")
    assert POEM[-1] in shown(controller)
    before = written(controller)
    typed(controller, "h")
    assert written(controller) == [*before, "move D0", "+", "~"]


def test_the_list_of_messages_has_those_of_commands_that_leave_no_trace(controller: PlayController) -> None:
    typed(controller, "Ay:hAy")
    typed(controller, "<ctrl-p>")
    while controller.advance():
        pass
    assert [told.text for told in reversed(controller.opened.find(History).told)] == [  # type: ignore[union-attr]
        "You take a breath.",
        "Nobody answers.",
        next(told.text for told in controller.seat.heard.asides),
        "You take a breath.",
        "Nobody answers.",
    ]
    typed(controller, "q")
    assert controller.opened.top is None


@pytest.mark.parametrize("key", ["h", ":", "<escape>", " ", "<enter>", "?"])
def test_what_is_typed_after_a_key_is_kept_unless_that_does_nothing(controller: PlayController, key: str) -> None:
    typed(controller, "~")
    assert controller.seat.failed
    typed(controller, key)
    assert not controller.seat.failed


def test_leaving_describes_the_game_in_the_header(controller: PlayController) -> None:
    controller.press("h")
    controller.press("S")
    assert controller.done
    controller.leave()
    assert controller.session.log.header.state == controller.session.game.state


def test_a_key_that_the_client_takes_from_the_game_is_told_and_its_command_has_a_name(
    controller: PlayController,
) -> None:
    mine = PLAY_KEYS.chosen([Choice("play", "leave", ("t",), "config.toml", 1)])

    def bound(table: Any) -> Any:
        return mine if table is PLAY_KEYS else table

    again = PlayController(controller.replay, controller.view, bound)
    again.enter()
    assert "t is leave" in again.seat.message
    again.press("?")
    told = "\n".join(draw_game(again, 80, 60).text())
    assert "#throw" in told
    again.press("escape")
    again.press("t")
    assert again.done
