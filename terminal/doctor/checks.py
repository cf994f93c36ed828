"""All checks of this machine, in the order in which they are told."""

import json
import os
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from nhlog.config import Config
from nhlog.engines import engines
from nhlog.errors import NhlogError
from nhlog.files.processes import python_command, python_environment
from terminal.client import read_client_config
from terminal.doctor.extras import check_extras, check_sandbox, is_installed
from terminal.doctor.finding import Finding, Health
from terminal.doctor.folders import check_folders, check_mounts, check_space, nearest
from terminal.doctor.machine import (
    check_emulator,
    check_entry_points,
    check_kernels,
    check_locale,
    check_terminal,
    check_version,
)
from terminal.doctor.sharing import check_events, check_sharing
from terminal.text.words import printable

__all__ = ["check_all", "check_page", "check_places", "judge_page"]


def check_all(relay: str | None = None) -> Iterator[Finding]:
    """Run every check; a configuration that cannot be read is one of the findings.  `relay` is a server of games."""
    yield check_version()
    config, readable = Config(), False
    try:
        config = read_client_config()
    except NhlogError as error:
        for mistake in error.every:
            yield Finding("configuration", Health.BROKEN, str(mistake), "correct what is named, or remove those lines")
    else:
        readable = True
        yield Finding("configuration", Health.OK, "can be read")
    yield from check_places(config)
    yield from check_entry_points()
    yield check_emulator()
    yield check_kernels(serves=_serves(config))
    yield from check_extras()
    yield check_sandbox(config)
    if "nethack" in engines() and is_installed("nle"):
        from terminal.doctor.nethack import check_nethack  # of a guest, who may not be there

        yield check_nethack()
    if readable and is_installed("starlette"):
        yield check_page()
    if relay is not None:
        from terminal.doctor.streams import check_stream  # likewise

        yield check_stream(relay, config.relay)
    yield check_terminal()
    yield check_locale()


def check_places(config: Config) -> Iterator[Finding]:
    """The folders and disks, and how processes share what is there.

    As root on a server they are those of its players: what is root's own is nobody's concern.
    """
    serves = _serves(config)
    if serves:
        from terminal.doctor.server import check_server  # of a guest, who may not be there

        yield from check_server(config)
    else:
        yield from check_folders(config)
    yield from check_space(config, own=not serves)
    yield check_mounts(config)
    games = nearest(config.players if serves and config.players else config.games)
    yield from check_sharing(games)
    yield check_events(games)


def _serves(config: Config) -> bool:
    """Whether root looks at a server, and what looks at one is here."""
    return os.geteuid() == 0 and config.players is not None and find_spec("terminal.doctor.server") is not None


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
