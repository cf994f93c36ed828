"""What `recover` fills in for lost ticks is bounded in sum, however the gaps are spread."""

from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.formats.follow import happened as events
from nhlog.formats.hollowcube.operations import info, rescue, stats
from nhlog.formats.hollowcube.wire.chunks import ChunkBuilder
from nhlog.formats.hollowcube.wire.header import Layout
from tests.corpus import corpus
from tests.formats.hollowcube.made import Made, walk
from tests.formats.hollowcube.written import busy, read_back

MOST_FILLED = 20 * 3600 * 24  # ticks: a day
GAP4 = ("hostile", "gap4.replay")


def test_thirty_gaps_of_almost_a_day_are_not_all_filled(tmp_path: Path) -> None:
    target = str(tmp_path / "saved.replay")
    record = rescue(str(corpus(*GAP4)), target)
    saved = info(target)
    assert saved.health == "sound"
    assert saved.ticks <= MOST_FILLED + record["sound_ticks"]
    assert any("too far behind" in loss["what"] for loss in record["losses"])


@pytest.mark.parametrize("one_more", [0, 1])
def test_a_gap_may_be_a_day_and_no_longer(tmp_path: Path, one_more: int) -> None:
    made = Made(walk(10), snapshots=False)
    first, second = made.chunks()
    far = replace(second, start=first.ticks + MOST_FILLED + one_more)
    (tmp_path / "x.replay").write_bytes(made.data([first, far]))
    record = rescue(str(tmp_path / "x.replay"), str(tmp_path / "out.replay"), dry_run=True)
    too_far = [loss["tick"] for loss in record["losses"] if "too far behind" in loss["what"]]
    assert (record["sound_ticks"], too_far) == ((5, [far.start]) if one_more else (10, []))


def test_what_stands_behind_the_last_tick_of_a_chunk_costs_none(tmp_path: Path) -> None:
    made = Made(walk(10), snapshots=False)
    first, second = made.chunks()
    longer = replace(first, raw=first.raw + bytes(3))
    (tmp_path / "x.replay").write_bytes(made.data([longer, second]))
    record = rescue(str(tmp_path / "x.replay"), str(tmp_path / "out.replay"))
    assert (record["sound_ticks"], record["losses"]) == (10, [])
    assert read_back(tmp_path / "out.replay") == busy(made.ticks)


@pytest.mark.parametrize("verb", [events, stats])
def test_ticks_without_a_chunk_are_told(verb) -> None:
    *_, last = verb(str(corpus(*GAP4)))
    assert "ticks without a chunk" in last["error"]


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 9000])
def test_ticks_without_events_are_one_record_each(size: int) -> None:
    single = ChunkBuilder(Layout.GAME, 7)
    for number in range(7, 7 + size):
        single.add(number, 0, b"")
    assert ChunkBuilder(Layout.GAME, 7).until(7 + size) == single.until(7 + size)


def test_a_truncated_recording_is_told() -> None:
    for verb in (events, stats):
        *_, last = verb(str(corpus("hostile", "K3.replay")))
        assert "too short" in last["error"]
