"""Snapshots: a log that begins with the newest save backup, and goes on with what is sent after it."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.relay.copy import Copy, Outdated, Shortened
from nhlog.relay.following import Following
from nhlog.relay.snapshots import snapshot_of
from nhlog.relay.sources import LogSource
from nhlog.relay.wire import BadMessage, Kind, Message, decode_snapshot, encode, encode_snapshot
from tests.corpus import DATA
from tests.relay.made import append, rewind, send

MOST = 1 << 20


def long_log(folder: Path) -> str:
    """A log with several save backups that goes on."""
    path = folder / "mid1.nhgame"
    path.write_bytes((DATA / "nethack4" / "mid1.nhgame").read_bytes())
    return str(path)


def last_save(path: Path) -> tuple[bytes, int]:
    with LogFile(str(path)) as file, Log(file) as log:
        columns = log.columns
        return log.save(len(columns.save_lines) - 1), columns.clock


def taken(path: str) -> tuple[Following, Message]:
    """A log that was sent, and its snapshot."""
    source = LogSource(path)
    following = Following(source)
    send(following, [])
    message = snapshot_of(source.file, following.course, MOST)
    assert message is not None
    return following, message


def test_a_snapshot_is_a_log_with_the_same_newest_save_and_clock(tmp_path: Path) -> None:
    path = long_log(tmp_path)
    following, message = taken(path)
    following.source.close()
    shortened = tmp_path / "shortened.nhgame"
    shortened.write_bytes(message.body)

    assert len(message.body) < Path(path).stat().st_size // 2
    assert last_save(shortened) == last_save(Path(path))


def test_what_comes_later_and_is_taken_back_joins_on(tmp_path: Path) -> None:
    path = long_log(tmp_path)
    following, message = taken(path)
    with closing(following.source), closing(Copy(str(tmp_path / "late.nhgame"))) as copy:
        shortened, stored = Shortened(copy, message, 0), list[Message]()
        append(path, *(f"search L1;{number};x" for number in range(3000)))
        send(following, stored)
        rewind(path, 1234)
        send(following, stored)
        append(path, "pray")
        send(following, stored)
        for one in stored:
            shortened.take(one)
        with pytest.raises(BadMessage):
            shortened.take(stored[0])
        late = (tmp_path / "late.nhgame").read_bytes()
        assert late[len(message.body) :] == Path(path).read_bytes()[message.offset :]
        assert late.endswith(b";x\npray\n")

        rewind(path, 4000)
        send(following, stored)
        with pytest.raises(Outdated, match="taken back"):
            shortened.take(next(one for one in reversed(stored) if one.kind is Kind.TRUNCATE))


def test_none_is_made_that_is_larger_than_a_message_may_be(tmp_path: Path) -> None:
    following, message = taken(long_log(tmp_path))
    with closing(following.source) as source:
        assert isinstance(source, LogSource)
        assert snapshot_of(source.file, following.course, len(message.body) // 2) is None


def test_a_forged_one_is_refused(tmp_path: Path) -> None:
    following, message = taken(long_log(tmp_path))
    following.source.close()
    assert decode_snapshot(encode_snapshot(message, 7), message.body) == (message, 7)
    for headers, body in [
        (encode(message), message.body),
        (encode_snapshot(message, -1), message.body),
        (encode_snapshot(message, 7), message.body[:-1]),
        (encode_snapshot(message, 7) | {"Nhlog-Kind": "bytes"}, message.body),
        (encode_snapshot(message, 7) | {"Nhlog-Head": "8000", "Nhlog-Length": "20"}, b"x" * 20),
    ]:
        with pytest.raises(BadMessage):
            decode_snapshot(headers, body)
