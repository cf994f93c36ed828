"""The index and the frames of archived files: what is put in comes out, and nothing else is believed."""

import zlib

import msgspec
import pytest

from nhlog.archive.wire import (
    HEAD,
    LARGEST_FRAME,
    LEAST,
    MOST,
    TAIL,
    Frame,
    Index,
    digest_of,
    divide,
    pack_index,
    unpack_frame,
    unpack_index,
)
from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged

DATA = bytes(range(256)) * 40


def index_of(data: bytes = DATA, **changes: object) -> Index:
    packed = Compressor(ZSTD)(data)
    index = Index(
        "ttyrec",
        len(data),
        "zstd",
        [Frame(len(data), len(packed), digest_of(packed))],
        b"d" * 32,
        5,
        data[:HEAD],
        data[-TAIL:],
        {},
        {"logs": b"x"},
    )
    return msgspec.structs.replace(index, **changes)


def test_an_index_comes_back() -> None:
    assert unpack_index(pack_index(index_of())) == index_of()


def test_a_frame_comes_back() -> None:
    packed = Compressor(ZSTD)(DATA)
    assert unpack_frame(packed, index_of().frames[0], "zstd") == DATA


@pytest.mark.parametrize(
    "changes",
    [
        {"size": 5},
        {"frames": []},
        {"frames": [Frame(len(DATA), 0, bytes(16))]},
        {"frames": [Frame(len(DATA), 10, b"")]},
        {"frames": [Frame(LARGEST_FRAME + 1, 10, bytes(16))], "size": LARGEST_FRAME + 1},
        {"frames": [Frame(-1, 10, bytes(16)), Frame(len(DATA) + 1, 10, bytes(16))]},
        {"packing": "none"},
        {"packing": "lzma"},
        {"head": b""},
        {"tail": b"x"},
        {"modified": -1},
        {"modified": 1 << 63},
        {"apart": "yes"},
    ],
)
def test_an_index_that_contradicts_itself_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(Damaged):
        unpack_index(pack_index(index_of(**changes)))


@pytest.mark.parametrize(
    ("size", "frame"),
    [(LARGEST_FRAME, Frame(LARGEST_FRAME, 10, bytes(16))), (len(DATA), Frame(len(DATA), 2 * LARGEST_FRAME, bytes(16)))],
    ids=["unpacked", "packed"],
)
def test_a_frame_is_as_large_as_the_maximum_and_no_larger(size: int, frame: Frame) -> None:
    unpacked, packed = (1, 0) if size == LARGEST_FRAME else (0, 1)
    larger = Frame(frame.raw + unpacked, frame.packed + packed, frame.digest)
    assert unpack_index(pack_index(index_of(bytes(size), frames=[frame]))).frames == [frame]
    with pytest.raises(Damaged, match="sizes"):
        unpack_index(pack_index(index_of(bytes(size + unpacked), frames=[larger])))


def test_there_are_as_many_frames_as_the_maximum_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.archive.wire._MOST_FRAMES", 2)
    frame = Frame(1, 10, bytes(16))
    assert len(unpack_index(pack_index(index_of(b"ab", frames=[frame] * 2))).frames) == 2
    with pytest.raises(Damaged, match="sizes"):
        unpack_index(pack_index(index_of(b"abc", frames=[frame] * 3)))


def test_an_index_with_any_other_byte_is_refused() -> None:
    data = pack_index(index_of())
    for at in range(len(data)):
        with pytest.raises(Damaged):
            unpack_index(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
        with pytest.raises(Damaged):
            unpack_index(data[:at])


def test_an_index_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.archive.wire._MOST_UNPACKED", 1 << 12)
    packed = Compressor(ZSTD)(bytes(1 << 13))
    with pytest.raises(Damaged, match="too large"):
        unpack_index(b"nhlogix1" + zlib.crc32(packed).to_bytes(4, "big") + packed)


def test_a_frame_with_other_bytes_is_refused() -> None:
    packed, other = Compressor(ZSTD)(DATA), Compressor(ZSTD)(DATA + b"more")
    with pytest.raises(Damaged, match="digest"):
        unpack_frame(packed[:-1] + b"x", index_of().frames[0], "zstd")
    with pytest.raises(Damaged, match="size"):
        unpack_frame(other, Frame(len(DATA), len(other), digest_of(other)), "zstd")


def test_a_frame_ends_at_the_first_good_place() -> None:
    good = [0, 1000, LEAST + 10, LEAST + 500, 3 * LEAST]
    assert [*divide(4 * LEAST, good, range(0, 4 * LEAST, 7))] == [
        (0, LEAST + 10),
        (LEAST + 10, 3 * LEAST),
        (3 * LEAST, 4 * LEAST),
    ]


def test_without_a_good_place_a_frame_ends_with_an_event() -> None:
    frames = [*divide(3 * MOST, (), range(0, 3 * MOST, 1000))]
    assert [end - start <= MOST for start, end in frames] == [True] * len(frames)
    assert all(end % 1000 == 0 or end == 3 * MOST for _, end in frames)
    assert [start for start, _ in frames[1:]] == [end for _, end in frames[:-1]]


def test_an_event_that_is_longer_than_a_frame_stays_whole_up_to_a_limit() -> None:
    assert next(divide(2 * MOST, (), [2 * MOST - 5])) == (0, 2 * MOST - 5)
    assert next(divide(9 * MOST, (), [9 * MOST])) == (0, MOST)
