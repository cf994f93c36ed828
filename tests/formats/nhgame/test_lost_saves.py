"""A log with a hole: every verb says which saves are lost, and goes on from the next backup."""

import pytest

from nhlog.errors import Damaged
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.verify import Report, verify
from nhlog.log.wire.blob import Blob
from nhlog.mdiff.reference import encode
from nhlog.timeline import Marker
from tests.builders import Game, played

HOLE = bytes(12)
"""In place of so many bytes in the middle of a save line, as a bad sector leaves them."""


@pytest.fixture(scope="module")
def game() -> Game:
    """Twelve saves: backups are the saves 0, 4 and 9."""
    game = played(3)
    for diffs in (4, 2):
        game.input(b"search")
        game.turn += 1
        game.backup()
        game.play(diffs)
    return game


def with_hole(game: Game, save: int) -> bytes:
    at = game.save_offsets[save] + 14 if save in (0, 4, 9) else game.save_offsets[save] + 4
    return bytes(game.data[:at]) + HOLE + bytes(game.data[at + len(HOLE) :])


def replay_of(data: bytes) -> LogReplay:
    return LogReplay(Log(LogBytes("game", data)))


@pytest.mark.parametrize(("hole", "lost"), [(2, range(2, 4)), (4, range(4, 9)), (5, range(5, 9)), (10, range(10, 12))])
def test_what_stands_before_a_hole_and_from_the_next_backup_on_is_there(game: Game, hole: int, lost: range) -> None:
    assert [game.save_offsets.index(offset) for offset in game.backups] == [0, 4, 9]
    replay = replay_of(with_hole(game, hole))
    rows = {event.step: event.text for event in replay.events(0, replay.timeline.last)}
    for number, line in enumerate(replay.log.columns.save_lines):
        replay.seek(line)
        if number in lost:
            assert replay.state.save == b""
            assert replay.state.fault.startswith(f"offset {game.save_offsets[hole]}: ")
            assert rows[line].endswith("its save is lost")
        else:
            assert replay.state.save == game.saves[number]
            assert replay.state.turn == number + 1
            assert replay.state.fault == ""
            assert "lost" not in rows[line]
    [damage] = [marker for marker in replay.timeline.markers if marker.kind == "damage"]
    assert damage == Marker(replay.log.columns.save_lines[hole], "damage", "damage 1")
    *findings, report = verify(replay.log)
    assert isinstance(report, Report)
    assert report.saves - report.sound_saves == len(lost)
    assert [finding.offset for finding in findings] == [game.save_offsets[hole]] * 2
    assert findings[1].what == f"{len(lost)} saves cannot be rebuilt"


def test_a_hole_before_the_first_save_of_all_is_told_and_the_next_backup_begins_the_game(game: Game) -> None:
    replay = replay_of(with_hole(game, 0))
    assert replay.state.fault
    replay.seek(replay.timeline.last)
    assert replay.state.save == game.saves[-1]
    assert replay.log.columns.lost() == [(0, 4)]


def test_a_run_of_broken_lines_is_one_place_of_damage(game: Game) -> None:
    data = bytes(game.data)
    at = game.offsets[6]
    replay = replay_of(data[:at] + b"?\n!\n" + data[at:] + b"?\n")
    found = [(marker.step, marker.name) for marker in replay.timeline.markers if marker.kind == "damage"]
    assert found == [(6, "damage 1"), (replay.timeline.last, "damage 2")]


def test_the_end_of_a_broken_chain_is_looked_for_once() -> None:
    """Decoding and applying the diffs is what costs."""
    long = Game().play(200)
    at = long.save_offsets[100] + 4
    log = Log(LogBytes("game", bytes(long.data[:at]) + HOLE + bytes(long.data[at + len(HOLE) :])))
    decoded: list[int] = []
    payload = log.saves._payload
    log.saves._payload = lambda number: decoded.append(number) or payload(number)
    assert [log.last_sound(number) for number in range(201)] == [*range(100), *[99] * 101]
    assert len(decoded) < 400


def test_each_save_after_a_lost_one_costs_one_diff() -> None:
    long = Game().play(200)
    long.line(b"~" + Blob.of(encode(b"another save", b"another game")).text)
    long.play(1000)
    log = Log(LogBytes("game", bytes(long.data)))
    decoded: list[int] = []
    payload = log.saves._payload
    log.saves._payload = lambda number: decoded.append(number) or payload(number)
    for number in range(201, 1202):
        with pytest.raises(Damaged):
            log.save(number)
    assert len(decoded) < 1500
