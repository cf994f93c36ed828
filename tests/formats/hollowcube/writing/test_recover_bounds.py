"""What `recover` fills in for lost ticks is bounded in sum, however the gaps are spread."""

from pathlib import Path

import pytest

from nhlog.formats.hollowcube.operations import events, info, recover, stats
from nhlog.formats.hollowcube.wire.chunks import ChunkBuilder
from nhlog.formats.hollowcube.wire.header import Layout
from tests.corpus import corpus

MOST_FILLED = 20 * 3600 * 24  # ticks: a day
GAP4 = ("hostile", "gap4.replay")


def test_thirty_gaps_of_almost_a_day_are_not_all_filled(tmp_path: Path) -> None:
    target = str(tmp_path / "saved.replay")
    record = recover(str(corpus(*GAP4)), output=target)
    saved = info(target)
    assert saved.health == "sound"
    assert saved.ticks <= MOST_FILLED + record["sound_ticks"]
    assert any("too far behind" in loss["what"] for loss in record["losses"])


@pytest.mark.parametrize("verb", [events, stats])
def test_ticks_without_a_chunk_are_told(verb) -> None:
    *_, last = verb(str(corpus(*GAP4)))
    assert "ticks without a chunk" in last["error"]


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 9000])
def test_ticks_without_events_are_one_record_each(size: int) -> None:
    single = ChunkBuilder(Layout.GAME, 7)
    for number in range(7, 7 + size):
        single.add(number, 0, b"")
    assert ChunkBuilder(Layout.GAME, 7).close(7 + size) == single.close(7 + size)


def test_a_truncated_recording_is_told() -> None:
    for verb in (events, stats):
        *_, last = verb(str(corpus("hostile", "K3.replay")))
        assert "too short" in last["error"]
