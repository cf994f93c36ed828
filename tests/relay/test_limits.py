"""A stream of relayed games has limits, and `nhlog doctor` says whether it has."""

import asyncio
from pathlib import Path

import pytest

from nhlog.config import Relay
from nhlog.relay.connection import connected
from nhlog.relay.wire import LIMITS, Limits, StreamState
from terminal.doctor.finding import Health
from terminal.doctor.streams import check_stream, judge_stream
from tests.relay.server import nats_server, needs_nats_server

DAY = 86_400_000_000
NONE = (0, 0)  # the numbers of its messages
MADE = StreamState(LIMITS, 10, 1000, 1, 10)


async def made(url: str, limits: Limits | None) -> StreamState | None:
    async with connected(url, {} if limits is None else {"limits": limits}) as connection:
        await connection.make_stream()
        return await connection.stream()


@needs_nats_server
def test_a_stream_is_made_with_limits_and_doctor_looks_at_them(tmp_path: Path) -> None:
    with nats_server(tmp_path) as server:
        assert check_stream(server.url, Relay()).health is Health.OK  # there is none
        assert asyncio.run(made(server.url, None)) == (LIMITS, 0, 0, *NONE)
        found = check_stream(server.url, Relay())
        assert (found.health, found.found) == (
            Health.OK,
            "stream NHLOG: 0 messages, 0 B; kept for 30 days, up to 4.3 GB",
        )
        assert asyncio.run(made(server.url, Limits(DAY, 1 << 20))) == (LIMITS, 0, 0, *NONE)  # an existing one stays
    assert check_stream(server.url, Relay()).health is Health.BROKEN


@needs_nats_server
def test_they_are_as_the_relay_is_told(tmp_path: Path) -> None:
    with nats_server(tmp_path) as server:
        assert asyncio.run(made(server.url, Limits(DAY, 1 << 20))) == (Limits(DAY, 1 << 20), 0, 0, *NONE)


@needs_nats_server
def test_a_stream_without_limits_is_told_of(tmp_path: Path) -> None:
    with nats_server(tmp_path) as server:
        assert asyncio.run(made(server.url, Limits(None, None))) == (Limits(None, None), 0, 0, *NONE)
        found = check_stream(server.url, Relay())
        assert (found.health, "kept for ever, without limit of size" in found.found) == (Health.LIMITED, True)


@pytest.mark.parametrize(
    ("stream", "health", "says"),
    [
        (None, Health.OK, "no stream NHLOG yet"),
        (MADE, Health.OK, "10 messages"),
        (MADE._replace(limits=Limits(None, 1 << 30)), Health.LIMITED, "kept for ever, up to"),
        (MADE._replace(limits=Limits(DAY, None)), Health.LIMITED, "kept for 1 days, without limit"),
        (MADE._replace(size=4 << 30), Health.LIMITED, "nearly full"),
    ],
)
def test_what_it_means(stream: StreamState | None, health: Health, says: str) -> None:
    found = judge_stream("NHLOG", stream)
    assert (found.health, says in found.found) == (health, True)
