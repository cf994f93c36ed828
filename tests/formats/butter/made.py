"""Small .butter files, made byte by byte from the layout of version 3 (spec 3)."""

from collections.abc import Sequence
from struct import pack

from nhlog.formats.butter.wire.header import Header, format_header
from nhlog.formats.butter.wire.values import Person

__all__ = ["HEADER", "START", "Session", "joined", "key", "moved", "session_file", "step"]

START = 1_700_000_000_000  # ms

HEADER = Header(
    version=3,
    interval=4,
    compression="none",
    client_name="Ada",
    sessionid="892E23E2-8272-4B07-85E8-5E291AC85F93",
    sessionip="192.0.2.1",
    people=(Person(1, "Ada", 101, 7, 20), Person(2, "Bo", 102, 8, 30), Person(3, "Cy", 103, 9, 40)),
    total_round_count=3,
    blue_round_score=1,
    orange_round_score=0,
    private_match=False,
    map_name="mpl_arena_a",
)

Session = Sequence[Sequence[bytes]]  # chunks of frames


def joined(row: int, place: tuple[float, float, float] = (0, 0, 0), flags: int = 0, ping: int = 50) -> bytes:
    """A player of whom nothing is known yet: statistics, ping, hands, velocity, and four poses at one place."""
    pose = pack("<eeeI", *place, 0x7FDFF7FF)
    numbers = bytes(14) + pack("<heBB", ping, 0, 255, 255) + pack("<eee", 0, 0, 1)
    return bytes((row, row + 10, flags | 0xE0)) + numbers + b"\xff" + pose * 4


def moved(row: int, by: tuple[float, float, float] | None = None, flags: int = 0) -> bytes:
    """A player of whom the frame before knows: the head moves, or nothing does."""
    return bytes((row, row + 10, flags)) + (b"\0" if by is None else b"\1" + pack("<eee", *by))


def _teams(teams: Sequence[Sequence[bytes]]) -> bytes:
    return b"\0" + b"".join(bytes((len(team),)) + b"".join(team) for team in teams) + b"\0"


def key(
    time: int = START,
    clock: float = 600.0,
    teams: Sequence[Sequence[bytes]] = ((), (), ()),
    *,
    status: int = 4,
    points: tuple[int, int] = (0, 0),
    pause: int = 0,
    score: tuple[int, int, int, float, float] = (3, 0, 0, 0, 0),
    disc: tuple[float, float, float] = (0, 0, 0),
) -> bytes:
    """A keyframe of the arena."""
    return b"".join(
        (
            pack("<HqfB", 0xFEFC, time, clock, 0x3F),
            bytes((status, *points, 0)),
            pack("<BBee", 0x3C, pause, 0, 0),
            pack("<BBBee", *score),
            bytes(26),
            pack("<eeeI", 0, 0, 0, 0x7FDFF7FF),
            pack("<eeeIeee", *disc, 0x7FDFF7FF, 0, 0, 0),
            _teams(teams),
        )
    )


def step(
    ms: int = 33,
    clock: float = -0.03125,
    teams: Sequence[Sequence[bytes]] = ((), (), ()),
    *,
    status: tuple[int, int, int] | None = None,
    pause: tuple[int, float] | None = None,
    score: tuple[int, int, int, float, float] | None = None,
    disc: tuple[float, float, float] | None = None,
) -> bytes:
    """Any other frame of the arena; `status` has the points with it, `pause` a timer."""
    parts = (
        (1, status and bytes((*status, 0))),
        (2, pause and pack("<BBee", 0x3C, pause[0], pause[1], 0)),
        (4, score and pack("<BBBee", *score)),
        (32, disc and pack("<eeeIeee", *disc, 0x7FDFF7FF, 0, 0, 0)),
    )
    bits = sum(bit for bit, part in parts if part)
    head = pack("<HHfB", 0xFEFE, ms, clock, bits)
    return head + b"".join(part for _, part in parts if part) + _teams(teams)


def session_file(chunks: Session, header: Header = HEADER) -> bytes:
    """The file of these chunks."""
    from dataclasses import replace

    data = [b"".join(chunk) for chunk in chunks]
    return format_header(replace(header, sizes=tuple(map(len, data)))) + b"".join(data)
