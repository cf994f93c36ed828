"""A game standing at a place of its log; playing, watching and replaying differ in the target and in the writer.

The game changes only when a line is read, also if this session wrote it: input has no effect before it is in the log.
Input is accepted only at the end of the log, and only if the log has not changed since the player saw it.

The messages after a save depend only on that save and the lines after it, up to the next one: so a game's messages can
be read from its log backwards.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from nhlog.engines.guarded import GuardedGame
from nhlog.engines.prompts import LookForBones, Prompt
from nhlog.engines.protocol import Engine, NeedsPast
from nhlog.errors import NhlogError, Unsupported
from nhlog.log.append import GameIsOver, InputDropped, Writer
from nhlog.log.columns import Columns
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Bones, Command, Line, Time
from nhlog.replay import Told
from nhlog.session.bones import BonesFolder
from nhlog.session.desync import PASSING, without_file
from nhlog.session.following import SAVES, Following
from nhlog.session.gamestate import utc_now

__all__ = ["NotNow", "Session", "messages_before", "told_since"]

_UNTIMED = b"*~+BQ"  # no time line follows these
_CONTINUING = ("repeat", "interrupt")  # the commands that an incomplete game takes


class NotNow(NhlogError):
    """Input is not possible: this is not the end of the log, there is no writer, or the input was not asked for."""


class Session:
    """An open log and the game that its engine computes from it; `bones` is the folder of bones, if any.

    It can be played if it has a `writer`; with one, making a session raises :class:`Unsupported` where the engine needs
    the game's past and cannot go on here.
    """

    following: Following
    """The game that the lines make, and where it stands: another object after each jump in the log."""

    def __init__(
        self,
        log: Log,
        engine: Engine,
        *,
        writer: Writer | None = None,
        bones: BonesFolder | None = None,
        now: Callable[[], int] = utc_now,
    ) -> None:
        self.log = log
        self.engine = engine
        self.target: int | None = None
        """The number of the line to stand at; None to follow the end of the log."""
        self.recoveries = 0
        """How often the log was rewound since it was opened."""
        self.told: dict[int, list[Told]] = {}
        """The game's messages, by the save after which they came; after the latest those up to where we stand."""
        self._columns: Columns | None = None  # which the game was made of; nothing is known until its save was read
        self._runs = False  # the commands of a game that needs its past: not where it is only shown
        self._writer = writer
        self._bones = bones
        self._now = now
        self._load()
        if writer is not None and not (self.following.over or self.following.desync or self.following.frozen):
            self.following.recall()
            self.seek(None)

    @property
    def game(self) -> GuardedGame:
        """The current game; raises :class:`~nhlog.errors.Damaged` if no save could be loaded."""
        return self.following.game

    @property
    def prompt(self) -> Prompt | None:
        """What the game asks; None between commands."""
        return self.following.prompt

    @property
    def live(self) -> bool:
        """Whether the game is at the end of the log, and follows it."""
        return self.target is None and self.following.at == len(self.log)

    # going somewhere

    def seek(self, target: int | None) -> None:
        """Go to the state after line `target`; with None, to the end of the log, and follow it.

        At the end a player's game goes on; elsewhere it is shown, as to everybody.
        """
        runs = self._writer is not None and target is None
        turned = runs != self._runs and isinstance(self.engine, NeedsPast)
        self.target, self._runs = target, runs
        if self._columns is None or turned or self._last < self.following.at or self._is_far:
            self._load()
        else:
            self.following.follow(self._last)

    @property
    def _is_far(self) -> bool:
        """Whether loading a later save is better than applying the lines up to it.

        Also for the next one, though `check` then runs the same lines again (a turn that is drawn takes 3.7 ms of CPU,
        and 2.7 without): with damage, what is shown would depend on whether one came by the lines or by the save.
        """
        save = self.log.columns.save_at(self._last - 1)
        return save > self.following.save and self.log.last_sound(save) > self.following.loaded

    def refresh(self) -> bool:
        """Read what was added to the log and :meth:`catch_up`."""
        self.log.refresh()
        return self.catch_up()

    def catch_up(self) -> bool:
        """Apply the lines that the log object has read by now; returns whether that changed the game."""
        if self.log.columns is not self._columns:
            self.recoveries += self._columns is not None
            self._load()
            return True
        before = self.following.at
        self.following.follow(self._last)
        return self.following.at != before

    @property
    def _last(self) -> int:
        """The number of lines to be applied."""
        return len(self.log) if self.target is None else min(self.target + 1, len(self.log))

    def _load(self) -> None:
        """Begin at the last save before the target."""
        columns = self.log.columns
        if columns is self._columns:
            self.told.pop(self.following.save, None)  # which was not followed to its end
        else:
            self.told = {}
        self._columns = None
        self.following = Following(self.log, self.engine, self.told, runs=self._runs)
        self.following.load(max(columns.save_at(self._last - 1), 0))
        self._columns = columns
        self.following.follow(self._last)

    # what the player gives

    def command(self, command: Command) -> tuple[str, ...] | None:
        """Give a command, or continue one (``repeat``); returns when it is done or asks something.

        A command that takes no time and changes nothing is not written to the log; its messages are returned.  For
        all others this returns None.

        Raises :class:`NotNow` and, without having done anything, :class:`InputDropped`,
        :class:`~nhlog.errors.LogRecovered`, :class:`GameIsOver`, :class:`~nhlog.errors.LockNotObtained`.
        """
        if isinstance(self.prompt, LookForBones):  # whoever was to answer it is slow, or gone
            self.settle()
            raise InputDropped("the previous turn was not finished", file=self.log.source.name)
        if self.prompt is not None:
            raise NotNow("answer the prompt first")
        if command.name not in self.engine.commands:
            raise NotNow(f"there is no command {command.name}")
        self._ready()
        if (told := self.game.at_once(command)) is not None:
            return told
        if self.game.incomplete and command.name not in _CONTINUING:
            self._input(Command("interrupt"))
        self._input(command)
        return None

    def answer(self, line: Line) -> None:
        """Answer the prompt; returns and raises as :meth:`command`."""
        if self.prompt is None or not self.prompt.accepts(line):
            raise NotNow("there is no such prompt")
        self._input(line)

    def settle(self) -> None:
        """Write the lines that are missing after a player's program ended during a turn; raises as :meth:`command`."""
        self._ready()
        self.refresh()
        self._finish_turn()

    def _finish_turn(self) -> None:
        """Write the lines that end a turn, whoever began it: answers about bones, time, save line, end of the game."""
        writer = self._ready()
        while isinstance(self.prompt, LookForBones):
            self._write(writer, self._found_bones(self.prompt.name))
        if not self.following.idle:
            return
        if self.log.columns.kinds[-1] not in SAVES and not self.following.over:
            self._time(writer)
            if not self.game.incomplete:
                self._write_save(writer)
        if self.game.ending and not self.log.header.finished:
            self._end(writer)

    def carry_over(self) -> None:
        """Continue a game of an earlier version of the engine: convert its newest save to this version, and write it.

        An unfinished turn after that save is dropped, but its time is kept.  Raises
        :class:`~nhlog.errors.Unsupported` if the engine cannot convert it, and otherwise as :meth:`command`.
        """
        assert self._writer is not None
        self.refresh()
        if self.following.gamestate is None or self.following.desync:
            raise Unsupported(self.following.desync)
        saved, _ = self.following.gamestate.checked()
        self._writer.save(saved, self.game.state)
        self._writer.adopt(self.engine.version)
        self.refresh()

    def describe(self) -> None:
        """Bring the state in the log's header up to date, as when a player comes or leaves; raises as :meth:`command`.

        Between such calls it may be as old as the latest backup.
        """
        unfinished = self._writer and self.live and not self.following.over and not self.following.desync
        if self._writer and unfinished and self.log.header.state != self.game.state:
            self._writer.describe(self.game.state)

    def mend(self) -> None:
        """Cut off a partial last line, which a crashed process left; raises as :meth:`command`."""
        if self._writer:
            self._writer.mend()
            self.catch_up()

    def _ready(self) -> Writer:
        """The writer; raises :class:`NotNow` if there is none or the game is not at the end of the log."""
        if self._writer is None:
            raise NotNow("you only watch this game")
        if not self.live:
            raise NotNow("this is not the end of the game")
        if self.following.desync or self.following.frozen:
            raise NotNow(f"the game cannot continue: {self.following.desync or self.following.frozen}")
        if not self.following.over:
            try:
                self.following.recall()
            except Unsupported as error:
                raise NotNow(f"the game cannot continue: {error.message}") from None
        return self._writer

    def _input(self, line: Line) -> None:
        writer = self._ready()
        seen = (self.following.at, self.recoveries)
        self.refresh()
        if (self.following.at, self.recoveries) != seen:
            raise InputDropped("somebody else wrote first", file=self.log.source.name)
        if self.following.over:
            raise GameIsOver("the game is over", file=self.log.source.name)
        self._time(writer)
        if self.following.idle:
            self._finish_turn()
            self._ready()
        self._write(writer, line)
        with suppress(InputDropped, GameIsOver, *PASSING):  # it is in the log: what is due now can wait, or is done
            self._time(writer)
            self._finish_turn()

    def _write(self, writer: Writer, line: Line) -> None:
        """Append a line, then apply it as any other."""
        try:
            writer.append(line)
        except InputDropped:
            self.refresh()
            raise
        self.following.follow(self._last)

    def _time(self, writer: Writer) -> None:
        """Write the time line that follows input, unless it was written already."""
        if self.log.columns.kinds[-1] in _UNTIMED or self.following.gamestate is None:
            return
        self._write(writer, Time(self.following.gamestate.since(self._now())))

    def _write_save(self, writer: Writer) -> None:
        """Save, load, save again and compare; only then write (seed 003, "Save diff")."""
        assert self.following.gamestate is not None
        try:
            save, gamestate = self.following.gamestate.checked()
        except NhlogError as error:
            self.following.lose(without_file(error))
            return
        self.following.adopt(gamestate, save)
        try:
            writer.save(save, self.game.state)
        except InputDropped:  # another player of the game wrote it
            self.following.dismiss()
            self.refresh()
            raise
        self.following.follow(self._last)

    def _found_bones(self, name: str) -> Bones:
        bones = self._bones.take(name) if self._bones else None
        return Bones(None if bones is None else Blob.of(bones))

    def _end(self, writer: Writer) -> None:
        left = None if self.following.over else self.game.bones
        if left and self._bones:
            self._bones.leave(*left)
        try:
            writer.finish(self.game.ending)
        except GameIsOver:
            self.refresh()
        self.following.follow(self._last)


def messages_before(game: Session) -> Iterator[Sequence[Told]]:
    """The messages up to where the game stands: after its latest save, then after the save before it, and so on.

    Each piece takes the time of a turn, as its lines are followed if they were not yet; it is kept in `game.told`.
    Ends early where the log is taken back meanwhile.  Raises :class:`~nhlog.errors.LockNotObtained` and
    :class:`~nhlog.errors.LogRecovered`.
    """
    told, at = game.told, game.following.at
    for save in range(game.log.columns.save_at(at - 1), -1, -1):
        if game.told is not told:
            return
        if save not in told:
            told[save] = _told_after(game, save)
        yield [message for message in told[save] if message.step < at]


def told_since(game: Session, line: int) -> list[Told]:
    """The messages of this line of the log and those after it, up to where the game stands."""
    found: list[Told] = []
    lines = game.log.columns.save_lines
    for save in range(game.log.columns.save_at(game.following.at - 1), -1, -1):
        found[:0] = [message for message in game.told.get(save, ()) if message.step >= line]
        if lines[save] < line:
            break
    return found


def _told_after(game: Session, save: int) -> list[Told]:
    """The messages after a save that is not the latest one, up to the save after it."""
    after = game.log.columns.save_lines[save + 1]
    other = Following(game.log, game.engine, {})
    other.load(save)
    other.follow(after + 1 if other.stands else after)
    if other.frozen or other.desync:  # then the save after it has the last of it
        with suppress(NhlogError):
            other.follow(after + 1)
            return [Told(after, other.game.turn, text) for text in other.game.messages]
    return other.told.get(save, [])
