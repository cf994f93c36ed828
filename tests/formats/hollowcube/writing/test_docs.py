"""What the verbs of the writing side tell: every key of `docs/hollowcube.md`, and no other."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nhlog.formats.hollowcube.recording import Facts
from nhlog.formats.hollowcube.wire.nbt import Kind, NbtList, Tag
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT
from tests.formats.hollowcube.made import EVERY_KIND, run
from tests.formats.hollowcube.written import record

DOCUMENT = (ROOT / "docs" / "hollowcube.md").read_text()
METADATA = Tag(
    Kind.COMPOUND,
    {
        "inner": Tag(Kind.COMPOUND, {"a": Tag(Kind.INT, 1), "b": Tag(Kind.DOUBLE, 0.5), "c": Tag(Kind.STRING, "x")}),
        "list": Tag(Kind.LIST, NbtList(Kind.INT, (Tag(Kind.INT, 1),))),
        "array": Tag(Kind.INT_ARRAY, (1, 2)),
        "number": Tag(Kind.DOUBLE, 0.5),
        "text": Tag(Kind.STRING, "x"),
    },
)

RUNS = {
    "nhlog record": "record new; record made --open",
    "nhlog record --ring": "record ring.replay --ring 5m",
    "nhlog compact": "compact made -o made.replay --dictionary; compact made -o m.replay --merge 99 --remove",
    "nhlog convert": "convert made made.replay --layout 4; convert made m.replay --first 3",
    "nhlog recover": "recover made; recover made --dry-run",
    "nhlog recover -o": "recover made -o a.replay --dry-run; recover lost -o b; recover lost -o b --force",
    "nhlog rewind": "rewind made --to tick:90 --dry-run; rewind made --to tick:80 --yes; rewind made --to end",
    "nhlog meta": "; ".join(
        ["meta made get", "meta made set x 1", "meta made merge more.json"]
        + [f"meta made get {key}" for key in ("inner", "list", "array", "number", "text", "inner.a")]
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Recordings that make every verb say all that it can."""
    monkeypatch.chdir(tmp_path)
    record(tmp_path / "made", [*EVERY_KIND * 12], Facts(metadata=METADATA), finish=False)
    lost = record(tmp_path / "lost", run(60, {7: "one"}))
    (lost / "segment-001.dat").unlink()
    (lost / "preamble.dat").write_bytes(b"")
    (tmp_path / "more.json").write_text('{"y": [1.5]}')
    return tmp_path


@pytest.mark.parametrize("title", RUNS)
def test_the_documented_keys_are_exactly_those_printed(nhlog: Callable[..., Any], folder: Path, title: str) -> None:
    keys = documented(DOCUMENT)[title][""]
    met: set[str] = set()
    for line in RUNS[title].split("; "):
        ticks = b"".join(json.dumps({"events": []}).encode() + b"\n" for _ in range(30))
        done = nhlog(*shlex.split(line), "--json", stdin=ticks)
        assert done.code == 0, done.err
        for told in done.records:
            met |= seen(told, keys)
    assert met == set(keys)
