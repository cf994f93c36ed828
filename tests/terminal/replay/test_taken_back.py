"""A game that was taken back: one is told who did it, and what they cut off is put back, wherever it still is."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.files.cuts import kept_of
from nhlog.formats.nhgame import rights
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rights import NotAllowed
from nhlog.log.append import NotWritten
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.log import Log
from nhlog.log.wire.header import parse_header
from nhlog.timeline import Position
from terminal.replay.rewind_offer import CutOff, cut_off, offer_rewind, told_back
from tests.terminal.replay.test_rewind_offer import US, begin

TURNS = 3


@pytest.fixture
def replay(tmp_path: Path) -> Iterator[LogReplay]:
    replay = LogReplay(Log(LogFile(begin(tmp_path / "game.nhgame", 2))))
    yield replay
    replay.close()


def take_back(replay: LogReplay, turn: int) -> None:
    replay.seek(replay.timeline.resolve(Position("turn", turn)))
    offer_rewind(replay).carry_out()
    replay.refresh()


def kept(replay: LogReplay) -> list[str]:
    return [*kept_of(replay.log.source.name)]


def body(replay: LogReplay) -> bytes:
    """All but the header, in which the recovery count rises."""
    data = Path(replay.log.source.name).read_bytes()
    return data[parse_header(data).length :]


def lines(data: bytes) -> int:
    return data.count(b"\n")


def found(replay: LogReplay) -> CutOff:
    cut = cut_off(replay.log, 0, TURNS)
    assert cut is not None
    return cut


def test_who_took_it_back_is_told_as_long_as_the_file_with_the_rest_is_there(replay: LogReplay, monkeypatch) -> None:
    take_back(replay, 1)
    assert told_back(replay.log, TURNS) == "your other terminal took the game back from turn 3 to 1"
    assert told_back(replay.log, 1) == "your other terminal took the game back to turn 1", "it was not farther here"
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert told_back(replay.log, TURNS) == f"{US} took the game back from turn 3 to 1"
    os.unlink(*kept(replay))
    assert told_back(replay.log, TURNS) == "the game was taken back from turn 3 to 1"


def test_a_file_that_goes_while_it_is_looked_at_tells_of_nobody(replay: LogReplay, monkeypatch) -> None:
    take_back(replay, 1)

    def gone(path: str) -> None:
        raise FileNotFoundError(2, "No such file or directory", path)

    monkeypatch.setattr(os, "lstat", gone)
    assert told_back(replay.log, TURNS) == "the game was taken back from turn 3 to 1"


def test_the_latest_cut_is_put_back_and_no_other(replay: LogReplay) -> None:
    """Not the first, and not a file that had the second's name before it."""
    take_back(replay, 2)
    before, [first] = body(replay), kept(replay)
    stale = f"{first[:-8]}{int(first[-8:], 16) + 1:08x}"
    Path(stale).write_bytes(b"search\n")
    take_back(replay, 1)
    cut = found(replay)
    assert cut.kept == f"{stale}-2"
    lost = lines(before) - lines(body(replay))
    with replay.log.source.allow_writing():
        assert cut.put_back(replay.log.source) == f"put back: {lost} lines, up to turn 2"
    assert body(replay) == before
    assert kept(replay) == [first, stale]


def test_what_nobody_kept_is_put_back_by_who_had_read_it_and_nothing_is_left(replay: LogReplay) -> None:
    before = body(replay)
    take_back(replay, 1)
    os.unlink(*kept(replay))
    cut = found(replay)
    assert (cut.kept, body(replay) + cut.lines) == (None, before)
    with replay.log.source.allow_writing():
        assert cut.put_back(replay.log.source) == f"put back: {lines(cut.lines)} lines, up to turn 3"
    assert (body(replay), kept(replay)) == (before, [])


def test_where_no_file_can_be_made_it_is_not_put_back(replay: LogReplay, monkeypatch: pytest.MonkeyPatch) -> None:
    take_back(replay, 1)
    os.unlink(*kept(replay))
    cut, shorter = found(replay), body(replay)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nhlog.files.atomic.create", refuse)
    with replay.log.source.allow_writing(), pytest.raises(NotWritten, match="permission denied") as raised:
        cut.put_back(replay.log.source)
    assert raised.value.file == replay.log.source.name
    assert body(replay) == shorter


def test_a_file_that_cannot_be_removed_stays_and_all_is_put_back(replay: LogReplay, monkeypatch) -> None:
    """As in a folder of another user."""
    before = body(replay)
    take_back(replay, 1)
    cut = found(replay)

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "unlink", refuse)
    with replay.log.source.allow_writing():
        assert cut.put_back(replay.log.source).startswith("put back: ")
    assert (body(replay), kept(replay)) == (before, [cut.kept])


def test_what_was_not_sound_is_put_back_as_it_was_and_that_is_told(replay: LogReplay) -> None:
    with open(replay.log.source.name, "ab") as file:
        file.write(b"~ no diff\n")
    replay.refresh()
    before = body(replay)
    take_back(replay, 1)
    with replay.log.source.allow_writing():
        told = found(replay).put_back(replay.log.source)
    assert ", up to turn 3, and not sound, as it was: bad base64" in told
    assert body(replay) == before


def test_whoever_may_not_take_the_game_back_may_put_back_what_an_administrator_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(LogReplay(Log(LogFile(begin(tmp_path / "normal.nhgame"))))) as replay:
        with monkeypatch.context() as administrator:
            administrator.setattr(rights, "read_config", lambda: Config(administrators=(US,)))
            take_back(replay, 1)
        with pytest.raises(NotAllowed):
            offer_rewind(replay)
        with replay.log.source.allow_writing():
            assert found(replay).put_back(replay.log.source).endswith("up to turn 3")


def test_nothing_is_offered_where_there_is_nothing_or_nobody_who_may(replay: LogReplay, monkeypatch) -> None:
    assert cut_off(replay.log, 0, TURNS) is None, "nothing was cut off"
    take_back(replay, 1)
    copy = LogBytes(replay.log.source.name, Path(replay.log.source.name).read_bytes())
    assert cut_off(Log(copy), 0, TURNS) is None, "this is no file"
    assert found(replay).kept
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert cut_off(replay.log, 0, TURNS) is None, "nobody here may write"
