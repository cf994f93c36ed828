"""The lines of a log as the kernel finds them, and as a plain reader does, on both builds."""

from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.kernels import log_lines
from nhlog.log.stretches import CLASSES, ENTERED, signed
from nhlog.log.wire.grammar import time_delta
from tests.builders import EVERY_KIND, every_kind
from tests.kernels.builds import BUILDS, build
from tests.logs import SAMPLE_LOGS


def plain_scan(data: bytes, start: int, until: int, offset: int) -> tuple[list[int], ...]:
    """What `scan` is to find."""
    starts, kinds, timed, deltas, others = [], [], [], [], []
    at = start
    while at < until and b"\n" in data[at:]:
        line = data[at : data.index(b"\n", at)]
        number, kind = len(starts), line[0] if line else 0
        starts.append(offset + at)
        kinds.append(kind)
        delta = time_delta(line)
        if delta is not None:
            timed.append(number)
            deltas.append(signed(delta))
        elif line == ENTERED or CLASSES[kind] not in (log_lines.PLAIN, log_lines.ENTER):
            others.append(number)
        at += len(line) + 1
    return [*starts, offset + at], kinds, timed, deltas, others


def same(kind: str, data: bytes, start: int = 0, until: int | None = None, offset: int = 0) -> None:
    until = len(data) if until is None else until
    numbers, sizes = [0] * 256, [0] * 256
    found = build("log_lines", kind).scan(data, start, until, offset, CLASSES, ENTERED, numbers, sizes)
    assert found == plain_scan(data, start, until, offset)
    starts, kinds = found[:2]
    assert numbers == [kinds.count(kind) for kind in range(256)]
    assert sum(sizes) == starts[-1] - starts[0]
    assert all(bool(size) == bool(number) for size, number in zip(sizes, numbers, strict=True))


TIMES = (b"+", b"+0", b"+00", b"+0f", b"+f0", b"+g", b"+F", b"+1 ", b"+" + b"f" * 16, b"+" + b"1" * 17)
ODD = (b"", b"\0", b"\xff", b"Z", b"welcome", b"welcomed", b"well", b"w", b"*00000000 YQ==", b"~YQ==", b"\r")
LINES = st.lists(
    st.one_of(
        st.sampled_from((*TIMES, *ODD, *EVERY_KIND)),
        st.integers(0, 2**64 - 1).map(lambda delta: b"+%x" % delta),
        st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"")),
    ),
    max_size=30,
)


@pytest.mark.parametrize("kind", BUILDS)
@given(lines=LINES, rest=st.sampled_from([b"", b"+", b"sear", b"*"]), data=st.data())
def test_lines_are_those_that_a_plain_reader_finds(kind: str, lines: list[bytes], rest: bytes, data) -> None:
    text = b"".join(line + b"\n" for line in lines) + rest
    begins = [0, *(at + 1 for at, byte in enumerate(text) if byte == 10)]
    start = data.draw(st.sampled_from(begins))
    same(kind, text, start, data.draw(st.integers(start, len(text) + 5)), data.draw(st.sampled_from([0, 1, 1 << 40])))


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_lines_of_real_logs_are_those_that_a_plain_reader_finds(kind: str, path) -> None:
    same(kind, path.read_bytes()[:300_000])


@pytest.mark.parametrize("kind", BUILDS)
def test_lines_of_every_kind_are_known(kind: str) -> None:
    game = every_kind()
    same(kind, bytes(game.data), game.length)
    same(kind, b"")
    same(kind, b"no newline")


def plain_moments(lines, timed, deltas, zoned, zeros, clock, latest) -> tuple[list[int], list[int]]:
    """What `moments` is to find."""
    clocks, elapsed = [], []
    for line in range(lines):
        if line in timed:
            clock = signed(clock + deltas[timed.index(line)])
            latest = max(latest, signed(clock - zeros[bisect_right(zoned, line) - 1]))
        clocks.append(clock)
        elapsed.append(latest)
    return clocks, elapsed


WORDS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.integers(-5, 5), st.sampled_from([2**63 - 1, -(2**63), 2**62, -(2**62)])
)


@pytest.mark.parametrize("kind", BUILDS)
@given(
    lines=st.integers(0, 20),
    ticks=st.dictionaries(st.integers(0, 19), WORDS, max_size=12),
    zones=st.dictionaries(st.integers(1, 19), WORDS, max_size=4),
    zero=WORDS,
    clock=WORDS,
    latest=st.integers(0, 2**63 - 1),
)
def test_the_clock_goes_round_and_time_never_falls(kind: str, lines, ticks, zones, zero, clock, latest) -> None:
    timed = sorted(line for line in ticks if line < lines)
    deltas = [ticks[line] for line in timed]
    zoned, zeros = [-3, *sorted(zones)], [zero, *(zones[line] for line in sorted(zones))]
    given = (lines, timed, deltas, zoned, zeros, clock, latest)
    assert build("log_lines", kind).moments(*given) == plain_moments(*given)
