"""The ring keeps the last minutes, in bounded memory, and saves them as a recording of their own."""

import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, Usage
from nhlog.formats.hollowcube.operations import open_replay
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts, Move, Ring, Triggers
from nhlog.formats.hollowcube.wire.events import PLAYER, SetBlock
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.written import SMALL, busy, read_back, snapshots

WHOLE = run(200, {7: "one", 123: "two", 181: "three"})
START = 1_795_187_205_278


def ringed(span: int, ticks: list[list[object]]) -> Ring:
    ring = Ring(span, Facts(timestamp=START, data_version=4900), SMALL)
    for events in ticks:
        ring.tick(events)
    return ring


@pytest.mark.parametrize("total", [1, 5, 47, 50, 51, 54, 55, 123, 200])
def test_it_keeps_its_span_and_at_most_a_chunk_more(total: int, tmp_path: Path) -> None:
    ring = ringed(50, WHOLE[:total])
    told = ring.save(str(tmp_path / "x.replay"))
    assert min(total, 50) <= told["ticks"] < 55
    assert told["first"] == total - told["ticks"]
    assert read_back(tmp_path / "x.replay") == busy(WHOLE[told["first"] : total])


def test_what_is_saved_is_a_recording_of_its_own(tmp_path: Path) -> None:
    ring = ringed(60, WHOLE)
    first = ring.save(str(tmp_path / "x.replay"))["first"]
    with closing(open_reader(str(tmp_path / "x.replay"))) as reader:
        assert reader.preamble.header.timestamp == START + first * 50
        assert reader.preamble.extension.data_versions == ((0, 4900),)
        assert [tick.number for tick in reader.preamble.extension.run_events] == [181 - first, 199 - first]
    assert all(played == begun for played, begun in snapshots(tmp_path / "x.replay"))


def test_it_begins_with_the_state_that_was_there(tmp_path: Path) -> None:
    ticks = [*EVERY_KIND[:10], *[()] * 30]
    (tmp_path / "whole.replay").write_bytes(Made(ticks).data())
    ring = ringed(10, ticks)
    first = ring.save(str(tmp_path / "x.replay"))["first"]
    whole, part = open_replay(str(tmp_path / "whole.replay")), open_replay(str(tmp_path / "x.replay"))
    whole.seek(first)
    assert (part.state.entities, part.state.blocks) == (whole.state.entities, whole.state.blocks)
    assert part.state.player.held == 4


def test_it_goes_on_after_it_was_saved(tmp_path: Path) -> None:
    ring = ringed(50, WHOLE[:52])
    for number in range(52, 200, 7):
        ring.save(str(tmp_path / "x.replay"), force=True)
        for events in WHOLE[number : number + 7]:
            ring.tick(events)
    told = ring.save(str(tmp_path / "y.replay"))
    assert read_back(tmp_path / "y.replay") == busy(WHOLE[told["first"] :])
    with pytest.raises(NhlogError, match="exists"):
        ring.save(str(tmp_path / "y.replay"))


def test_ticks_without_events_age_it_too(tmp_path: Path) -> None:
    ring = ringed(50, WHOLE[:50])
    ring.skip(20_000)
    assert ring.ticks == 20_050
    told = ring.save(str(tmp_path / "x.replay"))
    assert (told["first"], read_back(tmp_path / "x.replay")) == (20_000, {})


def test_more_ticks_take_no_more_memory() -> None:
    ring = Ring(1000, Facts(timestamp=START), Triggers())
    tracemalloc.start()
    peaks = []
    for part in range(3):
        tracemalloc.reset_peak()
        for tick in range(1300):
            ring.tick([Move(PLAYER, Pos(tick * 0.37 % 11, part * 0.77, tick * 0.13 % 7, tick % 360, 0.0))])
        peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    assert peaks[2] < peaks[0] * 1.3 < 20 << 20


def test_what_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Usage):
        Ring(0)
    with pytest.raises(Usage, match="layout"):
        Ring(10, Facts(layout=Layout.GAME))
    with pytest.raises(Usage, match="nothing"):
        Ring(10).save(str(tmp_path / "x.replay"))
    ring = ringed(50, walk(3))
    with pytest.raises(Usage):
        ring.tick([SetBlock(BlockPosition(1 << 30, 0, 0), 1)])
    assert ring.ticks == 3
