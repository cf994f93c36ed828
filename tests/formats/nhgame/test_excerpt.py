"""An excerpt of a log is a log: sound, with the same saves and times, and smaller."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.errors import Damaged
from nhlog.formats.nhgame.open import open_log
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.writing.excerpt import convert
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.session.replay import with_engine
from tests.builders import Game, every_kind, played
from tests.corpus import SAMPLES


@contextmanager
def excerpt(source: str | Path, target: Path, **part: str) -> Iterator[tuple[Log, Log, int]]:
    """The source, the excerpt, and the number of the source's save that it begins with."""
    convert(str(source), str(target), **part)
    with open_log(str(source)) as whole, open_log(str(target)) as made:
        first = saves(whole).index(made.save(0))
        yield whole, made, first


def saves(log: Log) -> list[bytes]:
    return [log.save(number) for number in range(len(log.columns.save_lines))]


def findings(log: Log) -> list[Finding]:
    return [found for found in verify(log) if isinstance(found, Finding)]


def others(log: Log, first: int = 0, last: int | None = None) -> list[bytes]:
    """The lines that are no saves, from one line on."""
    lines = (log.raw(line).data for line in range(first, len(log) if last is None else last))
    return [line for line in lines if line[:1] not in b"*~"]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("all-line-kinds", {}),
        ("all-line-kinds", {"first": "30%", "last": "70%"}),
        ("all-line-kinds", {"first": "turn:5"}),
        ("all-line-kinds", {"last": "turn:5"}),
        ("died2", {"first": "80%", "last": "85%"}),
        ("delve", {"first": "turn:550"}),
    ],
)
def test_an_excerpt_is_sound_and_has_the_sources_states_lines_and_times(
    tmp_path: Path, name: str, part: dict[str, str]
) -> None:
    with excerpt(SAMPLES / f"{name}.nhgame", tmp_path / "x.nhgame", **part) as (whole, made, first):
        assert findings(made) == []
        kept = saves(made)
        assert saves(whole)[first : first + len(kept)] == kept
        begin = whole.columns.save_lines[first]
        assert others(made) == others(whole, begin, begin + len(made))
        assert [made.columns.utc(line) for line in range(len(made))] == [
            whole.columns.utc(begin + line) for line in range(len(made))
        ]
        assert made.raw(0).data[:1] == b"*"
        assert made.header.identification.recovery_count == 1
        assert (made.header.name, made.header.words) == (whole.header.name, whole.header.words)
        to_end = "last" not in part
        assert made.header.finished == to_end
        assert (made.header.state == whole.header.state) == to_end


def test_a_game_is_smaller_where_the_game_itself_wrote_its_diffs(tmp_path: Path) -> None:
    theirs = convert(str(SAMPLES / "all-line-kinds.nhgame"), str(tmp_path / "theirs"))
    assert theirs["size"] < 0.8 * theirs["source_size"]
    ours = convert(str(SAMPLES / "delve.nhgame"), str(tmp_path / "ours"), first="turn:550")
    again = convert(str(tmp_path / "ours"), str(tmp_path / "again"))
    assert again["size"] == again["source_size"] == ours["size"]


def test_backups_come_where_the_game_would_write_them_and_point_back(tmp_path: Path) -> None:
    game = played(60, size=200)
    with excerpt(game.write(tmp_path / "a"), tmp_path / "x") as (_, made, _):
        assert len(made.columns.backups) > 1
        assert findings(made) == []


def test_the_zone_of_a_game_stays_in_its_clocks(tmp_path: Path) -> None:
    game = played(9, zone=3600)
    with excerpt(game.write(tmp_path / "a"), tmp_path / "x", first="turn:4", last="turn:8") as (whole, made, first):
        assert findings(made) == []
        begin = whole.columns.save_lines[first]
        told = [made.columns.utc(line) for line in range(1, len(made))]
        assert told[1:] == [whole.columns.utc(begin + line) for line in range(2, len(made))]


def test_an_engine_follows_an_excerpt_of_its_game(tmp_path: Path) -> None:
    with excerpt(SAMPLES / "delve.nhgame", tmp_path / "x", first="turn:300", last="turn:310") as (_, made, _):
        replay = with_engine(LogReplay(made))
        replay.seek(replay.timeline.last)
        assert (replay.state.fault, replay.state.note, replay.state.turn) == ("", "", 310)


def test_every_kind_of_line_stands_as_it_is(tmp_path: Path) -> None:
    game = every_kind()
    with excerpt(game.write(tmp_path / "a"), tmp_path / "x") as (whole, made, _):
        assert others(made) == others(whole)
        assert made.header.finished


def test_of_a_damaged_log_what_can_be_read_is_written_and_told(tmp_path: Path) -> None:
    game = played(12, backup_every=6)
    game.line(b"?")
    game.play(2)
    data = bytearray(game.data)
    broken = game.save_offsets[3]
    data[broken + 1 : broken + 5] = b"!!!!"
    (tmp_path / "a").write_bytes(data)
    record = convert(str(tmp_path / "a"), str(tmp_path / "x"))
    assert record["error"] == "3 lines that cannot be read are left out"
    with open_log(str(tmp_path / "x")) as made:
        assert [found.what for found in findings(made) if found.fault] == []
        sound = [save for number, save in enumerate(game.saves) if number not in (3, 4)]
        assert saves(made) == sound


def test_what_cannot_be_an_excerpt_is_told(nhlog, tmp_path: Path) -> None:
    source = played(9).write(tmp_path / "a")
    for arguments, code, told in (
        (["--first", "turn:8", "--last", "turn:3"], 2, "the end is before the start"),
        (["--interval", "3"], 2, "does not apply"),
    ):
        done = nhlog("convert", source, tmp_path / "x", *arguments)
        assert (done.code, told in done.err) == (code, True)
    assert not (tmp_path / "x").exists()
    assert nhlog("convert", Game().write(tmp_path / "b"), tmp_path / "x").code == 0
    again = nhlog("convert", source, tmp_path / "x")
    assert (again.code, "--force" in again.err) == (2, True)
    assert nhlog("convert", source, tmp_path / "x", "--force", "--json").records[0]["first"] == 1


def test_a_part_before_the_first_save_is_no_excerpt(tmp_path: Path) -> None:
    game = Game(begin=False)
    for _ in range(9):
        game.line(b"search")
    game.backup()
    path = tmp_path / "late.nhgame"
    game.write(path)
    with pytest.raises(Damaged, match="no save comes before that position"):
        convert(str(path), str(tmp_path / "part.nhgame"), first="25%", last="60%")
    assert [file.name for file in tmp_path.iterdir()] == ["late.nhgame"]


@pytest.mark.parametrize(
    ("first", "last", "turns", "told"),
    [
        (
            None,
            "turn:50",
            (1, 35),
            ["no save is of turn 50, as a command took several turns: the one before it is of turn 35"],
        ),
        (
            "turn:20",
            "turn:60",
            (2, 60),
            ["no save is of turn 20, as a command took several turns: the one before it is of turn 2"],
        ),
        ("turn:20", "50", (2, 35), ["of turn 20,", "of turn 50,"]),
        ("turn:34", "turn:60", (34, 60), []),
        ("10%", "90%", None, []),
    ],
)
def test_a_part_says_why_it_begins_or_ends_earlier_than_was_asked_for(
    tmp_path: Path, first: str | None, last: str, turns: tuple[int, int] | None, told: list[str]
) -> None:
    """Of turns in the middle of a command there is no save: died2 goes from turn 2 to 34, and from 35 to 60."""
    record = convert(str(SAMPLES / "died2.nhgame"), str(tmp_path / "part.nhgame"), first=first, last=last)
    assert turns in (None, (record["first"], record["last"]))
    assert bool(record["note"]) == bool(told)
    assert [text for text in told if text not in (record["note"] or "")] == []
