"""What the verbs tell: every key of `docs/hollowcube.md`, no other, and each with what it should be."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nhlog.errors import NhlogError
from nhlog.formats import format_of, operation
from nhlog.formats.follow import happened as events
from nhlog.formats.hollowcube.operations import (
    OpenOptions,
    StatsOptions,
    dump,
    info,
    listing,
    open_replay,
    state,
    stats,
    verify,
)
from nhlog.formats.hollowcube.wire.extension import Extension, read_extension, with_extension
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import Kind, NbtList, Tag
from nhlog.replay import Status
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES
from tests.formats.hollowcube.made import EVERY_KIND, NONE, Made, run

DOCUMENT = (ROOT / "docs" / "hollowcube.md").read_text()
RUN, GHOST = str(SAMPLES / "run.replay"), str(SAMPLES / "ghost.replay")
NOTES = Tag(
    Kind.COMPOUND,
    {
        "player": Tag(Kind.STRING, "ada"),
        "score": Tag(Kind.DOUBLE, 0.5),
        "flags": Tag(Kind.LIST, NbtList(Kind.STRING, (Tag(Kind.STRING, "speed"),))),
        "more": Tag(Kind.COMPOUND, {"count": Tag(Kind.INT, 3)}),
        "ticks": Tag(Kind.INT_ARRAY, (1, 2)),
    },
)


class Versioned(Made):
    def own_metadata(self) -> Tag:
        extension = read_extension(super().own_metadata())
        return with_extension(
            NOTES, Extension(((0, 4900), (5, 4901)), b"", extension.run_events, extension.covered_ticks)
        )


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Recordings that make every verb say all that it can."""
    text = tmp_path / "text.replay"
    text.write_bytes(Versioned(EVERY_KIND, Layout.TEXT).data())
    game = tmp_path / "game.replay"
    game.write_bytes(Made(EVERY_KIND, Layout.GAME, metadata=NOTES, table=False).data())
    broken = tmp_path / "broken.replay"
    broken.write_bytes(text.read_bytes()[:-20])
    folder = Made(EVERY_KIND, Layout.GAME).write(tmp_path / "live", finished=False)
    (folder / "segment-001.dat").unlink()
    (folder / "segment-007.dat").write_bytes(b"")
    return [str(path) for path in (text, game, broken, folder)] + [RUN]


def states(path: str) -> Iterator[dict[str, Any]]:
    ghost = GHOST if path == RUN else None
    replay = open_replay(path, OpenOptions(ghost=ghost))
    for step in (0, 7, replay.timeline.last):
        replay.seek(step)
        yield state(replay)
    replay.close()
    replay = open_replay(path)
    replay.history.run_events = None
    yield state(replay)
    replay.close()


def printed(value: object) -> Any:
    """What `--json` prints of it."""
    return msgspec.json.decode(msgspec.json.encode(value))


TOLD: dict[str, Callable[[str], Iterator[dict[str, Any]]]] = {
    "nhlog info": lambda path: iter([printed(info(path))]),
    "nhlog ls": lambda path: iter([printed(listing(path))]),
    "nhlog dump": dump,
    "nhlog dump: events": lambda path: (event for record in dump(path) for event in record.get("events", ())),
    "nhlog events": events,
    "nhlog verify: findings": lambda path: iter([record for record in verify(path) if "sound" not in record]),
    "nhlog verify": lambda path: iter([record for record in verify(path) if "sound" in record]),
    "nhlog state": states,
    "nhlog stats": lambda path: stats(path, StatsOptions(ghost=GHOST)),
}


@pytest.mark.parametrize("title", TOLD)
def test_the_documented_keys_are_exactly_those_told(files: list[str], title: str) -> None:
    kinds = documented(DOCUMENT)[title]
    common = kinds.get("", {})
    met: dict[str, set[str]] = {"": set()}
    for path in files:
        for record in TOLD[title](path):
            named = {record.get(name) for name in ("type", "e", "kind")} & (kinds.keys() - {""})
            kind = named.pop() if named else ""
            keys = seen(record, common | kinds[kind])
            met[""] |= keys & common.keys()
            met.setdefault(kind, set()).update(keys - common.keys())
    assert met == {"": set()} | {kind: set(keys) for kind, keys in kinds.items()}


def test_a_recording_is_known_by_its_name_its_content_and_its_folder(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "nameless").write_bytes(Path(files[0]).read_bytes())
    live = Path(files[3])
    for path in (*files, str(tmp_path / "nameless"), str(live / "preamble.dat"), str(live)):
        assert format_of(path).name == info(path).format == "Hollow Cube recording"
    for verb in ("info", "dump", "verify", "state", "listing", "stats", "events", "open"):
        assert callable(operation(RUN, verb))


def test_info_of_a_live_folder(files: list[str]) -> None:
    found = info(files[3])
    assert (found.status, found.finished, found.health) == (Status.DAMAGED, False, "segment-001.dat is missing")
    assert (found.segments, found.ticks, found.layout) == (3, len(EVERY_KIND), "game")


def test_info_has_the_metadata_without_our_own(files: list[str]) -> None:
    told = printed(info(files[0]))
    assert told["metadata"] == {
        "player": "ada",
        "score": 0.5,
        "flags": ["speed"],
        "more": {"count": 3},
        "ticks": [1, 2],
    }
    assert told["people"] == ["ada"]
    assert told["data_versions"] == [{"tick": 0, "version": 4900}, {"tick": 5, "version": 4901}]
    assert sum(told["bytes"][part] for part in ("header", "metadata", "index", "chunks")) == told["size"]


def test_verify_of_what_is_missing_and_what_is_too_much(files: list[str]) -> None:
    *findings, report = verify(files[3])
    assert [(one["name"], one["what"]) for one in findings if one["fault"]] == [
        ("preamble.dat", "segment-001.dat is missing"),
        ("segment-001.dat", "segment-001.dat: no such file or directory"),
    ]
    assert ("segment-007.dat", "a file that the index does not name") in [(o["name"], o["what"]) for o in findings]
    assert (report["sound_ticks"], report["ticks"], report["sound_chunks"]) == (8, 13, 2)


def test_a_snapshot_that_is_not_what_came_before_is_noted(tmp_path: Path) -> None:
    one, other = Made(run(10, {})), Made(run(10, {}, step=1.0))
    path = tmp_path / "mixed.replay"
    path.write_bytes(one.data([next(one.chunks()), list(other.chunks())[1]]))
    *findings, report = verify(str(path))
    assert report["sound"]
    assert [one["what"] for one in findings] == ["a snapshot is not what the events before it made"]


def test_stats_of_a_run() -> None:
    player, sheep, first, *splits = stats(RUN, StatsOptions(ghost=GHOST))
    assert (player["entity"], player["type"], sheep["type"]) == (0, -1, 111)
    assert 150 < player["distance"] < 400
    assert (first["reason"], first["resets"], len(first["checkpoints"])) == ("FINISH", 1, 4)
    assert [split["checkpoint"] for split in splits] == ["meadow", "bridge", "tower", "falls", "finish"]
    ghost = [record for record in stats(GHOST) if record["kind"] == "run"]
    assert splits[-1]["gap"] == ghost[0]["time"] - first["time"]


def test_the_samples_are_sound_and_of_our_own_layout() -> None:
    for path in (RUN, GHOST):
        *findings, report = verify(path)
        assert (findings, report["sound"]) == ([], True)
        found = info(path)
        assert (found.layout, found.status, found.health) == ("text", Status.FINISHED, "sound")


def test_a_ghost_that_is_no_recording_is_told(tmp_path: Path) -> None:
    with pytest.raises(NhlogError, match=r"absent\.replay"):
        open_replay(RUN, OpenOptions(ghost=str(tmp_path / "absent.replay")))


@pytest.mark.parametrize(
    "extension",
    [
        Extension(),
        Extension(data_versions=((0, 4900),)),
        Extension(dictionary=bytes(range(256))),
        Extension(covered_ticks=0),
        Extension(((0, 1), (7, 2)), b"\0\xff", (), 12),
    ],
)
def test_an_annex_reads_back_and_leaves_the_rest(extension: Extension) -> None:
    metadata = with_extension(NOTES, extension)
    assert read_extension(metadata) == extension
    assert with_extension(metadata, Extension()) == NOTES
    assert read_extension(NONE) == Extension()


def test_an_annex_that_is_not_as_it_should_be_counts_as_absent() -> None:
    wrong = {"moments": Tag(Kind.BYTE_ARRAY, (1, 0, 9)), "ticks": Tag(Kind.INT, 5), "dictionary": Tag(Kind.INT, 3)}
    assert read_extension(Tag(Kind.COMPOUND, {"nhlog": Tag(Kind.COMPOUND, wrong)})) == Extension()
    assert read_extension(Tag(Kind.COMPOUND, {"nhlog": Tag(Kind.INT, 1)})) == Extension()
