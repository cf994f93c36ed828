"""Check every rule of the format on every byte of a log; each violation is reported, and reading goes on.

A *fault* violates a rule that readers rely on.  A *note* is unusual but harmless, such as an outdated hint.

Four of five lines are a command of a turn, an answer, or the time of one, and nothing can be wrong with them but their
form.  Looked at one by one they took as long as all saves together, so a regular expression passes over as many of them
as follow one another; what it does not know by heart is looked at in full.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.kernels import COMPILED
from nhlog.log.columns import RULES
from nhlog.log.log import Log
from nhlog.log.stretches import signed
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import diff_blob, parse_line, time_delta
from nhlog.log.wire.lines import CLOCK_WRAP, Backup, Bones, Command, Diff, GameOver, Line, ScoreLookup, TextAnswer, Time
from nhlog.mdiff import Rebuild
from nhlog.progress import report
from nhlog.savehead import HEAD_SIZE, parse_save_head

__all__ = ["Finding", "Report", "verify"]

_TIME: Final = rb"\+(?:0|[1-9a-f][0-9a-f]{0,15})\n"
_INPUT: Final = rb"(?:[a-z][a-z0-9]{0,15}(?: [DL]\d)?|D\d)\n"  # the most frequent ones, which have no text
_ORDINARY: Final = re.compile(rb"(?:%s%s)+" % (_INPUT, _TIME))
"""Inputs, each with its time: nothing is to be said of them but where an input without a time comes before."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation at `offset`; `fault` is False for a note."""

    offset: int
    what: str
    expected: str | None = None
    found: str | None = None
    fault: bool = True


@dataclass(slots=True)
class Report:
    """The result of `verify`: the size in bytes, the numbers of lines and saves, and how many of these are sound.

    `unsupported` says why saves were not checked, empty if they were.
    """

    size: int
    lines: int
    saves: int
    sound_lines: int = 0
    sound_saves: int = 0
    unsupported: str = ""
    findings: list[Finding] = field(default_factory=list)

    @property
    def faults(self) -> list[Finding]:
        """The findings that are faults."""
        return [finding for finding in self.findings if finding.fault]

    @property
    def sound_bytes(self) -> int:
        """The number of bytes before the first fault."""
        return min((fault.offset for fault in self.faults), default=self.size)


def verify(log: Log) -> Iterator[Finding | Report]:
    """Yield the findings in file order, as they are made, and then the report that includes all of them."""
    report = Report(log.size, len(log), len(log.columns.save_lines))
    for finding in _Walk(log, report).findings():
        report.findings.append(finding)
        yield finding
    yield report


class _Walk:
    """One pass over the lines, with the state that the next line is checked against."""

    def __init__(self, log: Log, report: Report) -> None:
        self.log = log
        self.report = report
        self.save: Rebuild | None = None  # None where the chain is broken
        self.saves = 0
        self.backup: int | None = None  # the latest one's offset
        self.turn = 0
        self.clock = 0  # before the next line, modulo 2**64
        self.previous: Line | None = None

    def findings(self) -> Iterator[Finding]:
        number = 0
        clocks = self.log.columns.stretches.clocks
        for block, (offset, data) in enumerate(self.log.blocks()):
            report("checking", offset, self.log.size)
            at, self.clock = 0, clocks[block]
            while at < len(data):
                watched = type(self.previous) in _WATCHED
                if number and (not watched or self._is_due(data, at)):
                    lines, after, odd = self._pass_over(data, at)
                    self.report.sound_lines += lines
                    number, at = number + lines, after
                    if odd and self.save is not None:
                        yield from self._check_head(offset + data.rfind(b"\n", 0, at - 1) + 1, self.save)
                    if lines:
                        self.previous = None
                        continue
                end, faults = data.index(b"\n", at), 0
                for finding in self._line(number, offset + at, data[at:end]):
                    faults += finding.fault
                    yield finding
                self.report.sound_lines += not faults
                self.clock += time_delta(data[at:end]) or 0
                number, at = number + 1, end + 1
        yield from self._end()

    def _is_due(self, data: bytes, at: int) -> bool:
        """Whether the line there is what may follow any input: its time."""
        return COMPILED and type(self.previous) is not GameOver and data.startswith(b"+", at)

    def _pass_over(self, data: bytes, at: int) -> tuple[int, int, bool]:
        """The number of lines from there on that are in order, the offset of the next one, and `odd`.

        `odd` is whether there is a finding on the last save among them: see :func:`~nhlog.kernels.log_sound.passed`.
        """
        if not COMPILED:
            passed = _ORDINARY.match(data, at)
            return (data.count(b"\n", at, passed.end()), passed.end(), False) if passed else (0, at, False)
        from nhlog.kernels import log_sound

        pages, crc = self.save.lend() if self.save is not None else ([], -1)
        at, lines, saves, crc, self.clock, self.turn, odd = log_sound.passed(
            data, at, pages, crc, signed(self.clock), self.turn, RULES
        )
        if saves and self.save is not None:
            self.save.take_back(crc)
            self.saves += saves
            self.report.sound_saves += saves
        return lines, at, odd

    def _line(self, number: int, offset: int, data: bytes) -> Iterable[Finding]:
        previous, self.previous = self.previous, None
        if number and type(previous) is not GameOver:
            if data.startswith(b"+") and time_delta(data) is not None:
                return ()
            if data.startswith(b"~") and len(data) > 1 and type(previous) not in _WATCHED:
                return self._diff(offset, diff_blob(data))
        try:
            line = self.previous = parse_line(data)
        except Damaged as error:
            return self._bad_line(offset, data, error)
        return self._parsed(number, offset, line, previous)

    def _bad_line(self, offset: int, data: bytes, error: Damaged) -> Iterator[Finding]:
        yield _finding(offset, error)
        if data[:1] in (b"*", b"~"):
            yield from self._lose_save(offset, backup=data[:1] == b"*")

    def _parsed(self, number: int, offset: int, line: Line, previous: Line | None) -> Iterator[Finding]:
        if number == 0 or type(previous) in _WATCHED:
            yield from self._order(number, offset, line, previous)
        match line:
            case Backup():
                yield from self._backup(offset, line)
            case Diff(blob):
                yield from self._diff(offset, blob)
            case Command(rest=rest) if rest:
                yield Finding(offset, "readers ignore the end of this command line", found=repr(rest[:40]), fault=False)
            case Command(arguments=arguments):
                for argument in arguments:
                    if isinstance(argument.value, Blob):
                        yield from _text(offset, argument.value)
            case TextAnswer(blob) | Bones(blob) if blob is not None:
                yield from _text(offset, blob)

    def _order(self, number: int, offset: int, line: Line, previous: Line | None) -> Iterator[Finding]:
        """Check the order of lines (log spec section 6)."""
        if number == 0 and not isinstance(line, Backup):
            yield Finding(offset, "the body does not begin with a save backup", "*", _kind(line))
        if isinstance(previous, GameOver):
            yield Finding(offset, "a line after the game was over", "nothing", _kind(line))
        if isinstance(previous, _TIMED) and not isinstance(line, _AFTER_INPUT):
            yield Finding(offset, "no time line after an input", "+", _kind(line), fault=False)

    def _backup(self, offset: int, line: Backup) -> Iterator[Finding]:
        if self.backup is not None and line.pointer != self.backup:
            yield Finding(offset, "wrong pointer to the previous backup", f"{self.backup:08x}", f"{line.pointer:08x}")
        if self.backup is None:
            yield from self._hint(offset, line)
        yield from self._last_of_chain(offset)
        self.backup = offset
        try:
            self.save = Rebuild(line.blob.decode())
        except Unsupported as error:
            self.report.unsupported = error.what
            self.saves, self.save = self.saves + 1, None
        except Damaged as error:
            yield _finding(offset, error)
            yield from self._lose_save(offset, backup=True)
        else:
            yield from self._check_save(offset, self.save)

    def _last_of_chain(self, offset: int) -> Iterator[Finding]:
        """Check the last save of a chain as a whole; along the chain its CRC followed from that of the one before."""
        if self.save is not None:
            try:
                self.save.save()
            except Damaged as error:
                yield _finding(offset, error)

    def _hint(self, offset: int, line: Backup) -> Iterator[Finding]:
        """Check the first backup's pointer, which may be outdated after a recovery: readers test it before use."""
        columns = self.log.columns
        latest = columns.backup_offset(-1)
        if line.pointer != latest:
            yield Finding(
                offset, "stale hint at the latest backup", f"{latest:08x}", f"{line.pointer:08x}", fault=False
            )

    def _diff(self, offset: int, blob: Blob) -> Iterable[Finding]:
        try:
            diff = blob.decode()
            if not diff:
                raise Damaged("empty save diff")
            if self.save is None:
                self.saves += 1
                return ()
            self.save.apply(diff)
            self.save.check()
        except Unsupported as error:
            self.report.unsupported = error.what
            self.saves, self.save = self.saves + 1, None
            return ()
        except Damaged as error:
            return [_finding(offset, error), *self._lose_save(offset)]
        return self._check_save(offset, self.save)

    def _check_save(self, offset: int, save: Rebuild) -> Iterable[Finding]:
        self.saves += 1
        self.report.sound_saves += 1
        return self._check_head(offset, save)

    def _check_head(self, offset: int, save: Rebuild) -> Iterable[Finding]:
        """Check the clock and the turn in the latest save."""
        head = parse_save_head(save.head(HEAD_SIZE))
        if head is None:
            return ()
        last, clock, self.turn = self.turn, self._clock(), head.turn
        if head.clock == clock and head.turn >= last:
            return ()
        return [
            Finding(offset, what, expected, str(found), fault=False)
            for what, expected, found, wrong in (
                ("the save's clock is not the log's", str(clock), head.clock, head.clock != clock),
                ("the turn counter falls", f"at least {last}", head.turn, head.turn < last),
            )
            if wrong
        ]

    def _clock(self) -> int:
        """What the log's clock shows at the latest save: who passes over times without adding them looks it up."""
        columns = self.log.columns
        return self.clock % CLOCK_WRAP if COMPILED else columns.clocks[columns.save_lines[self.saves - 1]]

    def _lose_save(self, offset: int, *, backup: bool = False) -> Iterator[Finding]:
        """A save that cannot be rebuilt, and how many depend on it; nothing if that was reported for one before it."""
        said = self.save is None and not backup
        self.saves, self.save = self.saves + 1, None
        if said:
            return
        columns = self.log.columns
        after = next((save for save in columns.backups if save >= self.saves), len(columns.save_lines))
        until = columns.offsets[columns.save_lines[after]] if after < len(columns.save_lines) else None
        end = "no later backup" if until is None else f"the backup at offset {until}"
        lost = after - self.saves + 1
        what = f"{lost} saves cannot be rebuilt" if lost > 1 else "1 save cannot be rebuilt"
        yield Finding(offset, what, found=f"until {end}", fault=False)

    def _end(self) -> Iterator[Finding]:
        log = self.log
        yield from self._last_of_chain(log.end)
        if not len(log):
            yield Finding(log.end, "the body does not begin with a save backup", "*", "nothing")
        if log.partial:
            yield Finding(log.end, "partial last line", "a newline", f"{len(log.partial)} bytes without one")
        over = isinstance(self.previous, GameOver)
        if over != log.header.finished and not log.partial:
            status = log.header.identification.status
            yield Finding(
                log.end,
                "header and last line disagree",
                "done and Q, or save",
                f"{status}, {'Q' if over else 'no Q'}",
                fault=False,
            )


_AFTER_INPUT = (Time, Bones, ScoreLookup)  # what may follow an input
_TIMED = tuple(set(Line.__args__) - {*_AFTER_INPUT, GameOver, Backup, Diff})
_WATCHED = frozenset((*_TIMED, GameOver))  # what not everything may follow


def _text(offset: int, blob: Blob) -> Iterator[Finding]:
    try:
        blob.decode()
    except (Damaged, Unsupported) as error:
        yield _finding(offset, error)


def _finding(offset: int, error: NhlogError) -> Finding:
    def text(value: object) -> str | None:
        return None if value is None else str(value)

    return Finding(offset, error.what, text(error.expected), text(error.found))


def _kind(line: Line) -> str:
    return repr(line.format()[:1].decode("latin-1"))
