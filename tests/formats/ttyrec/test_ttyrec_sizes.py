"""Every size that a ttyrec or an nh_recorder file tells is one: files that termrec wrote while its terminal changed,
and what tmux showed.

`less` and `vim` ran under termrec in a pane of tmux; their screens are tmux's, after each size.  The program in
`sizes.ttyrec` says itself how large its terminal is, in the last row, too, and puts an E into the last column.
"""

import json
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.recast import open_joined, recast
from nhlog.formats.ttyrec.reader import open_events
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.screencast.replay import Screencast
from nhlog.vt import Size
from tests.corpus import DATA
from tests.doses import seeded
from tests.guests import needs
from tests.vt.truth import truth

RESIZED = DATA / "terminal" / "resized"
START = 1_700_000_000_000_000
SAID = [b"80x24", b"100x30", b"60x20", b"132x50"]


def ttyrec(path: Path, *frames: bytes) -> str:
    path.write_bytes(b"".join(format_frame(START + 1000 * number, data) for number, data in enumerate(frames)))
    return str(path)


def sizes(path: str) -> list[bytes]:
    with closing(open_recording(path)) as replay:
        assert isinstance(replay, Screencast)
        return [replay.recorded.data(number) for number in replay.recorded.numbers("r")]


def before_each_next_size(replay: Screencast) -> list[int]:
    return [number - 1 for number in replay.recorded.numbers("r")][1:]


@pytest.mark.parametrize("name", ["less", "vim"])
def test_after_each_size_the_screen_is_tmuxs(name: str) -> None:
    known = [json.loads(line) for line in (RESIZED / f"{name}.screens.jsonl").read_text().splitlines()]
    with closing(open_recording(str(RESIZED / f"{name}.ttyrec"))) as replay:
        for step, screen in zip(before_each_next_size(replay), known, strict=True):
            replay.seek(step)
            grid = replay.state.grid
            assert [row.rstrip() for row in grid.text()] == screen["screen"]
            assert (grid.columns, len(grid.rows), [*grid.cursor]) == (screen["cols"], screen["rows"], screen["cursor"])


@pytest.mark.parametrize("form", ["ttyrec", pytest.param("nh", marks=needs("nh_recorder"))])
def test_it_is_as_large_as_the_program_says(form: str) -> None:
    with closing(open_recording(str(RESIZED / f"sizes.{form}"))) as replay:
        for step, said in zip([*before_each_next_size(replay), replay.timeline.last - 2], SAID, strict=True):
            replay.seek(step)
            columns, rows = map(int, said.split(b"x"))
            shown = replay.state.grid.text()
            assert shown[0] == f"{rows} {columns}".ljust(columns - 1) + "E"
            assert (shown[-1], len(shown)) == (f"bottom of {rows}", rows)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("name", ["less", "vim", "sizes"])
def test_an_asciicast_has_them_and_becomes_the_same_ttyrec(name: str, version: int, tmp_path: Path) -> None:
    source, cast, back = str(RESIZED / f"{name}.ttyrec"), str(tmp_path / "there.cast"), str(tmp_path / "back.ttyrec")
    assert recast(source, cast, encoding={"version": version})["loss"] == {}
    lines = [json.loads(line) for line in Path(cast).read_text().splitlines()[1:]]
    assert [text.encode() for _, code, text in lines if code == "r"] == sizes(source)
    assert not [code for _, code, _ in lines if code == "bytes"]  # it is told as termrec does it
    assert recast(cast, back)["loss"] == {}
    assert Path(back).read_bytes() == Path(source).read_bytes()


def test_an_asciicasts_sizes_come_back_from_a_ttyrec(tmp_path: Path) -> None:
    source = str(truth("recorded/bash-resize-asciinema24.cast").file)
    there, back = str(tmp_path / "there.ttyrec"), str(tmp_path / "back.cast")
    assert recast(source, there)["loss"] == {}
    assert recast(there, back)["loss"] == {}
    first, *others = sizes(back)
    with closing(open_recording(source)) as replay:
        assert (first, others) == (b"%dx%d" % replay.recorded.header.size, sizes(source))


ODD = [
    b"\x1b%G\x1b[8;24;80t",
    b"text",
    b"\x1b%G\x1b[8;30;100t",
    b"\x1b[8;0030;0090t",
    b"\x1b[8;9999;99999t",
    b"\x1b[8;20;60t",
]


@pytest.mark.parametrize("ending", ["cast", "ttyrec", "ttyrec3"])
def test_one_that_is_told_in_another_way_comes_back_as_it_was(ending: str, tmp_path: Path) -> None:
    source, there, back = (
        ttyrec(tmp_path / "odd.ttyrec", *ODD),
        str(tmp_path / f"there.{ending}"),
        tmp_path / "b.ttyrec",
    )
    assert recast(source, there)["loss"] == {}
    recast(there, str(back), encoding={"version": 1})
    assert back.read_bytes() == Path(source).read_bytes()
    assert sizes(source) == [b"80x24", b"100x30", b"90x30", b"1000x500", b"60x20"]


def test_only_a_frame_of_its_own_is_one(tmp_path: Path) -> None:
    others = [b"\x1b[8;30;100t\r\n", b"a\x1b[8;30;100t", b"\x1b[8;0;0t", b"\x1b[8;30;100tx", b"\x1b[8;30t", b"\x1b%G"]
    path = ttyrec(tmp_path / "some.ttyrec", b"\x1b[8;24;80t", *others)
    with closing(open_recording(path)) as replay:
        assert [replay.recorded.code(number) for number in range(len(replay.recorded))] == ["r", *"o" * len(others)]
        replay.seek(99)
        assert (replay.state.grid.columns, len(replay.state.grid.rows)) == (80, 24)


def test_what_came_before_the_first_one_was_for_a_size_that_is_guessed(tmp_path: Path) -> None:
    path = ttyrec(tmp_path / "some.ttyrec", b"\x1b[30;1Hhere", b"\x1b[8;50;132t", b"\x1b[50;1Hthere")
    with closing(open_recording(path)) as replay:
        assert replay.recorded.header.size == Size(80, 30)
        replay.seek(99)
        assert replay.state.grid.text()[49] == "there"


def test_a_size_that_is_given_replaces_the_first_one(tmp_path: Path) -> None:
    path = ttyrec(tmp_path / "some.ttyrec", b"\x1b%G\x1b[8;24;80t", b"here", b"\x1b[8;50;132t", b"there")
    with closing(open_recording(path, size="70x20")) as replay:
        found = []
        for step in range(4):
            replay.seek(step)
            found.append((replay.state.grid.columns, len(replay.state.grid.rows)))
        assert found == [(70, 20), (70, 20), (132, 50), (132, 50)]
    recast(path, str(tmp_path / "given.cast"), opening={"size": "70x20"})
    assert sizes(str(tmp_path / "given.cast")) == [b"70x20", b"132x50"]


@pytest.mark.parametrize("kind", ["cp437", "utf-8"])
def test_going_anywhere_shows_what_playing_shows(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("nhlog.vt.tape._SPACING", 1 << 10)
    chance, frames = seeded(33), [b"\x1b%G\x1b[8;24;80t"]
    for number in range(200):  # a case: the frames of one recording
        frames.append(b"\x1b[%d;%dHline %d\xc4%s" % (number % 60, number % 140, number, b"." * 90))
        if number % 9 == 0:
            frames += [b"\x1b[8;%d;%dt" % (chance.randint(5, 60), chance.randint(20, 140)), b"\x1b[2J"]
    path = ttyrec(tmp_path / "some.ttyrec", *frames)
    with closing(open_recording(path, charset=kind)) as replay, closing(open_recording(path, charset=kind)) as once:
        once.seek(len(frames))
        assert once.state.step == len(frames) - 1
        for step in chance.sample(range(len(frames)), 40):
            replay.seek(step)
            once.seek(step)
            assert replay.state == once.state


def test_text_is_found_where_only_a_later_size_has_room(nhlog) -> None:
    found = nhlog("search", RESIZED / "sizes.ttyrec", "50 132 {120,}E", "--json").records
    assert [record["frame"] for record in found] == [9]


def test_joined_ones_have_all_of_them_and_each_begins_with_its_own(tmp_path: Path) -> None:
    paths = [str(RESIZED / f"{name}.ttyrec") for name in ("sizes", "vim")]
    with closing(open_joined(paths)) as joined:
        begun = 0
        for path in paths:
            with closing(open_recording(path)) as replay:
                for step in range(replay.timeline.last + 1):
                    replay.seek(step)
                    joined.seek(begun + step)
                    assert joined.state.grid.rows == replay.state.grid.rows
                begun += replay.timeline.last + 3
    record = recast("folder", str(tmp_path / "all.ttyrec"), joined=paths)
    assert record["loss"] == {}
    assert sizes(str(tmp_path / "all.ttyrec"))[-6:] == sizes(paths[1])


def test_a_list_has_the_last_one_and_the_words_are_a_size(nhlog) -> None:
    listed = {Path(one["file"]).name: (one["columns"], one["rows"]) for one in nhlog("ls", RESIZED, "--json").records}
    largest = dict.fromkeys(("sizes.ttyrec", "sizes.nh"), (132, 50))
    assert listed == {**largest, "less.ttyrec": (80, 24), "vim.ttyrec": (80, 24)}
    assert "size 132x50" in nhlog("events", RESIZED / "sizes.ttyrec").out


def test_one_that_grows_is_larger_as_soon_as_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec"
    with closing(open_recording(ttyrec(path, b"\x1b%G\x1b[8;24;80t", b"here"))) as replay:
        with path.open("ab") as file:
            file.write(format_frame(START + 10**6, b"\x1b[8;50;132t"))
        replay.refresh()
        replay.seek(9)
        assert (replay.state.grid.columns, replay.state.grid.text()[0]) == (132, "here")


@needs("nh_recorder")
def test_a_piece_of_nh_recorder_is_one_only_as_long_as_it_is_all(tmp_path: Path) -> None:
    path, piece = tmp_path / "some.nh", b"\x1b[8;50;132t"
    path.write_bytes(b"\0\0\0\0\0here\0\1\0\0\0")
    shown = []
    with closing(open_recording(str(path))) as replay, path.open("ab", buffering=0) as file:
        for more in (piece[:-2], piece[-2:], b"there"):
            file.write(more)
            replay.refresh()
            replay.seek(9)
            shown.append((replay.state.grid.columns, replay.recorded.code(1), replay.state.grid.text()[0]))
    assert shown == [(80, "o", "here"), (132, "r", "here"), (132, "o", "herethere")]  # a guess


def test_events_are_read_once_and_a_frame_that_is_torn_is_no_size_yet(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec"
    ttyrec(path, b"\x1b%G\x1b[8;24;80t", b"here")
    whole = format_frame(START + 10**6, b"\x1b[8;50;132t")
    for cut in range(1, len(whole)):
        torn = tmp_path / "torn.ttyrec"
        torn.write_bytes(path.read_bytes() + whole[:cut])
        events = open_events(str(torn))
        assert [*events.numbers("r")] == [0]
        events.close()
