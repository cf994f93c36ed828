"""The frames of a ttyrec as the kernel passes over them, and one by one, on both builds."""

from random import Random

import pytest

from nhlog.formats.ttyrec.wire.frames import CODES, DAY, HEADS, MAX_FRAME, format_frame, parse_head
from nhlog.kernels import ttyrec
from nhlog.screencast.guess import MOST_TOLD
from tests.doses import dose, seeded
from tests.kernels.builds import BUILDS, build

START = 1_700_000_000_000_000
PLACE = 1 << 33
LIMITS = (DAY, len(CODES), MAX_FRAME, MOST_TOLD)
TOLD = b"\x1b[8;24;80t"


def frames(*given: tuple[int, bytes], channel: int | None = None) -> bytes:
    return b"".join(format_frame(time, data, channel) for time, data in given)


def one_by_one(data: bytes, at: int, head: int, time: int, elapsed: int) -> tuple:
    columns: tuple[list[int], ...] = ([], [], [], [])
    backwards = 0
    while (found := whole(data, at, head)) is not None and abs(found.time - time) <= DAY:
        start, end = at + head, at + head + found.size
        if found.size <= MOST_TOLD and data[start:end].startswith(b"\x1b") and data[start:end].endswith(b"t"):
            break
        backwards += found.time < time
        elapsed += max(found.time - time, 0)
        for column, value in zip(columns, (elapsed, PLACE + start, found.size, found.channel), strict=True):
            column.append(value)
        time, at = found.time, end
    return at, time, backwards, *columns


def whole(data: bytes, at: int, head: int):
    try:
        found = parse_head(data, at, head)
    except Exception:
        return None
    return found if found is not None and at + head + found.size <= len(data) else None


def made(chance: Random, head: int) -> bytes:
    """Frames, most of them plain; now and then something odd."""
    pieces, time = [], START
    for _ in range(chance.randrange(12)):
        time += chance.choice((0, 1, 70_000, 70_000, -5, 40_000_000))
        data = chance.choice((b"", b"a", b"\x1b[24;1H", b"\x1bt", TOLD, b"x" * 40, b"\x1b" + b"t" * MOST_TOLD))
        pieces.append(format_frame(time, data, chance.choice((0, 0, 1, 2)) if head > HEADS[0] else None))
    data = bytearray(b"".join(pieces))
    for _ in range(chance.choice((0, 0, 1)) if data else 0):
        data[chance.randrange(len(data))] = chance.choice((0, 1, 3, 15, 16, 127, 128, 255))
    return bytes(data[: chance.choice((len(data), chance.randint(0, len(data))))])


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("head", HEADS)
def test_it_passes_over_what_is_found_one_by_one(kind: str, head: int) -> None:
    kernel, chance = build("ttyrec", kind), seeded(33)
    for _ in range(dose("ttyrec.frames")):
        before = chance.choice((b"", b"before"))
        data = before + made(chance, head)
        given = len(before), head, START + chance.choice((0, -DAY, 1 << 20)), chance.choice((0, 7))
        found = kernel.walk(data, *given[:2], PLACE + given[0], *given[2:], *LIMITS)
        assert found == one_by_one(data, *given), data.hex()


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize(
    "odd",
    [
        frames((START + 1, TOLD)),
        frames((START + DAY + 1, b"a day later")),
        frames((START - DAY - 1, b"a day before")),
        frames((START, b"cut short"))[:-1],
        frames((START, b"no head"))[: HEADS[0] - 1],
        format_frame(START, b"a million microseconds")[:4] + (1_000_000).to_bytes(4, "little") + b"\1\0\0\0a",
        format_frame(START, bytes(MAX_FRAME + 1)),
    ],
    ids=["a size", "later", "earlier", "cut", "no head", "microseconds", "large"],
)
def test_it_stops_before_what_is_odd(kind: str, odd: bytes) -> None:
    plain = frames((START, b"plain"))
    end, *_, channels = build("ttyrec", kind).walk(plain + odd, 0, HEADS[0], 0, START, 0, *LIMITS)
    assert (end, channels) == (len(plain), [0])


@pytest.mark.parametrize("kind", BUILDS)
def test_the_latest_time_that_it_is_given_is_counted(kind: str) -> None:
    found = build("ttyrec", kind).walk(frames((START, b"a")), 0, HEADS[0], 0, ttyrec.LATEST, 0, *LIMITS)
    assert found == (0, ttyrec.LATEST, 0, [], [], [], [])
