"""Snapshots of long recordings are kept for the next time, and never used for another file."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from nhlog.cache import read_entry, write_entry
from nhlog.emulator import library
from nhlog.formats import open_recording, operation
from nhlog.formats.recast import open_joined
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.screencast.records import ScreencastInfo
from nhlog.screencast.replay import Screencast
from nhlog.vt import Tape

LINES = [b"\x1b[3%dmline %d %s\r\n" % (number % 8, number, b"." * 4000) for number in range(1500)]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "long.ttyrec"
    path.write_bytes(b"".join(format_frame(1_000_000 * number, line) for number, line in enumerate(LINES, 1)))
    return path


def opened(path: Path) -> Screencast:
    replay = open_recording(str(path))
    assert isinstance(replay, Screencast)
    return replay


def played(path: Path) -> int:
    """Play a recording to its end; returns how many events were known before."""
    replay = opened(path)
    known = replay.tape.reach
    replay.seek(10**9)
    assert replay.state.grid.text()[-2].endswith("....")
    replay.close()
    return known


def test_what_was_played_is_known_the_next_time(path: Path) -> None:
    assert [played(path), played(path)] == [0, len(LINES)]
    replay = opened(path)
    for step in (700, 3, 1400):
        replay.seek(step)
        alone = Tape(replay.recorded.header.size, replay.recorded.parts)
        assert replay.state.grid == alone.grid(step + 1)
        alone.close()
    replay.close()


def test_another_file_of_that_name_is_played_anew(path: Path) -> None:
    played(path)
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"!")
    assert played(path) == 0
    path.write_bytes(data + format_frame(10**10, b"more" + b"." * 80))
    assert played(path) == 0


def test_so_it_is_with_another_emulator_or_as_another_size(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(path)
    replay = open_recording(str(path), size="70x20")
    assert isinstance(replay, Screencast)
    assert replay.tape.reach == 0
    replay.close()
    monkeypatch.setattr("nhlog.screencast.snapshots.VERSION", "0.9")
    assert played(path) == 0
    assert library.VERSION != "0.9"


def test_a_spoiled_entry_is_played_anew(path: Path, tmp_path: Path) -> None:
    played(path)
    (entry,) = (tmp_path / "cache" / "nhlog" / "snapshots").iterdir()
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 1
    entry.write_bytes(data)
    assert played(path) == 0


@pytest.mark.parametrize("wrong", ["no places", "places that fall", "a state too few", "more than there is"])
def test_what_was_kept_wrongly_is_played_anew_though_its_seal_is_right(wrong: str, path: Path, tmp_path: Path) -> None:
    played(path)
    (entry,) = (tmp_path / "cache" / "nhlog" / "snapshots").iterdir()
    kept = msgspec.msgpack.decode(read_entry("snapshots", entry.name))
    content = kept[1][-1]
    match wrong:
        case "no places":
            content[0], content[1] = [], []
        case "places that fall":
            content[0].reverse()
        case "a state too few":
            del content[1][-1]
        case "more than there is":
            content[2] += 1
    write_entry("snapshots", entry.name, msgspec.msgpack.encode(kept))
    assert played(path) == 0


def test_what_is_known_of_several_as_one_is_not_taken_for_the_last_one(path: Path, tmp_path: Path) -> None:
    early = tmp_path / "early.ttyrec"
    early.write_bytes(format_frame(1, b"early"))
    joined = open_joined([str(early), str(path)])
    joined.seek(10**9)
    assert joined.state.grid.text()[-2].endswith("....")
    joined.close()
    assert [played(path), played(path)] == [0, len(LINES)]
    joined = open_joined([str(early), str(path)])
    assert joined.tape.reach == 0
    joined.close()


def test_what_is_known_with_other_times_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "long.typescript"
    path.write_bytes(b"".join(LINES))
    for piece in (1000, 500):
        (tmp_path / "long.timing").write_text(f"0.1 {piece}\n" * (path.stat().st_size // piece))
        assert played(path) == 0


STATUS = (
    b"\x1b[H\x1b[2J\x1b[23;1HAnn the Stripling  St:16 Dx:9 Co:14 In:11 Wi:11 Ch:11 Neutral"
    b"\x1b[24;1HDlvl:%d $:0 HP:16(16) Pw:1(1) AC:6 Xp:1/0 T:%d"
)


def test_what_was_told_last_is_known_for_one_size_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "game.ttyrec"
    path.write_bytes(format_frame(1_000_000, STATUS % (2, 30)))
    for size, turn in (("20x5", None), ("80x24", 30)):
        found = operation(str(path), "info", size=size)(str(path))
        assert isinstance(found, ScreencastInfo)
        assert found.game is not None
        assert found.game.turn == turn


def test_what_was_played_in_other_characters_is_played_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "long.ttyrec"
    path.write_bytes(format_frame(1, b"\xc9" + bytes(1 << 14)) * 257)
    for charset, shown in (("cp437", "╔"), ("cp1252", "É")):
        with closing(open_recording(str(path), size="80x24", charset=charset)) as replay:
            replay.seek(256)
            assert replay.state.grid.text()[0][:9] == 9 * shown
