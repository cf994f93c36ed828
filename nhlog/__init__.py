"""nhlog: shared, crash-proof log files of games, and other recordings that can be replayed.

The library prints nothing and knows no terminal; it must not import `terminal`.  Its main names can be imported from
here, each from its module when it is first used; docs/library.md shows what they are for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nhlog.engines import engine_named, engines
    from nhlog.engines.protocol import Binding, ClaimsKeys, Engine, Game, NewGame, Run
    from nhlog.errors import Damaged, LockNotObtained, LogRecovered, NhlogError, TooShort, Unsupported, Usage
    from nhlog.files import Fate, open_source
    from nhlog.formats import format_of, formats, is_recording, open_recording, operation
    from nhlog.formats.follow import follow
    from nhlog.formats.hollowcube.recording.recorder import Recorder
    from nhlog.formats.nhgame.open import open_log
    from nhlog.formats.nhgame.state import LogState
    from nhlog.log import Durability
    from nhlog.log.append import GameIsOver, InputDropped, Writer, create_log
    from nhlog.log.file import LogFile
    from nhlog.log.log import Log
    from nhlog.log.notify import Changes
    from nhlog.log.wire.lines import (
        DIRECTIONS,
        Argument,
        Command,
        DirectionAnswer,
        KeyAnswer,
        Line,
        MenuAnswer,
        ObjectMenuAnswer,
        PositionAnswer,
        TextAnswer,
        YesNoAnswer,
    )
    from nhlog.operations import FileInfo, Format, Listing, Operations, Record
    from nhlog.replay import Change, Event, Info, Replay, Status
    from nhlog.savehead import HEAD_SIZE
    from nhlog.screen import PLAIN, Screen, Style
    from nhlog.session import Session, new_game
    from nhlog.timeline import Axis, Marker, NoSuchPosition, Position, Timeline, parse_position

__version__ = "0.1.0"
"""The only place of the version: pyproject.toml reads it here."""

__all__ = [
    "DIRECTIONS",
    "HEAD_SIZE",
    "PLAIN",
    "Argument",
    "Axis",
    "Binding",
    "Change",
    "Changes",
    "ClaimsKeys",
    "Command",
    "Damaged",
    "DirectionAnswer",
    "Durability",
    "Engine",
    "Event",
    "Fate",
    "FileInfo",
    "Format",
    "Game",
    "GameIsOver",
    "Info",
    "InputDropped",
    "KeyAnswer",
    "Line",
    "Listing",
    "LockNotObtained",
    "Log",
    "LogFile",
    "LogRecovered",
    "LogState",
    "Marker",
    "MenuAnswer",
    "NewGame",
    "NhlogError",
    "NoSuchPosition",
    "ObjectMenuAnswer",
    "Operations",
    "Position",
    "PositionAnswer",
    "Record",
    "Recorder",
    "Replay",
    "Run",
    "Screen",
    "Session",
    "Status",
    "Style",
    "TextAnswer",
    "Timeline",
    "TooShort",
    "Unsupported",
    "Usage",
    "Writer",
    "YesNoAnswer",
    "create_log",
    "engine_named",
    "engines",
    "follow",
    "format_of",
    "formats",
    "is_recording",
    "new_game",
    "open_log",
    "open_recording",
    "open_source",
    "operation",
    "parse_position",
]

_HOMES = {
    "nhlog.engines": ("engine_named", "engines"),
    "nhlog.engines.protocol": ("Binding", "ClaimsKeys", "Engine", "Game", "NewGame", "Run"),
    "nhlog.errors": ("Damaged", "LockNotObtained", "LogRecovered", "NhlogError", "TooShort", "Unsupported", "Usage"),
    "nhlog.files": ("Fate", "open_source"),
    "nhlog.formats": ("format_of", "formats", "is_recording", "open_recording", "operation"),
    "nhlog.formats.follow": ("follow",),
    "nhlog.formats.hollowcube.recording.recorder": ("Recorder",),
    "nhlog.formats.nhgame.open": ("open_log",),
    "nhlog.formats.nhgame.state": ("LogState",),
    "nhlog.log": ("Durability",),
    "nhlog.log.append": ("GameIsOver", "InputDropped", "Writer", "create_log"),
    "nhlog.log.file": ("LogFile",),
    "nhlog.log.wire.lines": (
        "DIRECTIONS",
        "Argument",
        "Command",
        "DirectionAnswer",
        "KeyAnswer",
        "Line",
        "MenuAnswer",
        "ObjectMenuAnswer",
        "PositionAnswer",
        "TextAnswer",
        "YesNoAnswer",
    ),
    "nhlog.log.log": ("Log",),
    "nhlog.log.notify": ("Changes",),
    "nhlog.operations": ("FileInfo", "Format", "Listing", "Operations", "Record"),
    "nhlog.replay": ("Change", "Event", "Info", "Replay", "Status"),
    "nhlog.savehead": ("HEAD_SIZE",),
    "nhlog.screen": ("PLAIN", "Screen", "Style"),
    "nhlog.session": ("Session", "new_game"),
    "nhlog.timeline": ("Axis", "Marker", "NoSuchPosition", "Position", "Timeline", "parse_position"),
}
"""The main names by module, the same as in the imports above (a test compares them)."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """One of the main names."""
        from importlib import import_module

        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(home), name)

    def __dir__() -> list[str]:
        """All names of the module, the main names included."""
        return sorted({*globals(), *__all__})
