"""Taking a game back from inside the client: who may, what is lost, and the doing."""

import os
import pwd
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from nhlog.config import read_config
from nhlog.errors import NhlogError, Unsupported
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import Loss, plan
from nhlog.log.append import NotWritten
from nhlog.log.file import LogFile
from nhlog.log.recovery import Truncation, carry_out, refuse
from nhlog.log.wire.header import MODES
from nhlog.replay import Replay
from nhlog.session.replay import GameReplay
from nhlog.timeline import Position
from terminal.words import clock, counted, size

__all__ = ["NotAllowed", "Offer", "cut_back", "loss_told", "offer_rewind"]

_OPEN_MODES: Final = ("explore", "wizard")  # games in which everybody may


class NotAllowed(NhlogError):
    """This user may not take this game back."""


class Offer(NamedTuple):
    """A rewind that could be done: what it means in words, and the doing, which says what came of it."""

    question: str
    carry_out: Callable[[], str]


def offer_rewind(replay: Replay[Any]) -> Offer:
    """The rewind to where the replay stands.

    Raises :class:`NotAllowed`, :class:`Unsupported` for what is no log, and what refuses a rewind.
    """
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    if not isinstance(lines, LogReplay):
        raise Unsupported("only the game of a log can be taken back")
    file = lines.log.source
    if not isinstance(file, LogFile):
        raise Unsupported("only a log in a file can be taken back")
    _check_right(lines)
    number = lines.timeline.at("line", lines.step)
    loss = plan(lines, Position("line", number))
    cut = loss.truncation
    if cut is None:
        raise NhlogError("nothing comes after this")
    refuse(cut, file.name)

    def do_it() -> str:
        file.allow_writing()
        kept = cut_back(file, cut)
        return f"back to turn {loss.turn}" + (f"; what was cut off is in {kept}" if kept else "")

    lost = f"{counted(loss.turns, 'turn')}, {counted(loss.lines, 'line')}, {clock(loss.time)} of play"
    return Offer(f"Go back to turn {loss.turn}? Lost: {lost}", do_it)


def cut_back(file: LogFile, cut: Truncation) -> str | None:
    """Do it; returns the name of the file that has what was cut off.

    Raises :class:`~nhlog.log.append.NotWritten` also where that file cannot be written: then nothing was done.
    """
    try:
        return carry_out(file, cut)
    except OSError as error:
        raise NotWritten((error.strerror or str(error)).lower(), file=error.filename or file.name) from None


def _check_right(lines: LogReplay) -> None:
    if lines.log.header.mode in map(MODES.index, _OPEN_MODES):
        return
    user = _user()
    if user not in read_config().administrators:
        raise NotAllowed(f"{user} is no administrator, and this is no explore or wizard game")


def _user() -> str:
    """Who runs this, by the system's word: what the environment says is anybody's choice."""
    number = os.getuid()
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def loss_told(loss: Loss) -> str:
    """What a rewind means, before it is done."""
    assert loss.truncation is not None
    parts = [
        f"back to offset {loss.truncation.offset}, turn {loss.turn}",
        f"lost: {counted(loss.turns, 'turn')}, {counted(loss.saves, 'save')}, {counted(loss.lines, 'line')}, "
        f"{clock(loss.time)} of play, {size(loss.truncation.size - loss.truncation.offset)} ({loss.percent:.1f} %)",
    ]
    if loss.finished:
        parts.append("the game was over and goes on")
    return "; ".join(parts)
