"""All checks of this machine, in the order in which they are told."""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from typing import Final

from nhlog.config import Config, Relay
from nhlog.errors import NhlogError
from nhlog.files.processes import python_command, python_environment
from nhlog.relay.connection import STREAM, connected
from nhlog.relay.login import options_of
from nhlog.relay.wire import Limits, StreamState, parse_server
from terminal.client import read_client_config
from terminal.doctor.extras import check_extras, check_sandbox, is_installed
from terminal.doctor.finding import Finding, Health
from terminal.doctor.folders import check_folders, check_mounts, check_space, nearest
from terminal.doctor.machine import check_emulator, check_kernels, check_locale, check_terminal, check_version
from terminal.doctor.nethack import check_nethack
from terminal.doctor.server import check_server
from terminal.doctor.sharing import check_events, check_sharing
from terminal.text.words import printable, size

__all__ = ["check_all", "check_page", "check_places", "check_stream", "judge_page", "judge_stream"]


def check_all(relay: str | None = None) -> Iterator[Finding]:
    """Runs every check; a configuration that cannot be read is one of the findings.  `relay` is a server of games."""
    yield check_version()
    config, readable = Config(), False
    try:
        config = read_client_config()
    except NhlogError as error:
        yield Finding("configuration", Health.BROKEN, str(error), "correct what is named, or remove those lines")
    else:
        readable = True
        yield Finding("configuration", Health.OK, "can be read")
    yield from check_places(config)
    yield check_emulator()
    yield check_kernels(serves=_serves(config))
    yield from check_extras()
    yield check_sandbox(config)
    if is_installed("nle"):
        yield check_nethack()
    if readable and is_installed("starlette"):
        yield check_page()
    if relay is not None:
        yield check_stream(relay, config.relay)
    yield check_terminal()
    yield check_locale()


def check_places(config: Config) -> Iterator[Finding]:
    """The folders and disks, and how processes share what is there.

    As root on a server they are those of its players: what is root's own is nobody's concern.
    """
    serves = _serves(config)
    yield from check_server(config) if serves else check_folders(config)
    yield from check_space(config, own=not serves)
    yield check_mounts(config)
    games = nearest(config.players if serves and config.players else config.games)
    yield from check_sharing(games)
    yield check_events(games)


def _serves(config: Config) -> bool:
    """Whether root looks at a server."""
    return os.geteuid() == 0 and config.players is not None


# The list of recordings as `nhlog serve` shows it: made for once by what makes it there.

_PATIENCE: Final = 60.0  # seconds: some thousand recordings are listed in one
_REPORT: Final = "please report it, with the file; the report of a crash says more"


def check_page() -> Finding:
    """Whether what lists the recordings does so, tried in another process: whatever ends that does not end this one."""
    command = python_command("-m", "terminal.web.checking")
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            env=python_environment(),
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        found = f"the recordings are not listed within {_PATIENCE:.0f} seconds"
        return Finding("page", Health.LIMITED, found, "nhlog serve DIR shows fewer folders")
    return judge_page(done.stdout, done.stderr)


def judge_page(told: str, errors: str) -> Finding:
    """What it means that the process said this, and this on standard error."""
    try:
        listed = json.loads(told)
    except ValueError:
        ended = errors.strip().splitlines()
        why = printable(ended[-1]) if ended else "it ended without a word"
        return Finding("page", Health.BROKEN, f"what lists the recordings for nhlog serve fails: {why}", _REPORT)
    found = f"nhlog serve can list {listed['recordings']} recordings"
    if not listed["untold"]:
        return Finding("page", Health.OK, found)
    names = ", ".join(map(printable, listed["untold"])) + (" and others" if listed["more"] else "")
    return Finding("page", Health.LIMITED, f"{found}, and nothing of {names}", _REPORT)


# What a NATS server stores of games: the stream, and whether it is kept from growing for ever.

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
