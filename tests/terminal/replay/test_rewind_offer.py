"""Taking a game back from inside the client: who may, what happens to the lock, and what cannot be done."""

import os
import pwd
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.errors import Unsupported
from nhlog.formats.nhgame import rights
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rights import NotAllowed
from nhlog.log.append import NotWritten, Writer
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command
from nhlog.session import Session, new_game
from nhlog.testing.fakes import FakeRecording, Happening
from terminal.replay.player import Player
from terminal.replay.rewind_offer import ask_to_rewind, offer_rewind, offer_way_back
from tests.processes import Child, holding
from tests.session.toy import TOY, NewerToy, options

US = pwd.getpwuid(os.getuid()).pw_name
HEARER = """
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod
import select
file = LogFile(path)
log = Log(file)
changes = Changes(file, NotifyMethod.MONITOR)
say("here")
select.select([changes], [], [], 10)
changes.take()
say(log.refresh())
"""

WRITER = """
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
Writer(Log(LogFile(path, writable=True))).append(Command("search"))
say("written")
"""
ADMINISTRATOR = """
from nhlog.errors import NhlogError
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import holders_of, role_of
from nhlog.log.log import Log
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod
from terminal.replay.rewind_offer import offer_rewind
replay = LogReplay(Log(LogFile(path)))
identity = replay.log.source.identity
with Changes(replay.log.source, NotifyMethod.MONITOR) as changes:
    say("here")
    wait()
    try:
        say(offer_rewind(replay).carry_out())
    except NhlogError as error:
        say(type(error).__name__)
    ours = [holder for holder in holders_of(identity) if holder.pid == os.getpid()]
    say(f"{[holder.exclusive for holder in ours]} {[str(role_of(holder, os.stat(path))) for holder in ours]}")
    changes.take()
    wait()
    say(changes.take())
"""
"""A watcher by lock monitor who takes the game back; a process of its own, whose threads all block the signals."""


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


def test_what_is_no_log_cannot_be_taken_back() -> None:
    with pytest.raises(Unsupported, match="only a game in a log can be rewound"):
        offer_rewind(FakeRecording([Happening("moves", 1.0, 0)]))


@pytest.mark.parametrize(("answer", "turn", "told"), [("y", 1, "back to turn 1; "), ("n", 3, "nothing was done")])
def test_who_plays_back_is_asked_and_the_game_is_taken_back_if_they_say_yes(
    wizard: LogReplay, answer: str, turn: int, told: str
) -> None:
    player, asked = Player(wizard), list[str]()

    def ask(question: str, answered: Callable[[str], None]) -> None:
        asked.append(question)
        answered(answer)

    player.seek(wizard.timeline.at("turn", 1))
    ask_to_rewind(player, ask)
    assert asked[0].startswith("Go back to turn 1? Lost: 2 turns")
    assert asked[0].endswith("[yn] ")
    assert told in player.message
    assert wizard.log.columns.save_turns[-1] == turn, "as it is shown now"


def test_what_the_rules_forbid_is_told_and_nobody_is_asked(wizard: LogReplay) -> None:
    with open(wizard.log.source.name, "ab") as file:
        file.write(b"~" + b"x" * 10 * wizard.log.source.size() + b"\n")  # most of the file would go
    wizard.refresh()
    player = Player(wizard)
    player.seek(wizard.timeline.at("turn", 1))
    ask_to_rewind(player, lambda question, _: pytest.fail(question))
    assert player.message.startswith("more than 8/9 of the file would be removed")


def test_a_log_that_is_no_file_cannot_be_taken_back(wizard: LogReplay) -> None:
    data = Path(wizard.log.source.name).read_bytes()
    with pytest.raises(Unsupported, match="only a log in a file"):
        offer_rewind(LogReplay(Log(LogBytes("copy", data))))


def test_no_way_back_is_offered_where_none_is_needed_and_where_there_is_none(wizard: LogReplay) -> None:
    assert offer_way_back(wizard.log, engine_named("delve")) is None
    assert offer_way_back(wizard.log, TOY) is None, "which loads no save of delve"


def test_a_game_that_cannot_go_on_is_taken_back_to_its_last_save_that_can(tmp_path: Path) -> None:
    path = str(tmp_path / "game.nhgame")
    with closing(new_game(path, TOY, options())) as writer:
        session = Session(writer.log, TOY, writer=writer)
        while session.game.turn < 8:
            session.command(Command("search"))
    with closing(LogFile(path)) as file:
        log = Log(file)
        offer = offer_way_back(log, NewerToy())
        assert offer is not None
        assert offer.question == "Go back to turn 5? Lost: 3 turns"
        assert offer.carry_out().startswith("back to turn 5; what was cut off is in ")
        log.refresh()
        assert log.columns.last_turn == 5
        assert offer_way_back(log, NewerToy()) is None, "it can go on"


def test_administrators_are_who_the_system_says_when_they_ask(normal: LogReplay, monkeypatch) -> None:
    with pytest.raises(NotAllowed, match="nhlog rewind --force"):
        offer_rewind(normal)
    monkeypatch.setattr(rights, "read_config", lambda: Config(administrators=(US,)))
    assert "turn 1" in offer_rewind(normal).question


def test_whoever_cannot_write_is_not_even_asked(wizard: LogReplay, monkeypatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with pytest.raises(NotAllowed, match=r"chmod u\+w"):
        offer_rewind(wizard)
    assert not wizard.log.source.writable


def test_a_watchers_lock_monitor_outlives_the_rewind_and_others_hear_of_it_at_once(tmp_path: Path) -> None:
    path = begin(tmp_path / "game.nhgame", 2)
    with Child(ADMINISTRATOR, path) as watcher, Child(HEARER, path) as other:
        assert [watcher.hear(), other.hear()] == ["here", "here"]
        watcher.tell()
        assert watcher.hear().startswith("back to turn 1")
        assert other.hear() == "rewound"
        assert watcher.hear() == "[False] ['watches']", "it rests in a read lock, and plays no more than before"
        with Child(WRITER, path) as player:
            assert player.hear() == "written"
        watcher.tell()
        assert watcher.hear() == "True"


def test_a_lock_that_is_not_to_be_had_is_told_and_the_monitor_stays(tmp_path: Path) -> None:
    path = begin(tmp_path / "game.nhgame", 2)
    with Child(ADMINISTRATOR, path) as watcher:
        assert watcher.hear() == "here"
        with holding(path, "LOCK_SH"):
            watcher.tell()
            assert watcher.hear() == "LockNotObtained"
            assert watcher.hear() == "[False] ['watches']", "it rests in a read lock, and plays no more than before"
        with Child(WRITER, path) as player:
            assert player.hear() == "written"
        watcher.tell()
        assert watcher.hear() == "True"


def test_what_is_cut_off_has_to_be_kept(wizard: LogReplay, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nhlog.files.atomic.create", refuse)
    size = wizard.log.source.size()
    with pytest.raises(NotWritten, match="permission denied") as raised:
        offer_rewind(wizard).carry_out()
    assert raised.value.file == wizard.log.source.name
    assert wizard.log.source.size() == size


def test_a_player_can_be_rewound_by_another_writer_of_the_log(wizard: LogReplay) -> None:
    file = wizard.log.source
    offer_rewind(wizard).carry_out()
    wizard.refresh()
    with file.allow_writing():
        session = Session(wizard.log, engine_named("delve"), writer=Writer(wizard.log))
        session.command(Command("search"))
    assert session.game.turn == 2
    assert not file.writable
