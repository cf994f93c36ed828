"""Whether a recording is over: its last event says so, or nobody writes it."""

import gzip
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.replay import Status

HEADER = b'{"version": 2, "width": 80, "height": 24}\n[0.5, "o", "hello"]\n'
END = b'[1.0, "x", "0"]\n'


@pytest.mark.parametrize(
    ("data", "status"), [(HEADER, Status.LIVE), (HEADER + END, Status.FINISHED), (HEADER + END[:-3], Status.LIVE)]
)
def test_what_is_open_to_write_is_live_until_the_program_has_ended(data: bytes, status: Status, tmp_path: Path) -> None:
    path = tmp_path / "some.cast"
    with path.open("wb", buffering=0) as file:
        file.write(data)
        with closing(open_recording(str(path))) as replay:
            assert replay.info.status is status
            if status is Status.LIVE:
                file.write(END if data == HEADER else END[-3:])
                replay.refresh()
                assert replay.info.status is Status.FINISHED


def test_who_records_no_end_has_ended_when_nobody_writes(tmp_path: Path) -> None:
    path = tmp_path / "some.cast"
    path.write_bytes(HEADER)
    with closing(open_recording(str(path))) as replay:
        assert replay.info.status is Status.FINISHED


def test_what_is_compressed_need_not_be_complete_for_that(tmp_path: Path) -> None:
    path = tmp_path / "some.cast.gz"
    path.write_bytes(gzip.compress(HEADER + END)[:-8])
    with closing(open_recording(str(path))) as replay:
        assert replay.info.status is Status.FINISHED


def test_what_is_compressed_and_has_neither_end_is_live_whoever_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "some.cast.gz"
    path.write_bytes(gzip.compress(HEADER)[:-8])
    with closing(open_recording(str(path))) as replay:
        assert replay.info.status is Status.LIVE
