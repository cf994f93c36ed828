"""`nhlog watchers`: the processes that have a log open."""

import pwd
import signal
import time
from typing import TYPE_CHECKING, Final

import click

from terminal.options import FILE, json_option
from terminal.output import confirm, print_json, print_lines
from terminal.text.words import MICROSECONDS, utc_time

if TYPE_CHECKING:
    from nhlog.log.locks.holders import Holder

__all__ = ["command"]

STUCK_AFTER: Final = 1.0  # seconds that a write lock is held by nobody in good health
_LOOK_AGAIN: Final = 0.002  # short against a line and the pause after it
_GRACE: Final = 2.0  # seconds that a process gets to end after each signal
_STEPS: Final = (signal.SIGHUP, signal.SIGTERM, signal.SIGKILL)


@click.command("watchers")
@click.argument("file", type=FILE)
@click.option("--free", is_flag=True, help="End a process that holds the write lock for over a second, step by step.")
@json_option
def command(file: str, free: bool, as_json: bool) -> int:
    """List the processes that have a log open to play or to watch, and which lock they hold on it.

    A write lock is held for milliseconds. One that is held for over a second belongs to a stuck process, or to a
    program that is no game: then the log is undergoing maintenance. With --free such a process is sent SIGHUP, then
    SIGTERM, then SIGKILL, each only after you agreed and while it is still the same process.

    \b
    nhlog watchers game.nhgame
    nhlog watchers game.nhgame --free
    """
    from nhlog.log.file import LogFile
    from nhlog.log.locks.holders import holders_of, processes_on

    with LogFile(file) as log:
        identity = log.identity
    stuck = _stuck(identity)
    for holder in processes_on(identity):
        _print(holder, holder in stuck, as_json)
    if free:
        for holder in stuck:
            _free(holder)
        return 1 if any(holder in stuck for holder in holders_of(identity)) else 0
    return 0


def _stuck(identity: tuple[int, int]) -> list["Holder"]:
    """The holders of the write lock that hold it at every check for a while; a busy writer releases it in between."""
    from nhlog.log.locks.holders import holders_of

    stuck = [holder for holder in holders_of(identity) if holder.exclusive]
    deadline = time.monotonic() + STUCK_AFTER
    while stuck and time.monotonic() < deadline:
        time.sleep(_LOOK_AGAIN)
        held = holders_of(identity)
        stuck = [holder for holder in stuck if holder in held]
    return stuck


def _print(holder: "Holder", stuck: bool, as_json: bool) -> None:
    from nhlog.log.locks.holders import started_at

    start = round(started_at(holder) * MICROSECONDS) or None
    record = {
        "pid": holder.pid,
        "command": holder.command,
        "user": _user(holder.user),
        "lock": holder.lock,
        "start": start,
        "trouble": holder.trouble if stuck else None,
    }
    if as_json:
        print_json(record)
        return
    trouble = f"  {record['trouble']}" if stuck else ""
    began = utc_time(start) if start else ""
    print_lines(f"{holder.pid:>8}  {record['lock']:<5}  {record['user']:<12}  {began}  {holder.command}{trouble}")


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number) if number >= 0 else "unknown"


def _free(holder: "Holder") -> None:
    """Send one signal after the other, until the process is gone or the user stops."""
    from nhlog.log.locks.holders import end, is_same_process

    for number in _STEPS:
        if not is_same_process(holder):
            return
        if not confirm(f"Send {number.name} to process {holder.pid} ({holder.command})?"):
            return
        end(holder, number)
        deadline = time.monotonic() + _GRACE
        while is_same_process(holder) and time.monotonic() < deadline:
            time.sleep(0.05)
