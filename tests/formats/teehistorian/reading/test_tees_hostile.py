"""Recordings made to mislead: a text that is none, a truncated end; every verb tells, and a listing needs no luck."""

from pathlib import Path

import pytest

from nhlog.errors import Unsupported
from nhlog.formats.follow import happened as events
from nhlog.formats.teehistorian.operations import dump, info, listing, stats, verify
from nhlog.replay import Status
from tests.formats.teehistorian.builders import every_kind, header

LONE = "\ud800map"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.teehistorian"


def test_a_map_name_that_is_no_text_is_shown_and_told(path: Path) -> None:
    whole = every_kind()
    path.write_bytes(header(map_name=LONE) + whole[whole.index(b"\0", 16) + 1 :])
    row = listing(str(path))
    assert (row.title, row.status) == ("\ufffdmap", Status.DAMAGED)
    assert listing(str(path)) == row  # from the cache
    assert info(str(path)).health == "the header's map_name is not a text"
    *_, finding, report = verify(str(path))
    assert (finding["found"], report["sound"]) == ("U+D800", False)
    for verb in (events, stats, dump):
        *_, last = verb(str(path))
        assert "map_name is not a text" in last["error"], verb


@pytest.mark.parametrize("version", ["\n\r\t2", "2" * 5000])
def test_any_version_is_told_in_a_short_line(path: Path, version: str) -> None:
    path.write_bytes(header(version=version))
    with pytest.raises(Unsupported, match=r"another version of teehistorian: expected 1 or 2, found '[^\n]{,30}'$"):
        listing(str(path))


def test_a_header_that_is_nested_deep_is_damage(nhlog, path: Path) -> None:
    path.write_bytes(header()[:16] + b"[" * 100_000 + b"\0")
    done = nhlog("ls", path.parent, "--json")
    assert (done.code, [row["fault"] for row in done.records]) == (3, ["the header is nested too deeply"])


@pytest.mark.parametrize("verb", ["events", "stats"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_truncated_recording_ends_with_exit_code_3(nhlog, path: Path, verb: str, form: tuple[str, ...]) -> None:
    path.write_bytes(every_kind()[:-30])
    done = nhlog(verb, path, *form)
    assert done.code == 3
    assert done.out
    assert "cut at byte" in (done.out if form else done.err)
