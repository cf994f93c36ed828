"""Finds the engine of a log: NetHack 4 and its forks by the version, installed engines by the signature of a save."""

from typing import TYPE_CHECKING

from nhlog.engines import engine_of_save
from nhlog.nethack4.save.version import NETHACK4, engine_of_log
from nhlog.savehead import HEAD_SIZE

if TYPE_CHECKING:
    from nhlog.log.log import Log

__all__ = ["engine_name", "head_of"]


def engine_name(version: str, head: bytes = b"") -> str:
    """The engine's id (``delve``), or its name if none of that id is installed (``NetHack 4.3``).

    `version` is that of the log's first line, `head` the first bytes of one of its saves; if no save can be decoded
    only the version is used.
    """
    name = engine_of_log(version, head)
    if name == NETHACK4 or len(head) < HEAD_SIZE:
        return name
    return engine_of_save(head) or name


def head_of(log: "Log") -> bytes:
    """The first bytes of a log's latest save, or of the latest one that is sound; empty where none is."""
    columns = log.columns
    if len(columns.head) >= HEAD_SIZE or not columns.save_lines:
        return columns.head
    sound = log.last_sound(len(columns.save_lines) - 1)
    return columns.head if sound < 0 else log.save(sound)[:HEAD_SIZE]
