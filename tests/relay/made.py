"""What tests of relays have in common: a stored stream without a server, and a log that is played on and taken back."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from nhlog.relay.following import Following
from nhlog.relay.wire import Announcement, Message
from tests.corpus import SAMPLES

__all__ = ["ANNOUNCED", "append", "copied", "descriptors", "rewind", "send"]

ANNOUNCED = Announcement(
    title="Ann, human Valkyrie",
    format="NetHack 4 log",
    game="delve",
    place="Dungeons:2",
    turn=12,
    status="live",
    start=1_700_000_000_000_000,
    changed=1_700_000_000_000_000,
    size=7,
    told=1_700_000_000_000_000,
)

BEGUN = 4
"""Lines of a game that has begun: its header, and the first save."""


def copied(folder: Path, name: str = "scripted1.nhgame", copy: str = "") -> str:
    """A copy of a sample."""
    return str(shutil.copy(SAMPLES / name, folder / (copy or name)))


def append(path: str, *lines: str) -> None:
    """Append lines to a log; not as a player does, for this process has it open already."""
    with open(path, "ab") as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def rewind(path: str, lines: int) -> None:
    """Take a game back by so many lines, or to its first save: as `nhlog rewind` does, the recovery count is raised."""
    with open(path, "r+b") as file:
        data = file.read()
        file.seek(0)
        file.write(b"NHGAME save %08x" % (int(data[12:20], 16) + 1))
        whole = data.splitlines(keepends=True)
        file.truncate(len(b"".join(whole[: max(len(whole) - lines, BEGUN)])))


def descriptors(folder: Path) -> list[str]:
    """What this process has open in a folder."""
    found = []
    for fd in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the one that lists them
            found.append(os.readlink(f"/proc/self/fd/{fd}"))
    return [path for path in found if path.startswith(str(folder))]


def send(following: Following, stored: list[Message]) -> None:
    """Store all that is new."""
    while (message := following.next()) is not None:
        stored.append(message)
        following.take(message)
