"""What a rewind to a position means, before it is done."""

from pathlib import Path

import pytest

from nhlog.engines import engine_named
from nhlog.engines.guarded import EngineFailed
from nhlog.engines.protocol import NewGame
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.nhgame.listing import glance_at_game
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import Loss, plan, state_at
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.recovery import RecoveryRefused
from nhlog.log.wire.lines import Command
from nhlog.plugins import PluginFailed
from nhlog.session import Session, new_game
from nhlog.timeline import parse_position
from tests.builders import Game, every_kind, played
from tests.corpus import SAMPLES, corpus


def loss_of(game: Game, to: str, *, exact: bool = False, tail: bytes = b"") -> Loss:
    replay = LogReplay(Log(LogBytes("game", bytes(game.data) + tail)))
    return plan(replay, parse_position(to), exact=exact)


GAME = played(20, backup_every=7, zone=3600)  # turn n + 1 is save n


@pytest.mark.parametrize("turn", range(1, 22))
def test_to_a_turn_is_after_the_save_with_which_it_began(turn: int) -> None:
    loss = loss_of(GAME, f"turn:{turn}")
    assert (loss.turn, loss.turns, loss.saves) == (turn, 21 - turn, 21 - turn)
    assert loss.lines == 3 * (21 - turn)
    if turn == 21:
        assert loss.truncation is None
        return
    assert loss.truncation.offset == GAME.offsets[GAME.offsets.index(GAME.save_offsets[turn - 1]) + 1]
    assert loss.truncation.size == len(GAME.data)
    assert loss.truncation.hint == (GAME.backups[0], max(at for at in GAME.backups if at < loss.truncation.offset))


@pytest.mark.parametrize(
    ("to", "turn"),
    [
        ("start", 1),
        ("end", 21),
        ("7", 7),
        ("turn:0", 1),
        ("turn:500", 21),
        ("-5 turns", 16),
        ("-5", 16),
        ("-500", 1),
        ("+5", 21),
        ("0%", 1),
        ("100%", 21),
        ("0:00", 1),
        ("99:00:00", 21),
        ("marker:backup 2", 7),
        ("marker:backup 3", 14),
    ],
)
def test_any_position_will_do_and_relative_ones_count_from_the_end(to: str, turn: int) -> None:
    assert loss_of(GAME, to).turn == turn


def test_to_an_offset_is_after_the_latest_save_line_that_begins_there_or_before() -> None:
    for number, offset in enumerate(GAME.save_offsets):
        for at, turn in ((offset - 1, max(number, 1)), (offset, number + 1), (offset + 5, number + 1)):
            assert loss_of(GAME, f"offset:{at}").turn == turn


def test_exactly_is_after_the_line_itself() -> None:
    line = GAME.offsets.index(GAME.save_offsets[3]) + 2
    loss = loss_of(GAME, f"offset:{GAME.offsets[line]}", exact=True)
    assert loss.truncation.offset == GAME.offsets[line + 1]
    assert (loss.turn, loss.lines) == (4, len(GAME.lines) - 1 - line)


def test_the_time_lost_is_that_of_the_recording() -> None:
    loss = loss_of(GAME, "turn:11")
    clock = sum(
        int(line[1:], 16) for line in GAME.lines[GAME.offsets.index(GAME.save_offsets[10]) :] if line[:1] == b"+"
    )
    assert loss.time == clock


def test_its_record_tells_the_same() -> None:
    loss = loss_of(GAME, "turn:11")
    cut = loss.truncation
    assert loss.record() == {
        "offset": cut.offset,
        "size": cut.size,
        "recovery_count": 2,
        "turn": 11,
        "lost_turns": 10,
        "lost_saves": 10,
        "lost_lines": 30,
        "lost_time": loss.time,
        "lost_bytes": cut.size - cut.offset,
        "finished": False,
    }


def test_where_nothing_comes_after_it_there_is_no_cut() -> None:
    loss = loss_of(GAME, "end")
    assert (loss.truncation, loss.record()["lost_bytes"]) == (None, 0)


def test_a_finished_game_is_told_as_such_and_its_end_goes() -> None:
    loss = loss_of(every_kind(), "end")
    assert loss.finished
    assert (loss.lines, loss.saves, loss.turns) == (1, 0, 0)
    assert loss.truncation.raised.status == "save"


def test_a_partial_last_line_goes_with_it() -> None:
    loss = loss_of(GAME, "end", tail=b"sear")
    assert (loss.truncation.offset, loss.truncation.size, loss.lines) == (len(GAME.data), len(GAME.data) + 4, 0)


def test_turns_lost_are_never_fewer_than_none() -> None:
    game = played(5)
    game.turn = 2
    game.diff()
    assert loss_of(game, "end").turns == 0
    assert loss_of(game, "turn:6").turns == 0


def test_without_a_save_there_is_nothing_to_go_back_to() -> None:
    orphan = Game(begin=False)
    orphan.input(b"search", b"search")
    with pytest.raises(Damaged, match="no save line"):
        loss_of(orphan, "start")
    with pytest.raises(Damaged):
        loss_of(Game(begin=False), "start")
    orphan.line(b"~AUM=")
    orphan.input(b"search")
    with pytest.raises(RecoveryRefused, match="no save backup"):
        loss_of(orphan, "end")


@pytest.mark.parametrize("to", ["tick:5", "frame:1", "marker:none"])
def test_a_position_that_a_log_does_not_have_is_an_error(to: str) -> None:
    with pytest.raises(NhlogError):
        loss_of(GAME, to)


# what line 2 says afterwards


def log_of(name: str) -> Log:
    path = SAMPLES / name if (SAMPLES / name).exists() else corpus("nethack4", name)
    return Log(LogBytes(name, path.read_bytes()))


@pytest.mark.parametrize(
    "name", [f"{name}.nhgame" for name in ("scripted1", "bones-loaded", "mid1", "short2", "transcoded-beta1")]
)
def test_the_state_of_a_save_is_what_the_real_game_wrote_of_it(name: str) -> None:
    """These were left properly, so the real line 2 is that of the newest save; in one the hero is polymorphed."""
    log = log_of(name)
    assert state_at(log, len(log.columns.save_lines) - 1) == log.header.state
    assert log.header.state.startswith("HD:0" if name == "transcoded-beta1.nhgame" else "Exp:1")


def test_the_state_of_a_death_is_no_longer_told_after_a_rewind() -> None:
    log = log_of("died2.nhgame")
    assert log.header.state == "killed by a sewer rat"
    loss = plan(LogReplay(log), parse_position("turn:99"))
    assert loss.truncation.header[:31] == b"NHGAME save 00000002 4.003.000\n"
    assert loss.truncation.header[31:] == b"Exp:1, 99 turns, on Dungeons:1".rjust(78)


def test_the_state_of_an_installed_engines_save_is_what_the_game_says_of_itself(tmp_path: Path) -> None:
    options = NewGame("Ann", "Wizard", "human", "female", "neutral", 0, 1)
    with new_game(str(tmp_path / "game"), engine_named("delve"), options) as writer:
        told = [writer.log.header.state]
        session = Session(writer.log, engine_named("delve"), writer=writer)
        for name in ("welcome", "search", "search"):
            session.command(Command(name))
            told.append(session.game.state)
        saves = len(writer.log.columns.save_lines)
        assert [state_at(writer.log, number) for number in range(saves)] == told
    assert told[-1] == "Exp:1, 3 turns, on Delve:1"


def test_of_an_unknown_engine_and_of_a_lost_save_the_turn_is_told_and_a_glance_finds_it(tmp_path: Path) -> None:
    assert loss_of(GAME, "turn:8").truncation.state == "8 turns"
    game = played(3)
    game.state(b"8 turns")
    assert glance_at_game(game.write(tmp_path / "game")).turn == 8
    data = bytearray((SAMPLES / "scripted1.nhgame").read_bytes())
    lost = Log(LogBytes("game", bytes(data))).columns
    data[lost.offsets[lost.save_lines[5]] + 9] ^= 1
    log = Log(LogBytes("game", bytes(data)))
    assert state_at(log, 6) == f"{lost.save_turns[4]} turns"


@pytest.mark.parametrize("raised", [Damaged("x"), EngineFailed("x"), PluginFailed("x"), Unsupported("x")])
def test_an_engine_that_cannot_tell_forbids_no_rewind(monkeypatch: pytest.MonkeyPatch, raised: NhlogError) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr("nhlog.formats.nhgame.rewind.engine_named", fail)
    log = log_of("delve.nhgame")
    assert state_at(log, 7) == f"{log.columns.save_turns[7]} turns"
