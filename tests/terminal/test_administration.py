"""Taking a game back from inside the client: who may, what happens to the lock, and what cannot be done."""

import os
import pwd
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.errors import LockNotObtained
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import NotWritten, Writer
from nhlog.log.file import LogFile
from nhlog.log.holders import holders_of, writes
from nhlog.log.lines import Command
from nhlog.log.log import Log
from nhlog.log.notify import Changes, Way
from nhlog.session import Session, new_game
from terminal import administration
from terminal.administration import NotAllowed, offer_rewind
from tests.processes import Child, holding

US = pwd.getpwuid(os.getuid()).pw_name
HEARER = """
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.notify import Changes, Way
from nhlog.errors import LogRecovered
import select
file = LogFile(path)
log = Log(file)
changes = Changes(file, Way.MONITOR)
say("here")
select.select([changes], [], [], 10)
changes.take()
try:
    log.refresh()
    say("nothing")
except LogRecovered:
    say("rewound")
"""


def begin(path: Path, mode: int = 0) -> str:
    """A game of three turns."""
    options = NewGame("Ann", "Wizard", "human", "female", "neutral", mode, 1)
    engine = engine_named("delve")
    writer = new_game(str(path), engine, options)
    session = Session(writer.log, engine, writer=writer)
    for name in ("welcome", "search", "search"):
        session.command(Command(name))
    writer.log.source.close()
    return str(path)


@pytest.fixture
def normal(tmp_path: Path) -> LogReplay:
    replay = LogReplay(Log(LogFile(begin(tmp_path / "game.nhgame"))))
    yield replay
    replay.close()


@pytest.fixture
def wizard(tmp_path: Path) -> LogReplay:
    replay = LogReplay(Log(LogFile(begin(tmp_path / "game.nhgame", 2))))
    yield replay
    replay.close()


def test_nobody_becomes_administrator_by_their_environment(normal: LogReplay, monkeypatch) -> None:
    monkeypatch.setattr(administration, "read_config", lambda: Config(administrators=("the boss",)))
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "the boss")
    with pytest.raises(NotAllowed, match=US):
        offer_rewind(normal)


def test_administrators_are_who_the_system_says_when_they_ask(normal: LogReplay, monkeypatch) -> None:
    with pytest.raises(NotAllowed):
        offer_rewind(normal)
    monkeypatch.setattr(administration, "read_config", lambda: Config(administrators=(US,)))
    assert "turn 1" in offer_rewind(normal).question


def test_a_watchers_lock_monitor_outlives_the_rewind_and_others_hear_of_it_at_once(wizard: LogReplay) -> None:
    file = wizard.log.source
    with Changes(file, Way.MONITOR) as changes, Child(HEARER, file.name) as other:
        assert other.hear() == "here"
        assert "back to turn 1" in offer_rewind(wizard).carry_out()
        assert other.hear() == "rewound"
        ours = [holder for holder in holders_of(file.identity) if holder.pid == os.getpid()]
        assert [holder.exclusive for holder in ours] == [False]
        assert writes(ours[0], file.identity, os.getuid())
        with Child(WRITER, file.name) as player:
            assert player.hear() == "written"
        assert changes.take()


WRITER = """
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.lines import Command
from nhlog.log.log import Log
Writer(Log(LogFile(path, writable=True))).append(Command("search"))
say("written")
"""


def test_a_lock_that_is_not_to_be_had_is_told_and_the_monitor_stays(wizard: LogReplay) -> None:
    file = wizard.log.source
    with Changes(file, Way.MONITOR) as changes:
        offer = offer_rewind(wizard)
        with holding(file.name, "LOCK_SH"), pytest.raises(LockNotObtained):
            offer.carry_out()
        with Child(WRITER, file.name) as player:
            assert player.hear() == "written"
        assert changes.take()


def test_what_is_cut_off_has_to_be_kept(wizard: LogReplay, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nhlog.log.recovery.create", refuse)
    size = wizard.log.source.size()
    with pytest.raises(NotWritten, match="permission denied"):
        offer_rewind(wizard).carry_out()
    assert wizard.log.source.size() == size


def test_a_player_can_be_rewound_by_another_writer_of_the_log(wizard: LogReplay) -> None:
    file = wizard.log.source
    offer_rewind(wizard).carry_out()
    wizard.refresh()
    session = Session(wizard.log, engine_named("delve"), writer=Writer(wizard.log))
    session.command(Command("search"))
    assert session.game.turn == 2
    assert file.writable


def test_opening_for_writing_costs_no_lock(wizard: LogReplay) -> None:
    file = wizard.log.source
    with Changes(file, Way.MONITOR):
        file.allow_writing()
        assert [holder.pid for holder in holders_of(file.identity)] == [os.getpid()]
    assert holders_of(file.identity) == []
