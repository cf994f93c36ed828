"""The index and the frames of archived files: what is put in comes out, and nothing else is believed."""

import zlib
from base64 import b85decode
from hashlib import blake2b

import msgspec
import pytest

from nhlog.archive.reading import stamp_for
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
from tests.changed import flipped
from tests.doses import seeded

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


WRITTEN = b85decode(
    "ZfI<8XK8pbRx49;D77#BWZF+f4*--Mi>798a&2LBrgU_9a%E$rb7^{I%}@ZRaA9L>X>MnvZf|a7re<<sZDn(klg&PW%|3v{5I@MUJC|^5b#H|}"
    "?=QVVU6aibfXxwr#1IBZl71-nVu>!JuKSoVs7<D1X=i0~bi^Qt#9%(f%s@tM6v*v9q`g}54jDHFDL9vZpAD!YUN+vSZEs|0W@%+)&li`R{x&KA"
    "0HkPTVPwTX000330|W&I2M7rY3k(eo4-gR&6BHE|7Z@2D8yp=TA0QzjBP1mzCnzZ@D=aN8FEBAOGc+|eH#j*uJ3Ku;KR`i3LqtVJM@UIZOH55p"
    "Pf$@(Q&d$}S6EqETU=dUUtnQkV`OD!XJ~0^Yiw<9Z*XyPb98lfcX)YvdwhL<e}I94gM@{Khlq)ai;RtqkC2g)la!T~mzbHFo1C4VpP-?lqok##"
    "r>Lo_tE{cAuduPQv$VCgx45~wyS%-=zrex5!^FkL$H>Xb%goKr&(P7*)6~`0*Vx(G+uYsW-{9fm<K*S$=jiF`>+J3B@9^>R^Yr!h_xSnx`~3a>"
    "|D<$bX>7$1r*m~}ZDDeGfu(e5bZlj&VIXH=ZDplqZ*^{Dfu?14Wo~qH!~|<)aCD_%aA9(E!U6#PUjW!QLi_yyzorx;D+v"
)
"""The index of an archive of November 2026: two frames of `ALL_BYTES`, as they are."""
ALL_BYTES = bytes(range(256)) * 80


def test_an_index_that_was_written_before_is_read_as_it_was() -> None:
    """With the stamp by which readers know what it brought along."""
    index = unpack_index(WRITTEN)
    assert (index.format, index.size, index.modified) == ("ttyrec", len(ALL_BYTES), 1_700_000_000_000_000_000)
    assert (index.head, index.tail) == (ALL_BYTES[: 1 << 14], ALL_BYTES[-1 << 12 :])
    assert index.digest == blake2b(ALL_BYTES, digest_size=32).digest()
    assert (index.summary, index.found, index.apart) == ({"title": "a game"}, {"events": b"kept"}, False)
    frames = zip(index.frames, (ALL_BYTES[:16_000], ALL_BYTES[16_000:]), strict=True)
    assert all(unpack_frame(data, frame, index.packing) == data for frame, data in frames)
    assert stamp_for(index).inode == 50_079_112_685_503_253


def test_an_index_may_be_as_large_as_what_it_is_unpacked_from() -> None:
    """What hardly packs is large as it comes, and what is all alike may be large for its few bytes."""
    large = index_of(bytes(1 << 15), found={"logs": seeded(1).randbytes(17 << 16)})
    for index in (large, index_of(bytes(1 << 15))):
        assert unpack_index(pack_index(index)) == index


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
            unpack_index(flipped(data, at))
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


@pytest.mark.parametrize(
    ("size", "good", "possible", "end"),
    [
        (LEAST, [LEAST - 1], (), LEAST),  # as large as the smallest one
        (4 * LEAST, [LEAST - 1, LEAST, LEAST + 1], (), LEAST),
        (4 * LEAST, [MOST], (), MOST),
        (4 * LEAST, [MOST + 1], (), MOST),
        (LEAST + 9, [LEAST + 9], (), LEAST + 9),
        (MOST, (), [MOST - 1], MOST),
        (MOST + 1, (), [MOST - 1, MOST], MOST),
        (9 * MOST, (), [0, LARGEST_FRAME], LARGEST_FRAME),
        (9 * MOST, (), [0, LARGEST_FRAME + 1], MOST),
    ],
)
def test_a_frame_ends_at_the_last_place_that_is_near_enough(
    size: int, good: list[int], possible: list[int], end: int
) -> None:
    assert next(divide(size, good, possible)) == (0, end)


def test_an_event_that_is_longer_than_a_frame_stays_whole_up_to_a_limit() -> None:
    assert next(divide(2 * MOST, (), [0, 2 * MOST - 5])) == (0, 2 * MOST - 5)
    assert next(divide(9 * MOST, (), [9 * MOST])) == (0, MOST)
