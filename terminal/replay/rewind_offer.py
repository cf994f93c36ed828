"""Offering to take a game back, to the replay's current step or to where it can go on: the question, and doing it.

Also the message about a game that another process took back, and putting back what it cut off.  The log itself shows
that it was cut, and to where.  Who did it follows from the file with what was cut off: it belongs to that user, and has
the log's recovery count in its name.  If there is none (NetHack 4 makes none), the lines that were read here are put
back.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from nhlog.engines.protocol import Engine
from nhlog.errors import NhlogError, Unsupported
from nhlog.files import reason
from nhlog.files.cuts import keep, kept_of
from nhlog.files.processes import user_name
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import plan, state_at
from nhlog.formats.nhgame.rights import check_right
from nhlog.log.append import NotWritten
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import Truncation, carry_out, plan_rewind, refuse
from nhlog.replay import Replay
from nhlog.session import Loadable, last_agreeing, last_leading_on
from nhlog.session.replay import GameReplay
from nhlog.timeline import Position
from nhlog.values import NamedTuple
from terminal.replay.player import Player
from terminal.text.words import clock, counted

__all__ = [
    "CutOff",
    "RewindOffer",
    "ask_to_rewind",
    "called",
    "cut_off",
    "offer_agreement",
    "offer_rewind",
    "offer_way_back",
    "told_back",
]


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
        raise Unsupported("only a game in a log can be rewound")
    file = lines.log.source
    if not isinstance(file, LogFile):
        raise Unsupported("only a log in a file can be rewound")
    check_right(file)
    number = lines.timeline.at("line", lines.step)
    loss = plan(lines, Position("line", number))
    if loss.truncation is None:
        raise NhlogError("nothing comes after this")
    lost = f"{counted(loss.turns, 'turn')}, {counted(loss.lines, 'line')}, {clock(loss.time)} of play"
    return _offer(f"Go back to turn {loss.turn}? Lost: {lost}", file, loss.truncation, loss.turn)


def ask_to_rewind(player: Player, ask: Callable[[str, Callable[[str], None]], None]) -> None:
    """Ask whether to take the log back to where the player stands, and do so if the answer is yes."""
    try:
        offer = offer_rewind(player.replay)
    except NhlogError as error:
        player.message = error.message
    else:
        ask(f"{offer.question} [yn] ", lambda answer: _rewind(player, offer, answer))


def _rewind(player: Player, offer: RewindOffer, answer: str) -> None:
    if answer.strip() != "y":
        player.message = "nothing was done"
        return
    try:
        done = offer.carry_out()
    except NhlogError as error:
        player.message = error.message
        return
    player.refresh()
    player.message = done


def offer_way_back(log: Log, engine: Engine) -> RewindOffer | None:
    """The rewind of a game that cannot go on to its last save from which it can; None if there is no such save.

    It is for anybody who can write the log, as without it nobody plays.  Raises
    :class:`~nhlog.log.recovery.RecoveryRefused` for a rewind that the rules forbid.
    """
    return _offer_back_to(last_leading_on(log, engine), log)


def offer_agreement(log: Log, engine: Engine) -> RewindOffer | None:
    """The rewind of a game to its last save that its commands make, too; otherwise as :func:`offer_way_back`."""
    return _offer_back_to(last_agreeing(log, engine), log)


def _offer_back_to(found: Loadable | None, log: Log) -> RewindOffer | None:
    cut = None if found is None else plan_rewind(log, found.line, state_at(log, found.save))
    if found is None or cut is None:
        return None
    assert isinstance(log.source, LogFile)  # only who plays is offered this
    question = f"Go back to turn {found.turn}? Lost: {counted(found.lost, 'turn')}"
    return _offer(question, log.source, cut, found.turn)


def _offer(question: str, file: LogFile, cut: Truncation, turn: int) -> RewindOffer:
    refuse(cut, file.name)

    def do_it() -> str:
        try:
            with file.allow_writing():
                kept = carry_out(file, cut)
        except OSError as error:  # that what is cut off cannot be kept: then nothing was done
            raise NotWritten(reason(error), file=error.filename or file.name) from None
        return f"back to turn {turn}; what was cut off is in {kept}"

    return RewindOffer(question, do_it)


def called(user: int) -> str:
    """The name of the user with this id, for a message; our own is another process of ours."""
    return "your other terminal" if user == os.getuid() else user_name(user)


def told_back(log: Log, before: int) -> str:
    """That the game was taken back from turn `before` to where it is now, and by whom, if that is known."""
    now, kept = log.columns.last_turn, _kept_of(log)
    turns = f"from turn {before} to {now}" if before > now else f"to turn {now}"
    with suppress(OSError):
        if kept is not None:
            return f"{called(os.lstat(kept).st_uid)} took the game back {turns}"
    return f"the game was taken back {turns}"


class CutOff(NamedTuple):
    """What the latest cut removed: the file that keeps it, or the lines, for a file with that number.

    `size` and `turn` are those that the game had at least.
    """

    kept: str | None
    lines: bytes
    number: int
    size: int
    turn: int

    def put_back(self, file: LogFile) -> str:
        """Put it back into the log, and remove the file; returns a message.  Raises :class:`NhlogError`."""
        from nhlog.formats.nhgame.writing.returning import return_to  # rarely done

        try:
            kept = self.kept or keep(file.name, lambda: [self.lines], self.number, written=time.time_ns())
            back = return_to(file, kept, least=self.size)
        except OSError as error:
            raise NotWritten(reason(error), file=error.filename or file.name) from None
        with suppress(OSError):  # one in the folder of another user stays
            os.unlink(kept)
        unsound = f", and not sound, as it was: {back['unsound']}" if back["unsound"] else ""
        return f"put back: {counted(back['lines'], 'line')}, up to turn {back['turn']}{unsound}"


def cut_off(log: Log, size: int, turn: int) -> CutOff | None:
    """What was cut off a log that had so many bytes and this turn; None where this user cannot put it back."""
    kept = _kept_of(log)
    if not (kept or log.cut_off) or not isinstance(log.source, LogFile):
        return None
    with suppress(NhlogError):
        check_right(log.source, force=True)
        return CutOff(kept, log.cut_off, log.header.identification.recovery_count, size, turn)
    return None


def _kept_of(log: Log) -> str | None:
    """The file with what was cut off when the log got its recovery count; None where there is none."""
    count = log.header.identification.recovery_count
    return next((name for name, number in reversed(kept_of(log.source.name).items()) if number == count), None)
