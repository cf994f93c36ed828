"""A recording that is being written shows whole frames as they come, and only what can grow is live."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest

from nhlog.errors import Damaged, TooShort
from nhlog.formats.butter.info import list_session
from nhlog.formats.butter.replay import EchoReplay, open_replay
from nhlog.formats.butter.wire.values import Frame
from nhlog.replay import Change, Status
from tests.contract.test_butter import lines, played, zipped
from tests.corpus import SAMPLES, corpus
from tests.doses import spread
from tests.formats.butter.made import session_file

TEXT = b"".join(lines(session_file(played())))
GROWING = {
    "text.echoreplay": TEXT,
    "zip.echoreplay": zipped(TEXT),
    "none.butter": session_file(played()),
    "gzip.butter": (SAMPLES / "arena.butter").read_bytes(),
}


def frames_of(replay: EchoReplay) -> list[Frame]:
    return [*replay.frames(0, replay.timeline.last)]


def grown(path: Path, data: bytes) -> Iterator[EchoReplay]:
    """A replay of what is there of a file while it is written, from its first frame on."""
    replay = None
    path.touch()
    for at, size in pairwise((*spread(range(len(data)), "butter.grown"), len(data))):
        with path.open("ab") as file:
            file.write(data[at:size])
        if replay is not None:
            replay.refresh()
        else:
            try:
                replay = open_replay(str(path))
            except TooShort:
                continue
        yield replay
    assert replay is not None
    replay.close()


@pytest.mark.parametrize("name", GROWING)
def test_while_it_is_written_it_shows_every_frame_that_is_whole_and_no_other(name: str, tmp_path: Path) -> None:
    whole = tmp_path / name
    whole.write_bytes(GROWING[name])
    complete = open_replay(str(whole))
    frames = frames_of(complete)
    complete.close()
    seen = [0]
    for replay in grown(tmp_path / f"growing-{name}", GROWING[name]):
        found = frames_of(replay)
        assert [frame.time for frame in found] == [frame.time for frame in frames[: len(found)]]
        assert len(found) == replay.timeline.last + 1 >= seen[-1]
        if len(found) < len(frames) or name.startswith("text"):
            assert replay.info.status is list_session(replay.source.path).status is Status.LIVE
        seen.append(len(found))
    assert found == frames
    assert replay.info.status is (Status.LIVE if name.startswith("text") else Status.FINISHED)
    assert len(set(seen)) > 2


def test_a_line_whose_bones_are_not_there_yet_is_no_frame(tmp_path: Path) -> None:
    path = tmp_path / "a.echoreplay"
    with ZipFile(corpus("butter", "sessions", "arena_short_bones.echoreplay")) as archive:
        first, second = archive.read(archive.namelist()[0]).splitlines(keepends=True)[:2]
    path.write_bytes(first + second[: second.rindex(b"\t")])
    replay = open_replay(str(path))
    assert replay.timeline.last == 0
    path.write_bytes(first + second.rstrip())
    assert replay.refresh() is Change.GREW
    assert [frame.bones is None for frame in frames_of(replay)] == [False, False]
    replay.close()


@pytest.mark.parametrize("name", GROWING)
def test_what_ends_before_its_first_frame_is_too_short(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for size in range(60):
        path.write_bytes(GROWING[name][:size])
        with pytest.raises(TooShort):
            open_replay(str(path))


def test_what_is_whole_and_has_no_frame_is_damaged(tmp_path: Path) -> None:
    for name, data in (("a.butter", session_file([])), ("a.echoreplay", zipped(b"\r\n"))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(Damaged) as caught:
            open_replay(str(tmp_path / name))
        assert not isinstance(caught.value, TooShort)
