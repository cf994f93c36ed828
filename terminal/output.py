"""What a verb writes: lines, JSON and screens for whoever looks, and files that are either whole or not there.

Verbs print by these functions alone, and what they print may hold anything that a recording or a file's name has:
nothing of it reaches a terminal but what may be printed.
"""

import os
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from nhlog.errors import NhlogError, Usage
from nhlog.files import STDOUT, as_ours, atomic, naming
from nhlog.progress import PULSE, SOON, each, in_words, listener
from terminal.text.words import printable, printable_json, size

if TYPE_CHECKING:
    from nhlog.screen import Screen, Style

__all__ = [
    "Progress",
    "confirm",
    "deliver",
    "each_file",
    "line_printer",
    "print_diff",
    "print_error",
    "print_json",
    "print_lines",
    "print_markers",
    "print_record",
    "print_screen",
    "print_table",
    "print_text",
    "tell_each",
    "write_file",
]

_TO_STDOUT: Final = naming(STDOUT)
_LONGEST: Final = 1000  # characters of an error: more than the longest that we write, and a path that is no joke


def each_file(files: Sequence[str], act: Callable[[str], int]) -> int:
    """Call `act` for each file, and return the largest exit code.

    Of several files, one that raises NhlogError or OSError is reported on standard error and the others are done; with
    a single file the error is raised.
    """
    worst = 0
    for file in each("file", files):
        try:
            worst = max(worst, act(file))
        except (NhlogError, OSError) as error:
            if len(files) == 1:
                raise
            ours = as_ours(error, file)
            worst = max(worst, ours.exit_code)
            print_error(str(ours))
    return worst


def tell_each(
    files: Sequence[str],
    tell: Callable[[str], tuple[Mapping[str, Any], int]],
    row: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    *,
    as_json: bool,
) -> int:
    """Print one table for several files, or a record of each as JSON, and return the largest exit code.

    `tell` gives the record of a file and its exit code, `row` the cells that follow the file's name.  One that raises
    NhlogError or OSError has a record with ``error``, and a row that says why.
    """
    worst, rows = 0, []
    for file in each("file", files):
        try:
            record, code = tell(file)
        except (NhlogError, OSError) as error:
            ours = as_ours(error, file)
            record, code = {"file": file, "error": ours.message}, ours.exit_code
        worst = max(worst, code)
        if as_json:
            print_json(record)
        elif "error" in record:
            rows.append({"file": file, "status": "error", "what": record["error"]})
        else:
            rows.append({"file": file, **row(record)})
    if not as_json:
        if rows:
            print_table(rows)
        else:
            print_lines("there are no recordings", err=True)
    return worst


def print_error(message: str) -> None:
    """Print what is wrong as one line on standard error, while other things go on.

    What somebody wrote into a file or a command may be as long as it likes; the middle of a long line is left out.
    """
    _make_room()
    if len(message) > _LONGEST:
        half = (_LONGEST - 3) // 2
        message = f"{message[:half]} … {message[-half:]}"
    click.echo(f"nhlog: {printable(message)}", err=True)


def confirm(question: str) -> bool:
    """Whether somebody says yes; the end of the input says no.  Asked on standard error."""
    _make_room()
    sys.stdout.flush()  # what was printed before is what the question is about
    try:
        return click.confirm(printable(question), err=True)
    except click.Abort as abort:
        if isinstance(abort.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        return False


class Progress:
    """A line of standard error, if that is a terminal, that says how far it is; new every quarter of a second.

    It listens to the library (:mod:`nhlog.progress`), and whatever else is printed takes its place.
    """

    def __init__(self) -> None:
        self._due = time.monotonic() + SOON
        self._shown = False

    def __call__(self, doing: str, done: int, total: int) -> None:
        """Show that, unless it is done."""
        if done < total or not total:
            self.show(f"{in_words(doing, done, total)} (Ctrl-C ends it)")

    def show(self, text: str) -> None:
        """Show this, if it is time."""
        now = time.monotonic()
        if now >= self._due and sys.stderr.isatty():
            self._due, self._shown = now + PULSE, True
            from shutil import get_terminal_size

            from nhlog.screen import clip

            room = get_terminal_size().columns - 1
            click.echo(f"\r{clip(printable(text), room)}\x1b[K", nl=False, err=True)

    def clear(self) -> None:
        """Clear the line."""
        self._due = time.monotonic() + SOON
        if self._shown:
            self._shown = False
            click.echo("\r\x1b[K", nl=False, err=True)


def _make_room() -> None:
    """Clear the line that says how far it is: something else is about to be printed."""
    shown = listener()
    if isinstance(shown, Progress):
        shown.clear()


@naming(STDOUT)
def print_lines(*lines: str, err: bool = False) -> None:
    """Print each line, on standard error if `err`; what is looked at has colours, and is no wider than the terminal."""
    from terminal.pager import colors, width

    _make_room()
    stream, most = (sys.stderr, None) if err else (sys.stdout, width())
    if most is not None:
        from terminal.text.wrapping import broken

        lines = tuple(piece for line in lines for piece in broken(line, most))
    told = partial(_colored, colors=number) if (number := colors(stream)) else printable
    print("\n".join(map(told, lines)), file=stream)


def line_printer(style: str, width: int) -> Callable[[str, str], None]:
    """A function that prints a line of a word, in a style and so wide, and of text, whose further lines hang below it.

    It is for many lines: where nobody looks at them, that is found out once, and not for each.
    """
    from terminal import pager

    if pager.width() is not None or pager.colors(sys.stdout):
        from terminal.text.wrapping import Line

        return lambda word, text: print_lines(Line((word.rjust(width), style), "  ", text, hang=width + 2))

    shown = listener()
    make_room = shown.clear if isinstance(shown, Progress) else lambda: None

    def plain(word: str, text: str) -> None:
        make_room()
        _write(f"{printable(f'{word.rjust(width)}  {text}')}\n")

    return plain


def _write(text: str) -> None:
    """Write to standard output; for many lines, as a scope is entered only where it is refused."""
    try:
        sys.stdout.write(text)
    except OSError:
        with _TO_STDOUT:
            raise


def _colored(line: str, colors: int) -> str:
    """The line, and sequences around what has a style."""
    from terminal.text.wrapping import Line

    if not isinstance(line, Line):
        return printable(line)
    from nhlog.screen import PLAIN
    from terminal.screen import theme

    shown = ""
    for part in line.parts:
        if isinstance(part, str) or not part[1]:
            shown += printable(part if isinstance(part, str) else part[0])
        else:
            style: Style = getattr(theme, part[1])
            shown += f"{style.sgr(colors)}{printable(part[0])}{PLAIN.sgr()}"
    return shown


def print_table(records: Sequence[Mapping[str, Any]], optional: Collection[str] = ()) -> None:
    """Print records as a table; the columns `optional` are left out where a terminal is too narrow for them."""
    from terminal.pager import width
    from terminal.text.tables import table

    print_lines(*table(records, width(), optional))


def print_markers(rows: Sequence[Mapping[str, Any]], file: str, *, as_json: bool) -> None:
    """Print the markers of a recording, or say that it has none."""
    if as_json:
        for row in rows:
            print_json(row)
    elif rows:
        print_table(rows)
    else:
        print_lines(f"{file}: there are no markers", err=True)


def print_record(record: Mapping[str, Any]) -> None:
    """Print a record, a line for each of its values."""
    from terminal.pager import width
    from terminal.text.plain import plain

    print_lines(*plain(record, width()))


@naming(STDOUT)
def print_screen(screen: "Screen", colors: int | None) -> None:
    """Print the rows of a screen, whose cells are showable; with `colors`, 0 to 256, with ECMA-48 styles."""
    _make_room()
    print("\n".join(screen.text()) if colors is None else screen.ansi(colors))


@naming(STDOUT)
def print_text(text: str) -> None:
    """Print the lines of a text that another program reads: whole, however wide the terminal is."""
    _make_room()
    print("\n".join(map(printable, text.splitlines())))


def print_json(value: object) -> None:
    """Print one line of JSON: of a mapping, a dataclass, or what else msgspec encodes."""
    import msgspec

    _make_room()
    try:
        _write(f"{printable_json(msgspec.json.encode(value).decode())}\n")
    except UnicodeEncodeError:  # a file's name that is not UTF-8 has lone surrogates: only escapes carry them
        import json

        _write(f"{json.dumps(msgspec.to_builtins(value), separators=(',', ':'))}\n")


def print_diff(diff: bytes, as_json: bool) -> None:
    """Print a save diff command by command; raises MdiffError when it comes to where the diff is malformed."""
    from terminal.text.explain import explain_diff, name_format

    if not as_json:
        print_lines(name_format(diff))
    for record, line in explain_diff(diff):
        if as_json:
            print_json(record)
        else:
            print_lines(line)


def deliver(name: str, data: bytes, *, force: bool, as_json: bool) -> None:
    """Write `data` to the file `name`, and print its name and size unless it went to standard output (``-``).

    Raises `Usage` where JSON would be mixed with the data, and what `write_file` raises.
    """
    if name == "-" and as_json:
        raise Usage("--json would mix with the output: name a file with -o")
    write_file(name, data, force=force)
    if as_json:
        print_json({"file": name, "size": len(data)})
    elif name != "-":
        print_lines(f"{name}: {size(len(data))}")


def write_file(name: str, data: bytes, *, force: bool) -> None:
    """Write `data` to the file `name`, whole or not at all; ``-`` is standard output.

    A pipe or a device is written as it is.  Raises `Usage` for standard output that is a terminal, NhlogError for a
    file that exists unless `force`, and OSError.
    """
    if name == "-":
        if sys.stdout.isatty():
            raise Usage("binary output is not for a terminal: name a file with -o")
        _make_room()
        with naming(STDOUT):
            click.echo(data, nl=False)
    elif os.path.exists(name) and not os.path.isfile(name):
        with naming(name), open(name, "wb") as file:
            file.write(data)
    elif force:
        atomic.replace(os.path.realpath(name), [data])
    else:
        try:
            atomic.create(name, [data])
        except FileExistsError:
            raise NhlogError("the file exists (--force replaces it)", file=name) from None
