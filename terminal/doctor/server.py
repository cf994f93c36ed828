"""A server of players, as root sees it: the account that all play as, its folders, the file of keys, and sshd.

Root may write everywhere: so what is looked at is who else may, and what the account may not do.
"""

import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from nhlog.config import Config
from nhlog.errors import NhlogError
from nhlog.files import reason
from nhlog.players import KeyFile
from nhlog.players.maintenance import Maintenance
from nhlog.players.names import BONES, PROGRAMS
from nhlog.scores.tournament import read_tournament
from terminal.accounts.program import nhlog_path
from terminal.doctor.accounts import check_accounts, judge_keys_command
from terminal.doctor.finding import Finding, Health
from terminal.doctor.services import check_services
from terminal.hosting.common import common_bytes
from terminal.text.words import printable, size

__all__ = ["check_server", "judge_common", "judge_sshd"]

_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
_WANTED: Final = {"authenticationmethods": "publickey", "disableforwarding": "yes", "permituserrc": "no"}
"""What docs/server.md has in sshd's configuration, beside the file of keys: as `sshd -T` tells it."""
_PATIENCE: Final = 10.0  # seconds
_NEAR: Final = 0.9  # of what is allowed
_GUIDE: Final = "see docs/server.md"


def check_server(config: Config) -> Iterator[Finding]:
    """What docs/server.md has an administrator set up; nothing where there are no players' folders."""
    if config.players is None:
        return
    account = _owner(config.players)
    if account is None:
        remedy = f"make it, owned by the players' account: {_GUIDE}"
        yield Finding("players", Health.BROKEN, f"there is no folder {config.players}", remedy)
        return
    if account.pw_uid == 0:
        remedy = f"chown it to the players' account, which is not root: {_GUIDE}"
        yield Finding("players", Health.BROKEN, f"{config.players} belongs to root", remedy)
    else:
        yield Finding("players", Health.OK, f"all play as {account.pw_name}, which owns {config.players}")
    if config.finished is not None:
        yield _folder("finished", config.finished, account.pw_uid)
        if config.quota_common is not None:
            yield _common(config.finished, config.players / BONES / PROGRAMS, config.quota_common)
    yield _folder("players", config.players, account.pw_uid)
    if config.accounts.store is not None:
        yield from check_accounts(config.accounts, account.pw_uid)
    elif config.authorized_keys is not None:
        yield _keys(config.authorized_keys)
    if config.door is not None:
        yield _maintenance(config.door)
        yield from _programs(account, config)
        yield _sshd(account.pw_name, config)
    yield from check_services(config, account)
    for rules in config.tournaments:
        yield _tournament(rules, account.pw_uid)
    if config.administrators:
        yield _administrators(config.administrators, account.pw_name)


def _owner(folder: Path) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(folder.stat().st_uid)
    except (OSError, KeyError):
        return None


def _folder(name: str, folder: Path, account: int) -> Finding:
    """Whether the account, and nobody else, writes a folder."""
    try:
        status = folder.stat()
    except OSError as error:
        return Finding(f"folder: {name}", Health.BROKEN, f"{folder}: {reason(error)}", f"make it: {_GUIDE}")
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != account or not status.st_mode & stat.S_IWUSR:
        remedy = f"chown it to the players' account: {_GUIDE}"
        return Finding(f"folder: {name}", Health.BROKEN, f"the players' account cannot write to {folder}", remedy)
    if status.st_mode & _OTHERS:
        return Finding(f"folder: {name}", Health.LIMITED, f"others may write to {folder}", f"chmod 755 {folder}")
    return Finding(f"folder: {name}", Health.OK, str(folder))


def _common(finished: Path, bones: Path, most: int) -> Finding:
    try:
        return judge_common(common_bytes(finished, bones), most)
    except OSError as error:
        return Finding("quota_common", Health.BROKEN, reason(error), _GUIDE)


def judge_common(used: int, most: int) -> Finding:
    """Whether there is room for the dumps and bones that games leave for all."""
    found = f"dumps and bones of all players have {size(used)} of {size(most)}"
    if used < _NEAR * most:
        return Finding("quota_common", Health.OK, found)
    told = f"{found}: what games leave stays with their players" if used >= most else f"{found}: nearly all"
    remedy = "remove old dumps from the folder finished, or raise quota_common in config.toml"
    return Finding("quota_common", Health.LIMITED, told, remedy)


def _tournament(rules: Path, account: int) -> Finding:
    """Whether the lobby, which passes over what it cannot read, knows of a tournament."""
    name = f"tournament: {rules.name}"
    try:
        found, status = read_tournament(str(rules)), rules.stat()
    except (NhlogError, OSError) as error:
        return Finding(name, Health.BROKEN, str(error), "see docs/server.md, Tournaments")
    if not status.st_mode & (stat.S_IRUSR if status.st_uid == account else stat.S_IROTH):
        return Finding(name, Health.BROKEN, f"the players' account cannot read {rules}", f"chmod 644 {rules}")
    return Finding(name, Health.OK, found.title)


def _keys(file: Path) -> Finding:
    """Whether root alone decides who has a key: the file, and all folders above it."""
    for place in (file, *file.absolute().parents):
        try:
            status = place.stat()
        except FileNotFoundError:
            if place == file:
                continue  # nobody has a key yet
            return Finding("keys", Health.BROKEN, f"there is no folder {place}", f"make it: {_GUIDE}")
        sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
        if status.st_uid != 0 or (status.st_mode & _OTHERS and not sticky):
            remedy = f"chown root {place}; chmod go-w {place}: a game could add a key"
            return Finding("keys", Health.BROKEN, f"others than root may change {place}", remedy)
    return Finding("keys", Health.OK, f"root alone can change {file}")


def _programs(account: pwd.struct_passwd, config: Config) -> Iterator[Finding]:
    """Whether the account can run what the keys have run: root can, wherever it lies."""
    try:
        programs = _programs_of(config)
    except NhlogError as error:
        yield Finding("lobby", Health.BROKEN, str(error), _GUIDE)
        return
    for program in programs:
        try:
            done = subprocess.run(
                [program, "--version"],
                user=account.pw_uid,
                group=account.pw_gid,
                extra_groups=[],
                cwd="/",
                env={"HOME": account.pw_dir, "PATH": os.defpath},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            why = reason(error) if isinstance(error, OSError) else "it does not say its version"
            remedy = f"install nhlog where everybody can read it, and add the keys again: {_GUIDE}"
            yield Finding("lobby", Health.BROKEN, f"{account.pw_name} cannot run {program}: {why}", remedy)
        else:
            told = printable(done.stdout.decode(errors="replace").strip())
            yield Finding("lobby", Health.OK, f"{account.pw_name} can run {program}: {told}")


def _programs_of(config: Config) -> list[str]:
    if config.accounts.store is not None or config.authorized_keys is None:
        return [nhlog_path()]
    return KeyFile(config.authorized_keys).programs


def _maintenance(keys: Path) -> Finding:
    """Whether games may begin."""
    try:
        maintenance = Maintenance.of(keys)
    except NhlogError as error:
        return Finding("maintenance", Health.BROKEN, f"no new games: {error}", "nhlog maintenance off")
    if maintenance is None:
        return Finding("maintenance", Health.OK, "games may begin")
    return Finding("maintenance", Health.LIMITED, f"no new games: {maintenance}", "nhlog maintenance off")


def _administrators(names: Sequence[str], account: str) -> Finding:
    """Whether they can log in as themselves, and not as all players."""
    missing = [name for name in names if not _is_user(name)]
    if missing:
        remedy = f"adduser {missing[0]}, or take the name out of `administrators`"
        found = f"no account on this machine: {printable(', '.join(missing))}"
        return Finding("administrators", Health.BROKEN, found, remedy)
    if account in names:
        remedy = "give each an account of their own"
        return Finding("administrators", Health.BROKEN, f"{account} is the account of all players", remedy)
    return Finding("administrators", Health.OK, f"may take back any game: {', '.join(names)}")


def _is_user(name: str) -> bool:
    with suppress(KeyError):
        return pwd.getpwnam(name) is not None
    return False


def _sshd(account: str, config: Config) -> Finding:
    """What sshd does when the account logs in, by its own word."""
    sshd = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/sbin")
    if sshd is None:
        return Finding("sshd", Health.BROKEN, "sshd is not installed", "apt install openssh-server")
    command = [sshd, "-T", "-C", f"user={account},host=localhost,addr=127.0.0.1"]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("sshd", Health.LIMITED, f"sshd does not print its configuration: {error}", "sshd -T")
    if done.returncode:
        why = printable(done.stderr.strip().splitlines()[-1]) if done.stderr.strip() else f"code {done.returncode}"
        return Finding("sshd", Health.BROKEN, f"sshd does not take its configuration: {why}", "sshd -t")
    return judge_sshd(done.stdout, account, config)


def judge_sshd(told: str, account: str, config: Config) -> Finding:
    """What it means that sshd has these settings for the account, in the form of ``sshd -T``."""
    settings = dict(line.split(" ", 1) for line in told.splitlines() if " " in line)
    wrong = [f"{name} {settings.get(name, 'unset')}" for name, want in _WANTED.items() if settings.get(name) != want]
    if config.accounts.store is not None:
        wrong = judge_keys_command(settings, config.accounts.store) + wrong
    elif settings.get("authorizedkeysfile") != str(config.authorized_keys):
        wrong.insert(0, f"authorizedkeysfile {settings.get('authorizedkeysfile', 'unset')}")
    if wrong:
        found = f"for {account} sshd has: {printable(', '.join(wrong))}"
        return Finding("sshd", Health.BROKEN, found, f"the lines of docs/server.md, for {config.door}")
    return Finding("sshd", Health.OK, f"{account} logs in by the keys in {config.door}, and has the lobby alone")
