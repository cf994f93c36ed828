"""Every prefix and every spoiled byte of a small recording: what can be shown is shown, and nothing else happens."""

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from nhlog.errors import NhlogError, TooShort, Usage
from nhlog.formats import open_recording
from nhlog.formats.ttyrec.operations import OPERATIONS
from nhlog.formats.ttyrec.reader import open_events
from nhlog.formats.ttyrec.wire.frames import format_frame
from tests.changed import flipped
from tests.effort import within

START = 1_600_000_000_000_000
FRAMES = [format_frame(START + 1000 * number, b"\x1b[%d;1Hline %d" % (number + 1, number)) for number in range(12)]
DATA = b"".join(FRAMES)


def test_every_prefix_has_its_whole_frames(tmp_path: Path) -> None:
    path, whole, end = tmp_path / "some.ttyrec", 0, 0
    for size in range(len(DATA)):
        if size == end + len(FRAMES[whole]):
            whole, end = whole + 1, size
        path.write_bytes(DATA[:size])
        if not whole:
            with pytest.raises(TooShort):
                open_events(str(path))
            continue
        with closing(open_events(str(path))) as index:
            assert (len(index), index.waiting, index.faults) == (whole, size - end, [])


def test_a_spoiled_byte_loses_little(tmp_path: Path) -> None:
    path, chance = tmp_path / "some.ttyrec", random.Random(1)
    for at in range(len(DATA)):
        path.write_bytes(flipped(DATA, at, 1 << chance.randrange(8)))
        try:
            with closing(open_events(str(path))) as index:
                assert len(index) >= min(at // len(FRAMES[0]) - 1, 10)
                assert index.lost + index.waiting + sum(len(index.data(n)) + 12 for n in range(len(index))) == len(DATA)
        except NhlogError:
            assert at < len(FRAMES[0])


PACKERS = [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress]


@pytest.mark.parametrize("pack", PACKERS)
def test_packed_or_not_and_in_parts_it_is_the_same(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    """Whatever its name says."""
    path = tmp_path / "some.ttyrec"
    path.write_bytes(pack(DATA[:100]) + pack(DATA[100:]))
    with closing(open_events(str(path))) as index:
        assert b"".join(index.data(number) for number in range(12)) == b"".join(frame[12:] for frame in FRAMES)


def test_channels_are_known_by_what_follows(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec3"
    score = (-7).to_bytes(4, "little", signed=True)
    step = [(b"\x1b[Hhere", 0), (score, 2), (b"k", 1)]
    path.write_bytes(b"".join(format_frame(START, data, channel) for data, channel in step * 3))
    replay = OPERATIONS.open(str(path))
    replay.seek(2)
    assert (replay.state.typed, replay.state.score, replay.state.grid.text()[0]) == (b"k", -7, "here")
    replay.seek(0)
    assert (replay.state.typed, replay.state.score) == (None, None)
    assert [event.text for event in replay.events(0, 2)] == ["here", "score -7", "typed b'k'"]
    replay.close()


def test_damage_all_over_costs_no_more_than_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(DATA + b"\xff" * 200_000 + DATA)
    with closing(open_events(str(path))) as index:
        assert (len(index), index.lost) == (24, 200_000)
    path.write_bytes((DATA + b"\xff" * 5) * 2_000)
    with within(400), closing(open_events(str(path))) as index:
        assert (len(index), index.lost + index.waiting, len(index.faults)) == (24_000, 10_000, 1024)
    path.write_bytes(b"".join(format_frame(START + number % 2 * 10**12, b"") for number in range(20_000)))
    with closing(open_events(str(path))) as index:
        assert index.fault is not None


@pytest.mark.parametrize("options", [{"size": "80"}, {"size": "0x5"}, {"size": "5000x5"}, {"charset": "klingon"}])
def test_what_is_given_has_to_make_sense(tmp_path: Path, options: dict[str, str]) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(DATA)
    with pytest.raises(Usage):
        open_recording(str(path), **options)
