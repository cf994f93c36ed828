"""`nhlog record`: record ticks that are read as JSON lines."""

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from nhlog.errors import NhlogError
from terminal.input import Signals, noted, read_lines
from terminal.options import FILE, force_option, json_option
from terminal.output import print_error, print_json, print_lines, show_progress
from terminal.text.plain import plain
from terminal.text.words import clock, size

if TYPE_CHECKING:
    from nhlog.formats.hollowcube.writing import Facts, Recorder, Ring, Triggers

__all__ = ["command"]

TICKS_A_SECOND: Final = 20
MICROSECONDS: Final = 1_000_000
PAUSE: Final = 1.0  # seconds without a line after which we look at the clock
SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}
BYTES: Final = {"": 1, "k": 1 << 10, "m": 1 << 20}
SAVE: Final = b'{"save": ""}'
ENDS: Final = (signal.SIGINT, signal.SIGTERM)


def _span(text: str) -> int:
    """Parse a duration, in seconds."""
    return _amount(text, "[smh]?", SECONDS, "a time, as 90, 90s, 5m or 1h")


def _size(text: str) -> int:
    """Parse a size, in bytes."""
    return _amount(text, "(?:[km]i?b?)?", BYTES, "a size, as 65536, 64k or 4M")


def _amount(text: str, units: str, worth: dict[str, int], what: str) -> int:
    found = re.fullmatch(rf"(\d{{1,9}})({units})", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise click.BadParameter(f"{text!r} is not {what}")
    return int(found[1]) * worth[found[2][:1].lower()]


@click.command("record")
@click.argument("output", type=FILE)
@click.option(
    "--input", "source", type=FILE, default="-", metavar="FILE", help="JSON lines; standard input by default."
)
@click.option(
    "--ring",
    type=_span,
    metavar="TIME",
    help="Keep only the last so much (5m), in memory; save it to OUTPUT when asked.",
)
@click.option("--open", "unfinished", is_flag=True, help="Do not finish the recording: it can be continued later.")
@click.option("--layout", type=click.Choice(["1", "4"]), default="1", help="The design text's, or the shipped game's.")
@click.option("--chunk-time", type=_span, metavar="TIME", help="Ticks of a chunk: 5s.")
@click.option("--chunk-size", type=_size, metavar="SIZE", help="At most, before it is packed: 1M.")
@click.option("--segment-time", type=_span, metavar="TIME", help="How long a segment may stay unfinished: 60s.")
@click.option("--segment-size", type=_size, metavar="SIZE", help="At most, packed: 4M.")
@force_option
@json_option
def command(
    output: str,
    source: str,
    ring: int | None,
    unfinished: bool,
    layout: str,
    chunk_time: int | None,
    chunk_size: int | None,
    segment_time: int | None,
    segment_size: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Record ticks that come as JSON lines, as `nhlog dump --json` prints them, into the folder OUTPUT.

    Each line is {"tick": number, "events": [...]}; beside the events of recordings there is Move, with the exact
    position of an entity. A recording that is not finished is continued. The end of the input, an interrupt and a
    SIGTERM finish it properly; what a crash leaves can be continued, too, and compacted.

    With --ring nothing is written until SIGUSR1, a line {"save": "FILE"} or the end asks for it; SIGUSR1 and the end
    save to OUTPUT, with a number where that exists.

    \b
    nhlog record run < ticks.jsonl
    nhlog record run --input ticks.jsonl --segment-time 10s --open
    nhlog record last.replay --ring 5m < pipe
    nhlog dump a.replay --json | nhlog record b
    """
    from nhlog.formats.hollowcube.wire.header import Layout
    from nhlog.formats.hollowcube.writing import Facts, Triggers

    told = {
        "chunk_ticks": None if chunk_time is None else chunk_time * TICKS_A_SECOND,
        "chunk_bytes": chunk_size,
        "segment_seconds": segment_time,
        "segment_bytes": segment_size,
    }
    triggers = Triggers(**{name: value for name, value in told.items() if value is not None})
    facts = Facts(layout=Layout(int(layout)))
    taker: _Taker = _Recording(output, triggers, unfinished) if ring is None else _Kept(output, triggers, ring, force)
    with noted((*ENDS, signal.SIGUSR1)) as signals:
        record = _take(taker, source, signals, facts)
    if as_json:
        print_json(record)
    else:
        print_lines(*plain(record))


class _Taker(Protocol):
    """A destination of ticks."""

    def begin(self, facts: "Facts") -> "Recorder | Ring":
        """Start recording."""

    def save(self, name: str) -> None:
        """Save on request; an empty name means the default place."""

    def end(self) -> dict[str, Any]:
        """Finish at the end of the input; returns the record to print."""

    def leave(self) -> None:
        """Clean up however the input ended, keeping what can be kept."""


def _take(taker: _Taker, source: str, signals: Signals, facts: "Facts") -> dict[str, Any]:
    """Record ticks until the input ends or a signal arrives."""
    from nhlog.formats.hollowcube.writing import Feed

    sinks: list[Recorder | Ring] = []

    def begin(facts: "Facts") -> "Recorder | Ring":
        sinks.append(taker.begin(facts))
        return sinks[0]

    feed = Feed(begin, facts)
    progress = _Progress()
    try:
        for line in _heard(source, signals):
            wanted = None if line is None else feed.line(line)
            if wanted is not None:
                taker.save(wanted)
            for sink in sinks:
                sink.poll()
                progress.show(sink.ticks, sink.size)
        feed.end()
        return taker.end()
    finally:
        progress.clear()
        taker.leave()


def _heard(source: str, signals: Signals) -> Iterator[bytes | None]:
    """Lines until the end or a terminating signal; None for a pause; SIGUSR1 becomes a line that asks to save."""
    for line in read_lines(source, signals, PAUSE):
        yield line
        for number in signals.take() if line is None else ():
            if number in ENDS:
                return
            yield SAVE


class _Recording:
    """Records ticks to a folder."""

    def __init__(self, output: str, triggers: "Triggers", unfinished: bool) -> None:
        self._output, self._triggers, self._unfinished = output, triggers, unfinished
        self._recorder: Recorder | None = None

    def begin(self, facts: "Facts") -> "Recorder":
        """A new recording, or an unfinished one to continue."""
        from nhlog.formats.hollowcube.writing import Recorder

        self._recorder = Recorder(self._output, facts, self._triggers)
        return self._recorder

    def save(self, name: str) -> None:
        """Flush what was recorded so far to disk."""
        if self._recorder is not None:
            self._recorder.flush()

    def end(self) -> dict[str, Any]:
        """Finish the recording, or leave it to be continued."""
        assert self._recorder is not None, "a feed begins what it ends"
        if self._unfinished:
            self._recorder.flush()
        else:
            self._recorder.finish()
        ticks = self._recorder.ticks
        return {
            "file": self._output,
            "ticks": ticks,
            "duration": _duration(ticks),
            "size": self._recorder.size,
            "finished": not self._unfinished,
        }

    def leave(self) -> None:
        """Keep what was recorded, however the input ended."""
        if self._recorder is not None:
            self._recorder.leave()


class _Kept:
    """Records ticks to a ring buffer in memory."""

    def __init__(self, output: str, triggers: "Triggers", seconds: int, force: bool) -> None:
        self._output, self._triggers, self._force = output, triggers, force
        self._span = seconds * TICKS_A_SECOND
        self._ring: Ring | None = None
        self._saved: list[dict[str, Any]] = []

    def begin(self, facts: "Facts") -> "Ring":
        """An empty ring buffer."""
        from nhlog.formats.hollowcube.writing import Ring

        self._ring = Ring(self._span, facts, self._triggers)
        return self._ring

    def save(self, name: str) -> None:
        """Save the ring buffer; an error does not end the recording."""
        try:
            self._save(name)
        except (NhlogError, OSError) as error:
            print_error(str(error))

    def _save(self, name: str) -> None:
        if self._ring is not None:
            self._saved.append(self._ring.save(name or self._place(), force=self._force))

    def _place(self) -> str:
        """The output path, with a number if it exists."""
        root, ending = os.path.splitext(self._output)
        numbered = (f"{root}-{number}{ending}" for number in count(2))
        names = [self._output] if self._force else chain([self._output], numbered)
        return next(name for name in names if self._force or not os.path.exists(name))

    def end(self) -> dict[str, Any]:
        """Save what is left in the ring buffer."""
        assert self._ring is not None, "a feed begins what it ends"
        self._save("")
        ticks = self._ring.ticks
        return {"file": self._output, "ticks": ticks, "duration": _duration(ticks), "saved": self._saved}

    def leave(self) -> None:
        """Does nothing."""


class _Progress:
    """A line on the terminal that shows the progress, once a second."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._wanted = sys.stderr.isatty()

    def show(self, ticks: int, written: int) -> None:
        """Show the progress, if a second has passed."""
        now = time.monotonic()
        if self._wanted and now - self._shown >= PAUSE:
            self._shown = now
            show_progress(f"{clock(_duration(ticks))}, {size(written)}")

    def clear(self) -> None:
        """Clear the line."""
        if self._shown:
            show_progress("")


def _duration(ticks: int) -> int:
    return ticks * MICROSECONDS // TICKS_A_SECOND
