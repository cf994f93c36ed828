"""A session in trouble: what could not be read just now is read later, and what a dead player left undone is done."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.wire.lines import Command, GameOver, Time, YesNoAnswer
from nhlog.replay import Change
from nhlog.session import NotNow, Session, last_loadable
from nhlog.session.gamestate import utc_now
from nhlog.session.replay import GameReplay
from tests.session.test_session import MOVE, faults, opened, other_writes, path, text
from tests.session.toy import TOY

__all__ = ["opened", "path"]


def once(does: Callable, error: NhlogError) -> Callable:
    """The same, but for the first call, which fails."""
    calls = []

    def fails_once(number: int):
        calls.append(number)
        if len(calls) == 1:
            raise error
        return does(number)

    return fails_once


@pytest.mark.parametrize("error", [LockNotObtained("no lock"), LogRecovered("recovered")])
@pytest.mark.parametrize("reads", ["line", "save"])
def test_a_log_that_cannot_be_read_just_now_is_no_desync(opened, path: str, error: NhlogError, reads: str) -> None:
    player = opened(path)
    player.command(MOVE)
    player.seek(0)
    setattr(player.log, reads, once(getattr(player.log, reads), error))
    with pytest.raises(type(error)):
        player.seek(None)
    player.refresh()
    assert player.following.desync == ""
    assert player.game.turn == 2
    assert player.recoveries == 0


def test_no_lock_says_nothing_about_what_can_be_loaded(opened, path: str) -> None:
    player = opened(path)
    for _ in range(4):
        player.command(MOVE)
    player.log.save = once(player.log.save, LockNotObtained("no lock"))
    with pytest.raises(LockNotObtained):
        last_loadable(player.log, player.engine, 99)
    assert last_loadable(player.log, player.engine, 99).turn == 5


def test_a_game_that_cannot_be_saved_takes_no_more_input(opened, path: str) -> None:
    session = opened(path)
    other_writes(session, Command("spoil"))
    session.refresh()
    with pytest.raises(NotNow, match="does not save exactly what it loads"):
        session.command(MOVE)
    assert text(session) == ["*", "spoil", "+"]


def test_a_player_who_died_between_the_last_line_and_the_header_is_followed_by_one_who_finishes_it(
    opened, path: str
) -> None:
    dead = opened(path)
    dead.command(Command("die"))
    dead.answer(YesNoAnswer("y"))
    dead.log.source.close()
    file = Path(path)
    file.write_bytes(file.read_bytes().replace(b"NHGAME done", b"NHGAME save", 1))
    session = opened(path)
    assert session.following.over
    assert not session.log.header.finished
    session.settle()
    assert session.log.header.finished
    assert session.log.header.state == "died of boredom"
    assert text(session)[-2:] == ["~", "Q"]
    assert faults(session) == []


def test_an_answer_that_is_in_the_log_was_taken_also_if_another_ends_the_game_first(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("die"))

    def meanwhile() -> int:
        session._now = utc_now
        other_writes(session, Time(5), GameOver())
        with open(path, "r+b") as file:
            file.write(b"NHGAME done")
        return utc_now()

    session._now = meanwhile
    session.answer(YesNoAnswer("y"))
    session.refresh()
    assert text(session) == ["*", "die", "+", "Yy", "+", "Q"]
    assert session.following.over


# as a recording


def test_a_replay_outlives_a_rewind_and_a_lock_in_the_middle_of_a_seek(opened, path: str) -> None:
    player = opened(path)
    for _ in range(5):
        player.command(MOVE)
    replay = GameReplay(Session(player.log, TOY), LogReplay(player.log))
    replay.seek(0)
    line = player.log.line
    for error in (LockNotObtained("no lock"), LogRecovered("recovered")):
        player.log.line = once(line, error)
        replay.seek(replay.timeline.last - 1)
        replay.seek(replay.timeline.last - 1)
        assert replay.state.turn == replay.session.game.turn == 6
        replay.seek(0)
    player.log.line = line
    replay.seek(replay.timeline.last)
    carry_out(player.log.source, plan_rewind(player.log, player.log.columns.save_lines[2]), keep=False)
    assert replay.refresh() is Change.REWOUND
    assert replay.step == replay.timeline.last
    assert replay.state.turn == replay.session.game.turn == 3
    other_writes(player, MOVE)
    assert replay.refresh() is Change.GREW
    replay.seek(replay.timeline.last)
    assert replay.state.turn == replay.session.game.turn == 4


def test_a_replay_whose_rewind_could_not_be_followed_yet_says_so_once_and_follows(opened, path: str) -> None:
    player = opened(path)
    for _ in range(5):
        player.command(MOVE)
    replay = GameReplay(Session(player.log, TOY), LogReplay(player.log))
    replay.seek(replay.timeline.last)
    carry_out(player.log.source, plan_rewind(player.log, player.log.columns.save_lines[2]), keep=False)
    save = player.log.save
    player.log.save = once(save, LockNotObtained("no lock"))
    assert replay.refresh() is Change.REWOUND
    player.log.save = save
    assert replay.refresh() is Change.NOTHING
    assert replay.state.turn == replay.session.game.turn == 3


def test_a_damaged_line_freezes_the_replay_until_the_next_save(opened, path: str) -> None:
    player = opened(path)
    player.command(MOVE)
    line = len(player.log)
    with open(path, "ab") as file:
        file.write(b"\x80\x81 no line\n+5\n")
    player.refresh()
    replay = GameReplay(Session(player.log, TOY), LogReplay(player.log))
    replay.seek(line)
    assert replay.state.turn == 2
    assert replay.state.fault
    replay.seek(line - 1)
    assert replay.state.fault == ""
