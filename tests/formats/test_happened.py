"""`nhlog events`, at once and with --follow: the same record for an event, whatever the format."""

from pathlib import Path
from typing import Any

import pytest

from nhlog.files import CannotOpen
from nhlog.formats.follow import follow, happened
from tests.corpus import SAMPLES, corpus

NAMES = [
    "all-line-kinds.nhgame",
    "arena.butter",
    "coverage.map",
    "coverage.teehistorian",
    "delve.nhgame",
    "nethack.cast",
    "run.replay",
]


def followed(path: Path) -> list[dict[str, Any]]:
    """What is told of a recording until it has to be waited for, or is finished."""
    found = []
    for record in follow(str(path)):
        if record is None:
            break
        found.append(record)
    return found


def of_events(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if "step" in record]


@pytest.mark.parametrize("name", NAMES)
def test_an_event_has_the_same_record_whether_or_not_it_is_followed(name: str) -> None:
    path = SAMPLES / name
    records = list(happened(str(path)))
    assert of_events(followed(path)) == records
    assert all({"kind", "step", "time", "text"} <= record.keys() for record in records)
    assert not {record["kind"] for record in records} & {"waiting", "rewound", "replaced", "gone", "finished", "error"}


@pytest.mark.parametrize("name", ["vim.ttyrec"])
def test_so_it_has_in_a_recorded_terminal(name: str) -> None:
    folder = corpus("terminal", "recorded")
    path = folder / name if (folder / name).exists() else next(folder.glob("*.ttyrec"))
    assert of_events(followed(path)) == list(happened(str(path)))


@pytest.mark.parametrize("name", ["delve.nhgame", "coverage.teehistorian", "nethack.cast"])
@pytest.mark.parametrize("part", [0.01, 0.1, 0.5])
def test_what_was_told_of_a_growing_recording_is_in_the_end_what_happened(
    name: str, part: float, tmp_path: Path
) -> None:
    """A game in a terminal may be recognised after its first screens were told."""
    whole = (SAMPLES / name).read_bytes()
    path = tmp_path / name
    begun = max(whole.find(b"\n", int(len(whole) * part)) + 1, 400) if name != "coverage.teehistorian" else 4000
    path.write_bytes(whole[:begun])
    told: list[dict[str, Any]] = []
    waited = 0
    for record in follow(str(path)):
        if record is None:
            waited += 1
            if waited == 1:
                with path.open("ab") as file:
                    file.write(whole[begun:])
            elif waited == 4:
                break
        elif "step" in record:
            del told[len(told) - record.pop("amends", 0) :]
            told.append(record)
    assert told == list(happened(str(path)))


@pytest.mark.parametrize("name", [*NAMES, "unknown"])
def test_a_recording_that_is_not_there_yet_is_waited_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    source = SAMPLES / ("nethack.cast" if name == "unknown" else name)
    told: list[dict[str, Any]] = []
    waited = 0
    for record in follow(str(path)):
        if record is None:
            waited += 1
            if waited == 2:
                path.write_bytes(source.read_bytes())
            elif waited == 5:
                break
        else:
            told.append(record)
    assert told[0] == {"kind": "waiting", "text": "waiting: there is no such file yet"}
    assert of_events(told) == list(happened(str(source)))


def test_where_not_even_the_folder_is_there_nothing_is_waited_for(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="no such file or directory"):
        next(follow(str(tmp_path / "gone" / "x.nhgame")))
