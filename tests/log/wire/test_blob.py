"""Binary data in a line: base64, and zlib where it pays (log spec section 5)."""

import base64
import random
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Unsupported
from nhlog.log.wire.blob import MAX_DATA, BadBlob, Blob, inflated
from tests.effort import within
from tests.outcomes import error_of


def packed(data: bytes, length: int | None = None, tail: bytes = b"") -> Blob:
    """A compressed blob that claims `length` bytes."""
    stream = zlib.compress(data, 9) + tail
    return Blob(b"$%d$" % (len(data) if length is None else length) + base64.b64encode(stream))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", b""),
        (b"a", b"YQ=="),
        (b"ab", b"YWI="),
        (b"abc", b"YWJj"),
        (b"hello world\0", b"aGVsbG8gd29ybGQA"),
        (b"\x1b\0", b"GwA="),
        (bytes(15), b"AAAAAAAAAAAAAAAAAAAA"),
        (bytes(16), b"$16$eNpjYEAFAAAQAAE="),
        (b"a" * 31, b"$31$eNpLTMQLALwPC8A="),
    ],
)
def test_the_game_writes_these_blobs(data: bytes, text: bytes) -> None:
    assert Blob.of(data) == Blob(text)
    assert Blob(text).decode() == data


def test_data_is_compressed_only_where_prefix_and_stream_are_shorter() -> None:
    for size in range(200):
        data = b"ab" * (size // 2) + b"a" * (size % 2)
        stream = zlib.compress(data, 9)
        assert Blob.of(data).compressed == (len(b"$%d$" % size) + len(stream) < size)


@given(st.binary(max_size=400))
def test_any_data_comes_back(data: bytes) -> None:
    assert Blob.of(data).decode() == data
    assert Blob(base64.b64encode(data)).decode() == data
    assert packed(data).decode() == data


@pytest.mark.parametrize("size", [1000, 40_000])
def test_noise_is_not_compressed(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert not Blob.of(data).compressed
    assert Blob.of(data).decode() == data


def test_a_long_answer_that_the_game_itself_refuses_to_load_is_read() -> None:
    text = b"a" * 60 + b"\0"
    assert Blob.of(text).compressed
    assert Blob.of(text).decode() == text


@pytest.mark.parametrize("level", range(10))
def test_any_zlib_stream_will_do(level: int) -> None:
    data = b"one two three " * 50
    assert Blob(b"$%d$" % len(data) + base64.b64encode(zlib.compress(data, level))).decode() == data


def test_what_follows_the_stream_is_tolerated() -> None:
    assert packed(b"x" * 50, tail=b"junk").decode() == b"x" * 50


@pytest.mark.parametrize("length", [0, 1, 49, 51, 100, MAX_DATA])
def test_a_wrong_length_is_damage(length: int) -> None:
    with pytest.raises(BadBlob, match="wrong inflated length"):
        packed(b"x" * 50, length).decode()


@pytest.mark.parametrize(
    "text",
    [
        b"$",
        b"$$",
        b"$5",
        b"$$YQ==",
        b"$x$YQ==",
        b"$-5$YQ==",
        b"$ 5$YQ==",
        b"$5$",
        b"$5$YQ==",
        b"YQ",
        b"YQ=",
        b"Y",
        b"YQ==YQ==",
        b"====",
        b"YQ= =",
        b"YWJj\xff",
        b"YWJj YWJj",
        b"YWJj$1$",
        b"$50$" + base64.b64encode(zlib.compress(b"x" * 50, 9))[:-8],
        b"$50$" + base64.b64encode(zlib.compress(b"x" * 50, 9)[2:]),
        b"$50$" + base64.b64encode(zlib.compress(b"x" * 50, 9)[:-1]),  # all data, but not all of its checksum
    ],
    ids=repr,
)
def test_what_does_not_decode_is_damage(text: bytes) -> None:
    with pytest.raises(BadBlob):
        Blob(text).decode()


@pytest.mark.parametrize("digits", [b"99999999999", b"67108865", b"0" * 9 + b"5", b"9" * 10_000])
def test_a_claim_beyond_all_bounds_is_refused_before_anything_is_inflated(digits: bytes) -> None:
    blob = Blob(b"$" + digits + b"$" + base64.b64encode(zlib.compress(b"x" * 50)))
    for read in (blob.decode, lambda: blob.head(10)):
        with pytest.raises(BadBlob, match="out of bounds") as error:
            read()
        assert len(str(error.value)) < 200


@pytest.mark.parametrize("length", [1, 50, 1 << 20])
def test_a_bomb_inflates_no_further_than_it_claims(length: int) -> None:
    blob = packed(bytes(64 << 20), length)
    tracemalloc.start()
    try:
        with pytest.raises(BadBlob, match="wrong inflated length"):
            blob.decode()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * length + (1 << 20)
    with within(10), pytest.raises(BadBlob):
        blob.decode()


@given(st.binary(max_size=5000), st.integers(1, 6000), st.booleans())
def test_the_head_is_how_the_data_begins(data: bytes, size: int, compress: bool) -> None:
    blob = packed(data) if compress else Blob(base64.b64encode(data))
    head = blob.head(size)
    assert data.startswith(head)
    assert len(head) >= min(size, len(data))


def test_the_head_of_a_save_takes_a_small_part_of_it() -> None:
    noise = random.Random(1)
    data = bytes(noise.choices(b"abcdefgh", k=400_000))
    for blob in (packed(data), Blob(base64.b64encode(data))):
        tracemalloc.start()
        head = blob.head(36)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert head[:36] == data[:36]
        assert peak < 60_000  # of 400 000, and most of it for zlib itself


@given(st.binary(max_size=60) | st.text("$#0123456789abcdefghAB=+/", max_size=60).map(str.encode))
def test_no_text_gives_anything_but_data_or_an_error_of_ours(text: bytes) -> None:
    for read in (Blob(text).decode, lambda: Blob(text).head(7)):
        assert isinstance(error_of(read), BadBlob | Unsupported | None)


@given(st.binary(max_size=3000), st.integers(-2, 2), st.integers(0, 3), st.binary(max_size=3))
def test_what_is_inflated_for_kernels_is_whole_or_nothing(data: bytes, more: int, cut: int, tail: bytes) -> None:
    """Short and long streams; bytes behind the end are ignored."""
    stream = zlib.compress(data)
    whole = stream[: len(stream) - cut] + (b"" if cut else tail)
    length = max(len(data) + more, 0)
    assert inflated(whole, length) == (data if length == len(data) and not cut else None)
