"""A session in trouble: what could not be read just now is read later, and what a dead player left undone is done."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.lines import Command, YesNoAnswer
from nhlog.session import NotNow, last_loadable
from tests.session.test_session import MOVE, faults, opened, other_writes, path, text

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
    assert player.desync == ""
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
    with pytest.raises(NotNow, match="does not save what it loads"):
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
    assert session.over
    assert not session.log.header.finished
    session.settle()
    assert session.log.header.finished
    assert session.log.header.state == "died of boredom"
    assert text(session)[-2:] == ["~", "Q"]
    assert faults(session) == []
