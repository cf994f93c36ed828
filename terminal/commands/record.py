"""`nhlog record`: record a program, what comes as JSON lines, or what an interface says."""

import signal
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from nhlog.errors import RemoteUnreachable, Unsupported, Usage
from terminal.input import Signals, again_and_again, noted, read_lines
from terminal.options import FILE, OfFormats, force_option, json_option
from terminal.output import Progress, print_error, print_json, print_record
from terminal.text.words import clock, size

if TYPE_CHECKING:
    from nhlog.operations import BeginRecording, Format, Recording

__all__ = ["command"]

RATE: Final = 30.0  # times a second
PAUSE: Final = 0.25  # seconds without a line after which we look at the clock
MOST: Final = 4 << 20  # bytes of what an interface says
PROGRAM: Final = "--"
TYPED: Final = "--typed"
ENDS: Final = (signal.SIGINT, signal.SIGTERM)


class _Record(OfFormats):
    """The verb, in which `--input` is a flag where a program follows."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if PROGRAM in args:
            at = args.index(PROGRAM)
            args = [TYPED if word == "--input" else word for word in args[:at]] + args[at:]
        return super().parse_args(ctx, args)


@click.command("record", cls=_Record, operations=("record", "encoder"))
@click.argument("output", type=FILE)
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option("--append", is_flag=True, help="Continue a program's recording.")
@click.option("--title", metavar="TEXT", help="The title of a program's recording.")
@click.option(
    "--input",
    "source",
    type=FILE,
    metavar="[FILE]",
    help="For a program: record the keys, too, except hidden input such as passwords. Otherwise the file with "
    "JSON lines; standard input by default.",
)
@click.option(TYPED, "typed", is_flag=True, hidden=True)
@click.option("--headless", is_flag=True, help="Record a program without showing it; nobody can type.")
@click.option("--size", metavar="COLSxROWS", help="The program's terminal size; by default this terminal's.")
@click.option(
    "--idle-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="The longest pause for players to show; the recording keeps the true times.",
)
@click.option("--from", "address", metavar="URL", help="Read from the game's API instead, at intervals.")
@click.option("--rate", type=click.FloatRange(0.1, 120), metavar="N", help="Reads per second; by default 30.")
@force_option
@json_option
def command(
    output: str,
    program: tuple[str, ...],
    source: str | None,
    address: str | None,
    rate: float | None,
    force: bool,
    as_json: bool,
    options: dict[str, Any],
    **of_program: Any,
) -> int:
    """Record a terminal program, or JSON lines as `nhlog dump --json` prints them, into OUTPUT.

    NAME.cast or NAME.ttyrec (also with .zst or .gz): records the program COMMAND, by default your shell, in this
    terminal. Output is saved before you see it, and others can watch. The exit code is the program's, or 128 plus the
    number of the signal that ended it. If the file can no longer be written, or this terminal closes, the program gets
    SIGHUP, as when a terminal closes. Without a terminal (ssh HOST COMMAND, cron, a pipe) the program runs without one,
    too, and what it writes goes on unchanged.

    A folder: makes a Hollow Cube recording. Each input line is {"tick": number, "events": [...]}, with the events of
    `nhlog dump --json`, or Move with the exact position of an entity.

    NAME.butter: makes an Echo VR recording. Each input line is a frame of `nhlog dump --json`, a session from the
    game's API, or a line of an .echoreplay; --from reads the API itself.

    An option that does not apply to the kind of recording is refused.

    An unfinished recording is continued. The end of the input, an interrupt or SIGTERM finish it; after a crash it can
    be continued, too. A new Echo VR session starts another file, with a number.

    With --ring nothing is written until SIGUSR1, an input line {"save": "FILE"} or the end of the input; SIGUSR1 and
    the end save to OUTPUT, with a number if that exists.

    \b
    nhlog record game.cast --title "a try" -- nethack
    nhlog record game.cast --append -- nethack
    nhlog record build.ttyrec.zst --headless --size 120x40 -- make
    nhlog record run < ticks.jsonl
    nhlog record run --input ticks.jsonl --segment-time 10s --open
    nhlog record last.replay --ring 5m < pipe
    nhlog record match.butter --from http://127.0.0.1:6721/session --rate 30
    nhlog dump a.replay --json | nhlog record b
    """
    from nhlog.formats import format_of, format_to_record

    kind = format_of(output) if of_program["append"] else format_to_record(output)
    if program or kind.load().encoder is not None:
        others = {name: value for name, value in (("input", source), ("from", address), ("rate", rate)) if value}
        return _record_program(output, kind, program, {**options, **others}, of_program, force=force, as_json=as_json)
    if rate is not None and address is None:
        raise Usage("--rate needs --from")
    if source is not None and address is not None:
        raise Usage("--input and --from exclude each other")
    if address is not None and not address.startswith(("http://", "https://")):
        raise Usage("not a web address", file=address)
    begin: BeginRecording = format_to_record(output).operation(
        "record", output, {**options, **{name: value for name, value in of_program.items() if value}}
    )
    recording = begin(output, print_error, force=force)
    with noted((*ENDS, signal.SIGUSR1)) as signals:
        if address is None:
            records = _take(recording, read_lines(source or "-", signals, PAUSE), signals)
        else:
            asked = again_and_again(_Interface(address, recording).ask, rate or RATE, signals)
            records = _take(recording, asked, signals)
    for record in records:
        if as_json:
            print_json(record)
        else:
            print_record(record)
    return 0


def _record_program(
    output: str,
    kind: "Format",
    program: tuple[str, ...],
    encoding: dict[str, Any],
    wanted: dict[str, Any],
    *,
    force: bool,
    as_json: bool,
) -> int:
    """Record a program; returns its exit code."""
    from nhlog.operations.options import chosen
    from nhlog.vt import parse_size
    from terminal.program import ProgramOptions, record_program

    form = kind.load()
    if form.encoder is None:
        raise Usage("a program can only be recorded into a .cast or .ttyrec", file=output)
    form = replace(form, encoder=chosen(form.encoder, encoding, "program", output))
    wanted["size"] = parse_size(wanted["size"]) if wanted["size"] else None
    wanted["title"] = wanted["title"] or ""
    code, record = record_program(output, kind.name, form, program, ProgramOptions(force=force, **wanted))
    if as_json:
        print_json(record)
    return code


def _take(recording: "Recording", lines: Iterable[bytes | None], signals: Signals) -> list[dict[str, Any]]:
    """Record lines until they end or a signal arrives; returns the records to print."""
    progress = Progress()
    try:
        for line in lines:
            if line is not None:
                recording.line(line)
            elif _told_to_end(recording, signals):
                break
            recording.poll()
            progress.show(f"{clock(recording.duration)}, {size(recording.size)}")
        return [*recording.end()]
    finally:
        progress.clear()
        recording.leave()


def _told_to_end(recording: "Recording", signals: Signals) -> bool:
    """Whether a signal says so; another one asks to save."""
    for number in signals.take():
        if number in ENDS:
            return True
        recording.save()
    return False


class _Interface:
    """The interface of a game, whose answers are recorded; what else it says is printed once."""

    def __init__(self, address: str, recording: "Recording") -> None:
        from nhlog.remote.web import WebAddress

        self._address, self._recording = WebAddress(address), recording
        self._trouble = ""

    def ask(self) -> None:
        """Record what it says now; it may be silent, or have no match."""
        from nhlog.remote import NotThere

        try:
            said = self._address.now(MOST)
        except NotThere:
            self._tell("no match is played; waiting for one")
        except RemoteUnreachable as error:
            self._tell(f"{error.message}; asking again")
        else:
            self._record(said)

    def _record(self, said: bytes) -> None:
        try:
            self._recording.line(said.replace(b"\n", b" "))
        except (Usage, Unsupported) as error:
            if error.file is not None:  # it is about the file, not about what was said
                raise
            self._tell("refused", f"{error.message}; asking again")  # each answer may be wrong in its own way
        else:
            if self._trouble:
                self._tell("it answers again")
            self._trouble = ""

    def _tell(self, trouble: str, words: str = "") -> None:
        if trouble != self._trouble:
            print_error(f"{self._address.name}: {words or trouble}")
        self._trouble = trouble
