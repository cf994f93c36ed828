"""Recordings of terminals in another format: the same bytes and times, and the same screens in a part."""

from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.formats import open_recording
from nhlog.formats.recast import recast
from tests.corpus import corpus
from tests.vt.truth import FILES, plain, truth

TTYRECS = [name for name in FILES if ".ttyrec" in name and truth(name).told["charset"] != "cp437"]
CASTS = [name for name in FILES if ".ttyrec" not in name and truth(name).parts]


@pytest.mark.parametrize("name", TTYRECS)
def test_a_ttyrec_comes_back_byte_for_byte(name: str, tmp_path: Path) -> None:
    cast, back = str(tmp_path / "there.cast"), str(tmp_path / "back.ttyrec")
    recast(str(truth(name).file), cast)
    record = recast(cast, back)
    assert (tmp_path / "back.ttyrec").read_bytes() == plain(truth(name).file)
    assert record["error"] is None


@pytest.mark.parametrize("packed", ["", ".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("version", [2, 3])
def test_so_it_does_through_every_compression_and_version(packed: str, version: int, tmp_path: Path) -> None:
    name = "recorded/vim.ttyrec"
    cast, back = str(tmp_path / f"there.cast{packed}"), str(tmp_path / f"back.ttyrec{packed}")
    assert recast(str(truth(name).file), cast, encoding={"version": version})["loss"] == {}
    assert recast(cast, back)["loss"] == {}
    assert plain(Path(back)) == truth(name).file.read_bytes()


@pytest.mark.parametrize(
    ("ending", "version", "channels"), [("2", None, True), ("3.gz", None, True), ("3", 1, False), ("", None, False)]
)
def test_a_name_says_which_ttyrec_it_is(ending: str, version: int | None, channels: bool, tmp_path: Path) -> None:
    target = str(tmp_path / f"game.ttyrec{ending}")
    recast(str(truth("recorded/vim.ttyrec").file), target, encoding={"version": version})
    replay = open_recording(target)
    assert replay.recorded.header.more == {"ttyrec": 3 if channels else 1}
    replay.close()


def test_clocks_that_go_back_come_back(tmp_path: Path) -> None:
    source = corpus("terminal", "damaged", "concatenated-backwards.ttyrec")
    recast(str(source), str(tmp_path / "there.cast"))
    recast(str(tmp_path / "there.cast"), str(tmp_path / "back.ttyrec"))
    assert (tmp_path / "back.ttyrec").read_bytes() == source.read_bytes()


def test_cp437_becomes_utf8(tmp_path: Path) -> None:
    name = "recorded/nh366-ibmgfx-sam.ttyrec"
    recast(str(truth(name).file), str(tmp_path / "there.cast"))
    replay = open_recording(str(tmp_path / "there.cast"))
    for frame in truth(name).frames:
        replay.seek(frame["index"])
        assert replay.state.grid.text() == frame["screen"]
    replay.close()


@pytest.mark.parametrize("name", CASTS)
def test_a_cast_shows_the_same_as_a_ttyrec(name: str, tmp_path: Path) -> None:
    known = truth(name)
    recast(str(known.file), str(tmp_path / "some.ttyrec"))
    replay = open_recording(str(tmp_path / "some.ttyrec"), size="x".join(map(str, known.told["size"])))
    replay.seek(replay.timeline.last)
    last = known.frames[-1]
    if not [code for code in known.told["events_by_code"] if code not in "oi"] and "disputed_rows" not in last:
        assert replay.state.grid.text() == last["screen"]
    replay.close()


def test_a_part_begins_with_its_first_screen(tmp_path: Path) -> None:
    source, part = open_recording(str(truth("recorded/crawl028-mibe.ttyrec").file)), str(tmp_path / "part.cast")
    last = source.timeline.last
    first, end = last // 2, last // 2 + 100
    record = recast(str(truth("recorded/crawl028-mibe.ttyrec").file), part, first=f"frame:{first}", last=f"frame:{end}")
    assert record["events"] == 101
    replay = open_recording(part)
    for step in range(101):
        source.seek(first + step)
        replay.seek(step)
        assert replay.state.grid == source.state.grid
        assert replay.timeline.time(step) == source.timeline.time(first + step) - source.timeline.time(first)
    replay.close()
    source.close()


def test_of_a_damaged_one_what_can_be_read_is_written(tmp_path: Path) -> None:
    record = recast(str(corpus("terminal", "damaged", "zero-block.ttyrec")), str(tmp_path / "some.cast"))
    assert record["events"] == 148
    assert "offset 9575: not a frame" in record["error"]


@pytest.mark.parametrize(
    "options", [{"first": "50%", "last": "10%"}, {"compression": "rar"}, {"encoding": {"version": 7}}]
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(options: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(Usage):
        recast(str(truth("recorded/vim.ttyrec").file), str(tmp_path / "some.cast"), **options)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_replaced_only_when_that_is_said(tmp_path: Path) -> None:
    target = tmp_path / "some.cast"
    target.write_text("mine")
    with pytest.raises(Usage):
        recast(str(truth("recorded/vim.ttyrec").file), str(target))
    assert target.read_text() == "mine"
    recast(str(truth("recorded/vim.ttyrec").file), str(target), force=True)
    assert target.read_text().startswith("{")


def test_comments_and_unknown_codes_are_kept_where_the_version_has_them(tmp_path: Path) -> None:
    source = tmp_path / "some.cast"
    head = b'{"version": 3, "term": {"cols": 80, "rows": 24}}\n'
    source.write_bytes(head + b'# one\n[1.000000, "z", "?"]\n# two\n')
    recast(str(source), str(tmp_path / "third.cast"), encoding={"version": 3})
    assert (tmp_path / "third.cast").read_bytes().splitlines()[1:] == source.read_bytes().splitlines()[1:]
    assert recast(str(source), str(tmp_path / "second.cast"))["loss"] == {"events of code #": 2}


@pytest.mark.usefixtures("no_emulator")
def test_all_of_a_recording_is_converted_without_an_emulator(tmp_path: Path) -> None:
    assert recast(str(truth("recorded/vim.ttyrec").file), str(tmp_path / "some.cast"))["events"] == 84
