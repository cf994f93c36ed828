"""Whether the last commit is one that can be released."""

import re

from nhlog import __version__
from scripts.releasing import ROOT, NotReady, run

__all__ = ["TAG", "check_ready", "check_released_on"]

TAG = f"v{__version__}"
_HEADING = re.compile(rf"^## \[{re.escape(__version__)}\] - (\S+)$", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def check_ready() -> None:
    """Everything is committed, the version is new, and the changelogs tell of it."""
    if changed := run("git", "status", "--porcelain", cwd=ROOT):
        raise NotReady(f"not committed:\n{changed}")
    if run("git", "tag", "--list", TAG, cwd=ROOT):
        raise NotReady(f"{TAG} is there already: raise __version__ in nhlog/__init__.py")
    _heading()
    debian = (ROOT / "packaging" / "debian" / "changelog").read_text().partition("\n")[0]
    if not debian.startswith(f"nhlog ({__version__}) "):
        raise NotReady(f"packaging/debian/changelog begins with another version: {debian}")


def check_released_on() -> None:
    """The changelog says when; until then the version is still being written."""
    if not _DATE.fullmatch(_heading()):
        raise NotReady(f"CHANGELOG.md: write the date of today behind [{__version__}] and commit it")


def _heading() -> str:
    """What stands behind the version in the changelog."""
    found = _HEADING.search((ROOT / "CHANGELOG.md").read_text())
    if not found:
        raise NotReady(f"CHANGELOG.md has no section `## [{__version__}] - DATE`")
    return found[1]
