"""A NetHack 4 log as a replay: one step per line of its body.

The state at a step depends only on the log's bytes up to the end of that line.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from nhlog.change import change_of_name
from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.files import Fate
from nhlog.formats.nhgame import FORMAT, ID
from nhlog.formats.nhgame.engine import engine_name
from nhlog.formats.nhgame.highlights import Highlights, highlights_so_far, kept_highlights
from nhlog.formats.nhgame.ledger import Ledger
from nhlog.formats.nhgame.rows import HighestTurns
from nhlog.formats.nhgame.state import Entry, LogState, StoredSave
from nhlog.log.file import LogFile
from nhlog.log.log import WORTHWHILE, Log
from nhlog.log.wire.grammar import kind_of
from nhlog.log.wire.header import HEADER_LINES, Header
from nhlog.replay import Change, Info, Status
from nhlog.timeline import Axis, Computed, Marker, Markers, Timeline

if TYPE_CHECKING:
    from nhlog.plots import Plots

__all__ = ["LEFT", "WON", "LogReplay"]

LEFT: Final = ("quit", "escaped", "ascended", "left")
"""How a game ends without a death: what its second line begins with."""

WON: Final = ("ascended", "escaped with")
"""How it ends that is won."""


class LogReplay:
    """An open log, standing at one of its lines (see :class:`nhlog.replay.Replay`).

    Raises :class:`TooShort` for a log without a line.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self._fate = Fate.KEPT
        self._read_all()

    def _read_all(self) -> None:
        if not len(self.log):
            raise TooShort(
                "nothing has been played yet", file=self.log.source.name, offset=self.log.end, expected="a line"
            )
        self.ledger = Ledger(self.log)
        self._highlights = Highlights(self.log.columns.save_lines, self.ledger.hero)
        self._highest_turns = HighestTurns(self.log.columns.save_turns)
        self._take_in()
        self._step = min(getattr(self, "_step", 0), self.timeline.last)
        self._state: LogState | None = None

    def _take_in(self) -> None:
        """Update the timeline from the log; if a refresh failed before, the next one completes it."""
        self.timeline = _timeline(self.log, self.ledger, self._highlights, self._highest_turns)
        self._known = self.log.mark

    @property
    def info(self) -> Info:
        """The description of the log, from its header and its last line."""
        header, columns = self.log.header, self.log.columns
        player = header.player
        words = header.words
        return Info(
            id=ID,
            format=FORMAT,
            title=f"{player} the {words['race']} {words['role']}",
            people=(player,),
            start=header.start,
            duration=columns.elapsed[-1] if columns.elapsed else 0,
            status=Status.DAMAGED if columns.broken else Status.FINISHED if header.finished else Status.LIVE,
            metadata={
                "state": header.state,
                "mode": header.mode_word,
                "engine": self.ledger.teller or engine_name(header.identification.version, columns.head),
                "version": header.identification.version,
                "recovery count": header.identification.recovery_count,
                "turn": columns.last_turn,
            },
            note=self._note,
        )

    @property
    def _note(self) -> str:
        if self._fate is not Fate.KEPT:
            return self._fate_told
        return f"waiting for the rest of a line at offset {self.log.end}" if self.log.partial else ""

    @property
    def _fate_told(self) -> str:
        if self._fate is not Fate.DELETED:
            return self.log.source.fate_told if isinstance(self.log.source, LogFile) else self._fate
        if self.log.header.finished:  # and put away, maybe, to another file system
            return "this game is over and no longer here: what is shown is all of it"
        return f"{self._fate}: what is shown is all that is left"

    @property
    def step(self) -> int:
        """The line at which the replay stands."""
        return self._step

    @property
    def state(self) -> LogState:
        """The state after that line."""
        if self._state is None:
            self._state = self._state_at(self._step)
        return self._state

    def seek(self, step: int) -> None:
        """Go to line `step`, clamped to the timeline."""
        step = min(max(step, 0), self.timeline.last)
        if step != self._step:
            self._step, self._state = step, None

    def refresh(self) -> Change:
        """Read what was added to the log, and return what changed; after a recovery everything is read again."""
        try:
            self.log.refresh()
            change = self.catch_up()
        except NhlogError:
            if self._look_at_name() is Change.REPLACED:  # then nobody minds this one
                return Change.REPLACED
            raise
        return self._look_at_name() if change is Change.NOTHING else change

    def _look_at_name(self) -> Change:
        """What became of the file's name since the last look."""
        if not isinstance(self.log.source, LogFile):
            return Change.NOTHING
        before, self._fate = self._fate, self.log.source.fate
        return change_of_name(before, self._fate)

    def catch_up(self) -> Change:
        """Update to what the log object has read by now, and return what that changed for this replay."""
        change = self.log.since(self._known)
        if change is Change.REWOUND:
            self._read_all()
        elif change is not Change.NOTHING:
            self.ledger.extend()
            self._take_in()
        return change

    def events(self, first: int, last: int) -> Iterator[Entry]:
        """The ledger's rows that end in these lines."""
        self._check_lines()
        return self.ledger.rows(first, last)

    def prepare(self) -> bool:
        """Work for a moment on what makes later states quicker; returns False where nothing is left."""
        with self.log.known.placed():
            return self.log.saves.prepare()

    def plots(self) -> "Plots":
        """The plots of the game."""
        from nhlog.formats.nhgame.plots import plots_of  # nobody else needs it

        return plots_of(self.log)

    def close(self) -> None:
        """Close the file."""
        self.log.source.close()

    def _check_lines(self) -> None:
        """Raise :class:`Damaged` if the lines are gone: the file is being written anew, and has no line yet."""
        if self.timeline.last >= len(self.log):
            raise Damaged(
                "lines of the log are missing", file=self.log.source.name, expected=f"{self.timeline.last + 1} lines"
            )

    def _state_at(self, step: int) -> LogState:
        self._check_lines()
        columns = self.log.columns
        number = columns.save_at(step)
        save, fault = b"", ""
        try:
            save = self.log.save(number)  # first: of a copy in a store this asks at once for what the rest needs, too
        except NhlogError as error:
            error.file = None  # a state is made of the log's bytes, wherever they are kept
            fault = str(error)
        since = self._since(step)
        return LogState(
            step=step,
            offset=columns.offsets[step],
            kind=kind_of(bytes((columns.kinds[step],))),
            text=self.ledger.words(step),
            turn=columns.turn(step),
            place=self.ledger.place(number),
            utc=columns.utc(step),
            zone=columns.zone,
            save_offset=columns.offsets[columns.save_lines[number]] if number >= 0 else -1,
            saved=StoredSave(save),
            fault=fault,
            note=f"the picture is of turn {columns.turn(step)}; since then: {since}" if since else "",
            since=since,
        )

    def _since(self, step: int) -> str:
        """What was done since the latest save; empty if nothing was, and after the end.

        NetHack 4 writes the save of a command of many turns that was interrupted together with the next command.
        """
        return "" if self.log.columns.kinds[step] == ord("Q") else self.ledger.since_save(step)


def _timeline(log: Log, ledger: Ledger, highlights: Highlights, highest_turns: HighestTurns) -> Timeline:
    header, columns = log.header, log.columns
    lines, saves = len(log), len(columns.save_lines)
    backups = array("Q", [columns.save_lines[number] for number in columns.backups])
    sessions, broken = columns.sessions[:], columns.broken[:]
    ended = [_ending(header, lines - 1)] if columns.kinds[-1] == ord("Q") else []

    def told() -> list[Marker]:
        if log.size < WORTHWHILE:
            return highlights.upto(saves)
        return (kept_highlights if header.finished else highlights_so_far)(log, highlights, ledger.teller)

    def markers() -> list[Marker]:
        found = [*_numbered("backup", backups), *_numbered("session", sessions)]
        found += [*_recoveries(header, sessions), *_damage(broken), *ended, *told()]
        return sorted(found, key=lambda marker: marker.step)

    return Timeline(
        unit="turn",
        axes={
            "turn": Axis(Computed(lines, lambda line: highest_turns.upto(columns.save_at(line))), first=True),
            "time": Axis(Computed(lines, columns.elapsed.__getitem__)),
            "offset": Axis(Computed(lines, columns.offsets.__getitem__)),
            "line": Axis(range(HEADER_LINES + 1, HEADER_LINES + 1 + lines)),
        },
        start=header.start,
        stops=ledger.ends,
        keyframes=backups,
        markers=Markers(markers),
    )


def _numbered(kind: str, lines: Sequence[int]) -> Iterator[Marker]:
    """Markers at these lines, numbered from 1."""
    return (Marker(line, kind, f"{kind} {number}") for number, line in enumerate(lines, 1))


def _recoveries(header: Header, sessions: Sequence[int]) -> Iterator[Marker]:
    """Markers where the game was continued after a recovery.

    Line 1 has only the number of recoveries, but a process that recovers a game then begins a new session.  If there
    are not more later sessions than recoveries, each of them followed a recovery; else there are no markers.
    """
    returns = sessions[1:]
    return _numbered("recovery", returns if len(returns) < header.identification.recovery_count else ())


def _damage(broken: Sequence[int]) -> Iterator[Marker]:
    """Markers at the first of consecutive invalid lines; saves can be rebuilt again from the next backup on."""
    return _numbered("damage", [line for before, line in pairwise([-2, *broken]) if line - before > 1])


def _ending(header: Header, line: int) -> Marker:
    """The marker for the end of the game: a death, unless the player left the game."""
    if not header.finished:  # line 2 is not the last word yet
        return Marker(line, "end", "game over")
    return Marker(line, "end" if header.state.startswith(LEFT) else "death", header.state or "game over")
