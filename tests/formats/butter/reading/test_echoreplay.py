"""The text of sessions: read whatever is wrong with some of it, and written as it is read."""

import zipfile
from pathlib import Path

import pytest

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.butter.operations import ConvertOptions, convert
from nhlog.formats.butter.reading.stream import ButterStream, EchoreplayStream
from nhlog.formats.butter.reading.textfile import TextFile
from nhlog.formats.butter.wire.echoreplay.lines import MOST_LINE, format_lines, read_lines
from nhlog.formats.butter.wire.values import Frame
from nhlog.formats.butter.writing.zip import zipped
from tests.corpus import SAMPLES, corpus

SHORT = ("arena_short", "arena_short_bones", "combat_short", "old_api_short", "tutorial_short")


def lines_of(path: Path) -> list[bytes]:
    with zipfile.ZipFile(path) as archive:
        return archive.read(archive.namelist()[0]).splitlines(keepends=True)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The sample's first lines."""
    target = tmp_path_factory.mktemp("text") / "sample.echoreplay"
    convert(str(SAMPLES / "arena.butter"), str(target), ConvertOptions(last="19"))
    return lines_of(target)


def read(path: Path) -> tuple[list[Frame], list[str]]:
    stream = EchoreplayStream(str(path))
    frames = [*stream.frames()]
    stream.close()
    return frames, [str(fault).removeprefix(f"{path}: ") for fault in stream.faults.first]


@pytest.mark.parametrize("name", SHORT)
def test_what_is_written_is_read_as_it_was(name: str, tmp_path: Path) -> None:
    source = EchoreplayStream(str(corpus("butter", "sessions", f"{name}.echoreplay")))
    frames = [*source.frames()]
    target = tmp_path / "written.echoreplay"
    target.write_bytes(b"".join(zipped("written.echoreplay", format_lines(source.header, frames))))
    found, faults = read(target)
    assert faults == []
    assert [without_inventions(frame) for frame in found] == [without_inventions(frame) for frame in frames]
    source.close()


def without_inventions(frame: Frame) -> Frame:
    """Rules that an old interface does not tell are written as none; bare numbers of hands do not change."""
    return frame._replace(rules=frame.rules._replace(changed_by=frame.rules.changed_by or ""))


def test_plain_and_zipped_text_give_the_same_frames(lines: list[bytes], tmp_path: Path) -> None:
    plain, stored = tmp_path / "plain.echoreplay", tmp_path / "stored.echoreplay"
    plain.write_bytes(b"".join(lines))
    with zipfile.ZipFile(stored, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.echoreplay", b"".join(lines))
    packed = tmp_path / "packed.echoreplay"
    packed.write_bytes(b"".join(zipped("a.echoreplay", lines)))
    frames, _ = read(plain)
    assert len(frames) == 20
    assert read(stored) == read(packed) == (frames, [])


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (b"nonsense\r\n", "line 3: not a frame: expected 2 or 3 columns, found 1"),
        (b"a\tb\tc\td\r\n", "line 3: not a frame: expected 2 or 3 columns, found 4"),
        (
            b"yesterday\t{%s}\r\n" % (b" " * 400),
            "line 3: not a time: expected yyyy/MM/dd HH:mm:ss.fff, found b'yesterday'",
        ),
        (b"2022/13/16 20:01:02.345\t{%s}\r\n" % (b" " * 400), "line 3: not a time: month must be in 1..12"),
        (b"2022/07/16 20:01:02.345\t[%s]\r\n" % (b" " * 400), "line 3: not a session: Expected `object`, got `array`"),
        (b"2022/07/16 20:01:02.345\t{%s\r\n" % (b" " * 400), "line 3: not a session: Input data was truncated"),
        (b'2022/07/16 20:01:02.345\t{"a":\xff%s\r\n' % (b" " * 400), "line 3: not a session: JSON is malformed"),
        (b'2022/07/16 20:01:02.345\t{"a":%s\r\n' % (b"[" * 9999), "line 3: not a session: JSON nested too deeply"),
        (b"x" * (MOST_LINE + 9) + b"\r\n", f"line 3: too long: expected at most {MOST_LINE} bytes, found more"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(
    lines: list[bytes], tmp_path: Path, bad: bytes, fault: str
) -> None:
    path = tmp_path / "bad.echoreplay"
    path.write_bytes(b"".join((*lines[:2], bad, *lines[2:])))
    frames, faults = read(path)
    assert len(frames) == 20
    offset = sum(map(len, lines[:2]))
    assert len(faults) == 1
    assert faults[0].startswith(f"offset {offset}: {fault}")


def test_bad_bones_cost_their_line(lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "bones.echoreplay"
    columns = lines[1].rstrip(b"\r\n")
    bones = b'{"user_bones":[{"bone_t":[1,2],"bone_o":[]}]}'
    path.write_bytes(lines[0] + columns + b"\t" + bones + b"\r\n" + lines[2])
    frames, faults = read(path)
    assert len(frames) == 2
    assert faults == [f"offset {len(lines[0])}: line 2: no bones: expected 69 and 92 numbers, found 2 and 0"]


def test_lines_without_a_session_are_passed_over(lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "lobby.echoreplay"
    idle = b'2022/07/16 20:01:02.345\t{"err_code":-6,"err_description":"not in a match"}\r\n'
    path.write_bytes(b"".join((idle, b"\r\n", *lines, idle)))
    assert len(read(path)[0]) == 20
    assert read(path)[1] == []


def test_names_that_are_no_utf_8_are_read_with_a_mark(lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "names.echoreplay"
    path.write_bytes(b"".join(lines).replace(b"hazzardous", b"hazz\xffrdous"))
    frames, faults = read(path)
    assert faults == []
    assert "hazz�rdous" in {player.who.name for player in frames[0].players}


def test_what_stands_before_the_cut_of_a_zip_is_read(lines: list[bytes], tmp_path: Path) -> None:
    whole = b"".join(zipped("a.echoreplay", lines))
    path = tmp_path / "cut.echoreplay"
    path.write_bytes(whole[: len(whole) * 2 // 3])
    frames, faults = read(path)
    assert 5 < len(frames) < 20
    assert "the zip is cut off" in faults[0]


def test_a_file_without_a_frame_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "empty.echoreplay"
    for data in (b"", b"\r\n\r\n", b"PK\x03\x04"):
        path.write_bytes(data)
        with pytest.raises(Damaged):
            EchoreplayStream(str(path))


def test_a_strange_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bzip.echoreplay"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a", b"text")
    with pytest.raises(Unsupported):
        EchoreplayStream(str(path))


def test_reading_can_go_on_from_any_line() -> None:
    text = TextFile(str(corpus("butter", "sessions", "arena_mid.echoreplay")))
    lines = [*read_lines(text.blocks())]
    assert len(lines) == 3000
    for number in (0, 7, 1500, 2999):
        line = lines[number]
        assert not isinstance(line, Damaged)
        again = next(read_lines(text.blocks(line.offset), line.number, line.offset))
        assert again == line
    text.close()


def test_a_butter_file_becomes_text_and_is_the_same_again(tmp_path: Path) -> None:
    text, back = tmp_path / "a.echoreplay", tmp_path / "b.butter"
    convert(str(SAMPLES / "arena.butter"), str(text))
    told = convert(str(text), str(back), ConvertOptions(interval=30, compression="zstd_22"))
    assert told["error"] is None
    source = ButterStream(str(SAMPLES / "arena.butter"))
    found = ButterStream(str(back))
    for one, other in zip(source.frames(), found.frames(), strict=True):
        assert one.time == other.time
        assert [player.who for player in one.players] == [player.who for player in other.players]
    assert source.header.sessionid == found.header.sessionid
    source.close()
    found.close()
