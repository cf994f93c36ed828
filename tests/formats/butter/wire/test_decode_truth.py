"""Files that the reference wrote say what the reference says, to the bit of every float32.

Short sessions are compared whole at one interval.  Of the same at another interval, of old versions and of odd sessions
every fifth frame is compared, of the longer session every twenty-fifth; all of their frames are decoded.
"""

import json
from itertools import groupby
from pathlib import Path

import pytest

from nhlog.formats.butter.operations import DumpOptions, dump
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire.bones import reference_bones
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.echoreplay.format import bones_record, frame_record
from tests.corpus import DATA, SAMPLES, WHOLE, corpus
from tests.formats.butter.truth import differences, truth_lines

SHORT = ("arena_short", "arena_short_bones", "combat_short", "old_api_short", "tutorial_short")
FEW, MANY = 5, 25  # of so many frames one is compared


def ref(name: str) -> Path:
    return corpus("butter", "ref", name)


def compare(path: Path, truth: Path) -> None:
    """Every record, through the verb."""
    frames = dump(str(path), DumpOptions(as_reference=True))
    number = -1
    for number, line in enumerate(truth_lines(truth)):
        assert differences(json.loads(json.dumps(next(frames))), json.loads(line)) == [], number
    assert number >= 0
    assert list(frames) == []


def sample(path: Path, truth: Path, every: int) -> None:
    """The number of frames, and every so manieth of them; the truth of a file `every5` has just those."""
    with ButterFile(str(path), ReferenceDecoder) as reader:
        chunks = list(reader.chunks())
        assert [chunk.fault for chunk in chunks] == [None] * len(chunks)
        pairs = [pair for chunk in chunks for pair in zip(chunk.keys, chunk.frames, strict=True)]
        limbs = reference_bones(pairs)
        thinned = f".every{every}." in truth.name
        found = list(zip(range(len(pairs)), pairs, limbs, strict=True))[:: every if thinned else 1]
        for (number, (_, frame), bones), line in zip(found, truth_lines(truth), strict=True):
            if number % every == 0:
                wanted = json.loads(line)
                assert (number, frame.time) == (wanted["i"], wanted["t"])
                assert differences(frame_record(reader.header, frame), wanted["frame"]) == [], number
                if reader.header.version > 1:
                    assert differences(bones_record(bones), wanted["bones"]) == [], number


@pytest.mark.parametrize("session", SHORT)
def test_a_short_session(session: str) -> None:
    compare(ref(f"{session}.k30.none.butter"), ref(f"{session}.k30.truth.jsonl.gz"))


@pytest.mark.parametrize("session", SHORT)
def test_a_short_session_at_another_interval(session: str) -> None:
    sample(ref(f"{session}.k300.gzip.butter"), ref(f"{session}.k300.truth.jsonl.gz"), FEW)


def test_a_session_with_bones_of_which_every_fifth_frame_travels() -> None:
    name, folder = "arena_short_bones.k30", DATA / "butter" / "ref"
    sample(folder / f"{name}.gzip.butter", folder / f"{name}.truth.every5.jsonl.gz", FEW)


def test_every_compression_gives_the_same_frames() -> None:
    files, alike = sorted(corpus("butter", "ref").glob("*.butter")), 0
    for _, group in groupby(files, key=lambda path: path.name.split(".")[:2]):
        first, *others = group
        with ButterFile(str(first)) as one:
            chunks = [b"".join(one.unpacked(number)) for number in range(one.count)]
        alike += len(others)
        for path in others:
            with ButterFile(str(path)) as other:
                assert [b"".join(other.unpacked(number)) for number in range(other.count)] == chunks, path
    assert alike >= (26 if WHOLE else 6)


def test_a_longer_session() -> None:
    sample(ref("arena_mid.k300.gzip.butter"), ref("arena_mid.k300.truth.jsonl.gz"), MANY)


@pytest.mark.parametrize("version", ["v1", "v2", "v3early"])
@pytest.mark.parametrize("session", ["arena_short", "arena_short_bones", "old_api_short", "tutorial_short"])
def test_an_old_version(session: str, version: str) -> None:
    kind = "owntruth" if version == "v3early" else "truth"
    for compression in ("none", "gzip"):
        path = corpus("butter", "old", f"{session}.{version}.k30.{compression}.butter")
        if (session, version) == ("arena_short_bones", "v1"):  # which no decoder of the reference reads
            frames = list(dump(str(path)))
            assert [("error" in frame, frame["bones"] is None) for frame in frames] == [(False, False)] * 100
        else:  # the truth is that of either compression
            sample(path, corpus("butter", "old", f"{session}.{version}.k30.none.{kind}.jsonl.gz"), FEW)


def test_a_file_of_either_layout_tells_which_it_is() -> None:
    told = {}
    for path in sorted(corpus("butter", "old").glob("*.butter")):
        with ButterFile(str(path)) as reader:
            told.setdefault(path.name.split(".")[1], set()).add(reader.dialect)
    assert told == {"v1": {"1"}, "v2": {"2"}, "v3early": {"3 early"}}
    for path in corpus("butter", "ref").glob("*.butter"):
        with ButterFile(str(path)) as reader:
            assert reader.dialect == "3"


def test_odd_sessions() -> None:
    """What the reference wrote of odd input we read as it does, and where it fails we tell an error."""
    known = 0
    for path in sorted(corpus("butter", "robust").glob("enc_*.butter")):
        truth = path.with_suffix(".truth.jsonl.gz")
        if truth.exists():
            sample(path, truth, FEW)
            known += 1
        else:
            assert sum("error" in record for record in dump(str(path), DumpOptions(as_reference=True))) == 1, path
    assert known >= (15 if WHOLE else 1)


def test_the_sample_is_sound_without_the_corpus() -> None:
    frames = list(dump(str(SAMPLES / "arena.butter")))
    assert [frame["i"] for frame in frames] == list(range(100))
    assert frames[0]["frame"]["game_clock_display"] == "09:59.96"
    assert {len(frame["frame"]["teams"]) for frame in frames} == {3}
