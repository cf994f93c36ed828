"""Recordings of terminals taken back and repaired: what is kept is whole, and what is cut off is kept beside it."""

import gzip
from pathlib import Path

import pytest

from nhlog.errors import TooShort, Unsupported
from nhlog.files.cuts import kept_of
from nhlog.formats import open_recording, operation
from nhlog.formats.recast import recast
from nhlog.timeline import parse_position
from tests.corpus import SAMPLES
from tests.doses import spread
from tests.vt.truth import plain

ENDINGS = (".ttyrec", ".ttyrec.gz", ".cast", ".cast.zst")


@pytest.fixture(params=ENDINGS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"game{request.param}"
    recast(str(SAMPLES / "nethack.cast"), str(path))
    return path


def events(path: Path) -> list[object]:
    return [(record["time_us"], record["code"], record["data"]) for record in operation(str(path), "dump")(str(path))]


def test_what_comes_after_a_position_is_cut_off_and_kept(path: Path) -> None:
    before, data = events(path), path.read_bytes()
    told: list[dict[str, object]] = []
    record = operation(str(path), "rewind")(str(path), parse_position("frame:20"), lambda lost: not told.append(lost))
    assert record["rewound"]
    assert told[0]["lost_events"] == len(before) - 21
    assert events(path) == before[:21]
    (kept,) = kept_of(str(path))
    whole = operation(str(path), "kept_whole")(str(path))
    assert Path(kept).read_bytes() == (data if whole else data[path.stat().st_size :])
    assert list(operation(str(path), "verify")(str(path)))[-1]["sound"]


def test_without_leave_nothing_is_done(path: Path) -> None:
    data = path.read_bytes()
    for options, agree in (({"dry_run": True}, True), ({}, False)):
        record = operation(str(path), "rewind")(
            str(path), parse_position("10%"), lambda lost, said=agree: said, **options
        )
        assert not record["rewound"]
        assert record["lost_bytes"] > 0
    assert path.read_bytes() == data
    assert not kept_of(str(path))


def test_a_torn_end_is_cut_off(path: Path) -> None:
    data, before = path.read_bytes(), events(path)
    for lost in (1, 7, 30, len(data) // 2):
        path.write_bytes(data[:-lost])
        try:
            record = operation(str(path), "recover")(str(path))
        except TooShort:
            assert path.suffix == ".zst"  # where so little is one block, of which nothing can be read
            continue
        assert record["recovered"] or path.read_bytes() == data[:-lost]
        assert list(operation(str(path), "verify")(str(path)))[-1]["sound"]
        left = events(path)
        assert left == before[: len(left)]
    path.write_bytes(data)
    assert operation(str(path), "recover")(str(path))["recovered"] is False


def test_every_prefix_of_a_ttyrec_is_whole_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec"
    recast(str(SAMPLES / "nethack.cast"), str(path), first="50%", last="frame:45")
    data = plain(path)
    for size in spread(range(400, len(data))):
        path.write_bytes(data[:size])
        operation(str(path), "recover")(str(path), keep=False)
        assert data.startswith(path.read_bytes())
        assert list(operation(str(path), "verify")(str(path)))[-1]["sound"]


def test_compressed_data_that_ends_early_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec.gz"
    recast(str(SAMPLES / "nethack.cast"), str(path))
    path.write_bytes(path.read_bytes()[:-9])
    assert operation(str(path), "recover")(str(path))["recovered"]
    assert gzip.decompress(path.read_bytes())


def test_an_asciicast_of_version_1_is_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "some.cast"
    path.write_text('{"version": 1, "width": 80, "height": 24, "stdout": [\n[0.1, "a"],\n[0.2, "b"]]}\n')
    assert open_recording(str(path)).timeline.last == 1
    with pytest.raises(Unsupported):
        operation(str(path), "rewind")(str(path), parse_position("start"), lambda lost: True)
