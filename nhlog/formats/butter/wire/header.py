"""Reading and writing of the header of a .butter file (spec 1), which is the same in all versions.

No I/O: :func:`parse_header` returns None while the bytes end before the header does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from struct import Struct, error
from typing import Final

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.butter.wire.values import ARENA, COMBAT, MAPS, NOBODY, Person
from nhlog.values import dataclass

__all__ = [
    "COMPRESSIONS",
    "LEAST_ROOM",
    "MOST_CHUNKS",
    "MOST_HEADER",
    "VERSIONS",
    "Header",
    "Roster",
    "continues",
    "format_header",
    "parse_header",
    "storable",
    "stored_header",
    "stored_person",
]

VERSIONS: Final = (1, 2, 3)
COMPRESSIONS: Final = ("none", "gzip", "zstd_3", "zstd_7", "zstd_15", "zstd_22", "zstd_7_dict")
_MOST_NAME: Final = 1024  # bytes after which a reader gives up waiting for the end of a string
MOST_HEADER: Final = 256 * (_MOST_NAME + 11) + 64
"""The largest size of a header in bytes, without the table of chunks."""

MOST_CHUNKS: Final = 1 << 20
"""The largest number of chunks in a file: four hours of sixty frames per second with one frame in each."""

LEAST_ROOM: Final = 2
"""Zeros at the end of the table that are room; the first writers of the format left one, and meant nothing by it."""

_FIRST: Final = Struct("<BHB")
_COUNT: Final = Struct("<I")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a file.

    `interval` is the number of frames per chunk (not relied upon when reading), `compression` one of `COMPRESSIONS`.
    `sizes` are the compressed sizes of the chunks in bytes; the first chunk begins at offset `end` of the file.  Of a
    recording that is not finished they end with zeros, at least `LEAST_ROOM` of them: room for chunks to come.
    """

    version: int
    interval: int
    compression: str
    client_name: str
    sessionid: str
    sessionip: str
    people: tuple[Person, ...]
    total_round_count: int
    blue_round_score: int
    orange_round_score: int
    private_match: bool
    map_name: str
    sizes: Sequence[int] = field(default=(), repr=False)
    end: int = 0

    @property
    def room(self) -> int:
        """The number of chunks that can still be added; 0 for a recording that is finished."""
        free = 0
        for size in reversed(self.sizes):
            if size:
                break
            free += 1
        return free if free >= LEAST_ROOM else 0

    @property
    def arena(self) -> bool:
        """Whether the map is the arena, where the game is played with a disc."""
        return self.map_name in ARENA

    @property
    def combat(self) -> bool:
        """Whether the map is one of Echo Combat, where the game is played with weapons."""
        return self.map_name in COMBAT

    @property
    def match_type(self) -> str:
        """The kind of match, derived from the map and `private_match`: ``Echo_Arena_Private``, ``Unknown`` and such."""
        if not (self.arena or self.combat):
            return "Unknown"
        return ("Echo_Arena" if self.arena else "Echo_Combat") + ("_Private" if self.private_match else "")

    @property
    def title(self) -> str:
        """The kind of match and the map: ``Echo Arena in mpl_arena_a``."""
        return f"{self.match_type.replace('_', ' ')} in {self.map_name}"

    def person(self, row: int) -> Person:
        """A row of the table of players, counted from 1; 0 is `NOBODY`.  Raises :class:`Damaged` beyond its end."""
        if not row:
            return NOBODY
        if row > len(self.people):
            raise Damaged("no such player in the table", expected=f"at most {len(self.people)}", found=row)
        return self.people[row - 1]


class Roster:
    """A growing table of players: one row per pair of userid and name, in order of first appearance.

    A row never changes its number, as players are written as their row before the table is complete.
    """

    def __init__(self, people: Iterable[Person] = ()) -> None:
        self.people = list(people)
        self._persons: dict[tuple[int, str], Person] = {}
        self._names: dict[str, int] = {}
        for person in self.people:
            self._index(person)

    def _index(self, person: Person) -> None:
        self._persons.setdefault((person.userid, person.name), person)
        self._names.setdefault(person.name, person.row)

    def person(self, userid: int, name: str, number: int, level: int) -> Person:
        """The row of a player, added if there is none."""
        found = self._persons.get((userid, name))
        if found is None:
            found = Person(len(self.people) + 1, name, userid, number, level)
            self.people.append(found)
            self._index(found)
        return found

    def row(self, name: str) -> int:
        """The number of the first row with this name, 0 if there is none yet."""
        return self._names.get(name, 0)


def continues(header: Header, earlier: Header) -> bool:
    """Whether a header is that of a recording that has grown since it had the `earlier` one."""
    *done, last = earlier.sizes[: len(earlier.sizes) - earlier.room] or (0,)
    return (
        replace(header, people=(), sizes=(), end=0) == replace(earlier, people=(), sizes=(), end=0)
        and header.people[: len(earlier.people)] == earlier.people
        and list(header.sizes[: len(done)]) == done
        and (len(header.sizes) > len(done) and header.sizes[len(done)] >= last)
    )


class _Short(Exception):
    """The bytes end inside the header."""


class _Bytes:
    """A read position in the bytes of a header."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        found = self.data[self.at : self.at + count]
        if len(found) < count:
            raise _Short
        self.at += count
        return found

    def text(self) -> str:
        end = self.data.find(0, self.at, self.at + _MOST_NAME + 1)
        if end < 0:
            if len(self.data) - self.at > _MOST_NAME:
                raise Damaged("a string without an end", offset=self.at, expected=f"at most {_MOST_NAME} bytes")
            raise _Short
        found = self.data[self.at : end]
        self.at = end + 1
        return found.decode("ascii", "replace").replace("\ufffd", "?")


def parse_header(data: bytes) -> Header | None:
    """Parse the header at the start of `data`; None if `data` ends inside it.

    Raises :class:`Unsupported` for an unknown version, :class:`Damaged` for an invalid value.
    """
    try:
        return _parse(_Bytes(data))
    except _Short:
        return None


def _parse(source: _Bytes) -> Header:
    version = source.take(1)[0]
    if version not in VERSIONS:
        raise Unsupported("unknown version", offset=0, expected="1, 2 or 3", found=version)
    interval = int.from_bytes(source.take(2), "little")
    compression = source.take(1)[0]
    if compression >= len(COMPRESSIONS):
        raise Damaged("no such compression", offset=3, expected="0 to 6", found=compression)
    client_name = source.text()
    sessionid = source.take(16).hex().upper()
    sessionip = ".".join(map(str, source.take(4)))
    people = _people(source)
    rounds, scores, place = source.take(3)
    count = _COUNT.unpack(source.take(4))[0]
    if count > MOST_CHUNKS:
        raise Damaged("too many chunks", offset=source.at - 4, expected=f"at most {MOST_CHUNKS}", found=count)
    sizes = Struct(f"<{count}I").unpack(source.take(4 * count))
    return Header(
        version=version,
        interval=interval,
        compression=COMPRESSIONS[compression],
        client_name=client_name,
        sessionid="-".join((sessionid[:8], sessionid[8:12], sessionid[12:16], sessionid[16:20], sessionid[20:])),
        sessionip=sessionip,
        people=people,
        total_round_count=rounds,
        blue_round_score=scores & 15,
        orange_round_score=scores >> 4,
        private_match=bool(place & 1),
        map_name=MAPS[place >> 1] if place >> 1 < len(MAPS) else str(place >> 1),
        sizes=sizes,
        end=source.at,
    )


def _people(source: _Bytes) -> tuple[Person, ...]:
    count = source.take(1)[0]
    names = [source.text() for _ in range(count)]
    userids = Struct(f"<{count}q").unpack(source.take(8 * count))
    numbers, levels = source.take(count), source.take(count)
    return tuple(map(Person, range(1, count + 1), names, userids, numbers, levels))


def format_header(header: Header) -> bytes:
    """The bytes of a header with its table of chunks; raises :class:`Unsupported` for a value that it cannot store."""
    try:
        return b"".join(_parts(header))
    except (error, ValueError, OverflowError) as cause:
        raise Unsupported(f"this session does not fit into a header: {cause}") from cause


_NO_ADDRESS: Final = "0.0.0.0"
_NO_SESSION: Final = "00000000-0000-0000-0000-000000000000"


def storable(header: Header) -> tuple[Header, list[str]]:
    """The header with zeros for a session id or address that cannot be stored, and the names of these fields.

    Raises :class:`Unsupported` if another field, such as the map, cannot be stored.
    """
    probe = replace(header, people=(), sessionip=_NO_ADDRESS, sessionid=_NO_SESSION)
    format_header(probe)
    changed = []
    if not _fits(replace(probe, sessionip=header.sessionip)):
        changed.append("sessionip")
        header = replace(header, sessionip=_NO_ADDRESS)
    if not _fits(replace(probe, sessionid=header.sessionid)):
        changed.append("sessionid")
        header = replace(header, sessionid=_NO_SESSION)
    return header, changed


def _fits(header: Header) -> bool:
    try:
        format_header(header)
    except Unsupported:
        return False
    return True


def stored_header(header: Header) -> Header:
    """A header as it is read again; raises :class:`Unsupported` as :func:`format_header` does."""
    data = format_header(header)
    found = parse_header(data)
    assert found is not None
    return found


def stored_person(person: Person) -> Person:
    """A player as the table can say it: the name in ASCII, and the lower 8 bits of number and level."""
    name = person.name.encode("ascii", "replace").decode("ascii")
    return person._replace(name=name, number=person.number & 255, level=person.level & 255)


def _parts(header: Header) -> Sequence[bytes]:
    people = header.people
    if len(people) > 255:
        raise ValueError(f"{len(people)} players, and 255 at most")
    if header.map_name not in MAPS:
        raise ValueError(f"the map {header.map_name!r}")
    return (
        _FIRST.pack(header.version, header.interval, COMPRESSIONS.index(header.compression)),
        _text(header.client_name),
        _digits(header.sessionid),
        _address(header.sessionip),
        bytes((len(people),)),
        *(_text(person.name) for person in people),
        Struct(f"<{len(people)}q").pack(*(person.userid for person in people)),
        bytes(person.number & 255 for person in people),
        bytes(person.level & 255 for person in people),
        bytes((min(max(header.total_round_count, 0), 255),)),
        bytes((_scores(header.blue_round_score, header.orange_round_score),)),
        bytes((MAPS.index(header.map_name) << 1 | header.private_match,)),
        Struct(f"<I{len(header.sizes)}I").pack(len(header.sizes), *header.sizes),
    )


def _text(text: str) -> bytes:
    if "\0" in text or len(text) > _MOST_NAME:
        raise ValueError(f"the name {text[:40]!r}")
    return text.encode("ascii", "replace") + b"\0"


def _digits(sessionid: str) -> bytes:
    digits = bytes.fromhex(sessionid.replace("-", ""))
    if len(digits) != 16:
        raise ValueError(f"the session {sessionid!r}")
    return digits


def _address(sessionip: str) -> bytes:
    octets = bytes(map(int, sessionip.split(".")))
    if len(octets) != 4:
        raise ValueError(f"the address {sessionip!r}")
    return octets


def _scores(blue: int, orange: int) -> int:
    """Both scores in one byte, each clamped to 15; the reference lets a higher one overflow into the other."""
    return min(max(blue, 0), 15) | min(max(orange, 0), 15) << 4
