"""A ttyrec keeps the contract of recordings: plain, which ends when nobody writes it, and compressed."""

from collections.abc import Iterator

from nhlog.formats.ttyrec.wire.frames import DAY, MAX_FRAME, format_frame
from tests.contract.recorded import Compressed, RecordedTerminal, packed, styled

START = 1_700_000_000_000_000
LAST = format_frame(START + 60_000_000, b"\x1b[Hthe end\r\n")


def frames(count: int, first: int = 0, size: int = 1) -> bytes:
    """Styled lines, in frames that are cut inside of sequences and characters; one comes a second early."""
    output = "".join(styled(count, size=size)).encode()
    step = len(output) // count + 3
    pieces = [output[at : at + step] for at in range(0, len(output), step)]
    return b"".join(
        format_frame(START + (first + number) * 250_000 - 1_000_000 * (number % 5 == 3 and first + number > 4), piece)
        for number, piece in enumerate(pieces)
    )


class TestTtyrec(RecordedTerminal):
    ending = ".ttyrec"

    def complete(self) -> bytes:
        before = START - 3 * DAY  # another session
        return format_frame(before, b"\x1b%G\x1b[8;7;40t") + format_frame(before, b"") + frames(12) + LAST

    def growing(self) -> tuple[bytes, bytes]:
        return frames(9), frames(4, 9)

    def finished(self, data: bytes) -> bytes:
        return data + LAST

    def rewound(self, data: bytes) -> bytes:
        return frames(5)

    def other(self) -> bytes:
        return format_frame(START - 7_000_000, b"another one") + frames(9)

    def damaged(self) -> Iterator[bytes]:
        some, more = frames(9), frames(9, 9)
        for bad in (
            bytes(4096),
            b"\xff" * 700,
            format_frame(START, b"")[:8] + (MAX_FRAME + 1).to_bytes(4, "little"),
            format_frame(START, b"")[:8] + b"\xfb\xff\xff\xff",
            b"\0\0\0\0\xff\xff\xff\0\1\0\0\0x",
        ):
            yield some + bad + more
        yield some + more[3:]
        yield some + b"\xff" * 20

    def big(self) -> bytes:
        return frames(45, size=60)

    def is_recorded(self, data: bytes) -> bool:
        return data.startswith(format_frame(START, b"")[:8]) and not data.endswith(LAST)


class TestCompressedTtyrec(Compressed, TestTtyrec):
    ending = ".ttyrec.gz"

    def damaged(self) -> Iterator[bytes]:
        yield from super().damaged()
        data = packed(frames(400))
        yield data[:-900] + bytes(900)
