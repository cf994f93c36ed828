"""Recordings as they are opened to be looked at."""

import os
from pathlib import Path

import pytest

from nhlog.errors import LogRecovered
from nhlog.log.file import LogFile
from nhlog.log.kept import index
from nhlog.log.log import Log
from terminal.replay.open import open_viewed
from tests.corpus import SAMPLES


def test_a_log_that_its_engine_cannot_follow_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one of which the cache has an index that somebody else wrote: the line of the first save is none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("nhlog.log.log.WORTHWHILE", 0)
    path = tmp_path / "delve.nhgame"
    path.write_bytes((SAMPLES / "delve.nhgame").read_bytes())
    with LogFile(path) as file:
        log = Log(file)
        kinds, saves = log.columns.kinds, log.columns.save_lines
        save, other = saves[0], saves[0] + 1
        kinds[save], kinds[other], saves[0] = kinds[other], kinds[save], other
        index.store(file, log.header, log.columns, log._stretch)
    opened = sorted(os.listdir("/proc/self/fd"))
    with pytest.raises(LogRecovered):
        open_viewed(str(path))
    assert sorted(os.listdir("/proc/self/fd")) == opened
