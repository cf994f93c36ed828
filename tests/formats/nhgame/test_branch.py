"""A game that goes on twice: the new file has the old one's lines up to there, and is played on by itself."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.errors import Damaged, LogRecovered, NhlogError, Unsupported, Usage
from nhlog.formats.nhgame.writing import branch
from nhlog.formats.nhgame.writing.branch import branch_off
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Argument, Command, YesNoAnswer
from nhlog.session import Session, new_game
from tests.corpus import SAMPLES

SEARCH = Command("search", (Argument("L", 3),))


def play(path: Path, *commands: Command, quits: bool = False) -> None:
    """Give commands of delve to the game in the file, as if it was played."""
    with LogFile(str(path), writable=True) as file:
        log = Log(file)
        session = Session(log, engine_named("delve"), writer=Writer(log))
        for command in commands:
            session.command(command)
        if quits:
            session.command(Command("quit"))
            session.answer(YesNoAnswer("y"))


@pytest.fixture(params=[0, 1, 2, 3])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "one.nhgame"
    options = NewGame("Ann", *("Wizard", "human", "female", "neutral"), request.param, 1)
    new_game(str(path), engine_named("delve"), options).log.source.close()
    play(path, *[SEARCH] * 10)
    return path


def logged(path: Path) -> Log:
    with LogFile(str(path)) as file:
        return Log(file)


@pytest.mark.parametrize("position", ["turn:8", "start", "end", "50%", "marker:backup 1"])
def test_both_have_one_past_and_go_on_by_themselves(game: Path, position: str) -> None:
    other = game.with_name("two.nhgame")
    before = game.read_bytes()
    record = branch_off(str(game), str(other), position)
    assert game.read_bytes() == before
    with LogFile(str(game)) as one, LogFile(str(other)) as two:
        old, new = Log(one), Log(two)
        assert [found for found in verify(new) if isinstance(found, Finding)] == []
        assert len(new) == record["lines"]
        assert [new.line(at) for at in range(1, len(new))] == [old.line(at) for at in range(1, len(new))]
        assert new.save(record["saves"] - 1) == old.save(record["saves"] - 1)
        assert (new.header.start, new.header.name) == (old.header.start, old.header.name)
    play(other, SEARCH, quits=True)
    assert game.read_bytes() == before
    assert logged(other).header.finished


def test_it_is_no_contest_any_more(game: Path) -> None:
    other = game.with_name("two.nhgame")
    branch_off(str(game), str(other), "turn:6")
    assert logged(other).header.mode_word == ("wizard" if logged(game).header.mode_word == "wizard" else "explore")


def test_what_cannot_be_is_told_and_nothing_is_written(game: Path) -> None:
    other, there = game.with_name("two.nhgame"), game.with_name("there")
    there.write_bytes(b"mine")
    play(game, quits=True)
    for source, target, position, kind, told in (
        (game, other, "turn:5000", Usage, "the game has no such turn"),
        (game, other, "soon", Usage, "position"),
        (game, there, "turn:5", Usage, "there is such a file already"),
        (game, game, "turn:5", Usage, "there is such a file already"),
        (SAMPLES / "died2.nhgame", other, "turn:5", Unsupported, "no engine"),
        (there, other, "turn:5", NhlogError, "not a NetHack 4 log"),
        (other, there, "turn:5", NhlogError, "no such file"),
    ):
        with pytest.raises(kind, match=told):
            branch_off(str(source), str(target), position)
        assert not other.exists()
        assert there.read_bytes() == b"mine"


def test_a_header_of_other_spaces_is_not_copied(game: Path) -> None:
    data = game.read_bytes()
    lines = data.split(b"\n", 3)
    lines[2] = lines[2].replace(b" ", b"  ", 1)
    game.write_bytes(b"\n".join(lines))
    with pytest.raises(Damaged, match="cannot be rewritten in place"):
        branch_off(str(game), str(game.with_name("two.nhgame")), "end")
    assert not game.with_name("two.nhgame").exists()


def test_a_game_that_is_taken_back_meanwhile_is_not_branched(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = branch.pieces

    def cut(read: Callable[[int, int], bytes], start: int, end: int) -> Iterator[bytes]:
        game.write_bytes(game.read_bytes().replace(b"00000001", b"00000002", 1))
        return whole(read, start, end)

    monkeypatch.setattr(branch, "pieces", cut)
    with pytest.raises(LogRecovered):
        branch_off(str(game), str(game.with_name("two.nhgame")), "turn:5")
    assert not game.with_name("two.nhgame").exists()
