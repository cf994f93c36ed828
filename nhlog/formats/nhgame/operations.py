"""The operations on logs; each opens the file, and closes it when its records are used up.

Records are those of docs/json.md.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from nhlog.operations import Agree, Operations, Part, Record
from nhlog.operations.options import defaults, flag, option
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.formats.nhgame.records import LogInfo
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.listed import GameListing
    from nhlog.log.verify import Report
    from nhlog.timeline import Position

__all__ = ["OPERATIONS", "CutOptions", "DumpOptions", "RewindOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpOptions:
    """What of a log is dumped: its lines, its saves, or one save as bytes."""

    saves: bool = flag("For logs: one record per save line, with the digest of the whole save.")
    save_at: str | None = option(None, "For logs: write the binary save at this position.", "POSITION")


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOptions:
    """What may be cut."""

    force: bool = flag(
        "Cut even more than 8/9 of a log; and, if the system names no administrators, any game of yours, not only "
        "explore and wizard games."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RewindOptions(CutOptions):
    """What may be cut, and where."""

    exact: bool = flag("For games: cut after that very line, not after the save line before it.")


def open_replay(path: str) -> "LogReplay":
    """Open a log as a replay, standing at its first save; raises :class:`Damaged` if it has none yet."""
    from nhlog.formats.nhgame.open import open_replay

    return open_replay(path)


def info(path: str) -> "LogInfo":
    """Describe a log."""
    from nhlog.formats.nhgame.open import open_log
    from nhlog.formats.nhgame.records import info_of

    log = open_log(path)
    with closing(log.source):
        return info_of(log)


def listing(path: str) -> "GameListing":
    """Summarise a log from its end."""
    from nhlog.formats.nhgame.listing import list_game

    return list_game(path)


def glance(path: str) -> "GameListing":
    """Summarise a log from its header."""
    from nhlog.formats.nhgame.listing import glance_at_game

    return glance_at_game(path)


def dump(path: str, options: DumpOptions = defaults(DumpOptions)) -> Iterator[Record] | bytes:
    """One record per line or per save, or the bytes of the latest save at a position."""
    return _save(path, options.save_at) if options.save_at is not None else _records(path, options.saves)


def _records(path: str, saves: bool) -> Iterator[Record]:
    from nhlog.formats.nhgame.open import open_log
    from nhlog.formats.nhgame.records import line_records, save_records

    log = open_log(path)
    with closing(log.source):
        yield from save_records(log) if saves else line_records(log)


def _save(path: str, position: str) -> bytes:
    from nhlog.formats.nhgame.open import open_log

    log = open_log(path)
    with closing(log.source):
        return log.save(position)


def stats(path: str) -> Iterator[Record]:
    """What happened in a game, counted: see docs/json.md."""
    from nhlog.formats.nhgame.open import open_log
    from nhlog.formats.nhgame.stats import stats_records

    log = open_log(path)
    with closing(log.source):
        yield from stats_records(log)


def verify(path: str) -> Iterator[Record]:
    """The findings as they are made, then a report with ``sound`` and counts."""
    from nhlog.formats.nhgame.open import open_log
    from nhlog.log.verify import Report
    from nhlog.log.verify import verify as verify_log

    log = open_log(path)
    with closing(log.source):
        for found in verify_log(log):
            yield _verdict(found) if isinstance(found, Report) else asdict(found)


def _verdict(report: "Report") -> Record:
    return {
        "sound": not report.faults,
        "size": report.size,
        "sound_bytes": report.sound_bytes,
        "lines": report.lines,
        "sound_lines": report.sound_lines,
        "saves": report.saves,
        "sound_saves": report.sound_saves,
        "unsupported": report.unsupported or None,
    }


def state(replay: "LogReplay") -> Record:
    """What the hero perceives at the step of the replay; raises :class:`NhlogError` if the save cannot be read."""
    from nhlog.nethack4.perception.record import perception_record
    from nhlog.nethack4.perception.view import perceive

    here, log = replay.state, replay.log
    save = here.save or log.save(log.columns.save_at(here.step))  # which raises why there is none
    return {"turn": here.turn, "offset": here.save_offset, **perception_record(perceive(save))}


def events(replay: "LogReplay", first: int, last: int) -> Iterator[Record]:
    """One record per command with its answers that ends in lines `first` to `last`."""
    time = replay.log.columns.elapsed.following()
    for line, text in replay.ledger.happened(first, last):
        yield {"kind": "event", "step": line, "time": time(line), "text": text}


def convert(source: str, target: str, options: Part = defaults(Part), *, force: bool = False) -> Record:
    """Write the part between two positions as a log of its own, or the whole log with smaller saves."""
    from nhlog.formats.nhgame.writing.excerpt import convert

    return convert(source, target, first=options.first, last=options.last, force=force)


def recover(
    path: str, options: CutOptions = defaults(CutOptions), *, dry_run: bool = False, keep: bool = True
) -> Record:
    """Remove an incomplete last line; raises :class:`NotAllowed` for a user who may not, and not even by `force`.

    Without `force` it raises :class:`RecoveryRefused` if too much would be lost.
    """
    from nhlog.formats.nhgame.rights import can_write, check_right
    from nhlog.log.file import LogFile
    from nhlog.log.recovery import carry_out, plan_recovery, refuse

    kept = None
    with LogFile(path, writable=not dry_run and can_write(path)) as log:
        truncation = plan_recovery(log)
        if truncation is not None:
            if not dry_run:
                check_right(log, force=options.force)
            if not options.force:
                refuse(truncation, path)
            if not dry_run:
                kept = carry_out(log, truncation, keep=keep)
    return {
        "recovered": truncation is not None and not dry_run,
        "offset": None if truncation is None else truncation.offset,
        "recovery_count": None if truncation is None else truncation.raised.recovery_count,
        "lost_bytes": 0 if truncation is None else truncation.size - truncation.offset,
        "kept_in": kept,
    }


def rewind(
    path: str,
    position: "Position",
    agree: Agree,
    options: RewindOptions = defaults(RewindOptions),
    *,
    dry_run: bool = False,
    keep: bool = True,
) -> Record:
    """Cut off everything after the latest save at or before `position`, or after the very line.

    Raises :class:`NotAllowed` for a user who may not, and :class:`RecoveryRefused` as :func:`recover`.
    """
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.formats.nhgame.rewind import plan
    from nhlog.formats.nhgame.rights import can_write, check_right
    from nhlog.log.file import LogFile
    from nhlog.log.log import Log
    from nhlog.log.recovery import carry_out, refuse

    with LogFile(path, writable=not dry_run and can_write(path)) as log:
        loss = plan(LogReplay(Log(log)), position, exact=options.exact)
        rewound, kept = False, None
        if loss.truncation is not None:
            if not dry_run:
                check_right(log, force=options.force)
            if not options.force:
                refuse(loss.truncation, path)
            rewound = not dry_run and agree(loss.record())
            kept = carry_out(log, loss.truncation, keep=keep) if rewound else None
    return {"rewound": rewound, **loss.record(), "kept_in": kept}


def put_back(path: str, kept: str, *, dry_run: bool = False) -> Record:
    """Append what was cut off, where nothing was written since; raises :class:`CutRefused` if it does not fit.

    Raises :class:`NotAllowed` as :func:`recover`: it, too, changes what happened in a game.
    """
    from nhlog.formats.nhgame.rights import can_write
    from nhlog.formats.nhgame.writing.returning import return_to
    from nhlog.log.file import LogFile

    with LogFile(path, writable=not dry_run and can_write(path)) as file:
        return return_to(file, kept, dry_run=dry_run)


OPERATIONS = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    glance=glance,
    dump=dump,
    state=state,
    verify=verify,
    events=events,
    stats=stats,
    convert=convert,
    recover=recover,
    rewind=rewind,
    put_back=put_back,
)
