"""A server whose accounts are in a store, as root sees it: whose the store is, its service, and what sshd asks."""

import os
import pwd
import socket
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from nhlog.config import Accounts, Registration
from nhlog.files import reason
from nhlog.players.asking import socket_of
from terminal.doctor.finding import Finding, Health
from terminal.text.words import printable

__all__ = ["check_accounts", "judge_keys_command"]

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_GUIDE: Final = "see docs/server.md"


def check_accounts(accounts: Accounts, players: int) -> Iterator[Finding]:
    """The store and its service; `players` is the id of the account that all play as."""
    store = accounts.store
    assert store is not None
    yield _store(store, players)
    yield _service(store, accounts.registration)


def _store(store: Path, players: int) -> Finding:
    """Whether the store is an account's of its own, which no game is."""
    try:
        folder = store.absolute().parent.stat()
        status = store.stat()
    except FileNotFoundError as error:
        remedy = f"make the folder, and add a player or start the service: {_GUIDE}"
        return Finding("accounts", Health.BROKEN, f"{error.filename}: {reason(error)}", remedy)
    if folder.st_uid in (0, players) or folder.st_uid != status.st_uid:
        remedy = f"chown -R nhlog-accounts {store.parent}: {_GUIDE}"
        found = f"{store} and its folder are not of one account of their own"
        return Finding("accounts", Health.BROKEN, found, remedy)
    if status.st_mode & _OTHERS or folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        remedy = f"chmod 600 {store}; chmod 755 {store.parent}"
        return Finding("accounts", Health.BROKEN, f"others can read {store} or write beside it", remedy)
    return Finding("accounts", Health.OK, f"{_name(status.st_uid)} alone can read {store}")


def _service(store: Path, registration: Registration) -> Finding:
    """Whether somebody listens."""
    path = socket_of(store)
    with socket.socket(socket.AF_UNIX) as asked:
        code = asked.connect_ex(os.fspath(path))
    if code == 0:
        return Finding("registration", Health.OK, f"{registration.value}; the service listens at {path}")
    remedy = f"systemctl enable --now nhlog-accounts.socket: {_GUIDE}"
    found = f"nobody registers, or logs in by a code or password: {path}: {os.strerror(code).lower()}"
    return Finding(
        "registration", Health.LIMITED if registration is Registration.CLOSED else Health.BROKEN, found, remedy
    )


def judge_keys_command(settings: Mapping[str, str], store: Path) -> list[str]:
    """What is wrong in sshd's settings, in the form of ``sshd -T``, for keys to be asked of this store."""
    command = settings.get("authorizedkeyscommand", "none")
    wrong = []
    if settings.get("authorizedkeysfile") != "none":
        wrong.append(f"authorizedkeysfile {settings.get('authorizedkeysfile', 'unset')}")
    if not command.endswith(f"/nhlog-keys {store} %t %k"):
        wrong.append(f"authorizedkeyscommand {command}")
    user = settings.get("authorizedkeyscommanduser", "none")
    try:
        owner = _name(store.absolute().parent.stat().st_uid)
    except OSError:
        owner = "nhlog-accounts"
    if user != owner:
        wrong.append(f"authorizedkeyscommanduser {user}")
    return wrong


def _name(user: int) -> str:
    try:
        return printable(pwd.getpwuid(user).pw_name)
    except KeyError:
        return str(user)
