"""What a server of players needs of the system, as root sees it: games, the sandbox, limits, units, certificates."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from nhlog.config import Config, GameProgram, Sandbox
from nhlog.files import reason
from nhlog.files.processes import read_table
from terminal.doctor.finding import Finding, Health
from terminal.text.words import counted, printable

__all__ = ["check_services", "judge_units"]

_GUIDE: Final = "see docs/server.md"
_PATIENCE: Final = 10.0  # seconds
_WALLS: Final = ("--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "true")
_INSTANCES: Final = "/proc/sys/fs/inotify/max_user_instances"
_ENOUGH: Final = 1024  # clients of one account that hear of changes
_SYSTEMD: Final = Path("/run/systemd/system")  # is there where it runs
_UNITS: Final = ("nhlog-tidy.timer", "nhlog-serve.service")
_SHOWN: Final = "Id,LoadState,ActiveState,TasksMax,MemoryMax"
_NONE: Final = ("infinity", "[not set]", "")
_SOON: Final = 14 * 86_400  # seconds in which a certificate ends that should be renewed


def check_services(config: Config, account: pwd.struct_passwd) -> Iterator[Finding]:
    """Run the checks for the account that all play as."""
    for program in config.programs:
        yield _game(program)
    if any(program.walls.sandbox is Sandbox.BWRAP for program in config.programs):
        yield _sandbox(account)
    yield _events()
    yield from _units(account)
    for name in ("authority", "certificate"):
        file = getattr(config.relay, name)
        if file is not None:
            yield _certificate(name, file)


def _game(program: GameProgram) -> Finding:
    """Whether the program of a game is there."""
    command = program.command[0]
    if os.access(command, os.X_OK) if "/" in command else shutil.which(command):
        return Finding(f"game: {program.name}", Health.OK, command)
    return Finding(f"game: {program.name}", Health.BROKEN, f"there is no program {printable(command)}", "install it")


def _sandbox(account: pwd.struct_passwd) -> Finding:
    """Whether the account can build a sandbox: root can where others may not."""
    remedy = "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 (docs/games.md has more)"
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return Finding("sandbox", Health.BROKEN, "bubblewrap is not installed", "apt install bubblewrap")
    try:
        done = _run([bwrap, *_WALLS], account)
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("sandbox", Health.BROKEN, f"{account.pw_name} cannot build one: {error}", remedy)
    if done.returncode:
        why = printable(done.stderr.strip().splitlines()[-1]) if done.stderr.strip() else f"code {done.returncode}"
        return Finding("sandbox", Health.BROKEN, f"{account.pw_name} cannot build one: {why}", remedy)
    return Finding("sandbox", Health.OK, f"{account.pw_name} can build one")


def _run(command: Sequence[str], account: pwd.struct_passwd | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a program, as root or as the account."""
    return subprocess.run(
        command,
        user=account and account.pw_uid,
        group=account and account.pw_gid,
        extra_groups=None if account is None else [],
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_PATIENCE,
        check=False,
    )


def _events() -> Finding:
    """How many clients of the account are told of changes by the system."""
    try:
        instances = int(read_table(_INSTANCES))
    except ValueError:
        return Finding("clients at once", Health.LIMITED, f"cannot read {_INSTANCES}", "mount /proc")
    found = f"the system tells {counted(instances, 'client')} at once of changes"
    if instances >= _ENOUGH:
        return Finding("clients at once", Health.OK, found)
    remedy = "echo 'fs.inotify.max_user_instances = 4096' > /etc/sysctl.d/nhlog.conf && sysctl --system"
    return Finding("clients at once", Health.LIMITED, f"{found}; others look themselves, twice a second", remedy)


def _units(account: pwd.struct_passwd) -> Iterator[Finding]:
    """The units of docs/units, by systemd's own word."""
    slice_ = f"user-{account.pw_uid}.slice"
    if not _SYSTEMD.is_dir():
        yield Finding("units", Health.LIMITED, "systemd does not run here: nothing limits all players together", _GUIDE)
        return
    try:
        done = _run(["systemctl", "show", "--property", _SHOWN, *_UNITS, slice_])
    except (OSError, subprocess.SubprocessError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        yield Finding("units", Health.LIMITED, f"systemctl does not print them: {why}", "systemctl show")
        return
    yield from judge_units(done.stdout, slice_)


def judge_units(told: str, slice_: str) -> Iterator[Finding]:
    """What it means that ``systemctl show`` printed this of the units and of the account's slice."""
    units = {}
    for block in told.split("\n\n"):
        settings = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        units[settings.get("Id", "")] = settings
    for name in _UNITS:
        settings = units.get(name, {})
        if settings.get("LoadState") != "loaded":
            remedy = f"{_GUIDE}: limits for all players together"
            yield Finding(f"unit: {name.partition('.')[0]}", Health.LIMITED, f"{name} is not installed", remedy)
        elif settings.get("ActiveState") != "active":
            found = f"{name} is {printable(settings.get('ActiveState', 'unknown'))}"
            yield Finding(f"unit: {name.partition('.')[0]}", Health.BROKEN, found, f"systemctl enable --now {name}")
        else:
            yield Finding(f"unit: {name.partition('.')[0]}", Health.OK, f"{name} is active")
    limits = {name: units.get(slice_, {}).get(name, "") for name in ("TasksMax", "MemoryMax")}
    missing = [name for name, value in limits.items() if value in _NONE]
    if missing:
        found = f"{slice_} has no {' and no '.join(missing)}: players can use all of the machine"
        yield Finding("slice", Health.LIMITED, found, f"{_GUIDE}: limits for all players together")
    else:
        found = ", ".join(f"{name} {printable(value)}" for name, value in limits.items())
        yield Finding("slice", Health.OK, f"{slice_}: {found}")


def _certificate(name: str, file: Path) -> Finding:
    """Whether a certificate for the NATS server holds for two more weeks."""
    label = f"tls: {name}"
    command = ["openssl", "x509", "-noout", "-enddate", "-checkend", str(_SOON), "-in", str(file)]
    try:
        done = _run(command)
    except (OSError, subprocess.SubprocessError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        return Finding(label, Health.LIMITED, f"{file} cannot be checked: {why}", "apt install openssl")
    told = done.stdout.strip().splitlines()
    if not told or not told[0].startswith("notAfter="):
        return Finding(label, Health.BROKEN, f"{file} is no certificate that can be read", _GUIDE)
    until = printable(told[0].removeprefix("notAfter="))
    if done.returncode:
        return Finding(label, Health.BROKEN, f"{file} ends within two weeks: {until}", "renew it")
    return Finding(label, Health.OK, f"{file} holds until {until}")
