"""LZ4 blocks in a log: what follows the rules is unpacked, what breaks them gets no further."""

import base64
from contextlib import suppress

import lz4.block
import pytest

from nhlog.log.wire.blob import BadBlob, Blob
from tests.doses import dose, seeded


def blob(block: bytes, size: int) -> Blob:
    return Blob(b"#%d#" % size + base64.b64encode(block))


def test_a_block_is_unpacked() -> None:
    data = bytes(range(256)) * 40
    packed = blob(lz4.block.compress(data, store_size=False), len(data))
    assert (packed.decode(), packed.head(300)[:300]) == (data, data[:300])


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"\x50hell",
        b"\xf0",
        b"\xf0\xff\xff",
        b"\x10a\x02",
        b"\x10a\x02\x00",
        b"\x1fa\x01\x00\xff",
    ],
)
def test_a_block_that_breaks_the_rules_is_damaged(block: bytes) -> None:
    with pytest.raises(BadBlob, match="bad LZ4 block"):
        blob(block, 100).decode()


def test_no_block_gets_further_than_it_may() -> None:
    bomb = b"\x1fa\x01\x00" + b"\xff" * 100_000 + b"\x00"
    with pytest.raises(BadBlob, match="bad LZ4 block"):
        blob(bomb, 1000).decode()
    rng = seeded(7)
    for _ in range(dose("log.blocks")):
        with suppress(BadBlob):
            blob(rng.randbytes(rng.randrange(1, 40)), 500).decode()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"#6#UGhlbGxv", "wrong inflated length"),
        (b"#4#UGhlbGxv", "wrong inflated length"),
        (b"#5#UGhl", "bad LZ4 block"),
        (b"#5UGhlbGxv", "bad compression prefix"),
        (b"#99999999999#UA==", "out of bounds"),
    ],
)
def test_a_blob_says_what_is_wrong_with_it(text: bytes, told: str) -> None:
    assert (Blob(b"#5#UGhlbGxv").decode(), Blob(b"#5#UGhlbGxv").head(2)[:2]) == (b"hello", b"he")
    with pytest.raises(BadBlob, match=told):
        Blob(text).decode()
