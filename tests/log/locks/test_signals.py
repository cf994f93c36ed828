"""The five signals: which number goes to whom, and what is made of one that comes."""

import os
import signal
import threading

import pytest

from nhlog.log.locks import signals
from nhlog.log.locks.signals import Meaning, Received
from tests.processes import Child
from tests.sharing.parties import needs_handshake

pytestmark = needs_handshake

FIRST = signal.SIGRTMIN

_RECEIVER = """
signal.pthread_sigmask(signal.SIG_BLOCK, range(signal.SIGRTMIN, signal.SIGRTMIN + 6))
say("ready")
while True:
    wait()
    came = signal.sigtimedwait(range(signal.SIGRTMIN, signal.SIGRTMIN + 6), 10)
    say(f"{came.si_signo - signal.SIGRTMIN} {came.si_code} {came.si_pid}")
"""


@pytest.mark.parametrize(
    ("act", "to_lower", "to_higher"), [(signals.ask, 0, 1), (signals.release, 2, 3), (signals.answer, 4, 4)]
)
@pytest.mark.parametrize("lower", [True, False])
def test_the_number_tells_who_goes_first(
    monkeypatch: pytest.MonkeyPatch, act: object, to_lower: int, to_higher: int, lower: bool
) -> None:
    with Child(_RECEIVER, "") as receiver:
        assert receiver.hear() == "ready"
        me = os.getpid()
        monkeypatch.setattr(os, "getpid", lambda: receiver.pid + (1 if lower else -1))
        act(receiver.pid)  # type: ignore[operator]
        receiver.tell()
        si_queue = -1
        assert receiver.hear() == f"{to_lower if lower else to_higher} {si_queue} {me}"


def test_who_is_gone_or_another_users_cannot_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with Child("", "") as gone:
        gone.wait(10)
    assert not signals.ask(gone.pid)
    signals.answer(gone.pid)
    signals.release(gone.pid)


@pytest.fixture
def taker() -> "Taker":
    return Taker()


class Taker:
    """What a thread of ours, with the signals blocked, makes of one that comes."""

    def of(self, number: int, code: int, monkeypatch: pytest.MonkeyPatch) -> Received | None:
        fields = [0] * 7
        fields[0], fields[1], fields[3] = number, code, 4711
        came = signal.struct_siginfo(fields)
        monkeypatch.setattr(signal, "sigtimedwait", lambda *_: came)
        return signals.take(0.0)


QUEUED, KILLED = -1, 0


@pytest.mark.parametrize(
    ("distance", "code", "meaning"),
    [
        (0, QUEUED, Meaning.LET_GO),
        (1, QUEUED, Meaning.LET_GO),
        (2, QUEUED, Meaning.MAY_LOCK),
        (3, QUEUED, Meaning.MAY_LOCK),
        (4, QUEUED, Meaning.ANSWER),
        (5, QUEUED, None),
        (0, KILLED, None),
        (1, KILLED, None),
        (2, KILLED, Meaning.MAY_LOCK),
        (4, KILLED, Meaning.ANSWER),
    ],
)
def test_what_a_signal_means(
    taker: Taker, monkeypatch: pytest.MonkeyPatch, distance: int, code: int, meaning: Meaning | None
) -> None:
    """Only requests have to be queued: NetHack 4 does not look at how the others were sent."""
    received = taker.of(FIRST + distance, code, monkeypatch)
    assert received == (None if meaning is None else Received(meaning, 4711))


def test_nothing_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "sigtimedwait", lambda *_: None)
    assert signals.take(0.0) is None


def test_who_goes_first() -> None:
    assert Received(Meaning.LET_GO, os.getpid() - 1).from_lower
    assert not Received(Meaning.LET_GO, os.getpid() + 1).from_lower


def test_a_thread_that_waits_is_woken() -> None:
    woken = threading.Event()

    def wait() -> None:
        signals.block()
        signals.take(30)
        woken.set()

    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    signals.block()
    try:
        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        signals.wake(thread)
        assert woken.wait(10)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_blocking_leaves_other_signals_alone() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    signals.block()
    after = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert after - before <= {*signals.SIGNALS, FIRST + 5}
    assert before <= after
