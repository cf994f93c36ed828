"""A recording that is being written shows whole frames as they come, and nothing but a recording that can grow is live."""

from pathlib import Path

import pytest

from nhlog.errors import TooShort
from nhlog.formats.butter.info import list_session
from nhlog.formats.butter.replay import open_replay
from nhlog.replay import Status
from tests.contract.test_butter import lines, played, zipped
from tests.formats.butter.made import session_file

ROWS = lines(session_file(played()))


def sizes(data: bytes, apart: int) -> list[int]:
    return [*range(0, len(data), apart), len(data)]


@pytest.mark.parametrize("zip_it", [False, True], ids=["text", "zip"])
def test_of_an_echoreplay_that_grows_each_frame_is_shown_once_it_is_whole(zip_it: bool, tmp_path: Path) -> None:
    path, text = tmp_path / "a.echoreplay", b"".join(ROWS)
    data = zipped(text) if zip_it else text
    replay, seen = None, 0
    for size in sizes(data, 97):
        path.write_bytes(data[:size])
        if replay is None:
            try:
                replay = open_replay(str(path))
            except TooShort:
                continue
        else:
            replay.refresh()
        frames = [frame for _ in [0] for frame in replay.frames(0, replay.timeline.last)]
        assert len(frames) == replay.timeline.last + 1 >= seen
        assert [frame.time for frame in frames] == TIMES[: len(frames)]
        if size < len(data):
            assert replay.info.status is Status.LIVE
            assert list_session(str(path)).status is Status.LIVE
        seen = len(frames)
    assert replay is not None
    assert seen == len(ROWS)
    assert replay.info.status is (Status.FINISHED if zip_it else Status.LIVE)
    replay.close()


with_times = [row.split(b"\t")[0] for row in ROWS]
