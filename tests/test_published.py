"""The published readers of other languages read what is ours: where an environment variable tells how to run them.

`tests/reference/README.md` tells how to build them.
"""

import os
import re
import shlex
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Done
from tests.corpus import ROOT

DATA = ROOT / "tests" / "data"
BUTTER, HOLLOWCUBE = "NHLOG_BUTTER_READER", "NHLOG_HOLLOWCUBE_READER"


def read_by(variable: str, path: Path) -> list[int]:
    """The numbers that a published reader tells of a file; skips the test where there is none."""
    command = shlex.split(os.environ.get(variable, ""))
    if not command:
        pytest.skip(f"{variable} does not name a built reader: tests/reference/README.md tells how to get one")
    done = subprocess.run([*command, path], capture_output=True, text=True, check=True)
    return [int(number) for number in re.findall(r"\d+", done.stdout)]


def frames_of(session: Path) -> int:
    """A line each, in the one file of a zip."""
    with zipfile.ZipFile(session) as archive:
        (name,) = archive.namelist()
        return len(archive.read(name).splitlines())


@pytest.mark.parametrize("name", ["arena_short", "combat_short", "tutorial_short"])
def test_a_session_that_we_converted_has_all_its_frames(nhlog: Callable[..., Done], tmp_path: Path, name: str) -> None:
    session, made = DATA / "butter" / "sessions" / f"{name}.echoreplay", tmp_path / "made.butter"
    converted = nhlog("convert", session, made)
    assert converted.code == 0, converted.err
    assert read_by(BUTTER, made) == [frames_of(session)]


@pytest.mark.parametrize("name", ["all-events", "edges", "no-snapshot", "race-a", "walk-251"])
def test_a_replay_has_the_chunks_that_we_find(nhlog: Callable[..., Done], name: str) -> None:
    path = DATA / "hollowcube" / f"{name}.replay"
    chunks = [record for record in nhlog("dump", "--json", path).records if record["type"] == "chunk"]
    assert chunks
    assert read_by(HOLLOWCUBE, path) == [len(chunks), sum(chunk["uncompressed_length"] for chunk in chunks)]
