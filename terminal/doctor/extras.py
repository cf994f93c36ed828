"""The optional parts of the installation, as its own metadata lists them, and bubblewrap."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path
from typing import Final

from nhlog.config import Config, Sandbox, Walls
from nhlog.errors import NhlogError
from nhlog.files import reason
from terminal.doctor.finding import Finding, Health

__all__ = ["check_extras", "check_sandbox", "is_installed"]

_REQUIREMENT: Final = re.compile(r"""([\w.-]+).*;\s*extra == ["'](\w+)["']""")
_ADDS: Final = {
    "terminal": "recorded terminals, nhlog record",
    "web": "nhlog serve",
    "plots": "nhlog plot -o FILE.png",
    "remote": "recordings on S3 and at other addresses",
    "archive": "nhlog archive, addresses on S3",
    "relay": "nhlog relay, nhlog mirror",
    "nethack": "nhlog play --new --game nethack",
    "server": "passwords of players (docs/server.md)",
}
"""The extras for users, and what each adds."""


def check_extras() -> Iterator[Finding]:
    """Whether the packages of each extra are installed."""
    needed = _needed()
    for extra, adds in _ADDS.items():
        missing = [package for package in needed.get(extra, ()) if not is_installed(package)]
        if missing or extra not in needed:
            found = f"not installed: {', '.join(missing) or 'nhlog itself'}, needed for: {adds}"
            yield Finding(f"extra: {extra}", Health.LIMITED, found, f"pip install 'nhlog[{extra}]'")
        else:
            yield Finding(f"extra: {extra}", Health.OK, f"installed, for: {adds}")


def _needed() -> dict[str, list[str]]:
    """The packages of each extra; none where nhlog runs from its source without being installed."""
    needed: dict[str, list[str]] = {}
    with suppress(PackageNotFoundError):
        for requirement in requires("nhlog") or ():
            if match := _REQUIREMENT.match(requirement):
                needed.setdefault(match[2], []).append(match[1])
    return needed


def is_installed(package: str) -> bool:
    """Whether a package is installed."""
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def check_sandbox(config: Config) -> Finding:
    """Whether bubblewrap can build the walls within which programs are played as games."""
    from nhlog.recorder.walls import confined

    wanted = any(program.walls.sandbox is Sandbox.BWRAP for program in config.programs)
    try:
        with tempfile.TemporaryDirectory(prefix="nhlog-doctor-") as home:
            confined(("true",), Walls(), Path(home), {"PATH": "/usr/bin:/bin"})
    except NhlogError as error:
        why = error.message
    except OSError as error:
        why = reason(error)
    else:
        return Finding("bubblewrap", Health.OK, "programs can be played as games, in a sandbox")
    return Finding(
        "bubblewrap",
        Health.BROKEN if wanted else Health.LIMITED,
        f"programs cannot be played as games in a sandbox: {why}",
        "apt install bubblewrap util-linux; if they are installed, allow user namespaces"
        " (sysctl kernel.unprivileged_userns_clone=1; Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0)",
    )
