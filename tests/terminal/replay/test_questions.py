"""Spectators see what the game asks its player, and how far a picture is behind what was done."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats.nhgame.open import open_replay
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command, Line
from nhlog.session import Session, new_game
from nhlog.session.replay import GameReplay
from terminal.prompts.inputs import prompt_input
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.views import view_of
from tests.builders import played
from tests.corpus import SAMPLES
from tests.session.toy import PROMPTS, Toy, options

FIRST_ANSWERS = ("l.", "u", "12a", "b", "y", "ab<enter>", "2a")


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[tuple[Session, Player]]:
    """A player whose command asks one thing after the other, and a spectator of the game."""
    toy = Toy()
    path = str(tmp_path / "toy.nhgame")
    new_game(path, toy, options()).log.source.close()
    with Log(LogFile(path, writable=True)) as log:
        session = Session(log, toy, writer=Writer(log))
        session.command(Command("ask"))
        seen = str(tmp_path / "seen.nhgame")
        shutil.copy(path, seen)
        with Log(LogFile(seen)) as watched:
            player = Player(GameReplay(Session(watched, toy), LogReplay(watched)))
            player.follow()
            yield session, player


def rows(player: Player, width: int = 80, height: int = 24) -> list[str]:
    return draw_frame(Controls(player, view_of("no such game")), width, height).text()


def look_again(session: Session, player: Player) -> None:
    """Let the spectator see the game as it is now; a process opens a log once, so they look at a copy."""
    Path(player.replay.lines.log.source.name).write_bytes(Path(session.log.source.name).read_bytes())  # type: ignore[attr-defined]
    player.refresh()


def answered(session: Session, keys: str) -> Line:
    assert session.prompt is not None
    typing = prompt_input(session.prompt)
    for key in keys.replace("<enter>", "\n"):
        if (line := typing.press("enter" if key == "\n" else key)) is not None:
            return line
    raise AssertionError(keys)


def test_a_spectator_sees_each_question_until_it_is_answered(asked: tuple[Session, Player]) -> None:
    session, player = asked
    for prompt, keys in zip(PROMPTS, (*FIRST_ANSWERS, "rock<enter>"), strict=True):
        look_again(session, player)
        shown = "\n".join(rows(player))
        assert prompt_input(prompt).line.strip() in shown
        session.answer(answered(session, keys))
    look_again(session, player)
    assert player.replay.state.asks is None
    assert "Call it what?" not in "\n".join(rows(player))


def test_the_rows_of_a_menu_are_shown(asked: tuple[Session, Player]) -> None:
    session, player = asked
    for keys in FIRST_ANSWERS[:5]:
        session.answer(answered(session, keys))
    look_again(session, player)
    assert [row.rpartition("│")[2].strip() for row in rows(player)[2:5]] == ["head", "a - one", "b - two"]


def test_a_replay_stands_at_questions_too(asked: tuple[Session, Player]) -> None:
    session, player = asked
    question = player.step
    session.answer(answered(session, "l."))
    look_again(session, player)
    player.replay.seek(question)
    assert player.replay.state.asks == PROMPTS[0]
    player.replay.seek(question - 2)
    assert player.replay.state.asks is None


def test_a_game_of_another_program_says_what_was_done_since_its_picture(tmp_path: Path) -> None:
    path = tmp_path / "foreign.nhgame"
    path.write_bytes(played(turns=12).data)
    with closing(open_replay(str(path))) as replay:
        player = Player(replay)
        player.follow()
        assert "the picture is of" not in rows(player)[0]
        with open(path, "ab") as file:
            file.write(b"autoexplore\n+10\nrepeat\n+10\nrepeat\n")
        player.refresh()
        turn = player.replay.state.turn
        told = f"the picture is of turn {turn}; since then:"
        assert rows(player)[0].rstrip().endswith(f"{told} explores, goes on, goes on")
        assert "older picture" in "".join(rows(player))
        assert "explores" in "\n".join(rows(player)[1:])
        with open(path, "ab") as file:
            file.write(b"+10\nrepeat\n+10\n" * 100)
        player.refresh()
        assert rows(player)[0].rstrip().endswith(f"{told} …, {', '.join(['goes on'] * 4)}")
        with open(path, "ab") as file:
            file.write(b"".join(b"name A%s R123,45\n" % str(n).encode() for n in range(4)))
        player.refresh()
        assert told in rows(player)[0]  # however much was done
        player.step_by(-1)
        assert "older picture" not in "".join(rows(player))


@pytest.mark.parametrize("height", [24, 25, 26, 27, 30])
def test_the_remark_is_seen_beside_a_map_that_leaves_no_title(tmp_path: Path, height: int) -> None:
    path = tmp_path / "foreign.nhgame"
    path.write_bytes((SAMPLES / "scripted1.nhgame").read_bytes() + b"autoexplore\n+10\nrepeat\n")
    with closing(open_replay(str(path))) as replay:
        player = Player(replay)
        player.follow()
        player.message = ""
        shown = draw_frame(Controls(player, view_of("nhgame")), 80, height).text()
        assert "the picture is of turn 91; since then: explores, goes on" in shown[0]
        assert shown[0].count("goes on") == 1
        player.replay.seek(player.timeline.last - 3)
        shown = draw_frame(Controls(player, view_of("nhgame")), 80, height).text()
        assert "the picture is" not in shown[0]


def test_a_game_that_is_over_has_no_such_remark() -> None:
    with closing(open_replay(str(SAMPLES / "died2.nhgame"))) as replay:
        replay.seek(replay.timeline.last)
        assert (replay.state.text, replay.state.note) == ("game over", "")
