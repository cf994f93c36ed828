"""What a game told is read from its log alone: the same whichever way one came there, and none of it is lost."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.wire.lines import Argument, Command, YesNoAnswer
from nhlog.session import Session, new_game
from nhlog.session.session import messages_before, told_since
from tests.session.toy import TOY, Toy, options

SHOUTED = ["You take a breath.", "Nobody answers."]
SEARCHED = ["2 to go.", "1 to go.", "0 to go."]


class LaterToy(Toy):
    """A version with other rules: it cannot follow the commands, and shows the saves."""

    version = "2.000.000"

    def migrate(self, save: bytes) -> bytes:
        return save


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Session]:
    """A game in which much was told, in one turn and in several, and once nothing."""
    path = str(tmp_path / "game.nhgame")
    new_game(path, TOY, options()).log.source.close()
    with LogFile(path, writable=True) as file:
        log = Log(file)
        session = Session(log, TOY, writer=Writer(log))
        shout(session)
        session.command(Command("search", (Argument("L", 4),)))
        while session.game.incomplete:
            session.command(Command("repeat"))
        session.command(Command("move"))
        shout(session)
        yield session


@pytest.fixture
def copy(played: Session, tmp_path: Path) -> Iterator[LogFile]:
    """The file of the same game as somebody finds it who did not see it played."""
    path = tmp_path / "copy.nhgame"
    path.write_bytes(Path(played.log.source.name).read_bytes())
    with LogFile(str(path)) as file:
        yield file


@pytest.fixture
def reading(copy: LogFile) -> Session:
    """The same game, read."""
    return Session(Log(copy), TOY)


def shout(session: Session) -> None:
    session.command(Command("shout"))
    session.answer(YesNoAnswer("y"))


def told(session: Session) -> list[str]:
    """All that was told, the first first."""
    return [message.text for piece in reversed(list(messages_before(session))) for message in piece]


def test_who_comes_later_reads_what_was_told(played: Session, reading: Session) -> None:
    assert told(played) == told(reading) == [*SHOUTED, *SEARCHED, *SHOUTED]


def test_each_message_has_its_turn_and_its_line(reading: Session) -> None:
    messages = list(chain.from_iterable(reversed(list(messages_before(reading)))))
    assert [message.turn for message in messages] == [1, 2, 4, 5, 6, 7, 8]
    assert [reading.log.raw(message.step).data.decode() for message in messages] == [
        "shout",
        "Yy",
        "repeat",
        "repeat",
        "repeat",
        "shout",
        "Yy",
    ]


def test_at_every_line_there_is_what_was_told_up_to_it(reading: Session) -> None:
    everything = list(chain.from_iterable(reversed(list(messages_before(reading)))))
    lines = [*range(len(reading.log)), *reversed(range(len(reading.log))), 3, 9, 4]
    for line in lines:
        reading.seek(line)
        assert told(reading) == [message.text for message in everything if message.step <= line]


def test_who_jumps_away_in_the_middle_of_a_turn_misses_nothing_of_it(copy: LogFile) -> None:
    log = Log(copy)
    for line in range(len(log)):
        reading = Session(log, TOY)
        reading.seek(line)
        reading.seek(None)
        assert told(reading) == [*SHOUTED, *SEARCHED, *SHOUTED]


def test_a_question_stands_beside_what_was_told_before_it(played: Session) -> None:
    played.command(Command("shout"))
    assert played.prompt is not None
    assert told(played)[-1] == SHOUTED[0]


def test_what_was_told_since_a_line_is_what_the_lines_after_it_made(played: Session) -> None:
    assert told_since(played, played.following.at) == []
    before = played.following.at
    shout(played)
    assert [message.text for message in told_since(played, before)] == SHOUTED


def test_what_was_taken_back_was_not_told(played: Session) -> None:
    pieces = messages_before(played)
    next(pieces)
    plan = plan_rewind(played.log, played.log.columns.save_lines[1])
    assert plan is not None
    assert isinstance(played.log.source, LogFile)
    carry_out(played.log.source, plan, keep=False)
    played.refresh()
    assert list(pieces) == []
    assert told(played) == SHOUTED


def test_a_game_that_stands_still_tells_what_its_saves_have(copy: LogFile) -> None:
    later = Session(Log(copy), LaterToy())
    assert later.following.frozen
    assert told(later) == [*SHOUTED, SEARCHED[-1], *SHOUTED]
