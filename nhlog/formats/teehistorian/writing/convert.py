"""`nhlog convert`: writes an excerpt by ticks or of one player, anonymises, or changes the compression.

The bytes of the messages do not change; the result is always a valid recording.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from nhlog.compression import GZIP, NONE, XZ, ZSTD, compressed, ending_for
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.files import atomic
from nhlog.formats.teehistorian.reading.events import client_of
from nhlog.formats.teehistorian.reading.reader import Reader, read_records
from nhlog.formats.teehistorian.reading.summary import summarise
from nhlog.formats.teehistorian.reading.world import FOREVER
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.formats.teehistorian.writing.anonymise import Anonymiser
from nhlog.formats.teehistorian.writing.excerpt import InitialMessages
from nhlog.formats.teehistorian.writing.writer import Writer
from nhlog.timeline import parse_position
from nhlog.unpacked import pieces

__all__ = ["convert"]

COMPRESSIONS: Final = {"none": NONE, "gz": GZIP, "xz": XZ, "zst": ZSTD}  # by the ending of the file's name


def convert(
    source: str,
    target: str,
    *,
    first: int | str | None = None,
    last: int | str | None = None,
    player: str | None = None,
    anonymise: bool = False,
    compression: str | None = None,
    force: bool = False,
) -> dict[str, Any]:
    """Write `target`: ticks `first` to `last` of `source` (or positions), all or of one `player` (name or client id).

    `compression` is one of ``gz xz zst none``, by default that of the target's ending.  Returns a record of the result;
    its ``error`` tells where the source is damaged and up to where it was read.
    """
    ending = ending_for(target, compression, COMPRESSIONS)
    begin, end = (place if isinstance(place, int | None) else _tick(source, place) for place in (first, last))
    if begin is not None and end is not None and begin > end:
        raise Usage("the end is before the start", expected=f"a tick from {begin} on", found=end)
    conversion = _Conversion(Reader(source))
    changes = begin is not None or end is not None or player is not None or anonymise
    if changes:
        anonymiser = Anonymiser() if anonymise else None
        keeps = _chosen(source, player) if player is not None else None
        parts = conversion.parts(begin or 0, FOREVER if end is None else end, keeps, anonymiser)
    else:
        parts = conversion.copied(source)
    size = atomic.write(target, compressed(parts, COMPRESSIONS[ending]), force=force)
    return {
        "source": source,
        "target": target,
        "compression": ending,
        "messages": conversion.messages if changes else None,
        "first": conversion.first,
        "last": conversion.last,
        "size": size,
        "error": conversion.error,
    }


def _tick(source: str, place: str) -> int:
    """The tick of a position; a bare number is a tick."""
    if place.isdecimal() and len(place) < 19:
        return int(place)
    _must_be_file(source)
    replay = open_replay(source)
    try:
        return replay.timeline.resolve(parse_position(place))
    finally:
        replay.close()


def _must_be_file(source: str) -> None:
    if source == "-":
        raise Usage("standard input can be read only once", expected="a file")


Keeps = Callable[[int, int], bool]


def _chosen(source: str, wanted: str) -> Keeps:
    """A function that tells whether a client is the wanted player at a tick.

    Raises :class:`Usage` if there is no such player.
    """
    _must_be_file(source)
    stays = summarise(source).attendance.stays
    spans = [
        (stay.player.cid, stay.first, FOREVER if stay.last is None else stay.last + 1)
        for stay in stays
        if wanted in (stay.player.name, str(stay.player.cid))
    ]
    if not spans:
        names = sorted({stay.player.called for stay in stays})[:20]
        raise Usage("no such player", file=source, expected=", ".join(names), found=wanted)
    return lambda cid, tick: any(cid == one and first <= tick <= last for one, first, last in spans)


@dataclass(slots=True)
class _Conversion:
    """The source, counts of what was written so far, and in `error` the damage of the source."""

    reader: Reader
    messages: int = 0
    first: int | None = None
    last: int | None = None
    error: str | None = None
    _writer: Writer = field(default_factory=Writer)

    def copied(self, source: str) -> Iterator[bytes]:
        """All uncompressed bytes, unchanged."""
        try:
            yield from pieces(source)
        except Damaged as error:
            self.error = str(error)

    def parts(self, first: int, last: int, keeps: Keeps | None, anonymiser: Anonymiser | None) -> Iterator[bytes]:
        """The header and the wanted messages."""
        yield self.reader.header.raw
        initial: InitialMessages | None = InitialMessages()
        try:
            for tick, _, message in read_records(self.reader):
                if tick > last:
                    break
                cid = client_of(message)
                if keeps and (cid is None or not keeps(cid, tick)):
                    continue
                if initial and tick < first:
                    initial.add(message)
                    continue
                if initial:
                    for earlier in initial.messages():
                        yield self._encode(first - 1, earlier, anonymiser)
                    initial = None
                yield self._encode(tick, message, anonymiser)
        except NhlogError as error:
            self.error = str(error)
        yield self._writer.finish()

    def _encode(self, tick: int, message: tuple[Any, ...], anonymiser: Anonymiser | None) -> bytes:
        kept = anonymiser.anonymise(message) if anonymiser else message
        if kept is None:
            return b""
        self.messages += 1
        self.first = tick if self.first is None else self.first
        self.last = tick
        return self._writer.write(tick, kept)
