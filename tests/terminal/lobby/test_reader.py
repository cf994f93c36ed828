"""What is read for the lobby in a process of its own: what is wanted most comes first, and holds back nothing else."""

import select
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.compression import ZSTD, Compressor
from nhlog.operations import Unlisted
from nhlog.screen import Screen
from terminal.lobby.reading.jobs import Job, answer
from terminal.lobby.reading.reader import PATIENCE, REST, Reader
from tests.clock import Clock
from tests.corpus import SAMPLES

PICTURE = (44, 14)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reader(clock: Clock) -> Iterator[Reader]:
    with Reader(clock) as reader:
        yield reader


@pytest.fixture
def endless(tmp_path: Path) -> Job:
    """A recording that takes far longer to unpack than anybody waits."""
    path = tmp_path / "endless.cast.zst"
    path.write_bytes(Compressor(ZSTD)(bytes(1 << 26)) * 200)
    return Job(str(path), 0)


def sample(name: str, picture: tuple[int, int] | None = None) -> Job:
    return Job(str(SAMPLES / name), 0, picture)


def answers(reader: Reader) -> list[tuple[Job, object]]:
    """What comes next."""
    while not (found := reader.answers()):
        select.select([reader], [], [])
    return found


def test_what_is_read_is_what_would_be_read_here(reader: Reader) -> None:
    for job in (sample("died2.nhgame"), sample("nethack.cast"), sample("died2.nhgame", PICTURE)):
        reader.want([job])
        assert answers(reader) == [(job, answer(job))]
    assert reader.doing is None


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir() if path.suffix != ".md"))
def test_every_recording_has_a_picture_of_its_last_screen(name: str) -> None:
    picture = answer(sample(name, PICTURE))
    assert isinstance(picture, Screen)
    assert (picture.width, picture.height) == PICTURE
    assert any(row.strip() for row in picture.text())


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "broken.cast"
    path.write_text("no cast")
    listing = answer(Job(str(path), 0))
    assert isinstance(listing, Unlisted)
    assert listing.fault == answer(Job(str(path), 0, PICTURE)) != ""


@pytest.mark.parametrize("starting", [0.0, 7 * PATIENCE])
def test_what_is_slow_gives_way_to_others_and_comes_last(
    reader: Reader, clock: Clock, endless: Job, starting: float
) -> None:
    quick = sample("scripted1.nhgame")
    reader.want([endless, quick])
    assert reader.doing == endless
    clock.now += starting
    reader.want([endless, quick])
    assert reader.doing == endless  # the process has not started yet
    select.select([reader], [], [])
    assert reader.answers() == []
    clock.now += max(PATIENCE, starting)
    reader.want([endless, quick])
    assert reader.doing == endless  # another process would have to start
    clock.now += 0.1
    reader.want([endless, quick])
    assert answers(reader) == [(quick, answer(quick))]
    reader.want([endless])
    assert reader.doing == endless


def test_what_goes_on_is_read_again_after_nine_times_as_long_as_it_took(reader: Reader, clock: Clock) -> None:
    job, other = sample("nethack.cast"), sample("scripted1.nhgame")
    reader.want([job])
    clock.now += 0.5
    answers(reader)
    reader.want([job])  # the process has started
    clock.now += 0.5
    answers(reader)
    again = job._replace(changed=1)
    reader.want([again])
    assert reader.doing is None
    reader.want([again, other])
    assert answers(reader) == [(other, answer(other))]
    clock.now += 0.5 * REST
    reader.want([again])
    assert reader.doing == again


def test_a_process_that_dies_is_an_answer_and_another_one_takes_its_place(reader: Reader, endless: Job) -> None:
    reader.want([endless])
    assert reader._process is not None
    reader._process.kill()
    assert answers(reader) == [(endless, "it cannot be read: its reader broke down")]
    job = sample("scripted1.nhgame")
    reader.want([job])
    assert answers(reader) == [(job, answer(job))]


def test_one_that_rests_has_no_process_and_reads_again_when_it_is_asked(reader: Reader, endless: Job) -> None:
    reader.want([endless])
    process = reader._process
    assert process is not None
    reader.rest()
    assert (process.poll() is None, reader.doing, reader.answers()) == (False, None, [])
    job = sample("died2.nhgame")
    reader.want([job])
    assert answers(reader) == [(job, answer(job))]


def test_no_process_is_left_behind(clock: Clock, endless: Job) -> None:
    with Reader(clock) as reader:
        reader.want([endless])
        process = reader._process
        assert process is not None
    assert process.poll() is not None


def test_a_file_in_the_folder_is_not_taken_for_a_module_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: Reader
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit")
    shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path)
    monkeypatch.chdir(tmp_path)
    reader.want([Job("scripted1.nhgame", 0)])
    assert answers(reader)[0][1] == answer(Job("scripted1.nhgame", 0))
