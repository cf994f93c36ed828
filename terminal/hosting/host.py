"""The process that keeps a game running, with its program and its recording; forked from a service (`nhlog.forked`).

It has no terminal, so it survives when the player's is closed; `on_disconnect` of the game says what happens then.  It
writes a JSON object to the process that started it: empty when players can join, else why there is no game.

What makes it hard: a program knows one terminal from its first byte to its last, and its player's may close, come back
with another size, or be two at once.  So the host has the program's terminal and its recording, and nothing else; a
player *lends* theirs (its descriptors go through a socket), and the host reads keys and writes output there itself.
At a key that is not the game's it gives the terminal back for as long as a line is typed there (`line`); meanwhile the
game goes on unseen, and then its screen is drawn again, as for a player who comes back.  It is drawn beneath the line
where the terminal's size changes meanwhile: the host has the screen for that, the keyboard it leaves where it is.

- What was not recorded is not shown: output goes to the recording first, then to the player's screen.
- A player's terminal is trusted for nothing: it may be gone at any call, and what its process sends is checked
  (`messages`).  One who says nothing for `_MANNERS` is sent away.
- Each player has each game once: whoever joins takes it from the terminal before.
- The lock beside the game's socket lives exactly as long as the host (`places`): a host that was killed leaves none.

It is no server that passes on each byte to a client, as screen and tmux are: each key and each screen would wait for
one more process, and with a lent terminal keys are as fast as with `nhlog record`.  And it is one process for each
game, of 6 MB, so that what a game's program does to it no other game notices.

A change must keep: the host never waits for a player, nor for the emulator, which it needs to draw for one who comes
back and which may fall by the game's output.
"""

import json
import os
import pickle
import select
import shlex
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from nhlog.config import GameProgram, OnDisconnect
from nhlog.errors import NhlogError, Usage
from nhlog.files import reason
from nhlog.formats import format_to_record
from nhlog.players import PlayerFolder
from nhlog.recorder import (
    ENDING,
    RECORDING,
    Exchange,
    Program,
    Recorded,
    Signals,
    Unrecorded,
    open_recording_for,
    pixels_of,
)
from nhlog.recorder.walls import confined, own_folder
from nhlog.scores.wire import Entry
from nhlog.screencast import OUTPUT, RESIZE, Header
from nhlog.vt import USUAL_SIZE, EmulatorFailed, Reading, Size, Terminal, rest, salvaged
from nhlog.vt.redraw import NEW, redraw
from terminal.hosting.brought import hand_over
from terminal.hosting.common import Common
from terminal.hosting.hooks import Running
from terminal.hosting.job import Job
from terminal.hosting.left import printable_part
from terminal.hosting.mail import drawn
from terminal.hosting.messages import Called, Ended, Lent, Told, receive_terminal, receive_told, send_call, send_end
from terminal.hosting.places import Place, new_recording, players_of
from terminal.hosting.repair import repaired
from terminal.input import noted

__all__ = ["main", "prepare"]

_MINUTE: Final = 60  # seconds
_PATIENCE: Final = 20.0  # seconds for the player who started the game to join it
_READING: Final = 600.0  # and for one who is told something before
_MANNERS: Final = 1.0  # seconds for a player who joins to lend a terminal
_FULL: Final = "no more room here for dumps and bones: they stay with you"
_LONGEST: Final = 200  # characters of what is said about a game that is over
T = TypeVar("T")
_FRESH: Final = NEW + b"\x1b[H\x1b[2J"  # resets and clears a terminal, before the screen is drawn again


class _Guest:
    """The terminal that a player lends (see :class:`nhlog.recorder.Player`); `fixed` is a size that the game keeps."""

    def __init__(self, connection: socket.socket, lent: Lent, fixed: Size | None) -> None:
        self.connection = connection
        self._keyboard, self.screen = lent.keyboard, lent.screen
        self._told, self._fixed = lent.size, fixed

        self.called: int | None = None
        """The code of the key for which the player's process has the terminal just now; None if it has not."""

    @property
    def keyboard(self) -> int | None:
        """That of the terminal; None while the player's process has it."""
        return self._keyboard if self.called is None else None

    @property
    def size(self) -> Size | None:
        """The terminal's size; None if it is not known, or the game keeps its own."""
        return None if self._fixed else self._told

    @property
    def below(self) -> Size | None:
        """The terminal's size, if it has rows below the game."""
        fixed, told = self._fixed, self._told
        return told if fixed is not None and told is not None and told.rows > fixed.rows else None

    def hear(self) -> Told:
        """What the player's process says; raises :class:`EOFError` when the player is gone."""
        told = receive_told(self.connection)
        if told.mail is None and told.typed is None:
            self._told = told.size
        return told

    def stop(self) -> None:
        """Do nothing: the host has no terminal."""

    def go_on(self) -> None:
        """Do nothing, likewise."""

    def leave(self) -> None:
        """Give the terminal back."""
        os.close(self._keyboard)
        os.close(self.screen)
        self.connection.close()


class _Mirror:
    """A recording (see :class:`nhlog.recorder.Recorded`), and an emulated terminal with its screen.

    Nothing that the emulator does harms the game: where it falls, the screen is what can be shown without that.  Its
    process is there while somebody comes back, and where much is printed.
    """

    def __init__(self, recording: Recorded, size: Size) -> None:
        self._recording, self._terminal = recording, Terminal(size)

    def add(self, code: str, data: bytes) -> None:
        """Add an event that happens now."""
        self._recording.add(code, data)
        if code == OUTPUT:
            self._try(lambda terminal: terminal.feed(data), None)
        elif code == RESIZE:
            columns, _, rows = data.partition(b"x")
            self._try(lambda terminal: terminal.resize(Size(int(columns), int(rows))), None)

    def finish(self, status: int | None) -> None:
        """Add how the program ended, if that is known."""
        self._recording.finish(status)

    @property
    def has_text(self) -> bool:
        """Whether the screen is not empty; also True if the emulator cannot say."""
        return self._look(_has_text, otherwise=True)

    def drawn_again(self) -> bytes:
        """What to send to another terminal to show the same screen."""
        return _FRESH + self._look(redraw, otherwise=b"")

    def _look(self, what: Callable[[Terminal], T], otherwise: T) -> T:
        """Look at the terminal, which nobody does for a long time after that."""
        try:
            return self._try(what, otherwise)
        finally:
            rest()

    def _try(self, what: Callable[[Terminal], T], otherwise: T) -> T:
        """Do something with the terminal, if the emulator can be made to."""
        try:
            try:
                return what(self._terminal)
            except EmulatorFailed:
                self._terminal = salvaged(self._terminal)
                return what(self._terminal)
        except NhlogError:
            return otherwise


def _has_text(terminal: Terminal) -> bool:
    reading = Reading()
    terminal.read(reading)
    return any(reading.texts)


class _Host:
    """A running game, and its player, if one is connected."""

    def __init__(self, job: Job, mirror: _Mirror, listener: socket.socket, signals: Signals) -> None:
        self._game = job.program
        self._mirror = mirror
        self._listener, self._signals = listener, signals
        self._guest: _Guest | None = None
        self._ended = Ended("the process that runs the game failed")

        self.over = ""
        """What there is to say about a game that is over."""

    def play(self, program: Program, lent: tuple[socket.socket, Lent]) -> None:
        """Run the program until it ends or must end; it is played at this terminal first."""
        limit = self._game.idle_limit
        self._exchange = Exchange(
            program,
            self._mirror,
            self._signals,
            None,
            lost=self._lose,
            ended=self._take_back,
            idle_limit=None if limit is None else limit * _MINUTE,
        )
        self._exchange.heed(self._listener.fileno(), select.POLLIN, lambda what: self._admit())
        try:
            self._seat(*lent)
            code = self._exchange.run()
            self._ended = Ended("", code, text=self._mirror.has_text)
            if self._exchange.idle:
                self._ended = Ended(f"it was ended after {limit:g} minutes without a key")
        except NhlogError as error:
            self._ended = Ended(str(error))
        finally:
            if program.status is None:  # it did not end when its terminal was gone
                os.killpg(program.pid, signal.SIGKILL)

    def tell_end(self) -> None:
        """Tell the player, if there still is one, how it ended."""
        self._part(self._ended._replace(over=self.over))

    def _seat(self, connection: socket.socket, lent: Lent) -> None:
        self._part(Ended("it is now played in another terminal"))
        self._guest = guest = _Guest(connection, lent, self._game.size)
        self._exchange.heed(connection.fileno(), select.POLLIN, lambda what: self._hear(guest))
        self._exchange.keep(lent.kept, self._give_back)
        self._exchange.sit_down(guest)
        self._exchange.press(lent.typed)

    def _admit(self) -> None:
        """Accept a player who returns to the game."""
        with suppress(NhlogError, OSError):
            self._seat(*_next_player(self._listener))
            self._exchange.show(self._mirror.drawn_again())

    def _hear(self, guest: _Guest) -> None:
        """Handle a message of the player's process: terminal size, mail, or that it is gone."""
        try:
            told = guest.hear()
        except (EOFError, NhlogError):
            self._lose()
            return
        if told.typed is not None:
            self._take_back()
            self._exchange.press(told.typed)
        elif told.mail is None and guest.called is not None:
            self._draw_beneath(guest, guest.called)
        elif told.mail is None:
            self._exchange.resize()
        elif guest.called is None:
            self._exchange.put_in(drawn(told.mail, guest.below))

    def _give_back(self, code: int, typed: bytes) -> None:
        """Let the player's process have its terminal for a while, for which this key was pressed."""
        if self._guest is not None:
            self._exchange.stand_up()
            self._guest.called = code
            send_call(self._guest.connection, Called(code, typed))

    def _draw_beneath(self, guest: _Guest, code: int) -> None:
        """Show the game at the terminal's new size, which the player's process has for this key, and call it again."""
        self._exchange.sit_down(guest)
        self._exchange.show(self._mirror.drawn_again(), lambda: self._give_back(code, b""))

    def _take_back(self) -> None:
        """Have the terminal again, if the player's process has it, with the game's screen."""
        if self._guest is not None and self._guest.called is not None:
            self._guest.called = None
            self._exchange.sit_down(self._guest)
            self._exchange.show(self._mirror.drawn_again())

    def _lose(self) -> None:
        """The player's terminal is gone."""
        self._part(Ended("its terminal was closed"))
        if self._game.on_disconnect is OnDisconnect.HANGUP:
            self._exchange.ignore(self._listener.fileno())
            self._listener.close()  # a player who returns now waits until the game has been saved
            self._exchange.end()

    def _part(self, ended: Ended) -> None:
        """Part with the player, if there is one."""
        if self._guest is not None:
            guest, self._guest = self._guest, None
            self._exchange.ignore(guest.connection.fileno())
            self._exchange.stand_up()
            send_end(guest.connection, ended)
            guest.leave()


def _next_player(listener: socket.socket) -> tuple[socket.socket, Lent]:
    """The connection and terminal of the next player; raises NhlogError and OSError if none is lent."""
    connection, _ = listener.accept()
    try:
        connection.settimeout(_MANNERS)
        return connection, receive_terminal(connection)
    except BaseException:
        connection.close()
        raise


def _keep(job: Job) -> None:
    """Run the game until it ends; raises :class:`NhlogError` if it cannot start, and leaves nothing behind then."""
    place = Place(job.folder, job.program.name)
    held = place.take()
    logs = None if job.program.walls.logs is None else job.folder.log_folder(job.program.name)
    path = new_recording(job.recordings, job.folder.name, job.program) if logs is None else str(logs)
    place.tell(held, path)
    environment = {**job.environment, **job.program.env, RECORDING: path}
    folder = _entered(job)
    fresh = [place for place in job.program.walls.own_folders if not own_folder(place, job.folder.home).is_dir()]
    run = confined(job.program.command, job.program.walls, job.folder.home, environment, folder, logs)
    common = Common(job.program, job.folder, job.finished, job.bones, job.most_common)
    common.forget(fresh)
    hand_over(job.program, job.folder)
    hooks = Running(job.program, job.folder.name, path)
    told = repaired(job.program, job.folder, environment)
    late, _ = _take(
        common
    )  # what an earlier host could not; if that cannot be done now either, it is told after the game
    with (
        ExitStack() as after,
        noted((*ENDING, signal.SIGCHLD)) as signals,
        _recording(path, job, environment) as recording,
        closing(place.listen()) as listener,
    ):
        try:
            _check_room(job, path)
            hooks.before()
            mirror = _Mirror(recording, job.size)
            _tell({"told": told})
            listener.settimeout(_READING if told else _PATIENCE)
            lent = _next_player(listener)
            listener.setblocking(False)
            common.lend()
            pixels = pixels_of(lent[1].screen, job.size)
            program = Program(run.command, environment, job.size, job.modes, run.begin, pixels)
        except BaseException:
            if logs is None:
                os.unlink(path)  # it never began
            hooks.after(late)
            raise
        host = _Host(job, mirror, listener, signals)
        after.callback(host.tell_end)
        after.callback(os.close, held)  # before that: who is told that it has ended may begin again at once
        try:
            host.play(program, lent)
        finally:
            new, host.over = _take(common)
            hooks.after([*late, *new])


def _take(common: Common) -> tuple[list[Entry], str]:
    """Take what the game left; returns the new lines of the scores, and what there is to say about it."""
    try:
        entries = common.take()
    except NhlogError as error:
        return [], f"what the game left could not be moved: {error}"[:_LONGEST]
    return entries, "; ".join(filter(None, (_over(entries), _FULL if common.is_full else "")))


def _over(entries: list[Entry]) -> str:
    """How the game ended, by its line of the scores."""
    if not entries:
        return ""
    last = entries[-1]
    told = str(last.get("death", "")) + (f", with {last['points']} points" if "points" in last else "")
    return printable_part(told, _LONGEST)


@contextmanager
def _recording(path: str, job: Job, environment: Mapping[str, str]) -> Iterator[Recorded]:
    """The recording of the game's terminal, at `path`; none of a game that writes its own log."""
    game = job.program
    if game.walls.logs is not None:
        yield Unrecorded()
        return
    form = format_to_record(path).load()
    header = Header(
        size=job.size,
        start=time.time_ns() // 1000,
        title=game.title,
        command=shlex.join(game.command),
        environment={"TERM": environment["TERM"]},
        more={"term": {"type": environment["TERM"]}},
    )
    with closing(open_recording_for(path, form, header)) as recording:
        yield recording


def _check_room(job: Job, path: str) -> None:
    """Refuse one player too many."""
    most = job.program.max_players
    if most is not None and players_of(job.program.name, job.everywhere, besides=path) >= most:
        raise Usage(f"{job.program.title} is full: at most {most} may play at the same time")


def _entered(job: Job) -> Path:
    """The program's working folder; also becomes that of this process."""
    folder = job.folder.home / job.program.cwd
    try:
        if not job.program.cwd.is_absolute():
            job.folder.check_in_home(folder)
            folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
    except OSError as error:
        raise NhlogError(reason(error), file=str(folder)) from None
    return folder


def _tell(said: dict[str, Any]) -> None:
    """Send this to the process that started us, and close the connection to it."""
    os.write(sys.stdout.fileno(), json.dumps(said).encode())
    for fd in (sys.stdin.fileno(), sys.stdout.fileno()):
        os.dup2(sys.stderr.fileno(), fd)  # which is the null device


def prepare() -> None:
    """Do once what each game begins with: what is imported and kept by that is shared by all who are forked from here.

    A host that does all of it for the first time has 3 MB more to itself.
    """
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        folder = PlayerFolder("nobody", Path(name))
        game = GameProgram(name="it", command=("true",), title="it")
        job = Job(
            program=game,
            folder=folder,
            recordings=folder.path,
            everywhere=(),
            size=USUAL_SIZE,
            modes=None,
            environment={"TERM": ""},
        )
        job = pickle.loads(pickle.dumps(job))
        common = Common(job.program, job.folder, None, None)
        common.forget([])
        common.lend()
        _take(common)
        with _recording(str(folder.path / "it.cast"), job, job.environment) as recording:
            mirror = _Mirror(recording, job.size)
            mirror.add(OUTPUT, b"it")
            mirror.finish(0)


def main() -> None:
    """Keep the game of the job that is read from standard input."""
    job: Job = pickle.load(sys.stdin.buffer)
    try:
        _keep(job)
    except NhlogError as error:
        _tell({"error": str(error), "code": error.exit_code})
