"""The size and the characters of a recording that tells neither, also while it grows."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.formats.nhrecorder.reader import NhRecorderEvents
from nhlog.formats.ttyrec.reader import TtyrecEvents
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.screencast.guess import CharsetGuess, SizeGuess
from nhlog.screencast.raw import RawEvents
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size
from tests.doses import dose, seeded

START = 1_600_000_000_000_000  # microseconds


def guessed(*pieces: bytes) -> tuple[Size, str]:
    size, charset = SizeGuess(), CharsetGuess()
    for piece in pieces:
        size.take(piece)
        charset.take(piece)
    return size.size, charset.charset


@pytest.mark.parametrize(
    ("output", "size", "charset"),
    [
        (b"\x1b[8;30;100t\x1b[70;7H", (100, 30), "utf-8"),
        (b"\x1b[50;3H\x1b[132G\x1b[999;999H", (132, 50), "utf-8"),
        (b"\x1b[70;7H\x1b[8;30;100t", (100, 30), "utf-8"),
        (b"\x1b[2;60r", (80, 60), "utf-8"),
        (b"plain", (80, 24), "utf-8"),
        ("│漢".encode()[:-1], (80, 24), "utf-8"),
        ("│".encode()[:-1], (80, 24), "cp1252"),
        ("┌──┐·░".encode("cp437"), (80, 24), "cp437"),
        ("déjà été".encode("cp1252"), (80, 24), "cp1252"),
    ],
)
def test_size_and_charset_are_guessed_in_whatever_pieces_output_comes(
    output: bytes, size: tuple[int, int], charset: str
) -> None:
    assert guessed(output) == (size, charset)
    assert guessed(*(output[at : at + 1] for at in range(len(output)))) == (size, charset)
    for cut in range(len(output)):
        assert guessed(output[:cut], output[cut:]) == (size, charset)


@given(
    st.lists(
        st.sampled_from(
            [b"\x1b[", b"8;30;100t", b"\x1b[8;2", b"50;3H", b"\x1b[7", b"1;132", b"G", b"H", b";", "漢│".encode()]
        )
        | st.binary(max_size=6),
        max_size=12,
    )
)
def test_a_guess_does_not_depend_on_the_pieces(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    assert guessed(*pieces) == guessed(whole) == guessed(whole[:7], b"", whole[7:])


def ttyrec(number: int, output: bytes) -> bytes:
    return format_frame(START + 1000 * number, output)


def nh_recorder(number: int, output: bytes) -> bytes:
    return output + b"\0" + (10 * number).to_bytes(4, "little")


TOLD = ["plain ", "\x1b[40;3H", "\x1b[132G", "\x1b[8;50;132t", "│漢", "\x1b[1;60r", "\x1b["]


@pytest.mark.parametrize(("kind", "piece"), [(TtyrecEvents, ttyrec), (NhRecorderEvents, nh_recorder)])
@pytest.mark.parametrize("charset", ["utf-8", "cp437"])
def test_who_follows_guesses_what_who_opens_it_does(
    tmp_path: Path, kind: type[RawEvents], piece: Callable[[int, bytes], bytes], charset: str
) -> None:
    chance, path = seeded(charset), tmp_path / "some"
    for _ in range(dose("screencast.guessed")):
        outputs = ["".join(chance.choices(TOLD, k=chance.randint(1, 4))) for _ in range(30)]  # a case: of some length
        data = b"".join(piece(number, output.encode(charset, "replace")) for number, output in enumerate(outputs))
        at = len(data) // 8
        path.write_bytes(data[:at])
        with closing(kind(UnpackedSource(str(path)), None, None)) as followed, path.open("ab", buffering=0) as file:
            while at < len(data):
                end = at + chance.randint(1, 40)
                file.write(data[at:end])
                at = end
                followed.look()
                with closing(kind(UnpackedSource(str(path)), None, None)) as opened:
                    assert followed.header == opened.header


def test_each_frame_is_looked_at_once(tmp_path: Path) -> None:
    path, read = tmp_path / "some.ttyrec", [0]

    class Counted(UnpackedSource):
        def pread(self, size: int, offset: int) -> bytes:
            data = super().pread(size, offset)
            read[-1] += len(data)
            return data

    frames = [ttyrec(number, b"\x1b[12;30H%06d" % number + b"." * 240) for number in range(110)]
    path.write_bytes(b"".join(frames[:10]))
    with closing(TtyrecEvents(Counted(str(path)), None, None)) as events, path.open("ab", buffering=0) as file:
        for frame in frames[10:]:
            read.append(0)
            file.write(frame)
            events.look()
        assert len(events) == len(frames)
    assert len({*read[1:]}) == 1
