"""Recordings over which the emulator falls, through every verb that shows a terminal: one line, the rest unharmed."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import CORPUS, DATA, SAMPLES

FILES = sorted(
    path
    for path in (CORPUS if (CORPUS / "emulator").is_dir() else DATA).joinpath("emulator").iterdir()
    if path.suffix in (".cast", ".ttyrec")
)
TELLING = (
    ("info",),
    ("events",),
    ("stats",),
    ("dump", "--screens"),
    ("show", "--at", "end"),
    ("show", "--at", "end", "--json"),
    ("state",),
)

Nhlog = Callable[..., Any]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
@pytest.mark.parametrize("verb", TELLING, ids=" ".join)
def test_a_verb_tells_in_one_line_where_the_emulator_fell(file: Path, verb: tuple[str, ...], nhlog: Nhlog) -> None:
    done = nhlog(*verb, file)
    printed = done.err if verb[0] == "show" else done.out + done.err  # what is shown has a note of it, too
    told = [line for line in printed.splitlines() if "the terminal emulator failed" in line]
    assert (done.code, len(told)) == (3, 1)
    assert "offset " in told[0]
    assert told[0].endswith("found signal 11")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_is_not_called_sound(file: Path, nhlog: Nhlog) -> None:
    done = nhlog("verify", file)
    assert (done.code, done.out.count("fault: the terminal emulator failed: found signal 11")) == (3, 1)
    done = nhlog("verify", "--json", file)
    (report,) = done.records
    assert not report["sound"]
    assert report["sound_events"] < report["events"]


@pytest.mark.usefixtures("no_emulator")
def test_without_an_emulator_it_says_that_it_was_not_shown(nhlog: Nhlog) -> None:
    done = nhlog("verify", FILES[0])
    assert (done.code, done.out.count("note: it was not shown: the terminal emulator is not installed")) == (0, 1)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_cannot_be_plotted_for_that_says_so(file: Path, nhlog: Nhlog) -> None:
    done = nhlog("plot", file, "hp")
    assert (done.code, done.err.count("the terminal emulator failed: found signal 11")) == (3, 1)


def test_a_part_behind_it_is_converted_and_tells_it(tmp_path: Path, nhlog: Nhlog) -> None:
    header = '{"version": 2, "width": 80, "height": 24}'
    fatal = json.dumps([1, "o", (DATA / "emulator" / "segv-80x24.bin").read_bytes().decode()])
    events = ['[0, "o", "one"]', fatal, '[9, "o", "lost"]', '[9, "o", "\\u001b[2J\\u001b[Hnew"]', '[9, "o", " there"]']
    whole, part = tmp_path / "whole.cast", tmp_path / "part.cast"
    whole.write_text("\n".join([header, *events]) + "\n")
    done = nhlog("convert", whole, part, "--first", f"frame:{len(events) - 1}")
    assert (done.code, done.out.count("the terminal emulator failed: found signal 11")) == (3, 1)
    assert nhlog("show", part).out.startswith("new there")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_search_tells_so_too(file: Path, nhlog: Nhlog) -> None:
    done = nhlog("search", file, "nowhere at all")
    assert (done.code, done.err.count("the terminal emulator failed")) == (3, 1)


def test_of_a_folder_the_rest_is_searched(tmp_path: Path, nhlog: Nhlog) -> None:
    for file in (*FILES, SAMPLES / "nethack.cast", SAMPLES / "died2.nhgame"):
        shutil.copyfile(file, tmp_path / file.name)
    done = nhlog("search", tmp_path, "kobold throws|kicks")
    assert (done.code, len(done.err.splitlines())) == (3, len(FILES))
    assert all(sum(str(tmp_path / file.name) in line for line in done.err.splitlines()) == 1 for file in FILES)
    assert [Path(line.partition(": ")[0]).name for line in done.out.splitlines()] == [
        "died2.nhgame",
        "nethack.cast",
        "nethack.cast",
    ]
    done = nhlog("search", tmp_path, "kobold throws", "--json")
    assert [(Path(row["file"]).name, row["frame"]) for row in done.records] == [
        ("nethack.cast", 56),
        ("nethack.cast", 67),
    ]


def test_of_a_folder_the_rest_is_listed_and_archived(tmp_path: Path, nhlog: Nhlog) -> None:
    folder, archive = tmp_path / "all", tmp_path / "archive"
    folder.mkdir()
    archive.mkdir()
    for file in (*FILES, SAMPLES / "nethack.cast", SAMPLES / "died2.nhgame"):
        shutil.copyfile(file, folder / file.name)
    for _ in range(2):  # the second time from the cache
        listed = {Path(row["file"]).name: row["status"] for row in nhlog("ls", "--json", folder).records}
        assert listed == {
            **{file.name: "damaged" for file in FILES},
            "nethack.cast": "finished",
            "died2.nhgame": "finished",
        }
    done = nhlog("archive", folder, f"file://{archive}")
    assert (done.code, sorted(done.err.splitlines())) == (
        0,
        sorted(f"{folder / file.name}: left out: damaged" for file in FILES),
    )
    listed = {Path(row["file"]).name for row in nhlog("ls", "--json", f"file://{archive}").records}
    assert {"nethack.cast", "died2.nhgame"} == {name.partition(".zst")[0] for name in listed}
    done = nhlog("archive", folder, f"file://{archive}")
    assert "2 of them are in the archive already" in done.err


def test_a_folder_with_them_is_tidied(tmp_path: Path, nhlog: Nhlog) -> None:
    for file in FILES:
        os.utime(shutil.copyfile(file, tmp_path / file.name), (0, 0))
    assert nhlog("tidy", tmp_path, "--pack-after", "30d").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{file.name}.zst" for file in FILES]
