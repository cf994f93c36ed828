"""Putting the finished games of the folder of games away, each with a dumplog: what was last on its player's screen."""

import os
from collections.abc import Iterator

from nhlog.config import Config
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.formats import reading
from nhlog.scores.entry import Ended, log_of
from nhlog.scores.filing import GAME, is_due, put_away
from nhlog.session.replay import GameReplay
from terminal.text.words import clock, counted, printable, utc_time
from terminal.views import View, Viewpoint, view_of

__all__ = ["due_games", "dumplog_of", "file_away", "filed"]

SIZE = (80, 24)  # columns and rows of the screen
LATEST = 30  # events that are told
PANELS = ("inventory", "attributes", "discoveries")


def due_games(config: Config) -> list[str]:
    """The finished games in the folder of games that are ours to put away; none if there is no folder for them."""
    paths = sorted(map(str, config.games.glob(f"*{GAME}"))) if config.finished is not None else []
    return [path for path in paths if _is_due(path)]


def _is_due(path: str) -> bool:
    try:
        return is_due(path)
    except NhlogError:  # no log; lists show what is wrong with it
        return False


def file_away(path: str, config: Config) -> str:
    """Put a finished game away; returns where it is now, or why it could not be, in words.

    Raises :class:`~nhlog.errors.LockNotObtained` where somebody keeps others from putting anything away.
    """
    try:
        return filed(path, config)
    except LockNotObtained:
        raise
    except NhlogError as error:
        return str(error)


def filed(path: str, config: Config) -> str:
    """The same; raises :class:`NhlogError` if it could not be put away."""
    assert config.finished is not None  # one was due
    with reading(path):
        return f"{os.path.basename(path)} is over and lies in {put_away(path, config.finished, dumplog_of)}"


def dumplog_of(replay: Ended) -> str:
    """The game as it was at the last line: who, how it ended, the screen, belongings, and what happened last."""
    view = view_of(replay.info.id)
    screen = view.body(replay, *SIZE, Viewpoint()).text()
    parts = [_heading(replay), screen, *_panels(view, replay), ["Latest", *_latest(replay)]]
    return "\n\n".join("\n".join(map(printable, part)) for part in parts) + "\n"


def _heading(replay: Ended) -> list[str]:
    info, header = replay.info, log_of(replay).log.header
    words = header.words
    end = None if info.start is None or info.duration is None else info.start + info.duration
    return [
        f"{header.player} the {words['race']} {words['role']} ({words['gender']}, {words['alignment']})",
        f"{header.state}; {counted(int(str(info.metadata['turn'])), 'turn')}",
        f"began {utc_time(header.start)}" + ("" if end is None else f", ended {utc_time(end)}"),
        f"{info.metadata['engine']} {header.identification.version}, {header.mode_word} game",
    ]


def _panels(view: View, replay: Ended) -> Iterator[list[str]]:
    for name in PANELS:
        if name in view.panels:
            yield [name.capitalize(), *(f"  {row}".rstrip() for row in view.panels[name](replay).text())]


def _latest(replay: Ended) -> list[str]:
    """What happened last, with the time since the start, and what the game said of it."""
    timeline = replay.timeline
    last = timeline.last
    events = [*replay.events(max(last - _LINES, 0), last)][-LATEST:]
    told = [f"  {clock(timeline.time(event.step)):>8}  {event.text}" for event in events]
    if isinstance(replay, GameReplay):
        said = replay.session.game.record().get("messages") or ()
        told += [f"            {text}" for text in said if isinstance(text, str)]
    return told


_LINES = 8 * LATEST  # lines of a log in which so many events are likely to be: a command has a time, a turn a save
