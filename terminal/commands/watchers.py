"""`nhlog watchers`: the processes that have a log or a recording open."""

import os
import time
from typing import TYPE_CHECKING, Final

import click

from nhlog.errors import Usage
from terminal.options import FILE, json_option
from terminal.output import confirm, print_json, print_lines, print_table
from terminal.text.words import MICROSECONDS

if TYPE_CHECKING:
    from nhlog.files.processes import Process
    from nhlog.log.locks.holders import Holder
    from nhlog.operations import Record

__all__ = ["command"]

STUCK_AFTER: Final = 1.0  # seconds that a write lock, or one of who does not answer, is held by nobody in good health
_LOOK_AGAIN: Final = 0.002  # short against a line and the pause after it
_NOBODY: Final = "{}: no process has it open"
_PAUSE: Final = 0.05  # seconds between two looks whether a signal helped


@click.command("watchers")
@click.argument("file", type=FILE)
@click.option(
    "--free",
    is_flag=True,
    help="End a process that has kept others from writing for over a second; asks before each step.",
)
@json_option
def command(file: str, free: bool, as_json: bool) -> int:
    """List the processes that play, watch or record a file, and the locks they hold.

    For recordings other than logs, it lists those that watch, and those that have the file open now, as far as the
    system tells you. A recorder holds the write lock while it records.

    On a log, a write lock is normally held for milliseconds. If one is held for over a second, its process is stuck, or
    is no game. The same goes for a read lock whose process is stopped or does not answer. --free sends such a process
    SIGHUP, then SIGTERM, then SIGKILL, asking you before each; a stopped one is first sent SIGCONT.

    \b
    nhlog watchers game.nhgame
    nhlog watchers game.nhgame --free
    nhlog watchers game.cast
    """
    from nhlog.formats import format_of
    from nhlog.formats.nhgame import ID

    if format_of(file).id != ID:
        if free:
            raise Usage("--free works for logs only: a recorder may hold its lock for days", file=file)
        _print(file, _of_recording(file), as_json)
        return 0
    from nhlog.log.file import LogFile

    with LogFile(file) as log:
        identity, status = log.identity, log.status()
    stuck = _stuck(identity)
    _print(file, _of_log(identity, status, stuck), as_json)
    return _free_all(stuck, identity) if free else 0


def _of_recording(file: str) -> list["Record"]:
    from nhlog.files import CannotOpen, stamp_of
    from nhlog.files.processes import locks_on, process, processes_with

    stamp = stamp_of(file)
    if stamp is None:
        raise CannotOpen("no such file or directory", file=file)
    locks = locks_on(stamp.identity)
    writing = [pid for pid, exclusive in {**locks.marks, **locks.content}.items() if exclusive]
    others = sorted({*locks.marks, *processes_with(stamp.identity)}.difference(writing))
    return [
        *(_record(process(pid), "records", "write") for pid in writing),
        *(_record(process(pid), "watches" if pid in locks.marks else None, "no") for pid in others),
    ]


def _of_log(identity: tuple[int, int], status: os.stat_result, stuck: list["Holder"]) -> list["Record"]:
    """Those that play come first, then who came first."""
    from nhlog.log.locks.holders import Role, processes_on, role_of

    found = [
        _record(holder, role_of(holder, status), holder.lock, holder.trouble if holder in stuck else None)
        for holder in processes_on(identity)
    ]
    return sorted(found, key=lambda record: (record["role"] is not Role.PLAYS, record["start"] or 0, record["pid"]))


def _stuck(identity: tuple[int, int]) -> list["Holder"]:
    """The holders in everybody's way at every check for a while; a busy writer releases its lock in between."""
    from nhlog.log.locks.freeing import is_in_the_way
    from nhlog.log.locks.holders import holders_of

    stuck = [holder for holder in holders_of(identity) if is_in_the_way(holder, identity)]
    deadline = time.monotonic() + STUCK_AFTER
    while stuck and time.monotonic() < deadline:
        time.sleep(_LOOK_AGAIN)
        stuck = [holder for holder in stuck if is_in_the_way(holder, identity)]
    return stuck


def _record(found: "Process", role: str | None, lock: str, trouble: str | None = None) -> "Record":
    from nhlog.files.processes import started_at

    return {
        "pid": found.pid,
        "command": found.command,
        "user": found.user_name,
        "role": role,
        "lock": lock,
        "start": round(started_at(found) * MICROSECONDS) or None,
        "trouble": trouble,
    }


def _print(file: str, records: list["Record"], as_json: bool) -> None:
    if not records:
        print_lines(_NOBODY.format(file), err=True)
    elif as_json:
        for record in records:
            print_json(record)
    else:
        print_table(records)


def _free_all(stuck: list["Holder"], identity: tuple[int, int]) -> int:
    """Print who may end each of them, and end those that we may; return the exit code."""
    from nhlog.log.locks.freeing import is_in_the_way
    from nhlog.log.locks.holders import may_end

    print_lines(*(_who_can_end(holder) for holder in stuck), err=True)
    for holder in stuck:
        if may_end(holder):
            _free(holder, identity)
    return 1 if any(is_in_the_way(holder, identity) for holder in stuck) else 0


def _who_can_end(holder: "Holder") -> str:
    """Whether we can end it, and who else can."""
    from nhlog.log.locks.holders import may_end

    others = " or ".join(dict.fromkeys((holder.user_name, "root")))
    return f"process {holder.pid} ({holder.command}): {'you' if may_end(holder) else others} can end it"


def _free(holder: "Holder", identity: tuple[int, int]) -> None:
    """Send one signal after the other, until the process is out of the way or the user stops."""
    from nhlog.log.locks.freeing import Freeing

    freeing = Freeing(holder, identity)
    while number := freeing.step:
        if not confirm(f"Send {number.name} to process {holder.pid} ({holder.command})?"):
            return
        freeing.send(number, time.monotonic())
        while freeing.waits(time.monotonic()):
            time.sleep(_PAUSE)
