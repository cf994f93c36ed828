"""Snapshots of recordings of terminals: what is drawn and what comes later look like the whole recording."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.asciicast.wire.encode import AsciicastEncoder
from nhlog.relay import screens
from nhlog.relay.copy import Copy, Shortened
from nhlog.relay.following import Following
from nhlog.relay.screens import Screens
from nhlog.relay.sources import RecordingSource
from nhlog.relay.wire import Message
from nhlog.screencast import OUTPUT, RESIZE, Encoder, Header, TimedEvent
from nhlog.vt import Size
from tests.guests import needs
from tests.relay.made import send

MOST = 1 << 20
START = 1_700_000_000_000_000
HEADER = Header(size=Size(40, 10), start=START, title="a game")


@pytest.fixture(autouse=True)
def short_recordings_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "SPACING", 2000)
    monkeypatch.setattr(screens, "_SLICE", 700)


def encoder_of(name: str) -> Encoder:
    version = int(name[0])
    if name.endswith("cast"):
        return AsciicastEncoder(HEADER, version)
    from nhlog.formats.ttyrec.wire.encode import TtyrecEncoder

    return TtyrecEncoder(HEADER, version)


NAMES = (
    "2.cast",
    "3.cast",
    pytest.param("1.ttyrec", marks=needs("ttyrec")),
    pytest.param("3.ttyrec", marks=needs("ttyrec")),
)


def events(count: int) -> Iterator[TimedEvent]:
    """What a program draws that has modes, colours and a size of its own, and cuts its sequences anywhere."""
    drawn = "".join(f"\x1b[{n % 9 + 1};{n % 30 + 1}H\x1b[{31 + n % 7}mé漢{n}\x1b[m" for n in range(count)).encode()
    yield TimedEvent(0, OUTPUT, b"main\x1b[?1049h\x1b[2J\x1b[2;9r")
    for n in range(count):
        if n == count // 3:
            yield TimedEvent(n * 1000, RESIZE, b"50x12")
        yield TimedEvent(n * 1000 + 7, OUTPUT, drawn[n * 21 : n * 21 + 21])


def pieces(name: str, count: int) -> list[bytes]:
    encoder = encoder_of(name)
    return [encoder.begin(), *map(encoder.event, events(count))]


def snapshot(following: Following, source: RecordingSource) -> Message:
    """The first snapshot of what was sent, after some slices of work."""
    maker, message = Screens(source, MOST), None
    while message is None:
        message = maker.next(following.course)
        assert message is not None or maker.more
    return message


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_later_looks_alike_at_each_event_and_has_the_same_times(name: str, tmp_path: Path) -> None:
    path, late = tmp_path / name, tmp_path / f"late-{name}"
    first, last = pieces(name, 240)[:200], pieces(name, 240)[200:]
    path.write_bytes(b"".join(first))
    with closing(RecordingSource(str(path))) as source, closing(Copy(str(late))) as copy:
        following, stored = Following(source), list[Message]()
        send(following, stored)
        message = snapshot(following, source)
        assert len(message.body) < path.stat().st_size / 2
        shortened = Shortened(copy, message, 0)
        for piece in last:
            with path.open("ab") as file:
                file.write(piece)
            stored.clear()
            send(following, stored)
            for one in stored:
                shortened.take(one)
    assert late.read_bytes()[len(message.body) :] == path.read_bytes()[message.offset :]
    with closing(open_recording(str(path))) as whole, closing(open_recording(str(late))) as short:
        assert short.info.start == whole.info.start
        assert short.timeline.last > len(last) - 2
        for back in range(len(last)):
            for replay in (whole, short):
                replay.seek(replay.timeline.last - back)
            assert short.timeline.time(short.step) == whole.timeline.time(whole.step)
            assert short.state.grid.rows == whole.state.grid.rows


def test_one_is_made_for_so_many_bytes_each(tmp_path: Path) -> None:
    path = tmp_path / "2.cast"
    path.touch()
    ends = []
    with closing(RecordingSource(str(path))) as source:
        following, maker = Following(source), Screens(source, MOST)
        for piece in pieces("2.cast", 300):
            with path.open("ab") as file:
                file.write(piece)
            send(following, [])
            while (message := maker.next(following.course)) or maker.more:
                if message:
                    ends.append(message.offset)
    apart = [after - before for before, after in zip([0, *ends], ends, strict=False)]
    assert len(ends) > 4
    assert min(apart) >= screens.SPACING
    assert max(apart) < screens.SPACING + 100


def test_after_a_second_header_times_go_on(tmp_path: Path) -> None:
    """Of asciicasts that were written one behind the other: times count from where the second one begins."""
    path, late = tmp_path / "2.cast", tmp_path / "late.cast"
    data = b"".join(pieces("2.cast", 150))
    path.write_bytes(data * 2)
    with closing(RecordingSource(str(path))) as source, closing(Copy(str(late))) as copy:
        following = Following(source)
        send(following, [])
        Shortened(copy, snapshot(following, source), 0)
    with late.open("ab") as file:
        file.write(b'[0.150000, "o", "later"]\n')
    with closing(open_recording(str(late))) as short:
        assert short.timeline.time(short.timeline.last) == 150_000


def asciicast_in_one_piece() -> bytes:
    """An asciicast of version 1."""
    stdout = [[0.1, "x" * 80] for _ in range(100)]
    return json.dumps({"version": 1, "width": 80, "height": 24, "duration": 10.0, "stdout": stdout}).encode()


def without_a_size() -> bytes:
    """A recording of nh_recorder."""
    return b"".join(b"\0%croom\0\0%s" % (n % 250, b"x" * 60) for n in range(100))


def in_other_characters() -> bytes:
    """A ttyrec in CP437."""
    from nhlog.formats.ttyrec.wire.frames import format_frame

    return b"".join(format_frame(START + n, b"\xb3\xb4" * 40) for n in range(100))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("one.cast", asciicast_in_one_piece),
        pytest.param("recorder.nh", without_a_size, marks=needs("nh_recorder")),
        pytest.param("old.ttyrec", in_other_characters, marks=needs("ttyrec")),
    ],
    ids=lambda data: data.__name__ if callable(data) else "",
)
def test_none_is_made_of_what_cannot_go_on(name: str, data: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data())
    with closing(RecordingSource(str(path))) as source:
        following, maker = Following(source), Screens(source, MOST)
        send(following, [])
        assert source.events is not None
        assert following.end > screens.SPACING
        assert maker.next(following.course) is None
        assert not maker.more
