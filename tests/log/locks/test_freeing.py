"""Getting a process out of the way, as long as it is in it."""

import os
import signal
from pathlib import Path

import pytest

from nhlog.log.locks.freeing import GRACE, Freeing
from nhlog.log.locks.holders import holders_of
from tests.builders import played
from tests.processes import holding
from tests.sharing.parties import Party, needs_handshake

pytestmark = needs_handshake


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(1).write(tmp_path / "game.nhgame")


def freeing_of(path: str) -> Freeing:
    status = os.stat(path)
    identity = (status.st_dev, status.st_ino)
    [holder] = holders_of(identity)
    return Freeing(holder, identity)


def test_nothing_is_sent_to_a_reader_that_answers(path: str) -> None:
    with Party(path) as reader:
        assert reader.hear() == "ready"
        assert reader.do("monitor") == "monitoring"
        assert freeing_of(path).step is None


def test_nothing_is_sent_to_one_that_has_let_go(path: str) -> None:
    with holding(path, "LOCK_EX"):
        freeing = freeing_of(path)
        assert freeing.step is signal.SIGHUP
    assert freeing.step is None


def test_a_signal_has_its_time_only_while_the_process_is_in_the_way(path: str) -> None:
    with holding(path, "LOCK_EX") as holder:
        freeing = freeing_of(path)
        assert not freeing.waits(5.0)
        holder.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, holder.pid, os.WSTOPPED | os.WNOWAIT)
        freeing.send(signal.SIGCONT, 5.0)
        assert freeing.waits(5.0)
        assert not freeing.waits(5.0 + GRACE)
        assert freeing.step is signal.SIGHUP
    assert not freeing.waits(5.0)


def test_after_the_last_signal_nothing_is_left(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []
    monkeypatch.setattr("nhlog.log.locks.freeing.end", lambda holder, number: sent.append(number))
    with holding(path, "LOCK_EX"):
        freeing = freeing_of(path)
        while number := freeing.step:
            freeing.send(number, 0.0)
    assert sent == [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL]
