"""Recordings that are cut, packed, damaged or long: what can be read is, what cannot is named, in little memory."""

import gzip
import lzma
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard

from nhlog.errors import Damaged, NhlogError
from nhlog.files import CannotOpen
from nhlog.formats import open_recording
from nhlog.formats.follow import happened
from nhlog.formats.teehistorian.operations import dump, info, state, stats, verify
from nhlog.formats.teehistorian.reading.reader import Reader, count_messages, read_records
from nhlog.formats.teehistorian.reading.stream import ALL, POSITIONS, Stream
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.wire.codec import encode
from nhlog.formats.teehistorian.wire.messages import Finish, PlayerDiff, PlayerNew, TimedMessage
from nhlog.formats.teehistorian.wire.split import Splitter
from terminal.views import Viewpoint, view_of
from tests.changed import flipped, replaced
from tests.corpus import SAMPLES
from tests.doses import dose, seeded
from tests.formats.teehistorian.builders import HEADER, every_kind, header, played

PARTS = 4
SAMPLE = SAMPLES / "coverage.teehistorian"
PACKERS = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstandard.ZstdCompressor(write_checksum=True).compress}


@pytest.fixture
def path(memory: Path) -> Path:
    """A file in memory: thousands of times it is written anew, of which a disk takes half of the time."""
    return memory / "a.teehistorian"


def all_of(path: Path) -> tuple[list[TimedMessage], NhlogError | None]:
    """The records, and what ended them."""
    found: list[TimedMessage] = []
    try:
        found.extend(one for one in read_records(Reader(str(path))))
    except NhlogError as error:
        return found, error
    return found, None


def test_cut_at_every_byte_all_before_is_given_and_the_cut_is_named(path: Path) -> None:
    server = played(5, 2)
    server.command(0, 128, b"team", b"7")
    server.drop(1, b"gone")
    data = server.finish()
    path.write_bytes(data)
    whole, error = all_of(path)
    assert error is None
    ends = [*server.ends, (len(data), server.tick)]
    for size in range(len(data)):
        path.write_bytes(data[:size])
        found, error = all_of(path)
        kept = sum(end <= size for end, _ in server.ends)
        assert found == whole[:kept]
        assert isinstance(error, Damaged) or not size
        assert error is not None
        if size >= len(HEADER):
            skipped = count_messages(Reader(str(path))).tick  # a tick may have begun already
            assert error.what == f"cut at byte {size}, tick {skipped}"
            assert error.exit_code == 3
            assert error.file == str(path)
            assert skipped in (ends[kept - 1][1] if kept else 0, ends[kept][1])


def test_records_have_the_offsets_of_their_messages(path: Path) -> None:
    server = played(30, 3)
    path.write_bytes(server.finish())
    found, _ = all_of(path)
    assert [(one.tick, one.message) for one in found][-1][0] == 30
    skips = [one.offset for one in found]
    assert skips == sorted(skips)
    assert all(end == later.offset for (end, _), later in zip(server.ends, found[1:], strict=False) if later.tick > 1)


def test_after_a_cut_dump_tells_it_last(path: Path) -> None:
    path.write_bytes(SAMPLE.read_bytes()[:9000])
    *_, last = dump(str(path))
    assert last == {"error": "cut at byte 9000, tick 412", "offset": 9000, "tick": 412}
    assert info(str(path)).health == last["error"]


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_recordings_are_opened_directly(path: Path, ending: str) -> None:
    data = SAMPLE.read_bytes()
    path.write_bytes(data)
    packed = path.with_suffix(f".teehistorian.{ending}")
    packed.write_bytes(PACKERS[ending](data))
    assert info(str(packed)) == info(str(path))
    with_packed, plain = open_recording(str(packed)), open_recording(str(path))
    for replay in (with_packed, plain):
        replay.seek(800)
    assert with_packed.state == plain.state
    assert list(with_packed.events(0, 2000)) == list(plain.events(0, 2000))
    with_packed.close()
    plain.close()


@pytest.mark.parametrize("ending", PACKERS)
def test_what_a_broken_packing_still_gives_is_given(path: Path, ending: str) -> None:
    data = bytes(played(1500, 3).data)
    packed = PACKERS[ending](data)
    seen = 0
    for size in range(1, len(packed)):
        path.write_bytes(packed[:size])
        found, error = all_of(path)
        assert isinstance(error, NhlogError)
        assert error.exit_code in (3, 4)
        seen = max(seen, len(found))
    assert seen > 1000


@pytest.mark.parametrize("ending", PACKERS)
def test_several_packed_parts_are_one(path: Path, ending: str) -> None:
    data = SAMPLE.read_bytes()
    path.write_bytes(PACKERS[ending](data[:7000]) + PACKERS[ending](data[7000:]))
    assert count_messages(Reader(str(path))).error is None


@pytest.mark.parametrize("ending", PACKERS)
def test_changed_bytes_in_a_packing_never_surprise(path: Path, ending: str) -> None:
    packed = bytearray(PACKERS[ending](SAMPLE.read_bytes()))
    for at in range(len(packed)):
        packed[at] ^= 0x55
        path.write_bytes(packed)
        _, error = all_of(path)
        assert error is None or error.exit_code in (3, 4)
        packed[at] ^= 0x55


def test_every_changed_byte_gives_messages_or_a_named_error() -> None:
    data = every_kind()
    body = data[len(HEADER) :]
    for at in range(len(body)):
        for new in {0x40, 0x7F, body[at] ^ 1, body[at] ^ 0x80} - {body[at]}:
            splitter, stream = Splitter(), Stream(World())
            changed = replaced(body, at, new)
            messages = splitter.feed(changed)
            stream.feed(changed)
            stream.apply()
            assert stream.end == len(body)
            assert stream.world.messages <= len(messages)
            assert stream.error or (stream.world.messages == len(messages) and splitter.error is None)
            assert len(str(stream.error)) < 400


@pytest.mark.parametrize("part", range(PARTS))
def test_verify_agrees_with_reading_what_was_changed(path: Path, part: int) -> None:
    data = every_kind()
    for at in range(len(HEADER) + part, len(data), PARTS):
        path.write_bytes(flipped(data, at, 0x41))
        found, error = all_of(path)
        *_, report = verify(str(path))
        assert error is None or error.exit_code == 3
        assert 0 <= report["sound_bytes"] <= report["size"]
        assert report["sound"] == (error is None and count_messages(Reader(str(path))).junk == 0)
        assert report["sound_messages"] >= len(found)


@pytest.mark.parametrize("seed", range(dose("teehistorian.seeds")))
def test_whatever_is_changed_every_verb_and_view_answers(path: Path, seed: int) -> None:
    chance = seeded(seed)
    view = view_of("teehistorian")
    for _ in range(dose("teehistorian.changed")):
        data = bytearray(every_kind())
        for _ in range(chance.choice((1, 2, 10))):
            at = chance.randrange(len(HEADER), len(data))
            data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
        path.write_bytes(data)
        for verb in (dump, happened, stats):
            assert all(isinstance(record, dict) for record in verb(str(path)))
        *_, report = verify(str(path))
        assert report["ticks"] >= info(str(path)).ticks >= 0
        replay = open_recording(str(path))
        for step in (0, replay.timeline.last // 2, replay.timeline.last):
            replay.seek(step)
            state(replay)
            view.body(replay, 40, 12, Viewpoint(chance.randrange(4), 0, chance.randrange(-8, 4)))
            view.facts(replay)
            for panel in view.panels.values():
                panel(replay)
        replay.close()


def test_text_in_bad_utf8_is_shown(path: Path) -> None:
    server = played(2, 1, head=header(server_name="x").replace(b'"x"', b'"\xff"'))
    server.drop(0, b"\xff\xfe")
    path.write_bytes(server.finish())
    assert list(dump(str(path)))[-1]["reason"] == "\ufffd\ufffd"
    assert info(str(path)).server == "\ufffd"


def test_a_movement_of_nobody_ends_the_reading_at_its_place(path: Path) -> None:
    server = played(3, 1)
    data = bytes(server.data)
    path.write_bytes(data + encode(PlayerDiff(9, 1, 1)) + encode(Finish()))
    found, error = all_of(path)
    assert len(found) == len(server.ends)
    assert str(error) == f"{path}: offset {len(data)}: a difference, but to nothing: found client 9"
    with pytest.raises(Damaged) as same:
        list(read_records(Reader(str(path)), POSITIONS))
    assert str(same.value) == str(error)


def test_bytes_after_the_end_are_told_and_not_read(path: Path) -> None:
    data = every_kind()
    path.write_bytes(data + data)
    assert all_of(path)[1] is None
    assert info(str(path)).health == f"{len(data)} bytes after the end"
    *_, finding, report = verify(str(path))
    assert (finding["what"], finding["offset"], report["sound"]) == ("bytes after FINISH", len(data), False)


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for name in ("nothing.teehistorian", "."):
        with pytest.raises(CannotOpen) as error:
            Reader(str(tmp_path / name))
        assert error.value.file == str(tmp_path / name)


def long(path: Path, ticks: int) -> int:
    """A cut recording of so many ticks in which eight tees move to and fro; the number of its movements."""
    still = bytes(byte for dx in (5, -5) for cid in range(8) for byte in encode(PlayerDiff(cid, dx, 0)))
    start = b"".join(encode(PlayerNew(cid, 0, 0)) for cid in range(8))
    path.write_bytes(HEADER + start + still * (ticks // 2))
    return 8 * ticks


@pytest.mark.parametrize("depth", [ALL, POSITIONS])
def test_a_long_recording_is_read_in_little_memory(path: Path, depth: int) -> None:
    moves = long(path, 6_000)
    tracemalloc.start()
    try:
        count = 0
        with suppress(Damaged):  # it is cut
            for _ in read_records(Reader(str(path)), depth):
                count += 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == moves + 8
    assert peak < 16 << 20


def test_counting_a_long_recording_takes_less(path: Path) -> None:
    moves = long(path, 80_000)
    tracemalloc.start()
    try:
        found = count_messages(Reader(str(path)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (found.counts["player_diff"], found.tick) == (moves, 80_001)
    assert peak < 8 << 20
