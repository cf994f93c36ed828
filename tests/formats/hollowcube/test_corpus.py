"""What the reference wrote reads as the reference says: records, states, splits, and what it says of damaged files."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import NhlogError
from nhlog.formats import open_recording
from nhlog.formats.follow import happened
from nhlog.formats.hollowcube.operations import OpenOptions, StatsOptions, dump, info, open_replay, stats, verify
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.replay import Status
from tests.corpus import WHOLE, corpus
from tests.formats.hollowcube.truth import corpus_files, shape, truth_of, verdicts, with_truth

FILES = [*with_truth(), *with_truth("text")]
FOLDERS = corpus_files("seg", "*")
TOLD = ("header", "metadata", "chunk", "tick")


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_dump_is_the_truth(path: Path) -> None:
    *found, end = dump(str(path))
    assert found == [record for record in truth_of(path) if record["type"] in TOLD]
    assert end == {"type": "end", "ticks": found[0]["tick_count"]}


@pytest.mark.parametrize("path", FOLDERS, ids=name_of)
def test_dump_of_segments_is_the_truth_and_has_the_ticks_of_the_whole_file(path: Path) -> None:
    whole = path.parent.parent / f"{path.name}.replay"
    *records, _ = dump(str(path))
    ticks = [record for record in truth_of(whole) if record["type"] == "tick"]
    assert records == [*(record for record in truth_of(path) if record["type"] in TOLD), *ticks]


@pytest.mark.parametrize("path", [*corpus_files(), *corpus_files("text"), *FOLDERS], ids=name_of)
def test_what_the_reference_wrote_is_sound(path: Path) -> None:
    *findings, report = verify(str(path))
    assert [finding for finding in findings if finding["fault"]] == []
    assert report["sound"]
    assert (report["sound_bytes"], report["sound_ticks"]) == (report["size"], report["ticks"])
    assert info(str(path)).health == "sound"


@pytest.mark.parametrize("path", with_truth(), ids=name_of)
def test_a_state_is_that_of_playing_from_the_start_whichever_way_one_came_there(path: Path) -> None:
    """Seeking to tick N in the reference is before it is played: our step N - 1.

    What the reference gets wrong after a seek (blank at a chunk's start, no held slot) the truth has as
    `sequential_state`.
    """
    seeks = [record for record in truth_of(path) if record["type"] == "seek" and record["target"] and "state" in record]
    order = random.Random(path.name).sample(seeks, len(seeks))
    replay = open_recording(str(path))
    for record in order:
        replay.seek(record["target"] - 1)
        assert shape(replay.state) == record.get("sequential_state", record["state"])
        fresh = open_recording(str(path))
        fresh.seek(record["target"] - 1)
        assert fresh.state == replay.state
        fresh.close()
    replay.close()


@pytest.mark.parametrize("path", corpus_files("text"), ids=name_of)
def test_the_text_layouts_states_are_those_of_the_games(path: Path) -> None:
    text, game = open_recording(str(path)), open_recording(str(path.parent.parent / path.name))
    assert text.timeline.last == game.timeline.last
    for step in range(text.timeline.last + 1):
        text.seek(step)
        game.seek(step)
        assert text.state == game.state


def test_a_race_has_the_splits_of_the_truth() -> None:
    own, ghost = corpus("hollowcube", "race-a.replay"), corpus("hollowcube", "race-b.replay")
    expected = json.loads(corpus("hollowcube", "race-splits.json").read_text())
    found = [record for record in stats(str(own), StatsOptions(ghost=str(ghost))) if record["kind"] == "split"]
    assert [
        {
            "checkpoint": record["checkpoint"],
            "a_tick": record["tick"],
            "b_tick": record["ghost_tick"],
            "b_minus_a_ms": record["gap"] // 1000,
        }
        for record in found
    ] == expected
    replay = open_replay(str(own), OpenOptions(ghost=str(ghost)))
    for row in expected:
        replay.seek(row["a_tick"] - 1)
        before = len(replay.race.splits(replay.step))
        replay.seek(row["a_tick"])
        pair = replay.race.splits(replay.step)[before]
        assert (pair.checkpoint, pair.gap) == (row["checkpoint"], row["b_minus_a_ms"])
    replay.close()


def test_the_truths_splits_are_the_markers() -> None:
    path = corpus("hollowcube", "race-a.replay")
    splits = [(record["tick"], record["checkpoint"]) for record in truth_of(path) if record["type"] == "split"]
    replay = open_recording(str(path))
    markers = [(marker.step, marker.name) for marker in replay.timeline.markers]
    assert splits
    assert set(splits) <= set(markers)
    assert markers[0] == (0, "run 1")


def test_every_commit_of_a_recording_opens_as_the_beginning_of_it() -> None:
    """`seg/history-run-10min` has the folder after each commit, where the corpus has it."""
    commits = corpus_files("seg/history-run-10min", "*")
    lasts = [open_recording(str(path)).timeline.last for path in commits]
    assert lasts == sorted(lasts)


# damaged recordings

VERDICTS = verdicts()
BELIEVED = {"bad/event-count-negative.replay"}
"""Where the reference plays on with what cannot have been recorded: it takes a negative count of events for none."""


def known_ticks(path: str) -> int:
    """How many ticks are as they were recorded, from the first on."""
    reader = open_reader(path)
    known = 0
    for number, part in enumerate(reader.parts):
        if part.entry.start != known:
            break
        known = reader.chunk(number).known
        if reader.chunk(number).fault is not None and known < part.entry.end:
            break
    reader.close()
    return known


def opens(verdict: dict[str, Any]) -> bool:
    try:
        open_reader(str(verdict["path"])).close()
    except NhlogError:
        return False
    return True


def named(verdict: dict[str, Any]) -> str:
    return str(verdict["path"].name)


@pytest.mark.parametrize("verdict", VERDICTS, ids=named)
def test_of_a_damaged_recording_no_less_is_read_than_the_reference_reads(verdict: dict[str, Any]) -> None:
    if opens(verdict):
        least = verdict.get("ticks_played", verdict.get("ticks", 0))
        assert known_ticks(str(verdict["path"])) >= least or verdict.get("file") in BELIEVED
    else:
        assert verdict["result"] != "ok"
        assert not verdict.get("ticks_played")


@pytest.mark.parametrize("verdict", VERDICTS, ids=named)
def test_damage_is_told(verdict: dict[str, Any]) -> None:
    path = str(verdict["path"])
    if not opens(verdict):
        for verb in (open_recording, info):
            with pytest.raises(NhlogError) as error:
                verb(path)
            assert error.value.exit_code in (1, 3, 4)
            assert error.value.file == path
    elif "file" in verdict or "missing" in verdict["dir"]:
        check_told(path, verdict["result"] == "ok")


def check_told(path: str, good: bool) -> None:
    replay = open_recording(path)
    told = replay.info.status is Status.DAMAGED
    last = replay.timeline.last
    for step in range(last + 1):
        replay.seek(step)
        told |= bool(replay.state.fault)
    replay.close()
    *findings, report = verify(path)
    assert good or told or known_ticks(path) == last + 1  # only the index is wrong, and does not matter
    assert good or not report["sound"]
    assert report["sound"] == (not any(finding["fault"] for finding in findings))


@pytest.mark.parametrize("verdict", [verdict for verdict in VERDICTS if "file" in verdict], ids=named)
def test_every_verb_survives_damage(verdict: dict[str, Any]) -> None:
    path, good = str(verdict["path"]), verdict["result"] == "ok"
    if opens(verdict):
        list(stats(path))
        list(happened(path))
        assert good or any(record["type"] == "error" for record in dump(path))


def test_a_missing_segment_costs_its_own_ticks_only() -> None:
    replay = open_recording(str(corpus("hollowcube", "crash", "missing-segment")))
    reader = replay.reader
    lost = [part.entry for part in reader.parts if part.name == "segment-003.dat"]
    first, last = lost[0].start, lost[-1].end
    for step in range(replay.timeline.last + 1):
        replay.seek(step)
        assert bool(replay.state.fault) == (first <= step < last)
    replay.close()


def test_the_corpus_is_what_we_think() -> None:
    least = (17, 11, 25) if WHOLE else (14, 9, 25)
    assert all(len(found) >= count for found, count in zip((FILES, FOLDERS, VERDICTS), least, strict=True))
    assert gzip.decompress(corpus("hollowcube", "race-a.truth.jsonl.gz").read_bytes())
