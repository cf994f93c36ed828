"""Records for `--json`: what each line, each save and the whole log is told as."""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import msgspec
import pytest

from nhlog.formats.nhgame.records import info_of, line_records, save_records
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.mdiff.reference import encode
from tests.builders import START, Game, every_kind, played
from tests.corpus import corpus, packed_records
from tests.logs import SAMPLE_LOGS, TRUTHS


def log_of(data: bytes) -> Log:
    return Log(LogBytes("game", data))


def record_of(line: bytes) -> dict[str, object]:
    """What a line is told as, less what every line has."""
    game = Game()
    game.line(line)
    *_, record = line_records(log_of(bytes(game.data)))
    return {name: value for name, value in record.items() if name not in ("line", "offset", "turn", "utc", "date")}


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (b"search", {"kind": "command", "name": "search", "arguments": []}),
        (
            b"cast Sb D2",
            {
                "kind": "command",
                "name": "cast",
                "arguments": [
                    {"kind": "spell", "value": "b"},
                    {"kind": "direction", "value": 2, "word": "north"},
                ],
            },
        ),
        (
            b"travel P12,7",
            {"kind": "command", "name": "travel", "arguments": [{"kind": "position", "x": 12, "y": 7}]},
        ),
        (
            b"name TRmlkbwA= Ia L3 K27",
            {
                "kind": "command",
                "name": "name",
                "arguments": [
                    {"kind": "text", "text": "Fido"},
                    {"kind": "item", "value": "a"},
                    {"kind": "limit", "value": 3},
                    {"kind": "key", "value": 27},
                ],
            },
        ),
        (
            b"move D99x",
            {
                "kind": "command",
                "name": "move",
                "arguments": [{"kind": "direction", "value": 99, "word": ""}],
                "ignored": "x",
            },
        ),
        (b"+ff", {"kind": "time", "delta": 255}),
        (b"P!", {"kind": "position", "cancelled": True}),
        (b"P1,2.", {"kind": "position", "x": 1, "y": 2, "char": "."}),
        (b"D-1", {"kind": "direction", "value": -1, "word": "nowhere"}),
        (b"K97,-1", {"kind": "key", "key": 97, "count": -1}),
        (b"K97", {"kind": "key", "key": 97}),
        (b"Y\xe9", {"kind": "yes_no", "answer": "é"}),
        (b"M", {"kind": "menu", "ids": ()}),
        (b"M!", {"kind": "menu", "cancelled": True}),
        (b"M5:2", {"kind": "menu", "ids": (1, -2)}),
        (b"O5,3:6", {"kind": "object_menu", "items": [{"id": 1, "count": 3}, {"id": 2, "count": -1}]}),
        (b"O", {"kind": "object_menu", "items": []}),
        (b"O!", {"kind": "object_menu", "cancelled": True}),
        (b"LaGVsbG8gd29ybGQA", {"kind": "text", "text": "hello world"}),
        (b"B!", {"kind": "bones", "found": False}),
        (b"BYm9uZXM=", {"kind": "bones", "found": True, "encoded_size": 8}),
        (b"R!", {"kind": "score_lookup", "raw": "!"}),
        (b"Q", {"kind": "game_over"}),
        (b"*00000099 YQ==", {"kind": "backup", "pointer": 153, "compressed": False, "encoded_size": 4}),
        (b"~YQ==", {"kind": "diff", "compressed": False, "encoded_size": 4}),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_line_is_told_by_its_fields(line: bytes, record: dict[str, object]) -> None:
    assert record_of(line) == record


@pytest.mark.parametrize("line", [b"", b"?", b"Mxyz", b"~", b"\xff\0"])
def test_an_unreadable_line_is_told_with_its_bytes(line: bytes) -> None:
    record = record_of(line)
    assert record.pop("error")
    assert record == {"kind": "unreadable", "raw": line.decode("latin-1")}


def test_every_line_has_its_number_offset_turn_and_time() -> None:
    game = every_kind()
    records = list(line_records(log_of(bytes(game.data))))
    assert [record["line"] for record in records] == list(range(1, len(game.lines) + 4))
    assert [record["offset"] for record in records] == [0, 31, 110, *game.offsets]
    body = records[3:]
    assert body[0]["date"] == "2026-11-20T15:29:39.091052+00:00"
    assert body[0]["utc"] == START
    assert [record["utc"] for record in body] == sorted(record["utc"] for record in body)
    assert [record["turn"] for record in body] == sorted(record["turn"] for record in body)


def test_the_header_is_three_records() -> None:
    identification, state, summary, *_ = line_records(log_of(bytes(played(3).data)))
    assert identification == {
        "line": 1,
        "offset": 0,
        "kind": "identification",
        "status": "live",
        "recovery_count": 1,
        "version": "4.003.000",
    }
    assert state == {"line": 2, "offset": 31, "kind": "state", "text": "Exp:1, 1 turns, on Dungeons:1"}
    assert summary == {
        "line": 3,
        "offset": 110,
        "kind": "summary",
        "start": START,
        "mode": "explore",
        "player": "Ann",
        "role": "Valkyrie",
        "race": "human",
        "gender": "female",
        "alignment": "lawful",
    }


def test_a_partial_last_line_is_the_last_record() -> None:
    game = played(1)
    *_, record = line_records(log_of(bytes(game.data) + b"sear\xff"))
    assert record == {"line": len(game.lines) + 4, "offset": len(game.data), "kind": "partial", "raw": "sear\xff"}


def test_a_clock_outside_the_calendar_has_no_date() -> None:
    game = Game()
    game.tick(2**62)
    *_, record = line_records(log_of(bytes(game.data)))
    assert (record["utc"], record["date"]) == (START + 2**62, None)


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_all_records_of_a_real_log_are_json(path: Path) -> None:
    log = log_of(path.read_bytes())
    records = [*line_records(log), *save_records(log), asdict(info_of(log))]
    assert [json.loads(msgspec.json.encode(record)) for record in records]
    assert not any("error" in record for record in records)


# saves


def test_a_save_is_told_by_its_length_and_digest() -> None:
    game = every_kind()
    records = list(save_records(log_of(bytes(game.data))))
    assert [(record["offset"], record["save_len"], record["save_sha256"]) for record in records] == [
        (offset, len(save), hashlib.sha256(save).hexdigest())
        for offset, save in zip(game.save_offsets, game.saves, strict=True)
    ]
    assert [set(record) ^ set(records[1]) for record in records if record["kind"] == "*"] == [
        {"prev_field", "diff_header"}
    ] * 2


def test_a_save_that_cannot_be_rebuilt_says_why_in_place_of_its_digest() -> None:
    game = played(2)
    game.line(b"~" + Blob.of(b"\x01\x43\xff").text)
    *good, bad = save_records(log_of(bytes(game.data)))
    assert not any("error" in record for record in good)
    assert set(bad) == {"line", "offset", "kind", "line_len", "error"}


@pytest.mark.parametrize("name", TRUTHS)
def test_saves_are_those_of_the_real_engine(name: str) -> None:
    log = log_of(corpus("nethack4", f"{name}.nhgame").read_bytes())
    truth = packed_records("nethack4", f"{name}.truth.jsonl.gz")
    expected = [record for record in truth if "partial_last_line" not in record]
    assert list(save_records(log)) == expected


# the whole


def test_the_whole_log_in_one_record() -> None:
    game = played(4, zone=3600)
    game.input(b"welcome")
    record = asdict(info_of(log_of(bytes(game.data))))
    assert record == {
        "format": "NetHack 4 log",
        "status": "live",
        "state": "Exp:1, 1 turns, on Dungeons:1",
        "engine": "NetHack 4.3",
        "version": "4.003.000",
        "recovery_count": 1,
        "start": START,
        "mode": "explore",
        "player": "Ann",
        "role": "Valkyrie",
        "race": "human",
        "gender": "female",
        "alignment": "lawful",
        "zone": 3600,
        "end": game.clock - 3600 * 10**6,
        "duration": game.clock - 3600 * 10**6 - START,
        "turn": 5,
        "sessions": 1,
        "size": len(game.data),
        "lines": {"header": 3, "backup": 1, "command": 5, "time": 5, "diff": 4},
        "bytes": record["bytes"],
        "saves": {"backups": 1, "diffs": 4, "lost": 0, "newest_size": 96},
        "health": "sound",
    }
    assert sum(record["bytes"].values()) == len(game.data)
    assert set(record["bytes"]) == set(record["lines"])


@pytest.mark.parametrize("game", [Game(begin=False), every_kind()])
@pytest.mark.parametrize("tail", [b"", b"sear"])
def test_bytes_by_kind_are_all_the_bytes(game: Game, tail: bytes) -> None:
    data = bytes(game.data) + tail
    record = asdict(info_of(log_of(data)))
    assert sum(record["bytes"].values()) == record["size"] == len(data)
    assert sum(record["lines"].values()) == data.count(b"\n") + bool(tail)


def test_a_log_without_a_save_has_no_newest_one() -> None:
    for game in (Game(begin=False), Game(begin=False)):
        record = asdict(info_of(log_of(bytes(game.data))))
        assert record["saves"] == {"backups": 0, "diffs": 0, "lost": 0, "newest_size": None}
        game.input(b"search")
        assert info_of(log_of(bytes(game.data))).saves["newest_size"] is None


def test_health_names_what_one_reading_can_see() -> None:
    game = played(2)
    assert info_of(log_of(bytes(game.data) + b"sear")).health == (
        f"partial last line of 4 bytes at offset {len(game.data)}"
    )
    game.line(b"?")
    assert info_of(log_of(bytes(game.data))).health == f"1 broken line, at offset {game.offsets[-1]}"
    first = game.offsets[-1]
    game.line(b"~YQ")
    told = f"2 broken lines, the first at offset {first}"
    info = info_of(log_of(bytes(game.data)))
    assert info.health == f"{told}: 1 of 4 saves are lost, the newest with them"
    assert info.saves == {"backups": 1, "diffs": 3, "lost": 1, "newest_size": None}
    game.diff()
    game.backup()
    info = info_of(log_of(bytes(game.data)))
    assert info.health == f"{told}: 2 of 6 saves are lost, the newest is sound"
    assert info.saves == {"backups": 2, "diffs": 4, "lost": 2, "newest_size": 96}


def test_a_newest_save_that_does_not_come_out_is_told_though_each_line_reads_well() -> None:
    game = played(2)
    game.line(b"~" + Blob.of(encode(b"another save", b"another game")).text)
    assert info_of(log_of(bytes(game.data))).health == (
        f"the newest save cannot be rebuilt, for what stands at offset {game.offsets[-1]}"
    )
