"""What a NATS server stores of games: the stream, and whether it is kept from growing for ever."""

import asyncio
from typing import Final

from nhlog.config import Relay
from nhlog.errors import NhlogError
from nhlog.relay.connection import STREAM, connected
from nhlog.relay.login import options_of
from nhlog.relay.wire import Limits, StreamState, parse_server
from terminal.doctor.finding import Finding, Health
from terminal.text.words import size

__all__ = ["check_stream", "judge_stream"]

_DAY: Final = 86_400_000_000  # microseconds
_NEARLY: Final = 0.9  # of a stream's size: from there on the oldest is soon removed


def check_stream(url: str, settled: Relay) -> Finding:
    """The stream of this server, as one logs in there by the settings."""
    options = options_of(settled)

    async def look() -> StreamState | None:
        async with connected(parse_server(url), options) as connection:
            return await connection.stream()

    try:
        return judge_stream(str(options.get("stream", STREAM)), asyncio.run(look()))
    except NhlogError as error:
        return Finding(
            "relay", Health.BROKEN, str(error), "start nats-server -js there, and see [relay] of config.toml"
        )


def judge_stream(name: str, stream: StreamState | None) -> Finding:
    """What it means that the server has this stream."""
    if stream is None:
        return Finding("relay", Health.OK, f"no stream {name} yet: the first relay creates it, with limits")
    limits = stream.limits
    found = f"stream {name}: {stream.messages} messages, {size(stream.size)}; {_told(limits)}"
    if None in limits:
        remedy = f"nats stream edit {name} --max-age 30d --max-bytes 4GB: it fills the server's disk"
        return Finding("relay", Health.LIMITED, found, remedy)
    if limits.size is not None and stream.size > _NEARLY * limits.size:
        remedy = f"nats stream edit {name} --max-bytes SIZE: the beginnings of games are removed"
        return Finding("relay", Health.LIMITED, f"{found}, nearly full", remedy)
    return Finding("relay", Health.OK, found)


def _told(limits: Limits) -> str:
    age = "kept for ever" if limits.age is None else f"kept for {limits.age / _DAY:g} days"
    return f"{age}, {'without limit of size' if limits.size is None else f'up to {size(limits.size)}'}"
