"""Which bytes of a log are believed that is read without a lock: those that stood there when nobody wrote."""

import pytest

from nhlog.errors import Damaged, LockNotObtained
from nhlog.log.reading import Moment, as_one, settled, stands
from nhlog.log.wire.header import IDENTIFICATION_SIZE, MAX_HEADER
from nhlog.log.wire.lines import BACKUP_HEAD
from tests.builders import played

LOG = bytes(played(3).data)
BODY = LOG.index(b"\n*") + 1
POINTER = BODY + BACKUP_HEAD - 2  # the last digit of the first backup's pointer


class Rewritten:
    """A log that is another one at each look; whenever one asks, nobody has the write lock."""

    name, identity, written = "game", None, False

    def __init__(self, *looks: bytes) -> None:
        self._looks = [*looks]

    def size(self) -> int:
        return len(self._looks[0])

    def pread(self, size: int, offset: int) -> bytes:
        data = self._looks.pop(0) if len(self._looks) > 1 else self._looks[0]
        return data[offset : offset + size]

    def writer(self) -> None:
        return None

    def close(self) -> None:
        pass


def with_digit(at: int) -> bytes:
    """The log with another digit there."""
    return LOG[:at] + (b"1" if LOG[at : at + 1] != b"1" else b"2") + LOG[at + 1 :]


@pytest.mark.parametrize("at", [IDENTIFICATION_SIZE - 2, BODY - 2, BODY + 1, POINTER, BODY + BACKUP_HEAD - 1])
def test_of_what_is_rewritten_in_place_every_byte_is_looked_at_twice(at: int) -> None:
    later = with_digit(at)
    assert settled(Rewritten(LOG, later)) == Moment(later[:MAX_HEADER], len(later))


def test_a_log_that_grows_while_its_header_stands_is_looked_at_again() -> None:
    assert settled(Rewritten(LOG, LOG + b"search\n")).size == len(LOG) + 7


def counted(count: bytes) -> bytes:
    """The log with this recovery count in line 1."""
    assert LOG.count(b" 00000001 ", 0, IDENTIFICATION_SIZE) == 1
    return LOG.replace(b" 00000001 ", b" " + count + b" ", 1)


def test_a_log_that_another_status_was_written_into_was_not_cut() -> None:
    moment = settled(Rewritten(LOG))
    assert stands(Rewritten(LOG.replace(b"NHGAME save", b"NHGAME done", 1)), moment)


@pytest.mark.parametrize("count", [b"00000002", b"0000000?"], ids=["raised", "half written"])
def test_a_log_whose_count_is_another_or_none_may_have_been_cut(count: bytes) -> None:
    moment = settled(Rewritten(counted(b"00000001")))
    assert not stands(Rewritten(counted(count)), moment)


# what is made of a moment


CUT = counted(b"00000002")


def test_of_a_log_that_is_cut_while_it_is_read_all_is_read_again() -> None:
    assert (
        as_one(Rewritten(LOG, LOG, CUT), lambda moment: moment.head[:IDENTIFICATION_SIZE]) == CUT[:IDENTIFICATION_SIZE]
    )


def refuse(moment: Moment) -> str:
    """Finds a fault in the log before it was cut."""
    if moment.identification == LOG[:IDENTIFICATION_SIZE]:
        raise Damaged("no command", file="game")
    return "sound"


def test_a_fault_in_what_was_cut_meanwhile_is_none() -> None:
    assert as_one(Rewritten(LOG, LOG, CUT), refuse) == "sound"


def test_a_fault_in_what_stands_is_told() -> None:
    with pytest.raises(Damaged, match="no command"):
        as_one(Rewritten(LOG), refuse)


def test_a_log_that_is_written_without_end_is_busy_even_if_nobody_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.log.reading.PATIENCE", 0)
    source = Rewritten(LOG)
    source.written = True
    with pytest.raises(LockNotObtained, match="busy: it is being written"):
        settled(source)
