"""The index of a recording, made in one pass: keyframes for seeking, and the offsets of events; its size is limited.

A keyframe is the state after all messages before an offset; messages between two of them are read again.  The index of
a long recording is kept in the cache: opening it again reads what was added.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import gt
from typing import Any, Final

import msgspec

from nhlog import cache
from nhlog.errors import Damaged, NhlogError
from nhlog.files import File
from nhlog.formats.teehistorian.reading.events import KINDS, MARKER_KINDS, TeeEvent, client_of, describe, message_text
from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.reading.reader import Incomplete, find_header, flaws_of, header_too_short
from nhlog.formats.teehistorian.reading.stream import Stream
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.wire.codec import decode
from nhlog.formats.teehistorian.wire.extra import PlayerSwap
from nhlog.formats.teehistorian.wire.header import MOST_HEADER, Header
from nhlog.formats.teehistorian.wire.messages import PlayerNew
from nhlog.formats.teehistorian.wire.split import length_of
from nhlog.progress import report
from nhlog.timeline import Marker
from nhlog.unpacked import UnpackedSource

__all__ = ["PIECE", "Cursor", "Index"]

PIECE: Final = 1 << 15  # bytes between two keyframes, as long as there are not too many of them
MOST_KEYFRAMES: Final = 4096
MOST_EVENTS: Final = 1 << 21  # a real recording has one in 300 messages
MOST_MARKERS: Final = 1 << 12
MOST_NAMES: Final = 1 << 12

_USUAL_HEADER: Final = 1 << 14  # bytes
_WORTHWHILE: Final = 1 << 17  # bytes of messages; fewer are read as fast as what is kept of them

Players = dict[int, Player]


class _Kept(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An index in the cache.  Players are numbers, which are places in `players`; arrays are those of this machine.

    `size` is that of the file itself, `limit` is in the uncompressed bytes; from `offset` on they are still to be read.
    """

    size: int
    limit: int
    offset: int
    finished: bool
    world: bytes
    present: list[int]
    players: list[Player]
    spawns: dict[int, int]
    people: list[str]
    markers: list[Marker]
    keyframes: tuple[bytes, bytes, int, int]  # ticks, offsets, stride, since
    worlds: list[tuple[bytes, list[int]]]
    events: tuple[bytes, bytes, bytes, bytes]  # ticks, offsets, sizes, kinds
    event_players: list[list[int]]


_HOW: Final = sys.byteorder
_INDEXES: Final = cache.Index("teehistorian-indexes", 1, _Kept)


class Index:
    """The index of a source, as far as it was read; :meth:`extend` reads on.

    `end` is the offset of the end of the sound messages, `limit` that of the bytes that were read.
    """

    def __init__(self, source: UnpackedSource) -> None:
        self.source = source
        self.header = _header(source)
        self._world = World(self._on_message)
        self._stream = Stream(self._world, len(self.header.raw))
        self.limit = len(self.header.raw)
        self.spawns: dict[int, int] = {}  # by client id, the tick in which its first tee appeared
        self.ticks, self.offsets = array("q", [0]), array("q", [self.limit])
        self._worlds: list[tuple[bytes, Players]] = [(self._world.pack(), {})]
        self._stride, self._since = 1, 0
        self.people: dict[str, None] = {}
        self.markers: list[Marker] = []
        self._event_ticks, self._event_offsets, self._event_sizes = array("q"), array("q"), array("l")
        self._event_kinds = bytearray()
        self._event_players: list[tuple[Player, ...]] = []
        self._alone: dict[int, tuple[Player, ...]] = {}  # by client id, the last of these tuples
        file = source.file
        state = cache.fingerprint(file) if file else None
        if file and self.source.size() - self.limit >= _WORTHWHILE:
            self._load(file)
        known = self.limit
        self.extend()
        if file and state and self.limit - known >= _WORTHWHILE and not self.error:
            _INDEXES.store_growing(file, state, self._contents(state.size), how=_HOW)

    @property
    def error(self) -> Damaged | None:
        """The error that ended the reading; None if it did not."""
        return self._stream.error

    @property
    def tick(self) -> int:
        """The last tick."""
        return self._world.tick

    @property
    def finished(self) -> bool:
        """Whether FINISH was read."""
        return self._stream.finished

    @property
    def end(self) -> int:
        """The offset of the end of the sound messages."""
        return self._stream.offset

    @property
    def junk(self) -> int:
        """The number of bytes after FINISH."""
        return self._stream.junk

    def extend(self) -> None:
        """Read the bytes that were appended to the source."""
        while self.error is None and (data := self.source.pread(PIECE - self.limit % PIECE, self.limit)):
            self.limit += len(data)
            self._stream.feed(data)
            self._stream.apply()
            report("reading", self.limit, self.source.size())
            if self.error is None and self.limit % PIECE == 0:  # so that one that grew has the keyframes of any other
                self._add_keyframe()

    # what is kept of it

    def _load(self, file: File) -> None:
        """Take what was kept of this file, if it has the same bytes still."""
        found = _INDEXES.load_grown(file, how=_HOW)
        kept = found.value if found else None
        if found is None or kept is None or kept.size > found.end or not self._fits(kept):
            return
        every = kept.players

        def players(numbers: list[int]) -> Players:
            return {every[number].cid: every[number] for number in numbers}

        self._world.unpack(kept.world, players(kept.present))
        self._stream = Stream(self._world, kept.offset)
        self._stream.finished = kept.finished
        self._stream.feed(self.source.pread(kept.limit - kept.offset, kept.offset))
        self.limit = kept.limit
        self.spawns, self.people, self.markers = kept.spawns, dict.fromkeys(kept.people), kept.markers
        ticks, offsets, self._stride, self._since = kept.keyframes
        self.ticks, self.offsets = array("q", ticks), array("q", offsets)
        self._worlds = [(packed, players(numbers)) for packed, numbers in kept.worlds]
        ticks, offsets, sizes, kinds = kept.events
        self._event_ticks, self._event_offsets = array("q", ticks), array("q", offsets)
        self._event_sizes, self._event_kinds = array("l", sizes), bytearray(kinds)
        self._event_players = [tuple(every[number] for number in numbers) for numbers in kept.event_players]

    def _fits(self, kept: _Kept) -> bool:
        """Whether what was kept is in itself, and with the source, as it has to be."""
        ticks, offsets, stride, since = kept.keyframes
        number, size = array("q").itemsize, len(kept.event_players)
        columns = [len(column) for column in (ticks, offsets)] == [number * len(kept.worlds)] * 2
        widths = (number, number, array("l").itemsize, 1)
        events = [len(column) for column in kept.events] == [width * size for width in widths]
        if not columns or not events or not kept.worlds or not 0 < stride < 1 << 40 or not 0 <= since < stride:
            return False
        begin = len(self.header.raw)
        places, moments = array("q", offsets), array("q", ticks)
        if not begin <= kept.offset <= kept.limit <= self.source.size() or (places[0], moments[0]) != (begin, 0):
            return False
        if not all(begin <= at <= kept.offset for at in places) or any(map(gt, moments, moments[1:])):
            return False
        event_ticks, spans = (
            array("q", kept.events[0]),
            zip(array("q", kept.events[1]), array("l", kept.events[2]), strict=True),
        )
        if any(map(gt, event_ticks, event_ticks[1:])) or max(kept.events[3], default=0) >= len(KINDS):
            return False
        if not all(begin <= at and size > 0 and at + size <= kept.offset for at, size in spans):
            return False
        numbers = chain(kept.present, *(of_world for _, of_world in kept.worlds), *kept.event_players)
        if not all(0 <= one < len(kept.players) for one in numbers):
            return False
        return all(map(World.is_packed, [kept.world, *(packed for packed, _ in kept.worlds)]))

    def _contents(self, size: int) -> _Kept:
        """What is to be kept of a file of `size` bytes."""
        numbers: dict[Player, int] = {}

        def number(players: Iterable[Player]) -> list[int]:
            return [numbers.setdefault(player, len(numbers)) for player in players]

        worlds = [(packed, number(players.values())) for packed, players in self._worlds]
        return _Kept(
            size=size,
            limit=self.limit,
            offset=self._stream.offset,
            finished=self.finished,
            world=self._world.pack(),
            present=number(self._world.players.values()),
            spawns=self.spawns,
            people=list(self.people),
            markers=self.markers,
            keyframes=(self.ticks.tobytes(), self.offsets.tobytes(), self._stride, self._since),
            worlds=worlds,
            events=(
                self._event_ticks.tobytes(),
                self._event_offsets.tobytes(),
                self._event_sizes.tobytes(),
                bytes(self._event_kinds),
            ),
            event_players=[number(players) for players in self._event_players],
            players=list(numbers),
        )

    def fault(self) -> NhlogError | None:
        """The error that ended the recording before FINISH, or that of its header; None if it is sound."""
        if self.error or self.source.fault:
            return self.error or self.source.fault
        return self.header.fault if self.finished else Incomplete(self.limit, self.tick)

    def flaws(self) -> Iterator[Damaged]:
        """The faults that do not prevent reading."""
        return flaws_of(self.header, self._stream, self.source.name)

    # keyframes

    def _add_keyframe(self) -> None:
        self._since += 1
        if self._since < self._stride:
            return
        self._since = 0
        self.ticks.append(self._world.tick)
        self.offsets.append(self._stream.offset)
        self._worlds.append((self._world.pack(), self._world.players))
        if len(self.ticks) > MOST_KEYFRAMES:
            self._stride *= 2
            self.ticks, self.offsets, self._worlds = self.ticks[::2], self.offsets[::2], self._worlds[::2]

    def keyframe(self, tick: int) -> tuple[int, int, bytes, Players]:
        """The last keyframe not after `tick`: its tick, its offset, and the packed world with its players."""
        number = bisect_right(self.ticks, tick) - 1
        return self.ticks[number], self.offsets[number], *self._worlds[number]

    # events

    def _on_message(self, tick: int, offset: int, size: int, message: tuple[Any, ...]) -> None:
        """Index a message that is being applied."""
        players = self._world.players
        if isinstance(message, PlayerNew):
            self.spawns.setdefault(message.cid, tick)
        player = updated_player(players, message)
        if player and player.name and len(self.people) < MOST_NAMES:
            self.people[player.name] = None
        event = describe(players, message)
        if event and event[0] in MARKER_KINDS and len(self.markers) < MOST_MARKERS:
            self.markers.append(Marker(tick, *event))
        if event is None or len(self._event_kinds) >= MOST_EVENTS:
            return
        self._event_ticks.append(tick)
        self._event_offsets.append(offset)
        self._event_sizes.append(size)
        self._event_kinds.append(KINDS.index(event[0]))
        self._event_players.append(self._about(players, message))

    def _about(self, players: Players, message: tuple[Any, ...]) -> tuple[Player, ...]:
        """The players that an event is about, as they were before it."""
        if isinstance(message, PlayerSwap):
            return tuple(players[cid] for cid in message[:2] if cid in players)
        cid = client_of(message)
        if cid is None or cid not in players:
            return ()
        about = self._alone.get(cid)
        if about is None or about[0] is not players[cid]:
            about = self._alone[cid] = (players[cid],)
        return about

    @property
    def _shrunk(self) -> bool:
        """Whether the source now has fewer bytes than were read, so that the index is no longer valid."""
        return self.source.size() < self.limit

    def _numbers(self, first: int, last: int) -> range:
        """The numbers of the events in ticks `first` to `last`; none if the source has shrunk."""
        if self._shrunk:
            return range(0)
        return range(bisect_left(self._event_ticks, first), bisect_right(self._event_ticks, last))

    def events(self, first: int, last: int) -> Iterator[TeeEvent]:
        """The events in ticks `first` to `last`, both included."""
        yield from map(self._event, self._numbers(first, last))

    def around(self, tick: int, count: int) -> tuple[list[TeeEvent], list[TeeEvent]]:
        """The last `count` events up to `tick`, and the next `count` after it."""
        before, after = self._numbers(0, tick)[-count:], self._numbers(tick + 1, self.tick)[:count]
        return list(map(self._event, before)), list(map(self._event, after))

    def _event(self, number: int) -> TeeEvent:
        """Decode the event with this number."""
        offset = self._event_offsets[number]
        data = self.source.pread(self._event_sizes[number], offset)
        if length_of(data) != len(data):
            raise Damaged("the message is gone: the file was rewritten", offset=offset)
        message = decode(data)
        players = {player.cid: player for player in self._event_players[number]}
        kind, text = describe(players, message) or ("other", "")  # there was a text when the event was noted
        cid = client_of(message)
        return TeeEvent(
            step=self._event_ticks[number],
            text=text,
            source=message_text(message),
            kind=kind,
            cid=cid,
            player=players[cid].name if cid in players else "",
            offset=offset,
        )


def _header(source: UnpackedSource) -> Header:
    """The header; raises as `find_header` does, and :class:`TooShort` if the file ends inside it."""
    data = source.pread(_USUAL_HEADER, 0)
    header = find_header(data)
    if header is None and len(data) == _USUAL_HEADER:
        data = source.pread(MOST_HEADER, 0)
        header = find_header(data)
    if header is None:
        raise source.fault or header_too_short(data)
    return header


class Cursor:
    """A world that can be moved to any tick of an index, and the offset of the next message."""

    def __init__(self, index: Index) -> None:
        self.world = World()
        self._index = index
        self._tick = 0
        self._stream = Stream(self.world, index.offsets[0])

    def go(self, tick: int) -> None:
        """Move the world to the end of `tick`."""
        reached = self._index.keyframe(tick)[0]
        if tick < self._tick or reached > self._tick:
            self._restore(tick)
        self._tick = tick
        while not self._stream.apply(tick):
            at = self._stream.end
            data = self._index.source.pread(min(PIECE, self._index.end - at), at)
            if not data:
                return
            self._stream.feed(data)

    @property
    def offset(self) -> int:
        """The offset of the next message."""
        return self._stream.offset

    def _restore(self, tick: int) -> None:
        self._tick, offset, packed, players = self._index.keyframe(tick)
        self.world.unpack(packed, players)
        self._stream = Stream(self.world, offset)
