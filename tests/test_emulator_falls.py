"""Recordings over which the emulator falls, through every verb that shows a terminal: one line, the rest unharmed."""

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
def test_a_search_tells_so_too(file: Path, nhlog: Nhlog) -> None:
    done = nhlog("search", file, "nowhere at all")
    assert (done.code, done.err.count("the terminal emulator failed")) == (3, 1)


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
    assert nhlog("archive", folder, f"file://{archive}").code == 0
    listed = {Path(row["file"]).name for row in nhlog("ls", "--json", f"file://{archive}").records}
    assert {"nethack.cast", "died2.nhgame"} <= {name.partition(".zst")[0] for name in listed}
