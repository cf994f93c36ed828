"""Offering to take a game back to the replay's current step: who may, what would be lost, and carrying it out."""

from collections.abc import Callable
from typing import Any, NamedTuple

from nhlog.errors import NhlogError, Unsupported
from nhlog.files import reason
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import plan
from nhlog.formats.nhgame.rights import check_right
from nhlog.log.append import NotWritten
from nhlog.log.file import LogFile
from nhlog.log.recovery import Truncation, carry_out, refuse
from nhlog.replay import Replay
from nhlog.session.replay import GameReplay
from nhlog.timeline import Position
from terminal.text.words import clock, counted

__all__ = ["RewindOffer", "offer_rewind", "rewind_log"]


class RewindOffer(NamedTuple):
    """A possible rewind.

    `question` says what would be lost; `carry_out()` does it and returns a message, or raises :class:`NhlogError`
    without having done anything.
    """

    question: str
    carry_out: Callable[[], str]


def offer_rewind(replay: Replay[Any]) -> RewindOffer:
    """The rewind of a log to the replay's current step.

    Raises :class:`~nhlog.formats.nhgame.rights.NotAllowed` for a user who may not rewind or cannot write,
    :class:`Unsupported` if it is not a log in a file, :class:`~nhlog.log.recovery.RecoveryRefused` for a rewind that
    the rules forbid, and :class:`NhlogError` if nothing follows.
    """
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    if not isinstance(lines, LogReplay):
        raise Unsupported("only the game of a log can be taken back")
    file = lines.log.source
    if not isinstance(file, LogFile):
        raise Unsupported("only a log in a file can be taken back")
    check_right(file)
    number = lines.timeline.at("line", lines.step)
    loss = plan(lines, Position("line", number))
    cut = loss.truncation
    if cut is None:
        raise NhlogError("nothing comes after this")
    refuse(cut, file.name)

    def do_it() -> str:
        file.allow_writing()
        kept = rewind_log(file, cut)
        return f"back to turn {loss.turn}" + (f"; what was cut off is in {kept}" if kept else "")

    lost = f"{counted(loss.turns, 'turn')}, {counted(loss.lines, 'line')}, {clock(loss.time)} of play"
    return RewindOffer(f"Go back to turn {loss.turn}? Lost: {lost}", do_it)


def rewind_log(file: LogFile, cut: Truncation) -> str | None:
    """Carry out a planned truncation; returns the name of the file with the removed bytes, None if there is none.

    Raises :class:`~nhlog.log.append.NotWritten`; if that file cannot be written, nothing was done.
    """
    try:
        return carry_out(file, cut)
    except OSError as error:
        raise NotWritten(reason(error), file=error.filename or file.name) from None
