"""A recording made into another valid one: cut by ticks, reduced to a player, anonymised, packed.

What is kept is kept byte by byte; a cut begins with what a server writes for those who are there already, so that the
state at every tick it has is the state that the whole had.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from nhlog import atomic
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.files import CannotOpen
from nhlog.formats.teehistorian.events import client_of
from nhlog.formats.teehistorian.players import Player, changed
from nhlog.formats.teehistorian.reader import Reading, read, records
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.formats.teehistorian.roll import Roll
from nhlog.formats.teehistorian.source import PACKINGS, pieces
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.game import ClientInfo, parse_packet, renamed
from nhlog.formats.teehistorian.wire.messages import (
    ConsoleCommand,
    Drop,
    Input,
    NetMessage,
    PlayerChange,
    PlayerGone,
    PlayerNew,
    Record,
)
from nhlog.formats.teehistorian.world import FOREVER, World
from nhlog.formats.teehistorian.writer import Writer
from nhlog.timeline import parse_position

__all__ = ["convert"]

NONE: Final = "none"


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

    `compression` is ``gz xz zst none``, or what the target's name ends in.  Tells what was done; `error` says where the
    source is damaged, and up to where it was taken.
    """
    packing = _packing(target, compression)
    begin, end = (place if isinstance(place, int | None) else _tick(source, place) for place in (first, last))
    if begin is not None and end is not None and begin > end:
        raise Usage("the part ends before it begins", expected=f"a tick from {begin} on", found=end)
    making = _Making(read(source))
    changes = begin is not None or end is not None or player is not None or anonymise
    if changes:
        keeps = _stays(source, player) if player is not None else None
        parts = making.parts(begin or 0, FOREVER if end is None else end, keeps, anonymise)
    else:
        parts = making.copied(source)
    try:
        (atomic.replace if force else atomic.create)(target, making.counted(_PACKERS[packing](parts)))
    except FileExistsError:
        raise Usage("there is such a file already", file=target, expected="--force to replace it") from None
    except OSError as error:
        raise CannotOpen((error.strerror or str(error)).lower(), file=target) from None
    return {
        "source": source,
        "target": target,
        "compression": packing,
        "messages": making.messages if changes else None,
        "first": making.first,
        "last": making.last,
        "size": making.written,
        "error": making.error,
    }


def _tick(source: str, place: str) -> int:
    """The tick of a position; a bare number is one."""
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


def _packing(target: str, compression: str | None) -> str:
    if compression is None:
        ending = os.path.splitext(target)[1].removeprefix(".")
        return ending if ending in PACKINGS else NONE
    if compression not in _PACKERS:
        raise Usage("no such compression", expected=" ".join(_PACKERS), found=compression)
    return compression


Keeps = Callable[[int, int], bool]


def _stays(source: str, wanted: str) -> Keeps:
    """Whether a client is the wanted player at a tick; raises :class:`Usage` where there is no such player."""
    _must_be_file(source)
    roll = Roll()
    world = World(roll.hear)
    reading = read(source)
    try:
        for messages in reading.batches():
            world.play(messages)
    except Damaged:
        pass  # it is told when it is written
    spans = [
        (stay.player.cid, stay.first, FOREVER if stay.last is None else stay.last + 1)
        for stay in roll.stays
        if wanted in (stay.player.name, str(stay.player.cid))
    ]
    if not spans:
        names = sorted({stay.player.called for stay in roll.stays})[:20]
        raise Usage("no such player", file=source, expected=", ".join(names), found=wanted)
    return lambda cid, tick: any(cid == one and first <= tick <= last for one, first, last in spans)


@dataclass(slots=True)
class _Making:
    """What was written so far."""

    reading: Reading
    messages: int = 0
    first: int | None = None
    last: int | None = None
    written: int = 0
    error: str | None = None
    _writer: Writer = field(default_factory=Writer)
    _alive: set[int] = field(default_factory=set)

    def counted(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """The same parts; their bytes are counted."""
        for part in parts:
            self.written += len(part)
            yield part

    def copied(self, source: str) -> Iterator[bytes]:
        """All bytes, as they are."""
        try:
            yield from pieces(source)
        except Damaged as error:
            self.error = str(error)

    def parts(self, first: int, last: int, keeps: Keeps | None, anonymise: bool) -> Iterator[bytes]:
        """The header and the wanted messages."""
        veil = _Veil() if anonymise else None
        yield self.reading.header.raw
        before: _Before | None = _Before()
        try:
            for record in records(self.reading, World()):
                if record.tick > last:
                    break
                cid = client_of(record.message)
                if keeps and (cid is None or not keeps(cid, record.tick)):
                    continue
                if before and record.tick < first:
                    before.take(record.message)
                    continue
                if before:
                    for message in before.told():
                        yield self._written(Record(first - 1, 0, message), veil)
                    before = None
                yield self._written(record, veil)
        except NhlogError as error:
            self.error = str(error)
        yield self._writer.finish()

    def _written(self, record: Record, veil: "_Veil | None") -> bytes:
        message = veil.over(record.message) if veil else record.message
        if message is None:
            return b""
        self.messages += 1
        self.first = record.tick if self.first is None else self.first
        self.last = record.tick
        return self._writer.write(record.tick, message)


class _Before:
    """What a cut begins with: those who are there, as a server tells of them after a change of map."""

    def __init__(self) -> None:
        self._players: dict[int, Player] = {}
        self._said: dict[int, dict[object, tuple[Any, ...]]] = {}
        self._places: dict[int, PlayerNew] = {}
        self._inputs: dict[int, Input] = {}

    def take(self, message: tuple[Any, ...]) -> None:
        """A message before the cut."""
        player = changed(self._players, message)
        if player:
            self._players[player.cid] = player
        match message:
            case PlayerNew(cid, x, y) | PlayerChange(cid, x, y):
                self._places[cid] = PlayerNew(cid, x, y)
            case PlayerGone(cid):
                del self._places[cid]
            case Input(cid, numbers):
                self._inputs[cid] = Input(cid, numbers, True)
            case extra.JoinVersion6(cid) | extra.JoinVersion7(cid):
                self._said[cid] = {type(message): message}
            case Drop(cid):
                self._said.pop(cid, None)
            case _ if player:
                self._keep(player, message)

    def _keep(self, player: Player, message: tuple[Any, ...]) -> None:
        said = self._said.setdefault(player.cid, {})
        kind: object = type(message)
        if isinstance(message, NetMessage):
            kind = parse_packet(message.data, player.seven).name
        elif kind in _RCON:
            kind = _RCON
        said.pop(kind, None)
        said[kind] = message

    def told(self) -> Iterator[tuple[Any, ...]]:
        """The messages."""
        for _, player in sorted(self._players.items()):
            yield from self._said.get(player.cid, {}).values()
        yield from (place for _, place in sorted(self._places.items()))
        yield from (told for _, told in sorted(self._inputs.items()))


_RCON: Final = (extra.AuthInit, extra.AuthLogin, extra.AuthInitRole, extra.AuthLoginRole, extra.AuthLogout)


class _Veil:
    """Takes names away: every player has a number instead, and what could tell of him in other ways is left out."""

    def __init__(self) -> None:
        self._names: dict[bytes, bytes] = {}
        self._players: dict[int, Player] = {}

    def over(self, message: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The message without names, or None to leave it out."""
        player = changed(self._players, message)
        if player:
            self._players[player.cid] = player
        match message:
            case NetMessage(cid, data):
                return NetMessage(cid, self._packet(data, bool((known := self._players.get(cid)) and known.seven)))
            case extra.PlayerName(cid, name, rest):
                return extra.PlayerName(cid, self._name(name), rest)
            case extra.AuthInit() | extra.AuthLogin() | extra.AuthInitRole() | extra.AuthLoginRole():
                return message._replace(name=b"")
            case extra.DdnetVersion():
                return message._replace(connection=bytes(16))
            case extra.SaveSuccess() | extra.LoadSuccess():
                return message._replace(save=b"")
            case Drop(cid, reason):
                return Drop(cid, self._without(reason))
            case ConsoleCommand(args=args):
                return message._replace(args=tuple(map(self._without, args)))
            case extra.Antibot() | extra.UnknownExtra():
                return None
        return message

    def _packet(self, data: bytes, seven: bool) -> bytes:
        info = parse_packet(data, seven).info
        return renamed(data, seven, ClientInfo(self._name(info.name), b"")) if info else data

    def _name(self, name: bytes) -> bytes:
        return self._names.setdefault(name, b"player %d" % (len(self._names) + 1)) if name else name

    def _without(self, text: bytes) -> bytes:
        """A text in which no name stands that was heard of."""
        for name in sorted(self._names, key=len, reverse=True):
            text = text.replace(name, self._names[name])
        return text


def _plain(parts: Iterator[bytes]) -> Iterator[bytes]:
    return parts


def _gzip(parts: Iterator[bytes]) -> Iterator[bytes]:
    import zlib

    packer = zlib.compressobj(wbits=31)
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


def _xz(parts: Iterator[bytes]) -> Iterator[bytes]:
    import lzma

    packer = lzma.LZMACompressor()
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


def _zstd(parts: Iterator[bytes]) -> Iterator[bytes]:
    import zstandard

    packer = zstandard.ZstdCompressor(level=9, write_checksum=True).compressobj()
    for part in parts:
        yield packer.compress(part)
    yield packer.flush()


_PACKERS: Final = {NONE: _plain, "gz": _gzip, "xz": _xz, "zst": _zstd}
