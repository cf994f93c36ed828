"""The frames of a long ttyrec are kept: what is known of it the second time, and when it is looked for again."""

from array import array
from pathlib import Path

import pytest

from nhlog.cache import fingerprint_of
from nhlog.compression import ZSTD, Compressor
from nhlog.files import File
from nhlog.formats.ttyrec.reader import TtyrecEvents, open_events
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.screencast import kept
from nhlog.screencast.kept import _INDEX as INDEX
from nhlog.screencast.kept import _Kept, _packed, _unpacked
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

START, COUNT = 1_700_000_000_000_000, 5_000  # microseconds; frames, which make more than a mebibyte
LINE = b"\x1b[12;30H%06d " + b"." * 240 + b"\x1b[K"


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def frames(first: int, end: int) -> bytes:
    return b"".join(format_frame(START + number * 50_000, LINE % number) for number in range(first, end))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "long.ttyrec"
    path.write_bytes(frames(0, COUNT))
    return path


def opened(file: Path) -> TtyrecEvents:
    events = open_events(str(file))
    events.close()
    return events


def told(events: TtyrecEvents) -> list[object]:
    """All that is known of the frames."""
    columns = [[*events.times], [*events._offsets], [*events._sizes], events._codes.decode("latin-1")]
    return [*columns, events.header, events.version, events.end, events.limit, events.backwards, events.faults]


def read(file: Path) -> TtyrecEvents:
    """What is found in the file itself."""
    events = TtyrecEvents(UnpackedSource(str(file)))
    events.close()
    return events


def is_kept(file: Path) -> bool:
    with File(str(file)) as source:
        return INDEX.load_appended(source) is not None


def test_frames_are_known_again_as_they_were_found(file: Path) -> None:
    assert not is_kept(file)
    assert told(opened(file)) == told(read(file))
    assert is_kept(file)
    assert told(opened(file)) == told(read(file))


def test_they_are_not_looked_for_again(file: Path) -> None:
    """The bytes in between are others now, and nobody looked."""
    before = opened(file)
    data = bytearray(file.read_bytes())
    data[5_000:-5_000] = bytes(len(data) - 10_000)
    file.write_bytes(data + frames(COUNT, COUNT + 1))
    assert [*opened(file).times[:COUNT]] == [*before.times]
    assert len(read(file)) < COUNT


def test_of_one_that_grew_the_rest_is_found(file: Path) -> None:
    opened(file)
    for count in (1, 200):
        with file.open("ab") as recorder:
            recorder.write(frames(COUNT, COUNT + count)[:-3])
        assert told(opened(file)) == told(read(file))
        file.write_bytes(frames(0, COUNT))


def test_one_that_was_cut_or_begins_otherwise_is_read_anew(file: Path) -> None:
    opened(file)
    file.write_bytes(frames(0, COUNT - 3))
    assert told(opened(file)) == told(read(file))
    file.write_bytes(frames(7, COUNT + 7))
    assert told(opened(file)) == told(read(file))
    file.write_bytes(frames(7, COUNT - 1) + frames(COUNT, COUNT + 50))
    assert told(opened(file)) == told(read(file))


@pytest.mark.parametrize(
    "wrong",
    [
        {"codes": b""},
        {"codes": _packed(array("B", []))},
        {"codes": _packed(array("B", [1] * COUNT))},
        {"codes": _packed(array("B", [0] * COUNT))[:-1]},
        {"times": Compressor(ZSTD)(b"\0" * 7)},
        {"times": _packed(array("q", [-1] * COUNT))},
        {"times": _packed(array("q", [*range(1, COUNT), 0]))},
        {"offsets": _packed(array("q", [-1] * COUNT))},
        {"offsets": _packed(array("Q", [1, 0, *range(2, COUNT)]))},
        {"offsets": Compressor(ZSTD)(b"\0" * ((8 << 22) + 8))},
        {"sizes": _packed(array("I", [0]))},
        {"sizes": _packed(array("I", [512] * COUNT))},
        {"numbers": (1 << 60, 1 << 60, 0, 0)},
        {"kind": "Events"},
        {"names": []},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_contradicts_itself_or_the_file_is_not_used(file: Path, wrong: dict[str, object]) -> None:
    opened(file)
    state = fingerprint_of(str(file))
    kept = INDEX.load(state)
    assert kept is not None
    INDEX.store(state, _Kept(*({**{name: getattr(kept, name) for name in _Kept.__struct_fields__}, **wrong}.values())))
    assert told(opened(file)) == told(read(file))


def test_a_size_that_is_given_is_no_size_that_is_kept(file: Path) -> None:
    events = open_events(str(file), Size(132, 50))
    events.close()
    assert not is_kept(file)
    assert opened(file).header.size == read(file).header.size
    again = open_events(str(file), Size(132, 50))
    again.close()
    assert again.header.size == Size(132, 50)


def test_who_follows_one_that_was_known_sees_what_is_recorded(file: Path) -> None:
    opened(file)
    events = open_events(str(file))
    with file.open("ab") as recorder:
        recorder.write(frames(COUNT, COUNT + 3))
    events.look()
    events.close()
    assert told(events) == told(read(file))


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 1_000])
@pytest.mark.parametrize("code", ["B", "q", "Q", "I"])
def test_a_column_is_packed_piece_by_piece_as_at_once(code: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    column = array(code, [number * 7919 % 251 << 8 * (array(code).itemsize - 1) >> 1 for number in range(count)])
    at_once = _packed(column)
    monkeypatch.setattr(kept, "_AT_ONCE", 100)
    assert _packed(column) == at_once
    assert _unpacked(code, at_once, count) == column


def test_a_column_of_more_events_than_there_can_be_is_not_unpacked() -> None:
    packed = _packed(array("Q", range(11)))
    assert [*_unpacked("Q", packed, 11)] == [*range(11)]
    with pytest.raises(ValueError, match="too large"):
        _unpacked("Q", packed, 10)


@pytest.mark.parametrize("at", [1, 99, 100, 101, COUNT - 1])
@pytest.mark.parametrize("column", ["times", "offsets"])
def test_one_that_is_not_in_order_is_noticed_wherever_it_stands(
    file: Path, column: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_AT_ONCE", 100)
    found = read(file).found(())
    assert found is not None
    assert kept._are_in_order(found)
    getattr(found, column)[at] = getattr(found, column)[at - 1] - 1
    assert not kept._are_in_order(found)
