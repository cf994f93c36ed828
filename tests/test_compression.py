"""Unpacking: all of it, in pieces of any size, bounded, and as much as there is of what is damaged."""

import bz2
import gzip
import lzma
import random
import tracemalloc
import zlib

import pytest
import zstandard

from nhlog.compression import (
    BZIP2,
    GZIP,
    NONE,
    PIECE,
    XZ,
    ZSTD,
    Compressor,
    Decompressor,
    compressed,
    compression_of,
    decompress,
    decompressed,
    ending_for,
    train_dictionary,
)
from nhlog.errors import Damaged, Usage

DATA = random.Random(3).randbytes(70_000) + b"the same again " * 9_000
KINDS = (NONE, GZIP, BZIP2, XZ, ZSTD)
PACKED = (GZIP, BZIP2, XZ, ZSTD)

# By other programs' hands than ours.
BY_OTHERS = {
    GZIP: gzip.compress,
    BZIP2: bz2.compress,
    XZ: lzma.compress,
    ZSTD: zstandard.ZstdCompressor(write_checksum=True).compress,
}


ENDINGS = {"none": NONE, "gz": GZIP, "zst": ZSTD}


@pytest.mark.parametrize(
    ("name", "wanted", "ending"),
    [
        ("a.cast", None, "none"),
        ("a.cast.gz", None, "gz"),
        ("a.cast.gz", "none", "none"),
        ("a.cast.gz", "zst", "zst"),
        ("a.cast.xz", None, "none"),
    ],
)
def test_a_new_file_is_packed_as_somebody_says_or_else_as_its_name_says(name: str, wanted: str, ending: str) -> None:
    assert ending_for(name, wanted, ENDINGS) == ending


def test_what_nothing_packs_like_is_wrong_usage() -> None:
    with pytest.raises(Usage, match="no such compression: expected none gz zst, found xz"):
        ending_for("a.cast", "xz", ENDINGS)


@pytest.mark.parametrize("kind", PACKED)
def test_the_first_bytes_tell_the_kind(kind: str) -> None:
    assert compression_of(BY_OTHERS[kind](DATA)[:6]) == kind
    assert compression_of(b"NHGAME") == compression_of(b"") == NONE


@pytest.mark.parametrize("kind", PACKED)
def test_what_others_packed_is_unpacked(kind: str) -> None:
    assert decompress(BY_OTHERS[kind](DATA), kind) == (DATA, None)


@pytest.mark.parametrize("kind", PACKED)
def test_others_unpack_what_we_packed(kind: str) -> None:
    unpack = {
        GZIP: gzip.decompress,
        BZIP2: bz2.decompress,
        XZ: lzma.decompress,
        ZSTD: zstandard.ZstdDecompressor().decompress,
    }[kind]
    assert unpack(Compressor(kind)(DATA)) == DATA
    if kind != ZSTD:  # which does not say its size when it is made in parts
        assert unpack(b"".join(compressed([DATA[:9], b"", DATA[9:]], kind))) == DATA


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [1, 7, 1000, 1 << 20])
def test_the_same_comes_out_however_it_goes_in(kind: str, step: int) -> None:
    data = DATA[-3000:]
    packed = b"".join(compressed([data], kind)) * 2
    pieces = list(decompressed((packed[at : at + step] for at in range(0, len(packed), step)), kind))
    assert b"".join(pieces) == data * 2
    assert all(0 < len(piece) <= PIECE for piece in pieces) or kind == NONE


@pytest.mark.parametrize("kind", PACKED)
def test_members_follow_each_other_with_zeros_between(kind: str) -> None:
    packed = BY_OTHERS[kind](DATA)
    assert decompress(packed + bytes(8) + packed + bytes(4), kind) == (DATA * 2, None)


@pytest.mark.parametrize("kind", PACKED)
def test_every_prefix_gives_what_is_whole_and_says_that_it_ends_early(kind: str) -> None:
    packed = BY_OTHERS[kind](DATA[-400:])
    for size in range(1, len(packed)):
        found, fault = decompress(packed[:size], kind)
        assert DATA[-400:].startswith(found)
        assert str(fault) == f"the {kind} data ends early"


@pytest.mark.parametrize("kind", KINDS)
def test_a_growing_file_is_no_fault_until_somebody_says_that_it_was_all(kind: str) -> None:
    packed = b"".join(compressed([DATA], kind))
    stream = Decompressor(kind)
    assert stream.complete
    first = b"".join(stream.feed(packed[:-5]))
    assert stream.complete == (kind == NONE)
    assert first + b"".join(stream.feed(packed[-5:])) == DATA
    assert stream.complete


@pytest.mark.parametrize("kind", PACKED)
def test_damage_is_told_behind_what_was_whole(kind: str) -> None:
    packed = BY_OTHERS[kind](DATA)
    for behind in (b"garbage behind the end", BY_OTHERS[kind](b"x")[:3] + b"garbage"):
        found, fault = decompress(packed + behind, kind)
        assert found == DATA
        assert fault is not None
    broken = bytearray(packed)
    broken[len(packed) // 2] ^= 0x10
    found, fault = decompress(bytes(broken), kind)
    assert str(fault).startswith(f"the {kind} data is damaged: ")
    if kind != BZIP2:  # whose blocks are checked when they have been given
        assert DATA.startswith(found[:20_000])  # which come before the damage
    with pytest.raises(Damaged, match="damaged"):
        list(decompressed([bytes(broken)], kind))


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("members", [1, 40])
def test_a_bomb_takes_no_more_than_its_limit(kind: str, members: int) -> None:
    bomb = BY_OTHERS[kind](bytes((64 << 20) // members)) * members
    most = 1 << 20
    tracemalloc.start()
    try:
        found, fault = decompress(bomb, kind, most)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == bytes(most)
    assert "at most 1048576 bytes" in str(fault)
    assert peak < 40 << 20


def test_as_much_as_the_limit_is_no_fault() -> None:
    assert decompress(gzip.compress(DATA), GZIP, len(DATA)) == (DATA, None)
    assert decompress(DATA, NONE, len(DATA)) == (DATA, None)
    assert decompress(DATA, NONE, 5).data == DATA[:5]


def test_a_window_or_dictionary_too_large_is_refused() -> None:
    wide = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=True)
    frame = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    packed = frame.compress(DATA) + frame.flush()
    assert "memory" in str(decompress(packed, ZSTD).fault)
    strong = lzma.compress(b"x", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}])
    assert "damaged" in str(decompress(strong, XZ).fault)


def test_a_dictionary_is_needed_and_helps() -> None:
    samples = [b"entity %d moves to %d,%d" % (n, n * 7 % 100, n * 13 % 100) * 3 for n in range(2000)]
    dictionary = train_dictionary(samples, 4096, 77)
    packed = Compressor(ZSTD, 3, dictionary)(samples[5])
    assert len(packed) < len(Compressor(ZSTD, 3)(samples[5]))
    assert decompress(packed, ZSTD, dictionary=dictionary) == (samples[5], None)
    assert decompress(packed, ZSTD).fault is not None
    assert train_dictionary([b"few"], 4096, 77) == b""


def test_a_zstd_member_says_its_size_and_has_a_checksum() -> None:
    parameters = zstandard.get_frame_parameters(Compressor(ZSTD)(DATA))
    assert (parameters.content_size, parameters.has_checksum) == (len(DATA), True)
    assert not zstandard.get_frame_parameters(Compressor(ZSTD, checksum=False)(DATA)).has_checksum


def test_gzip_is_zlibs() -> None:
    assert zlib.decompress(Compressor(GZIP)(DATA), 31) == DATA


@pytest.mark.parametrize("kind", PACKED)
def test_zeros_alone_are_no_member(kind: str) -> None:
    assert decompress(bytes(40), kind).fault is not None
