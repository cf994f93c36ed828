"""The dumplog of a finished game: the last screen, what the hero had and was, and what happened last."""

import os
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from nhlog.config import read_config
from nhlog.errors import NhlogError
from nhlog.files import atomic, read_whole
from nhlog.scores.entry import Ended, log_of
from nhlog.scores.xlogfile import DUMPLOG, GAME
from nhlog.session.replay import GameReplay
from terminal.messages.rows import recent
from terminal.text.words import clock, counted, printable, utc_time
from terminal.views import View, Viewpoint, view_of

__all__ = ["dumplog_of", "write_dumplog"]

SIZE: Final = (80, 24)  # columns and rows of the screen
LATEST: Final = 30  # events or messages that are told
MOST_SCREENS: Final = 20
LARGEST: Final = 1 << 20  # bytes of a dumplog, which has some thousand
HEADING: Final = 6  # lines in which a dumplog says whose it is
PANELS: Final = ("inventory", "attributes", "discoveries")


def write_dumplog(replay: Ended) -> str:
    """Write the dumplog of a game that stands at its last line; returns where it is, or why it is not, in words.

    It lies beside the log, for who may write that, else in the current folder; what is put away has it there.
    """
    name = log_of(replay).log.source.name
    if (folder := _put_away_to(name)) is not None:
        return f"as soon as its player leaves, the game and a dump file go to {folder}"
    path = _place(name)
    text = dumplog_of(replay).encode("utf-8", "replace")
    try:
        was = read_whole(path, LARGEST) if os.path.lexists(path) else text
        if _beginning(was) != _beginning(text):
            return f"no dump file was written: {path} is something else"
        if was is text or was != text:
            atomic.replace(path, [text])
    except NhlogError as error:
        return f"no dump file was written: {error}"
    except OSError as error:
        return f"no dump file was written: {path}: {(error.strerror or str(error)).lower()}"
    return f"dump file: {path}"


def _put_away_to(game: str) -> Path | None:
    """The folder where the game goes with its dumplog as soon as its player leaves it; None if it stays."""
    config = read_config()
    waits = os.path.realpath(os.path.dirname(game)) == os.path.realpath(config.games)
    return config.finished if waits else None


def _place(game: str) -> str:
    """The path of the dumplog of the game in this file."""
    folder, name = os.path.split(os.path.abspath(game))
    ours = os.access(game, os.W_OK) and os.access(folder, os.W_OK)
    return os.path.join(folder if ours else os.curdir, name.removesuffix(GAME) + DUMPLOG)


def _beginning(dumplog: bytes) -> tuple[bytes, bytes]:
    """Who it was, and when their game began: the same in each dumplog of one game, and in nothing else."""
    who, *others = dumplog.split(b"\n", HEADING)[:HEADING]
    return who, next((line.partition(b",")[0] for line in others if line.startswith(b"began ")), b"")


def dumplog_of(replay: Ended) -> str:
    """The game as it was at the last line: who, how it ended, the screen, belongings, and what happened last."""
    view = view_of(replay.info.id)
    if view.speaks and isinstance(replay, GameReplay):
        screens, latest = _last_screens(view, replay), [f"  {text}" for text, _ in recent(replay, SIZE[0], LATEST)]
    else:
        screens, latest = [view.body(replay, *SIZE, Viewpoint()).text()], _latest(replay)
    parts = [_heading(replay), *screens, *_panels(view, replay), ["Latest", *latest]]
    return "\n\n".join("\n".join(map(printable, part)) for part in parts) + "\n"


def _last_screens(view: View, replay: GameReplay) -> list[list[str]]:
    """What a game that has screens of its own showed in its last turn; empty rows below are left out."""
    columns, screens = replay.lines.log.columns, list[list[str]]()
    first = max(bisect_left(columns.save_turns, columns.last_turn), len(columns.save_lines) - MOST_SCREENS)
    for line in [*columns.save_lines[first:], replay.timeline.last]:
        replay.seek(line)
        rows = [row.rstrip() for row in view.body(replay, *SIZE, Viewpoint()).text()]
        while rows and not rows[-1]:
            rows.pop()
        if rows and rows not in screens[-1:]:
            screens.append(rows)
    replay.to_end()
    return screens


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
