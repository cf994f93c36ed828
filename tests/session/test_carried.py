"""A game of an engine goes on over a lost save by its commands; the save after it proves them, or it stands still."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from nhlog.engines import engine_named
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Report, verify
from nhlog.session import NotNow, Session, last_loadable, new_game
from nhlog.session.replay import GameReplay
from tests.changed import replaced
from tests.corpus import SAMPLES
from tests.session.test_session import MOVE, ticking
from tests.session.toy import TOY, options

TURNS = 160
TOLD = "what is shown the commands make of the save before"


@dataclass(frozen=True)
class Played:
    """A log, and the engine's save after each of its lines."""

    data: bytes
    offsets: list[int]
    saves: list[int]
    backups: list[int]
    states: list[bytes]

    def broken(self, *saves: int, over: int = 0) -> bytes:
        """The log with zeros in these saves' lines, from the middle of each to its end, or `over` bytes further."""
        data = bytearray(self.data)
        for save in saves:
            first, end = self.offsets[self.saves[save]], self.offsets[self.saves[save] + 1]
            start = first + (end - first) // 2
            data[start : end - 1 + over] = bytes(end - 1 + over - start)
        return bytes(data)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    path = tmp_path_factory.mktemp("played") / "toy.nhgame"
    writer = new_game(str(path), TOY, options(), now=ticking())
    session = Session(writer.log, TOY, writer=writer, now=ticking())
    for _ in range(TURNS):
        session.command(MOVE)
    states = []
    for line in range(len(writer.log)):
        session.seek(line)
        states.append(session.following.gamestate.save())
    columns = writer.log.columns
    offsets = [*columns.offsets, writer.log.end]
    writer.log.source.close()
    return Played(path.read_bytes(), offsets, list(columns.save_lines), list(columns.backups), states)


def session_of(data: bytes) -> Session:
    return Session(Log(LogBytes("toy", data)), TOY)


def seen(session: Session, line: int) -> tuple[bytes, str, str, str]:
    session.seek(line)
    return (
        session.following.gamestate.save(),
        session.following.carried,
        session.following.desync,
        session.following.diverged,
    )


@pytest.mark.parametrize("lost", [(9,), (9, 10), (9, 10, 11), (9, 20), (TURNS,), (TURNS - 1, TURNS)])
def test_the_game_is_what_it_was_at_each_line_and_says_where_that_is_not_proved(game: Played, lost) -> None:
    session = session_of(game.broken(*lost))
    log = session.log
    assert session.live
    told = [
        any(
            game.saves[save] <= line < game.saves[save + 1] if save < TURNS else line >= game.saves[save]
            for save in lost
        )
        for line in range(len(game.states))
    ]
    for lines in (range(len(told)), reversed(range(len(told)))):
        for line in lines:
            save, carried, desync, diverged = seen(session, line)
            assert (save, desync, diverged) == (game.states[line], "", "")
            assert (TOLD in carried) == told[line], line
    for line in range(len(told)):  # nor does it matter how one came there
        assert seen(Session(log, TOY), line)[0] == game.states[line]


def test_of_several_lost_saves_the_first_is_named(game: Played) -> None:
    second = game.backups[1]
    session = session_of(game.broken(second - 1, second, second + 1))
    told = [seen(session, game.saves[save])[1] for save in range(second - 1, second + 2)]
    assert told == [told[0]] * 3


def test_a_lost_backup_and_a_damaged_one_are_carried_over_too(game: Played) -> None:
    first, second = game.backups[:2]
    assert first == 0
    session = session_of(game.broken(second))
    for line, state in enumerate(game.states):
        assert seen(session, line)[0] == state
    at = game.offsets[game.saves[second]] + 1
    session = session_of(replaced(bytes(game.data), at, ord("?")))
    assert seen(session, len(game.states) - 1) == (game.states[-1], "", "", "")


def test_where_commands_went_with_saves_the_game_stands_still_up_to_the_next_backup(game: Played) -> None:
    """What is made without them is another game, and the next save says so."""
    lost = game.backups[1] - 5
    after = game.offsets[game.saves[lost + 1]] - game.offsets[game.saves[lost] + 1]
    session = session_of(game.broken(lost, over=after + 9))
    frozen, _, desync, _ = seen(session, session.log.columns.save_lines[lost + 1])
    assert "the commands do not lead to the next save either" in desync
    assert frozen[36:] == game.states[game.saves[lost - 1]][36:]
    found = last_loadable(session.log, TOY, lost + 1)
    assert (found.save, found.turn) == (lost - 1, lost)
    assert seen(session, len(session.log) - 1) == (game.states[-1], "", "", "")


def test_where_a_command_after_it_went_with_a_save_nothing_else_is_lost(game: Played) -> None:
    lost = game.backups[1] - 5
    after = game.offsets[game.saves[lost + 1]] - game.offsets[game.saves[lost] + 1]
    session = session_of(game.broken(lost, over=after))
    save, carried, desync, diverged = seen(session, session.log.columns.save_lines[lost + 1])
    assert (save, carried, desync) == (game.states[game.saves[lost + 1]], "", "")
    assert "a different game of the commands" in diverged
    assert seen(session, len(session.log) - 1) == (game.states[-1], "", "", "")


def test_a_wrong_checksum_is_a_lost_save_and_nothing_more(game: Played) -> None:
    """One digit in each of some lines is another: the line reads well, and makes what never was."""
    for save in range(3, TURNS):
        first, end = game.offsets[game.saves[save]], game.offsets[game.saves[save] + 1]
        at = end - 4
        digit = b"B" if game.data[at : at + 1] != b"B" else b"C"
        session = session_of(game.data[:at] + digit + game.data[at + 1 :])
        assert seen(session, len(game.states) - 1) == (game.states[-1], "", "", ""), (first, end)


@pytest.fixture
def path(game: Played, tmp_path: Path) -> str:
    """The log in a file, whose newest save is lost."""
    file = tmp_path / "toy.nhgame"
    file.write_bytes(game.broken(TURNS))
    return str(file)


def test_one_who_plays_goes_on_and_with_the_next_turn_all_is_sound_again(game: Played, path: str) -> None:
    with ExitStack() as stack:
        log = Log(stack.enter_context(LogFile(path, writable=True)))
        session = Session(log, TOY, writer=Writer(log), now=ticking())
        assert TOLD in session.following.carried
        session.command(MOVE)
        assert session.following.carried == session.following.desync == ""
        assert session.game.turn == TURNS + 2
        assert log.raw(len(log) - 1).data[:1] == b"*"  # for the save before it is not known to others
        session.command(MOVE)
        assert log.raw(len(log) - 1).data[:1] == b"~"
        *findings, report = verify(log)
        assert isinstance(report, Report)
        assert [finding.what for finding in findings if not finding.fault] == ["1 save cannot be rebuilt"]
        assert report.saves - report.sound_saves == 1
        final = session.following.gamestate.save()
    assert seen(session_of(Path(path).read_bytes()), len(log) - 1) == (final, "", "", "")


def test_a_watcher_and_a_player_see_it_grow_over_the_hole(game: Played, tmp_path: Path) -> None:
    file = tmp_path / "toy.nhgame"
    data = game.broken(9)
    size = game.offsets[game.saves[8]]
    file.write_bytes(data[:size])
    with LogFile(str(file), writable=True) as source:
        log = Log(source)
        replay = GameReplay(Session(log, TOY), LogReplay(log))
        for line, (start, end) in enumerate(zip(game.offsets[:-1], game.offsets[1:], strict=True)):
            if start >= size:
                with file.open("ab") as more:
                    more.write(data[start:end])
                replay.refresh()
                replay.to_end()
                assert replay.state.save == game.states[line]
                assert (TOLD in replay.state.fault) == (game.saves[9] <= line < game.saves[10])
                assert replay.state.note == replay.state.fault


def test_a_game_that_was_not_followed_is_not_carried(game: Played) -> None:
    """Frozen for another reason: the next save that can be read is the one to go on from."""
    lines = game.data[game.offsets[0] :].splitlines(keepends=True)
    lines[game.saves[8] + 1] = b"fly D4\n"
    damaged = game.data[: game.offsets[0]] + b"".join(lines)
    at = damaged.index(lines[game.saves[9]], game.offsets[game.saves[8]]) + 9
    session = session_of(damaged[:at] + bytes(6) + damaged[at + 6 :])
    session.seek(game.saves[10])
    assert session.following.desync == "toy has no command fly"
    assert session.following.gamestate.save()[36:] == game.states[game.saves[8]][36:]


def test_the_clock_goes_on_where_the_game_stands_still(game: Played) -> None:
    lines = game.data[game.offsets[0] :].splitlines(keepends=True)
    lines[game.saves[9] - 1 : game.saves[9]] = [b"+5\n", b"fly D4\n", b"+7\n", b"move D4\n", b"+11\n"]
    session = session_of(game.data[: game.offsets[0]] + b"".join(lines))
    columns = session.log.columns
    first = columns.save_lines[8]
    for line in range(first, columns.save_lines[9]):
        session.seek(line)
        assert session.following.gamestate.clock == columns.clocks[line], line
    assert session.following.desync == "toy has no command fly"


@pytest.mark.parametrize("save", [46, 100, 200, 300, 320])
def test_a_real_game_over_a_hole(save: int) -> None:
    data = (SAMPLES / "delve.nhgame").read_bytes()
    engine = engine_named("delve")
    whole = Session(Log(LogBytes("game", data)), engine)
    columns = whole.log.columns
    start = columns.offsets[columns.save_lines[save]] + 3
    session = Session(Log(LogBytes("game", data[:start] + bytes(9) + data[start + 9 :])), engine)
    assert session.following.desync == session.following.diverged == ""
    assert session.following.gamestate.save() == whole.following.gamestate.save()
    assert bool(session.following.carried) == (save == 320)


def test_nobody_takes_the_game_on_who_may_not(game: Played, path: str) -> None:
    with LogFile(path) as source, pytest.raises(NotNow, match="watch"):
        Session(Log(source), TOY).command(MOVE)
