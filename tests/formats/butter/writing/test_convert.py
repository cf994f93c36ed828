"""`convert`, cuts and `diff`: what need not change is not touched, and a target is whole or not there."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from nhlog.errors import Unsupported, Usage
from nhlog.formats.butter.operations import ConvertOptions, convert, diff
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.reading.stream import ButterStream, EchoreplayStream
from nhlog.formats.butter.wire.packing import WRITABLE_COMPRESSIONS
from nhlog.formats.butter.wire.values import Frame
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES, corpus
from tests.starter import Started

DOCUMENT = (ROOT / "docs" / "butter.md").read_text()
SAMPLE = str(SAMPLES / "arena.butter")  # a hundred frames in chunks of thirty


def frames_of(path: Path | str) -> list[Frame]:
    with closing(ButterStream(str(path))) as stream:
        return [*stream.frames()]


def stored(path: Path | str) -> list[bytes]:
    with ButterFile(str(path)) as reader:
        return [reader.stored(number) for number in range(reader.count)]


def unpacked(path: Path | str) -> list[bytes]:
    with ButterFile(str(path)) as reader:
        return [b"".join(reader.unpacked(number)) for number in range(reader.count)]


@pytest.mark.parametrize("compression", WRITABLE_COMPRESSIONS)
def test_another_compression_leaves_the_frames_untouched(compression: str, tmp_path: Path) -> None:
    target = tmp_path / "packed.butter"
    told = convert(SAMPLE, str(target), ConvertOptions(compression=compression))
    assert (told["copied"], told["anew"], told["loss"]) == (4, 0, [])
    assert unpacked(target) == unpacked(SAMPLE)
    with ButterFile(SAMPLE) as source, ButterFile(str(target)) as found:
        assert found.header.people == source.header.people
        assert found.header.compression == compression


def test_there_and_back_is_the_same_file(tmp_path: Path) -> None:
    source = corpus("butter", "ref", "arena_short.k30.gzip.butter")
    plain, back = tmp_path / "plain.butter", tmp_path / "back.butter"
    convert(str(source), str(plain), ConvertOptions(compression="none"))
    assert plain.read_bytes() == corpus("butter", "ref", "arena_short.k30.none.butter").read_bytes()
    convert(str(plain), str(back), ConvertOptions(compression="gzip"))
    assert unpacked(back) == unpacked(source)


@pytest.mark.parametrize(
    ("first", "last", "copied", "frames"),
    [
        ("30", "89", 2, range(30, 90)),
        ("45", "70", 0, range(45, 71)),  # a pause's timer is known from frames behind it
        ("45", "95", 2, range(45, 96)),
        ("25", "95", 3, range(25, 96)),
        ("start", "end", 4, range(100)),
        ("90", None, 1, range(90, 100)),
        (None, "0", 1, range(1)),
        ("30", "+29", 1, range(30, 60)),
        ("60", "-10", 1, range(60, 90)),
        ("0:01", "marker:pause", None, None),
    ],
)
def test_a_part_has_its_frames_and_its_whole_chunks_bit_for_bit(
    first: str | None, last: str | None, copied: int | None, frames: Sequence[int] | None, tmp_path: Path
) -> None:
    target = tmp_path / "part.butter"
    told = convert(SAMPLE, str(target), ConvertOptions(first=first, last=last))
    whole, part = frames_of(SAMPLE), frames_of(target)
    assert told["frames"] == len(part)
    start = told["first"]
    assert [frame.time for frame in part] == [frame.time for frame in whole[start : start + len(part)]]
    if frames is not None:
        assert (start, len(part), told["copied"]) == (frames[0], len(frames), copied)
    with ButterFile(SAMPLE) as source, ButterFile(str(target)) as found:
        assert found.header.people == source.header.people
    anew = told["anew"]
    assert part[anew:] == whole[start + anew : start + len(part)]
    again = told["chunks"] - told["copied"]
    copies, chunks = unpacked(target)[again:], unpacked(SAMPLE)[-(-start // 30) :]
    assert all(map(bytes.startswith, chunks, copies))
    assert copies[:-1] == [chunk for chunk, _ in zip(chunks, copies[:-1], strict=False)]
    ends = (start + len(part)) % 30 == 0
    assert not ends or set(stored(target)[again:]) <= set(stored(SAMPLE))


def test_with_bones_that_stand_alone_a_part_is_copied_too(tmp_path: Path) -> None:
    """As they do in what is written here."""
    ours, target = tmp_path / "ours.butter", tmp_path / "part.butter"
    convert(str(corpus("butter", "sessions", "arena_short_bones.echoreplay")), str(ours), ConvertOptions(interval=10))
    told = convert(str(ours), str(target), ConvertOptions(first="30", last="64"))
    assert (told["copied"], told["anew"]) == (4, 0)
    assert frames_of(target) == frames_of(ours)[30:65]


def test_with_bones_that_do_not_the_first_chunk_of_a_part_is_written_anew(tmp_path: Path) -> None:
    source, target = corpus("butter", "ref", "arena_short_bones.k30.none.butter"), tmp_path / "part.butter"
    told = convert(str(source), str(target), ConvertOptions(first="30"))
    assert (told["copied"], told["anew"]) == (2, 30)
    off = [
        abs(a - b)
        for one, other in zip(frames_of(source)[30:], frames_of(target), strict=True)
        for skeleton, found in zip(one.bones or (), other.bones or (), strict=True)
        for a, b in zip(skeleton.positions, found.positions, strict=True)  # type: ignore[union-attr]
    ]
    assert max(off) < 0.002


def test_another_interval_tells_what_it_lost(tmp_path: Path) -> None:
    target = tmp_path / "longer.butter"
    told = convert(SAMPLE, str(target), ConvertOptions(interval=64))
    assert (told["chunks"], told["copied"], told["anew"]) == (2, 0, 100)
    assert {loss["field"]: loss["largest"] for loss in told["loss"]}["head.position"] < 0.02
    assert not {"head.rotation", "status", "players", "holding"} & {loss["field"] for loss in told["loss"]}


ODD_NAME = "Zo\u00eb \u65e5\u672c"


@pytest.mark.parametrize(
    ("session", "changed"),
    [
        ("arena_short", {"client", "players", "goal", "round_scores", "level"}),
        ("combat_short", {"rounds"}),
        ("tutorial_short", {"disc.position"}),
        ("arena_short_bones", {"bones.position", "bones.rotation"}),
    ],
)
def test_every_difference_is_in_the_loss(session: str, changed: set[str], tmp_path: Path) -> None:
    text, target = tmp_path / "a.echoreplay", tmp_path / "a.butter"
    with ZipFile(corpus("butter", "sessions", f"{session}.echoreplay")) as archive:
        lines = archive.read(archive.namelist()[0]).decode().split("\n")[:60]
    with closing(EchoreplayStream(str(corpus("butter", "sessions", f"{session}.echoreplay")))) as stream:
        who = next(stream.frames()).players[0].who.name
    odd = "\n".join(lines).replace(f'"{who}"', f'"{ODD_NAME}"')
    if session == "arena_short":
        odd = odd.replace('"client_name":"', f'"client_name":"{ODD_NAME}').replace('"level":', '"level":3')
        odd = re.sub(r'"blue_round_score":\d+', '"blue_round_score":17', odd)
    if session == "combat_short":
        odd = re.sub(r'"total_round_count":\d+', '"total_round_count":300', odd)
    text.write_text(odd, newline="")
    told = convert(str(text), str(target))
    *fields, report = diff(str(text), str(target))
    assert told["loss"] == [field for field in fields if field["largest"] != 0]
    assert changed <= {field["field"] for field in told["loss"]}
    assert report["differing"] == len(told["loss"])


def test_older_versions_are_written_as_the_newest(tmp_path: Path) -> None:
    for name in ("arena_short.v1.k30.none", "arena_short.v2.k30.gzip", "arena_short.v3early.k30.none"):
        source, target = corpus("butter", "old", f"{name}.butter"), tmp_path / f"{name}.butter"
        told = convert(str(source), str(target))
        assert (told["copied"], told["anew"]) == (0, 100)
        with ButterFile(str(target)) as reader:
            assert reader.dialect == "3"
        for one, other in zip(frames_of(source), frames_of(target), strict=True):
            assert (one.time, one.status, one.last_score) == (other.time, other.status, other.last_score)


def test_of_a_damaged_file_what_can_be_read_is_written_and_the_damage_told(tmp_path: Path) -> None:
    source, target = corpus("butter", "robust", "flip1.zstd_3.butter"), tmp_path / "rest.butter"
    told = convert(str(source), str(target))
    assert "chunk 1" in told["error"]
    assert told["frames"] == len(frames_of(target)) >= 70
    assert frames_of(target)[:30] == frames_of(source)[:30]


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("a.txt", {}),
        ("a.butter", {"interval": 0}),
        ("a.butter", {"interval": 65536}),
        ("a.butter", {"compression": "zstd_7_dict"}),
        ("a.echoreplay", {"interval": 30}),
        ("a.echoreplay", {"compression": "none"}),
        ("a.butter", {"first": "50", "last": "40"}),
        ("a.butter", {"first": "yesterday"}),
    ],
)
def test_a_request_without_sense_is_refused(target: str, options: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(Usage):
        convert(SAMPLE, str(tmp_path / target), ConvertOptions(**options))  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


def test_a_file_that_is_there_stays_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "there.butter"
    target.write_text("mine")
    with pytest.raises(Usage):
        convert(SAMPLE, str(target))
    assert target.read_text() == "mine"
    convert(SAMPLE, str(target), force=True)
    assert unpacked(target) == unpacked(SAMPLE)
    convert(str(target), str(target), ConvertOptions(compression="none"), force=True)
    assert unpacked(target) == unpacked(SAMPLE)


def test_a_session_on_an_unknown_map_is_refused_and_one_without_address_gets_zeros(tmp_path: Path) -> None:
    text, target = tmp_path / "a.echoreplay", tmp_path / "a.butter"
    convert(SAMPLE, str(text), ConvertOptions(last="3"))
    plain = tmp_path / "plain.echoreplay"
    with closing(ButterStream(SAMPLE)) as stream:
        place, address = stream.header.map_name.encode(), stream.header.sessionip.encode()
    data = ZipFile(text).read("a.echoreplay")
    plain.write_bytes(data.replace(place, b"mpl_moon"))
    with pytest.raises(Unsupported):
        convert(str(plain), str(target))
    assert not target.exists()
    plain.write_bytes(data.replace(address, b"localhost"))
    assert convert(str(plain), str(target))["changed"] == ["sessionip"]
    with ButterFile(str(target)) as reader:
        assert reader.header.sessionip == "0.0.0.0"


def test_more_players_than_the_table_has_room_for_are_refused(tmp_path: Path) -> None:
    text, target = tmp_path / "a.echoreplay", tmp_path / "a.butter"
    convert(SAMPLE, str(text), ConvertOptions(last="0"))
    line = ZipFile(text).read("a.echoreplay")
    with closing(ButterStream(SAMPLE)) as stream:
        who = stream.header.people[0]
    many = [line.replace(str(who.userid).encode(), str(who.userid + number).encode()) for number in range(250)]
    text.write_bytes(b"".join(many))
    with pytest.raises(Unsupported, match="too many players"):
        convert(str(text), str(target))
    assert os.listdir(tmp_path) == ["a.echoreplay"]


KILLED = """
import sys
from nhlog.formats.butter.writing.file import write_chunks
def chunks():
    yield bytes(1 << 20)
    print("ready", flush=True)
    sys.stdin.read()
    yield b""
write_chunks(sys.argv[1], chunks(), lambda sizes: b"header", force=False)
"""


def test_a_writer_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "never.butter")]
    with Started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert os.listdir(tmp_path) == []


def test_the_difference_of_a_file_to_itself_is_none() -> None:
    *fields, report = diff(SAMPLE, SAMPLE)
    assert {field["largest"] for field in fields} == {0}
    assert report == {
        "frames": 100,
        "only_a": 0,
        "only_b": 0,
        "differing": 0,
        "error_a": None,
        "error_b": None,
    }


def test_a_difference_is_told_with_its_place(tmp_path: Path) -> None:
    source = corpus("butter", "sessions", "arena_short.echoreplay")
    reference = corpus("butter", "ref", "arena_short.k300.none.butter")
    ours = tmp_path / "ours.butter"
    convert(str(source), str(ours), ConvertOptions(interval=300))
    theirs = {record.get("field"): record for record in diff(str(source), str(reference))}
    mine = {record.get("field"): record for record in diff(str(source), str(ours))}
    assert mine["head.position"]["mean"] < theirs["head.position"]["mean"]
    assert mine["head.rotation"]["mean"] < theirs["head.rotation"]["mean"]
    assert mine["head.position"]["compared"] == 885
    assert 0 <= mine["head.position"]["frame"] < 100


def test_frames_that_only_one_has_are_counted(tmp_path: Path) -> None:
    part = tmp_path / "part.butter"
    convert(SAMPLE, str(part), ConvertOptions(first="10", last="59"))
    *_, report = diff(SAMPLE, str(part))
    assert (report["frames"], report["only_a"], report["only_b"]) == (50, 50, 0)


def test_the_documented_keys_are_those_of_convert_and_diff(tmp_path: Path) -> None:
    text = str(tmp_path / "a.echoreplay")
    converted = [
        convert(SAMPLE, text, ConvertOptions(last="40")),
        convert(SAMPLE, str(tmp_path / "b.butter"), ConvertOptions(interval=7)),
        convert(text, str(tmp_path / "c.butter")),
    ]
    for title, records in (("nhlog convert", converted), ("nhlog diff", [*diff(SAMPLE, text)])):
        kinds = documented(DOCUMENT)[title]
        met: dict[str, set[str]] = {kind: set() for kind in kinds}
        for record in records:
            kind = "" if "" in kinds else "field" if "field" in record else "report"
            met[kind] |= seen(json.loads(msgspec.json.encode(record)), kinds[kind])
        assert met == {kind: set(keys) for kind, keys in kinds.items()}
