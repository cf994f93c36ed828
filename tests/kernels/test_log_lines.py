"""The lines of a log as the kernel finds them, and as a plain reader does, on both builds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import NhlogError
from nhlog.kernels import log_lines
from nhlog.log.columns import RULES, SAVES, next_head
from nhlog.log.stretches import CLASSES, ENTERED, signed
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import time_delta
from nhlog.mdiff import compact
from nhlog.savehead import HEAD_SIZE, parse_save_head
from tests.builders import EVERY_KIND, START, binary_save, every_kind
from tests.kernels.builds import BUILDS, build
from tests.logs import SAMPLE_LOGS


class Plain:
    """What `walk` is to find, and `moments`, line by line."""

    def __init__(self, data: bytes, start: int, until: int, before: dict) -> None:
        self.starts, self.kinds, self.clocks, self.elapsed = [], [], [], []
        self.saves, self.turns, self.zoned, self.zones, self.others = [], [], [], [], []
        self.timed = -1
        clock, latest, zone, turn, head = (before[name] for name in ("clock", "latest", "zone", "turn", "head"))
        at = start
        while at < until and b"\n" in data[at:]:
            line = data[at : data.index(b"\n", at)]
            number, kind = before["first"] + len(self.starts), line[0] if line else 0
            self.starts.append(at)
            self.kinds.append(kind)
            delta = time_delta(line)
            if delta is not None:
                self.timed = number if self.timed < 0 else self.timed
                clock = signed(clock + delta)
                latest = max(latest, signed(clock - before["begun"] - zone * 1_000_000))
            elif kind in SAVES:
                self.saves.append(number)
                found = None if kind == SAVES[0] or len(head) < HEAD_SIZE else plain_head(line, head)
                told = parse_save_head(found) if found is not None else None
                if found is None or told is None:
                    self.others.append((number, len(self.saves) - 1, line, head))
                    found = ANSWERS.get(line, b"")
                    told = parse_save_head(found)
                head = found
                if told is not None:
                    turn = told.turn
                    if told.zone != zone:
                        zone = told.zone
                        self.zoned.append(number)
                        self.zones.append(zone)
                self.turns.append(turn)
            elif line == ENTERED or CLASSES[kind] not in (log_lines.PLAIN, log_lines.ENTER):
                self.others.append((number, 0, line, head))
            self.clocks.append(clock)
            self.elapsed.append(latest)
            at += len(line) + 1
        self.end, self.clock, self.latest, self.head = at, clock, latest, head


def plain_head(line: bytes, head: bytes) -> bytes | None:
    try:
        return next_head(line, head, HEAD_SIZE)
    except NhlogError:
        return None


WHOLE = b"*00000000 " + Blob.of(SAVE := binary_save(7, START, zone=3600)).text
ANSWERS = {WHOLE: SAVE[:HEAD_SIZE]}
"""What the heads are of lines that are no sound diffs."""


def rules(kind: str) -> object:
    """What kernels of this build are to know of saves."""
    names = ("decoded", "inflated", "checksum", "versions", "size", "most", "most_commands")
    return build("log_saves", kind).Rules(*(getattr(RULES, name) for name in names))


def same(kind: str, data: bytes, start: int = 0, until: int | None = None, **more: object) -> None:
    until = len(data) if until is None else until
    before = {"first": 0, "begun": START, "zone": 0, "clock": START, "latest": 0, "turn": 0, "head": b"", **more}
    expected = Plain(data, start, until, before)
    others = []

    def other(number: int, saves: int, line: bytes, head: bytes) -> bytes:
        others.append((number, saves, line, head))
        return ANSWERS.get(line, b"") if line[:1] in (b"*", b"~") else head

    for near in (0, 16):
        numbers, sizes = [0] * 256, [0] * 256
        kernel = build("log_lines", kind)
        others.clear()
        end, kinds, timed, clock, latest, head, *rows = kernel.walk(
            data, start, until, CLASSES, ENTERED, near, rules(kind), numbers, sizes, *before.values(), other
        )
        assert (end, kinds, timed, others) == (expected.end, expected.kinds, expected.timed, expected.others)
        assert (clock, latest, head) == (expected.clock, expected.latest, expected.head)
        assert rows == [expected.saves, expected.turns, expected.zoned, expected.zones]
        assert numbers == [kinds.count(kind) for kind in range(256)]
        assert sum(sizes) == end - start
        assert all(bool(size) == bool(number) for size, number in zip(sizes, numbers, strict=True))
    zoned = [-1, *(line - before["first"] for line in expected.zoned)]
    zeros = [signed(before["begun"] + zone * 1_000_000) for zone in (before["zone"], *expected.zones)]
    found = kernel.moments(data[start:end], start, zoned, zeros, before["clock"], before["latest"])
    assert found == ([*expected.starts, end], expected.clocks, expected.elapsed)


def between(old: bytes, new: bytes) -> bytes:
    """The line of a diff."""
    return b"~" + Blob.of(compact.encode(old, new)).text


LATER = binary_save(9, START, zone=-3600)
STRANGE = b"????" + SAVE[4:]
DIFFS = (
    between(SAVE, SAVE),
    between(SAVE, LATER),
    between(LATER, SAVE),
    between(SAVE, STRANGE),
    between(SAVE, SAVE[:20]),
    between(SAVE, SAVE + bytes(range(200)) * 9),
    between(LATER, LATER[:60] + bytes(10_000)),
    b"~#5#AAAA",
    b"~$5$AAAA",
    b"~$$AAAA",
    b"~$999999999$AAAA",
    b"~$1",
    b"~$12$",
    b"~AAA",
    b"~",
)

WORDS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.integers(-5, 5), st.sampled_from([2**63 - 1, -(2**63), 2**62, -(2**62)])
)
BEFORE = {
    "begun": WORDS,
    "zone": st.integers(-(2**31), 2**31 - 1),
    "clock": WORDS,
    "latest": st.integers(0, 2**63 - 1),
    "turn": st.integers(0, 2**32 - 1),
    "head": st.sampled_from([SAVE[:HEAD_SIZE], LATER[:HEAD_SIZE], SAVE[:10], STRANGE[:HEAD_SIZE], b""]),
}
TIMES = (b"+", b"+0", b"+00", b"+0f", b"+f0", b"+g", b"+F", b"+1 ", b"+" + b"f" * 16, b"+" + b"1" * 17)
ODD = (b"", b"\0", b"\xff", b"Z", b"welcome", b"welcomed", b"well", b"w", b"*00000000 YQ==", b"~YQ==", b"\r")
LINES = st.lists(
    st.one_of(
        st.sampled_from((*TIMES, *ODD, *EVERY_KIND)),
        st.sampled_from((WHOLE, *DIFFS)),
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
    before = data.draw(st.fixed_dictionaries({}, optional={"first": st.integers(0, 1 << 40), **BEFORE}))
    same(kind, text, start, data.draw(st.integers(start, len(text) + 5)), **before)


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
