"""Screens and events as text: those that three emulators agreed on, through the command."""

from pathlib import Path

import pytest

from nhlog.formats.ttyrec.wire.frames import format_frame
from tests.corpus import corpus
from tests.vt.test_vt_truth import OF_NOTHING
from tests.vt.truth import FILES, truth

START = 1_700_000_000_000_000
FORMATS = (".cast", ".json", ".ttyrec", ".ttyrec2", ".ttyrec3", ".gz", ".bz2", ".xz", ".zst")
TIMES_MISS = 500  # microseconds by which an asciicast v3 may be late, made from a more exact recording


READS = [("search", "here"), ("state",), ("events",), ("info",), ("stats",), ("dump", "--screens"), ("show",)]


@pytest.mark.parametrize("verb", READS, ids=lambda verb: verb[0])
def test_whatever_reads_a_terminal_is_told_what_its_file_does_not_tell(nhlog, tmp_path: Path, verb: tuple) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(format_frame(START, b"here\xc4" * 20))
    name, *more = verb
    told = ["--charset", "cp437"] if name == "show" else ["--charset", "cp437", "--size", "70x20"]
    assert nhlog(name, path, *more, *told).code == 0
    refused = nhlog(name, path, *more, "--charset", "klingon")
    assert (refused.code, "no such charset" in refused.err) == (2, True)


def test_a_size_that_is_told_is_that_which_is_shown(nhlog, tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(format_frame(START, b"here" * 20))
    [state] = nhlog("state", path, "--size", "70x20", "--json").records
    assert (state["cols"], state["rows"], state["screen"][1]) == (70, 20, "re" + "here" * 2)
    [info] = nhlog("info", path, "--size", "70x20", "--json").records
    assert (info["columns"], info["rows"]) == (70, 20)


def runs(styles: list, rows: list[int]) -> list:
    """Runs of these rows, those that touch and look alike as one."""
    joined: list = []
    for row, first, last, style in styles:
        if row not in rows:
            continue
        if joined and joined[-1][0] == row and joined[-1][2] + 1 == first and joined[-1][3] == style:
            joined[-1] = [row, joined[-1][1], last, style]
        else:
            joined.append([row, first, last, style])
    return joined


@pytest.mark.parametrize("name", FILES)
def test_screens_are_the_known_ones(nhlog, name: str) -> None:
    known = truth(name)
    if not known.frames:
        return
    size = "x".join(map(str, known.size))
    chosen = ",".join(str(frame["index"]) for frame in known.frames)
    done = nhlog("dump", known.file, "--screens", "--frames", chosen, "--styles", "--size", size, "--json")
    screens = [record for record in done.records if "error" not in record]
    assert [screen["index"] for screen in screens] == [frame["index"] for frame in known.frames]
    for screen, frame in zip(screens, known.frames, strict=True):
        trusted = [y for y in range(frame["rows"]) if y not in frame.get("disputed_rows", ())]
        for key in ("cols", "rows", "cursor", "cursor_visible"):
            assert screen[key] == frame[key], key
        assert abs(screen["time_us"] - frame["time_us"]) <= (TIMES_MISS if "v3" in name else 0)
        assert [screen["screen"][y] for y in trusted] == [frame["screen"][y] for y in trusted]
        if "styles" in frame and not (name in OF_NOTHING and frame["index"] == 0):
            assert runs(screen["styles"], trusted) == runs(frame["styles"], trusted)


@pytest.mark.parametrize("name", FILES)
def test_events_are_all_told(nhlog, name: str) -> None:
    known = truth(name)
    records = [record for record in nhlog("dump", known.file, "--json").records if "error" not in record]
    assert [record["index"] for record in records] == list(range(known.told["events"]))
    assert all({"index", "time_us", "code", "data"} <= set(record) for record in records)
    output = "or" if ".ttyrec" in name else "o"  # in a ttyrec a size is told by output
    assert sum(record["code"] in output for record in records) == known.told["output_events"]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A letter after 0, 1, 2, 2.5, 25 and 60 seconds."""
    times = (0, 1, 2, 2.5, 25, 60)
    frames = (format_frame(START + round(at * 1_000_000), chr(97 + number).encode()) for number, at in enumerate(times))
    path = tmp_path / "letters.ttyrec"
    path.write_bytes(b"".join(frames))
    return path


@pytest.mark.parametrize(
    ("options", "screens"),
    [
        ((), "a ab abc abcd abcde abcdef"),
        (("--frames", "5,0,3"), "a abcd abcdef"),
        (("--every", "1s"), "a ab abc abcd abcde abcdef"),
        (("--every", "10s"), "a abcd abcde abcdef"),
        (("--every", "0.5m"), "a abcde abcdef"),
        (("--every", "2h"), "a abcdef"),
        (("--every", "2s", "--first", "2"), "abc abcd abcde abcdef"),
        (("--first", "1", "--last", "2"), "ab abc"),
    ],
)
def test_screens_are_chosen(nhlog, recording: Path, options: tuple[str, ...], screens: str) -> None:
    found = nhlog("dump", recording, "--screens", *options, "--json").records
    assert " ".join(record["screen"][0] for record in found) == screens
    assert all(record["screen"][1:] == [""] * 23 for record in found)


def test_a_screen_in_words_is_its_rows(nhlog, recording: Path) -> None:
    heading, *rows = nhlog("dump", recording, "--screens", "--frames", "3").out.splitlines()
    assert heading.startswith("--- index=3 time_us=2500000 cols=80 rows=24")
    assert (rows[0], len(rows)) == ("abcd", 24)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--frames", "6", "--screens"), "no such frame: expected 0 to 5, found 6"),
        (("--frames", "x", "--screens"), "not frame numbers"),
        (("--every", "0s", "--screens"), "not a time span"),
        (("--every", "soon", "--screens"), "not a time span"),
        (("--every", "1s", "--frames", "1", "--screens"), "either --frames or"),
        (("--frames", "1"), "go with --screens"),
        (("--saves",), "--saves does not apply"),
    ],
)
def test_a_wrong_choice_is_refused_in_one_line(nhlog, recording: Path, options: tuple[str, ...], told: str) -> None:
    done = nhlog("dump", recording, *options)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1


GAME = ("terminal", "recorded", "nh366-ibmgfx-sam.ttyrec")


def test_what_happened_in_a_game_is_told(nhlog) -> None:
    records = nhlog("events", corpus(*GAME), "--json").records
    assert [(record["what"], record["text"]) for record in records] == [
        ("game", "NetHack: Chloe the Hatamoto"),
        ("low HP", "low HP 1"),
        ("death", "death"),
    ]
    assert [record["turn"] for record in records] == [1, 101, 104]
    assert [record["frame"] for record in records] == sorted(record["frame"] for record in records)


def test_where_no_game_is_what_was_written_is_told(nhlog) -> None:
    records = nhlog("events", corpus("terminal", "recorded", "vim.ttyrec"), "--json").records
    assert len(records) > 20
    assert all(set(record) == {"kind", "step", "frame", "time", "text"} for record in records)


def test_games_are_counted(nhlog) -> None:
    whole, game = nhlog("stats", corpus(*GAME), "--json").records
    assert (whole["kind"], whole["events"], whole["bytes"] > 14_000) == ("recording", 103, True)
    assert (game["name"], game["turn"], game["deepest"], game["died"]) == ("Chloe", 104, 1, True)
    assert whole["duration"] == whole["play_time"] + whole["idle_time"] >= game["duration"]
    [only] = nhlog("stats", corpus("terminal", "recorded", "vim.ttyrec"), "--json").records
    assert only["kind"] == "recording"


def test_keys_are_counted(nhlog) -> None:
    whole, game = nhlog("stats", corpus("terminal", "nle", "nle130-s1.ttyrec3.bz2"), "--json").records
    assert whole["keys"] >= game["keys"] > 300


def test_who_and_where_is_in_lists(nhlog, tmp_path: Path) -> None:
    (tmp_path / "one.ttyrec").write_bytes(corpus(*GAME).read_bytes())
    for _ in range(2):  # the second time from the cache
        [listed] = nhlog("ls", tmp_path, "--json").records
        assert [listed[key] for key in ("title", "people", "game", "place", "turn", "hp", "hp_max", "level")] == [
            "Chloe, Dlvl:1, turn 104",
            ["Chloe"],
            "NetHack",
            "Dlvl:1",
            104,
            0,
            15,
            1,
        ]
    [told] = nhlog("info", corpus(*GAME), "--json").records
    assert (told["game"]["title"], told["game"]["turn"]) == ("Hatamoto", 104)
    [told] = nhlog("info", corpus("terminal", "recorded", "vim.ttyrec"), "--json").records
    assert told["game"] is None


def test_a_state_has_what_the_game_tells(nhlog) -> None:
    [state] = nhlog("state", corpus(*GAME), "--at", "turn:96", "--json").records
    assert [state["game"][key] for key in ("name", "turn", "hp", "hp_max", "stale")] == ["Chloe", 96, 11, 15, False]
    assert state["screen"][23].startswith("Dlvl:1 $:0 HP:11(15)")
    [end] = nhlog("state", corpus(*GAME), "--json").records
    assert (end["game"]["hp"], end["game"]["stale"]) == (0, True)
    assert nhlog("state", corpus(*GAME)).out.count("\n") > 24


def test_turns_of_a_recording_without_a_game_are_nowhere(nhlog) -> None:
    done = nhlog("state", corpus("terminal", "recorded", "vim.ttyrec"), "--at", "turn:7")
    assert "no game shows its turns here" in done.err
    assert done.code == 1
