"""All checks of this machine, in the order in which they are told."""

import os
from collections.abc import Iterator

from nhlog.config import Config
from nhlog.errors import NhlogError
from terminal.client import read_client_config
from terminal.doctor.extras import check_extras, check_sandbox, is_installed
from terminal.doctor.finding import Finding, Health
from terminal.doctor.folders import check_folders, check_mounts, check_space, nearest
from terminal.doctor.machine import check_emulator, check_kernels, check_locale, check_terminal, check_version
from terminal.doctor.page import check_page
from terminal.doctor.relayed import check_stream
from terminal.doctor.server import check_server
from terminal.doctor.sharing import check_events, check_sharing

__all__ = ["check_all", "check_places"]


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
