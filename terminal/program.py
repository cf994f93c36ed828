"""A program that is recorded while somebody plays it in this terminal; headless, in one nobody sees; or without one.

The last is where this process has no terminal itself.
"""

import os
import shlex
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from nhlog.errors import Usage
from nhlog.operations import Operations, Record
from nhlog.recorder import (
    ENDING,
    NOTICED,
    RECORDING,
    Exchange,
    Piped,
    Program,
    Recording,
    Signals,
    find_program,
    open_recording_for,
    pixels_of,
)
from nhlog.screencast import INPUT, Encoder, Header, TimedEvent
from nhlog.values import dataclass
from nhlog.vt import USUAL_SIZE, Size
from terminal.input import noted
from terminal.screen.tty.raw import INPUT as INPUT_FD
from terminal.screen.tty.raw import RawTerminal, has_terminal

__all__ = ["ProgramOptions", "record_program"]

USUAL_TERMINAL: Final = "xterm-256color"  # what is none has a name all the same
USUAL_SHELL: Final = "/bin/sh"
_SIZES: Final = ("COLUMNS", "LINES")  # what would be believed more than the terminal, whose size may change
_TYPED: Final = (signal.SIGINT, signal.SIGQUIT)
_SECOND: Final = 1_000_000  # microseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """How a program is recorded; `idle_limit` is seconds, `typed` whether keys are recorded, `size` one that stays."""

    append: bool = False
    force: bool = False
    typed: bool = False
    headless: bool = False
    size: Size | None = None
    title: str = ""
    idle_limit: float | None = None


def record_program(
    path: str, name: str, form: Operations, command: Sequence[str], options: ProgramOptions
) -> tuple[int, Record]:
    """Record the program, a shell if none is given, until it ends; returns its exit code, and what was recorded.

    It is recorded by the encoder of the format `form`, which has that `name`.  Raises :class:`Usage` in a terminal that
    is being recorded, for a shell into which nobody can type, and for what the recording cannot say.
    """
    outer, piped = os.environ.get(RECORDING), not options.headless and not has_terminal()
    if options.headless and not command:
        raise Usage("--headless needs a program: nobody could type into a shell")
    if piped and not command:
        raise Usage("without a terminal a program is needed: nobody could type into a shell")
    if outer and not options.headless and not piped:
        raise Usage("this terminal is already being recorded", file=outer)
    player = None if options.headless or piped else RawTerminal(options.size)
    size = player.first_size if player else options.size or USUAL_SIZE
    environment = {**os.environ, RECORDING: os.path.abspath(path)}
    if not piped:
        environment.setdefault("TERM", USUAL_TERMINAL)
        for told in _SIZES:
            environment.pop(told, None)
    header = Header(
        size=size,
        start=time.time_ns() // 1000,
        title=options.title,
        command=shlex.join(command),
        idle_limit=None if options.idle_limit is None else round(options.idle_limit * _SECOND),
        environment={name: environment[name] for name in ("SHELL", "TERM") if name in environment},
        more={"term": {"type": environment["TERM"]}} if "TERM" in environment else {},
    )
    _check(form, path, name, header, options, "without a terminal" if piped else "with --headless")
    run = command or (environment.get("SHELL") or USUAL_SHELL,)
    find_program(run[0], environment)
    recording = open_recording_for(path, form, header, append=options.append, force=options.force)
    try:
        with noted(_signals(player, piped=piped)) as signals:
            if piped:
                code = Piped(run, environment, recording, signals).run()
            else:
                code = _played(run, environment, size, recording, signals, player, typed=options.typed)
        return code, _told(recording, code)
    finally:
        recording.close()


def _signals(player: RawTerminal | None, *, piped: bool) -> list[signal.Signals]:
    """Those that are taken: not what our parent had us ignore, and without a terminal none of its own.

    A program that has our input has what is typed there, too: what keys send to both of us is for it alone.
    """
    if piped and os.isatty(INPUT_FD):
        for number in _TYPED:
            signal.signal(number, signal.SIG_IGN)
    ending = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    return [*ending, *(NOTICED if player else [signal.SIGCHLD])]


def _played(
    command: Sequence[str],
    environment: Mapping[str, str],
    size: Size,
    recording: Recording,
    signals: Signals,
    player: RawTerminal | None,
    *,
    typed: bool,
) -> int:
    if player is None:
        return Exchange(Program(command, environment, size), recording, signals, None).run()
    with player:
        program = Program(command, environment, size, player.modes, pixels=pixels_of(player.screen, size))
        return Exchange(program, recording, signals, player, typed=typed).run()


def _told(recording: Recording, code: int) -> Record:
    return {
        "file": recording.name,
        "duration": recording.duration,
        "size": recording.size,
        "status": code,
        "loss": dict(recording.loss),
    }


def _check(form: Operations, path: str, name: str, header: Header, options: ProgramOptions, untyped: str) -> None:
    """Refuse what would be lost: what a header has no place for, and keys where there is none for them."""
    for option, plainer in (
        ("--title", replace(header, title="")),
        ("--idle-limit", replace(header, idle_limit=None)),
    ):
        if plainer == header:
            continue
        if options.append:
            raise Usage(f"{option} does not work with an existing recording")
        if _encoder(form, path, plainer).begin() == _encoder(form, path, header).begin():
            raise Usage(f"{option} does not apply to a {name}")
    if options.typed and (options.headless or not has_terminal()):
        raise Usage(f"--input does not work {untyped}")
    if options.typed and not _encoder(form, path, header).event(TimedEvent(0, INPUT, b" ")):
        raise Usage(f"--input does not apply to this version of {name}")


def _encoder(form: Operations, path: str, header: Header) -> Encoder:
    assert form.encoder is not None, "it was asked for a format that records programs"
    encoder: Encoder = form.encoder(path, header)
    return encoder
