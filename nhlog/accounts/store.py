"""The store of accounts: players with their keys and passwords, invitations, codes, and what was tried how often.

Each act is one transaction, which waits until it is on the disk: of two who want the same name, one has it.  The file
is SQLite's, with a rollback journal: one file is all there is, and each process may be killed at any time.

The name of a player is never free again: games and recordings of that name are that player's, whether or not anybody
can log in.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

from nhlog.accounts.schema import migrate
from nhlog.errors import Damaged, LockNotObtained, NhlogError, Usage
from nhlog.players.keys import KeyLine, PublicKey
from nhlog.players.names import checked_name
from nhlog.values import NamedTuple

__all__ = ["Account", "Store", "Taken"]

_ACCOUNTS: Final = (
    "SELECT name, spectator, password IS NOT NULL, since FROM players"  # which compare names without case
)
_PATIENCE: Final = 5.0  # seconds for another process's transaction to end
_RIGHTS: Final = 0o600


class Taken(NhlogError):
    """The name or the key is somebody's already."""


class Account(NamedTuple):
    """A player, or a spectator, whose name is only for the administrator; `since` in seconds since 1970."""

    name: str
    spectator: bool
    has_password: bool
    since: int


class Store:
    """The store at `path`, which must be there unless it is to be made; a context manager.

    Raises :class:`NhlogError` where it cannot be opened, and of each method where it cannot be read or written.
    """

    def __init__(self, path: Path, *, make: bool = False) -> None:
        self._path = os.fspath(path)
        with _errors(self._path):
            if make:
                _make(self._path)
            if not stat.S_ISREG(os.lstat(self._path).st_mode):
                raise Damaged("not a regular file", file=self._path)
            name = f"{path.absolute().as_uri()}?mode=rw"
            self._database = sqlite3.connect(name, uri=True, isolation_level=None, timeout=_PATIENCE)
            try:
                for setting in ("foreign_keys = ON", "journal_mode = DELETE", "synchronous = FULL"):
                    self._database.execute(f"PRAGMA {setting}")
                migrate(self._database, self._path)
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """A scope in which nobody else changes the store, and whose changes are all made or, if it raises, none."""
        with _errors(self._path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                raise

    # players and keys

    @property
    def accounts(self) -> list[Account]:
        """All of them, by name."""
        return [_account(*row) for row in self._rows(f"{_ACCOUNTS} ORDER BY name")]

    @property
    def keys(self) -> list[KeyLine]:
        """The keys of players and spectators."""
        found = self._rows("SELECT name, kind, data, spectator FROM keys JOIN players ON id = player ORDER BY name")
        return [KeyLine(name, PublicKey(kind, data), bool(spectator)) for name, kind, data, spectator in found]

    def owner_of(self, key: PublicKey) -> KeyLine | None:
        """The key with its owner; None if it is nobody's."""
        found = self._rows(
            "SELECT name, spectator FROM keys JOIN players ON id = player WHERE kind = ? AND data = ?", *key
        )
        return KeyLine(found[0][0], key, bool(found[0][1])) if found else None

    def account(self, name: str) -> Account | None:
        """The account of this name, in any case; None if there is none."""
        found = self._rows(f"{_ACCOUNTS} WHERE name = ?", name)
        return _account(*found[0]) if found else None

    def register(self, name: str, now: int, *, spectator: bool = False) -> None:
        """Make an account; raises :class:`Taken` if there is one of this name, or one but for case.

        Within :meth:`change`.
        """
        if (known := self.account(checked_name(name))) is not None:
            raise Taken(f"{name} is taken" if known.name == name else f"{name} is too similar to {known.name}")
        self._do("INSERT INTO players (name, spectator, since) VALUES (?, ?, ?)", name, int(spectator), now)

    def give_key(self, name: str, key: PublicKey, now: int) -> None:
        """Let a key in as the player of this name; raises :class:`Taken` if it is somebody's.

        Within :meth:`change`.
        """
        if (owner := self.owner_of(key)) is not None:
            raise Taken(f"this key already belongs to {owner.name}")
        self._do("INSERT INTO keys VALUES (?, ?, ?, ?)", *key, self._player(name), now)

    def give_password(self, name: str, kept: str) -> None:
        """Let a player in by a password, of which this is kept."""
        self._do("UPDATE players SET password = ? WHERE id = ?", kept, self._player(name))

    def password_of(self, name: str) -> str | None:
        """What is kept of a player's password; None if there is no such player, or no password."""
        found = self._rows("SELECT password FROM players WHERE name = ? AND NOT spectator", name)
        return found[0][0] if found else None

    def lets_in(self, name: str) -> bool:
        """Whether some key or a password lets in the player of this name, who was not removed."""
        sql = "SELECT 1 FROM players WHERE name = ? AND (password IS NOT NULL OR id IN (SELECT player FROM keys))"
        return bool(self._rows(sql, name))

    def add(self, new: KeyLine, now: int) -> None:
        """Let a key in, as an administrator does: a further one, or the first one of a new player.

        Raises :class:`Taken`, and :class:`Usage` for a key that is to watch of a player who plays, or the reverse.
        """
        with self.change():
            known = self.account(checked_name(new.name))
            if known is None or known.name != new.name:
                self.register(new.name, now, spectator=new.spectator)
            elif known.spectator != new.spectator:
                raise Usage(f"{new.name} {'only watches' if known.spectator else 'plays'}", file=self._path)
            self.give_key(new.name, new.key, now)

    def remove(self, name: str) -> None:
        """Let in nobody by the keys, the password and the codes of this player.

        Raises :class:`Usage` if there are none.  The name stays the player's.
        """
        with self.change():
            player = self._player(name)
            gone = self._do("DELETE FROM keys WHERE player = ?", player)
            gone += self._do("UPDATE players SET password = NULL WHERE id = ? AND password IS NOT NULL", player)
            self._do("DELETE FROM codes WHERE player = ?", player)
            if not gone:
                raise Usage(f"{name} has no key", file=self._path)

    # codes

    def keep_code(self, name: str, digest: bytes, until: int, now: int) -> None:
        """Let who has the code of this digest be the player of this name, once, and before `until`."""
        with self.change():
            self._do("DELETE FROM codes WHERE until <= ? OR player = ?", now, self._player(name))
            self._do("INSERT INTO codes VALUES (?, ?, ?)", digest, self._player(name), until)

    def take_code(self, digest: bytes, now: int) -> str | None:
        """The name of the player whose code this was, which is none any more; None if it was none.  One statement: of
        two who have the same code, one gets the name."""
        found = self._rows("DELETE FROM codes WHERE digest = ? AND until > ? RETURNING player", digest, now)
        return str(self._rows("SELECT name FROM players WHERE id = ?", *found[0])[0][0]) if found else None

    def invite(self, digest: bytes, uses: int, until: int, now: int) -> None:
        """Let so many people register by the code of this digest before `until`."""
        with self.change():
            self._do("DELETE FROM invitations WHERE until <= ?", now)
            self._do("INSERT INTO invitations VALUES (?, ?, ?)", digest, uses, until)

    def has_invitation(self, digest: bytes, now: int) -> bool:
        """Whether somebody may register by the code of this digest."""
        sql = "SELECT 1 FROM invitations WHERE digest = ? AND until > ? AND uses > 0"
        return bool(self._rows(sql, digest, now))

    def use_invitation(self, digest: bytes, now: int) -> bool:
        """Use an invitation up by one; returns whether there was one.  Within :meth:`change`."""
        sql = "UPDATE invitations SET uses = uses - 1 WHERE digest = ? AND until > ? AND uses > 0"
        return bool(self._do(sql, digest, now))

    # what was tried

    def note(self, kind: str, whose: str, now: int, *, kept: int) -> None:
        """Remember that something was tried; what is older than so many seconds is forgotten."""
        self._do("DELETE FROM attempts WHERE kind = ? AND time <= ?", kind, now - kept)
        self._do("INSERT INTO attempts VALUES (?, ?, ?)", kind, whose, now)

    def times(self, kind: str, whose: str, since: int) -> list[int]:
        """When it was tried, after `since`."""
        sql = "SELECT time FROM attempts WHERE kind = ? AND whose = ? AND time > ?"
        return [time for (time,) in self._rows(sql, kind, whose, since)]

    # the file

    def copy(self) -> bytes:
        """The bytes of a store that is as this one is at one moment."""
        with _errors(self._path):
            self._database.execute("BEGIN")
            try:
                return self._database.serialize()
            finally:
                self._database.execute("ROLLBACK")

    def _player(self, name: str) -> int:
        found = self._rows("SELECT id FROM players WHERE name = ?", name)
        if not found:
            raise Usage(f"there is no player {name}", file=self._path)
        return int(found[0][0])

    def _rows(self, sql: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        with _errors(self._path):
            return self._database.execute(sql, values).fetchall()

    def _do(self, sql: str, *values: object) -> int:
        """Change rows; returns how many."""
        with _errors(self._path):
            return self._database.execute(sql, values).rowcount


def _account(name: str, spectator: int, has_password: int, since: int) -> Account:
    return Account(name, bool(spectator), bool(has_password), since)


def _make(path: str) -> None:
    """Make an empty file that others cannot read, unless there is one."""
    from nhlog.files import create_file  # which sshd does not wait for

    with suppress(FileExistsError):
        os.close(create_file(path, _RIGHTS))


@contextmanager
def _errors(path: str) -> Iterator[None]:
    """A scope in which what SQLite and the system refuse becomes an error of ours that names the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LockNotObtained("somebody else is changing the accounts now", file=path) from None
        raise NhlogError(str(error), file=path) from None
    except sqlite3.Error as error:
        raise Damaged(str(error), file=path) from None
    except OSError as error:
        raise NhlogError((error.strerror or str(error)).lower(), file=path) from None
