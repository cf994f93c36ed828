"""LZ4 blocks: what follows the rules is unpacked, what breaks them gets no further."""

import random
from contextlib import suppress

import pytest

from nhlog.errors import Damaged
from nhlog.log.wire.blob import BadBlob, Blob
from nhlog.log.wire.lz4 import unpack

REPEATED = b"\x2fab\x02\x00\x05\x10!"
"""Two literals; then 4 + 15 + 5 bytes from two back; then one literal."""


def test_sequences_are_literals_and_copies_that_may_overlap() -> None:
    assert unpack(b"\x50hello", 100) == b"hello"
    assert unpack(b"\xf0\x01" + b"x" * 16, 100) == b"x" * 16
    for size in range(30):
        assert unpack(REPEATED, size) == (b"ab" * 13 + b"!")[:size]


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"\x50hell",
        b"\xf0",
        b"\xf0\xff\xff",
        b"\x10a\x02",
        b"\x10a\x02\x00",
        b"\x10a\x00\x00",
        b"\x1fa\x01\x00\xff",
    ],
)
def test_a_block_that_breaks_the_rules_is_damaged(block: bytes) -> None:
    with pytest.raises(Damaged, match="bad LZ4 block"):
        unpack(block, 100)


def test_no_block_gets_further_than_it_may() -> None:
    bomb = b"\x1fa\x01\x00" + b"\xff" * 100_000 + b"\x00"
    assert unpack(bomb, 1000) == b"a" * 1000
    rng = random.Random(7)
    for _ in range(2000):
        with suppress(Damaged):
            assert len(unpack(rng.randbytes(rng.randrange(1, 40)), 500)) <= 500


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"#6#UGhlbGxv", "wrong inflated length"),
        (b"#4#UGhlbGxv", "wrong inflated length"),
        (b"#5#UGhl", "bad LZ4 block: cut short"),
        (b"#5UGhlbGxv", "bad compression prefix"),
        (b"#99999999999#UA==", "out of bounds"),
    ],
)
def test_a_blob_says_what_is_wrong_with_it(text: bytes, told: str) -> None:
    assert (Blob(b"#5#UGhlbGxv").decode(), Blob(b"#5#UGhlbGxv").head(2)[:2]) == (b"hello", b"he")
    with pytest.raises(BadBlob, match=told):
        Blob(text).decode()
