"""The tables of the store, and how one of an earlier version becomes one of this: step by step, all of them or none.

`user_version` of the file is the number of the steps that were done.  A step that was released is never changed.
"""

import sqlite3
from typing import Final

from nhlog.errors import Damaged, Unsupported

__all__ = ["STEPS", "migrate"]

APPLICATION: Final = 0x6E686C67  # "nhlg", by which a file is known as a store

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (
        f"PRAGMA application_id = {APPLICATION}",
        """CREATE TABLE players (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            spectator INTEGER NOT NULL,
            password TEXT,
            since INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE keys (
            kind TEXT NOT NULL,
            data TEXT NOT NULL,
            player INTEGER NOT NULL REFERENCES players,
            since INTEGER NOT NULL,
            PRIMARY KEY (kind, data)
        ) STRICT""",
        """CREATE TABLE invitations (
            digest BLOB PRIMARY KEY,
            uses INTEGER NOT NULL,
            until INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE codes (
            digest BLOB PRIMARY KEY,
            player INTEGER NOT NULL REFERENCES players,
            until INTEGER NOT NULL
        ) STRICT""",
        """CREATE TABLE attempts (
            kind TEXT NOT NULL,
            whose TEXT NOT NULL,
            time INTEGER NOT NULL
        ) STRICT""",
        "CREATE INDEX attempts_of ON attempts (kind, whose, time)",
    ),
)
"""What was done to an empty file, in order."""


def migrate(database: sqlite3.Connection, path: str) -> None:
    """Bring an open store to this version; raises :class:`Damaged` for another program's file, and
    :class:`Unsupported` for the store of a later version.
    """
    if _version(database) == len(STEPS) and _application(database) == APPLICATION:
        return
    database.execute("BEGIN IMMEDIATE")
    with database:
        done = _version(database)
        if _application(database) != APPLICATION and (done or _is_used(database)):
            raise Damaged("not a store of accounts, but another program's database", file=path)
        if done > len(STEPS):
            raise Unsupported("a store of accounts of a later version", file=path, expected=len(STEPS), found=done)
        for step in STEPS[done:]:
            for statement in step:
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {len(STEPS)}")


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _application(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA application_id").fetchone()[0])


def _is_used(database: sqlite3.Connection) -> bool:
    return bool(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
