"""What strangers make the server say in its log is bounded, and what is left out is counted."""

import logging
import socket
from pathlib import Path

import pytest

from terminal.web.serving import Sparing
from tests.clock import Clock
from tests.corpus import SAMPLES
from tests.terminal.web.site import serving


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said(clock: Clock, caplog: pytest.LogCaptureFixture):
    log = logging.getLogger("tests.sparing")
    sparing = Sparing(clock)
    log.addFilter(sparing)
    yield lambda text, *values: (log.warning(text, *values), [record.getMessage() for record in caplog.records])[1]
    log.removeFilter(sparing)


def test_a_sentence_is_said_once_a_minute_whatever_is_filled_in(said, clock: Clock) -> None:
    for number in range(500):
        found = said("no request: %d", number)
    assert found == ["no request: 0"]
    clock.now = 61.0
    assert said("no request: %d", 7) == ["no request: 0", "no request: 7 (and 499 lines like those before)"]


def test_another_one_is_said_and_tells_what_was_left_out(said) -> None:
    for _ in range(3):
        said("one")
    assert said("another") == ["one", "another (and 2 lines like those before)"]


def test_so_are_many_different_ones(said, clock: Clock) -> None:
    for number in range(500):
        found = said(f"sentence {number}")
    assert len(found) == 20
    clock.now = 120.0
    assert said("the last")[20:] == ["the last (and 480 lines like those before)"]


NONSENSE = (
    b"\x16\x03\x01\x02\x00\x01",
    b"FOO\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: zz\r\n\r\n",
)


def test_who_asks_nonsense_all_day_does_not_fill_the_disk(tmp_path: Path) -> None:
    with serving(SAMPLES) as served:
        for number in range(200):
            with socket.create_connection(("127.0.0.1", served.port)) as stranger:
                stranger.sendall(NONSENSE[number % len(NONSENSE)] + b"\r\n\r\n")
                stranger.shutdown(socket.SHUT_WR)
                while stranger.recv(1 << 16):
                    pass
        served.process.terminate()
        assert served.process.stderr is not None
        said = served.process.stderr.read()
    assert 0 < len(said.splitlines()) <= 5
