"""Statistics of games, held against a count of the log's own text and of every whole save."""

from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from nhlog.formats.nhgame.ledger import Ledger
from nhlog.formats.nhgame.stats import stats_records
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import kind_of
from nhlog.nethack4.save.dungeon import DLevel
from nhlog.nethack4.save.head import Hero
from nhlog.nethack4.save.save import Save
from nhlog.operations import Record
from tests.builders import Game, every_kind, played
from tests.corpus import SAMPLES, corpus
from tests.logs import body_lines

LOST = b"YQ=="
"""No save, but a line as it should be."""


def stats_of(data: bytes) -> dict[str, list[Record]]:
    """The records by kind, without the kind."""
    records = list(stats_records(Log(LogBytes("game", data))))
    return {
        kind: [without(record, "kind") for record in group] for kind, group in groupby(records, lambda r: r["kind"])
    }


def without(record: Record, *keys: str) -> Record:
    return {key: value for key, value in record.items() if key not in keys}


def counted(data: bytes) -> dict[str, list[Record]]:
    """The same of a sound log, from the text of its lines, and from all of its saves whole."""
    log = Log(LogBytes("game", data))
    commands, answers = Counter[str](), Counter[str]()
    met: list[tuple[int, int, str]] = []  # turn, time and place of each save
    heroes: list[tuple[int, int, int]] = []
    time, before = 0, b""
    for text in body_lines(data):
        if text.startswith(b"+"):
            time += 0 if before == b"welcome" else int(text[1:], 16)
        elif text[:1] in (b"*", b"~"):
            save = Save.parse(log.save(len(met)))
            met.append((save.moves, time, save.dungeons.place(DLevel(save.you.dnum, save.you.dlevel))))
            heroes.append((save.moves, save.you.ulevel, save.you.uhp))
        elif text[:1].islower():
            commands[text.split()[0].decode()] += 1
        elif text[:1] not in (b"B", b"R", b"Q"):
            answers[kind_of(text)] += 1
        before = text
    met.append((met[-1][0], time, met[-1][2]))
    visits = [place for place, _ in groupby(place for _, _, place in met)]
    places = [
        {
            "place": place,
            "first": next(turn for turn, _, there in met if there == place),
            "turns": sum(after[0] - turn for (turn, _, there), after in pairwise(met) if there == place),
            "play_time": sum(after[1] - since for (_, since, there), after in pairwise(met) if there == place),
            "entered": visits.count(place),
        }
        for place in dict.fromkeys(visits)
    ]
    highest = [(turn, max(level for _, level, _ in heroes[: index + 1])) for index, (turn, *_) in enumerate(heroes)]
    levels = [{"level": level, "turn": next(group)[0]} for level, group in groupby(highest, lambda hero: hero[1])]
    lowest = min(heroes, key=lambda hero: hero[2])
    game = {
        "turn": met[-1][0],
        "play_time": time,
        "sessions": commands["welcome"],
        "commands": sum(commands.values()),
        "answers": sum(answers.values()),
        "lowest_hp": lowest[2],
        "lowest_hp_turn": lowest[0],
        "place": met[-1][2],
        "status": "finished" if data[7:11] == b"done" else "live",
        "state": data[31:109].decode().strip(),
    }
    told = {
        "game": [game],
        "place": places,
        "level": levels,
        "command": [{"command": name, "count": count} for name, count in commands.most_common()],
        "answer": [{"answer": kind, "count": count} for kind, count in answers.most_common()],
    }
    return {kind: records for kind, records in told.items() if records}


@pytest.mark.parametrize("name", ["all-line-kinds", "died2", "scripted1"])
def test_the_statistics_of_a_sample_are_what_its_lines_and_whole_saves_say(name: str) -> None:
    data = (SAMPLES / f"{name}.nhgame").read_bytes()
    assert stats_of(data) == counted(data)


@pytest.mark.parametrize(
    "name", ["bones-loaded", "died1", "mid1", "mid3", "transcoded-mixed", "cuts/mid-diff.after-load", "short1"]
)
def test_the_statistics_of_a_real_log_are_what_its_lines_and_whole_saves_say(name: str) -> None:
    data = corpus("nethack4", f"{name}.nhgame").read_bytes()
    assert stats_of(data) == counted(data)


def test_the_statistics_of_a_game_that_ended_in_death() -> None:
    stats = stats_of((SAMPLES / "died2.nhgame").read_bytes())
    assert [without(game, "play_time") for game in stats["game"]] == [
        {
            "turn": 449,
            "sessions": 1,
            "commands": 513,
            "answers": 38,
            "lowest_hp": 1,
            "lowest_hp_turn": 446,
            "place": "Dungeons:2",
            "status": "finished",
            "state": "killed by a sewer rat",
        }
    ]
    assert [without(place, "play_time") for place in stats["place"]] == [
        {"place": "Dungeons:1", "first": 1, "turns": 279, "entered": 1},
        {"place": "Dungeons:2", "first": 280, "turns": 169, "entered": 1},
    ]
    assert stats["level"] == [{"level": 1, "turn": 1}]
    assert stats["command"][:3] == [
        {"command": "repeat", "count": 372},
        {"command": "move", "count": 39},
        {"command": "autoexplore", "count": 30},
    ]


@pytest.mark.parametrize("name", ["died2", "all-line-kinds"])
def test_every_turn_and_moment_of_a_sound_game_belongs_to_a_place(name: str) -> None:
    stats = stats_of((SAMPLES / f"{name}.nhgame").read_bytes())
    [game] = stats["game"]
    assert sum(place["turns"] for place in stats["place"]) == game["turn"] - 1
    assert sum(place["play_time"] for place in stats["place"]) == game["play_time"]


def test_the_time_before_a_session_is_not_played() -> None:
    game = Game()
    for before, after in ((5, 7), (3600, 11), (7200, 13)):
        game.line(b"welcome")
        game.tick(before * 1_000_000)
        game.line(b"search")
        game.tick(after * 1_000_000)
        game.diff()
    [told] = stats_of(bytes(game.data))["game"]
    assert (told["sessions"], told["play_time"]) == (3, 31_000_000)


def test_a_log_without_a_line_has_nothing_to_count() -> None:
    assert stats_of(bytes(Game(begin=False).data)) == {
        "game": [
            {
                "turn": 0,
                "play_time": 0,
                "sessions": 0,
                "commands": 0,
                "answers": 0,
                "lowest_hp": None,
                "lowest_hp_turn": None,
                "place": None,
                "status": "live",
                "state": "(new game)",
            }
        ]
    }


# other engines


def test_a_game_of_another_engine_is_counted_with_what_the_engine_tells() -> None:
    data = (SAMPLES / "delve.nhgame").read_bytes()
    stats = stats_of(data)
    [game] = stats["game"]
    names = Counter(line.split()[0].decode() for line in body_lines(data) if line[:1].islower())
    assert [told["place"] for told in stats["place"]] == ["Delve:1", "Delve:2", "Delve:3", "Delve:4"]
    assert (game["turn"], game["play_time"], game["commands"]) == (566, 237_200_000, 594)
    assert (game["place"], game["lowest_hp"], game["lowest_hp_turn"]) == ("Delve:4", -4, 566)
    assert game["state"] == "killed by a cinder mote"
    assert {told["command"]: told["count"] for told in stats["command"]} == names


def test_a_game_of_fiqhack_is_counted_with_its_places() -> None:
    stats = stats_of(corpus("nethack4", "fiqhack1.nhgame").read_bytes())
    game = stats["game"][0]
    assert (game["commands"], game["turn"], game["place"]) == (944, 752, "Dungeons:2")
    assert [told["place"] for told in stats["place"]] == ["Dungeons:1", "Dungeons:3", "Dungeons:2"]


def test_no_save_is_rebuilt_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    rebuilt: list[int] = []
    monkeypatch.setattr(Log, "save", lambda self, number: rebuilt.append(number))
    for name in ("died2", "delve"):
        stats_of((SAMPLES / f"{name}.nhgame").read_bytes())
    assert rebuilt == []


# damage


@pytest.fixture(scope="module")
def real() -> list[bytes]:
    """Saves of turns 1 to 8: the hero is in Dungeons:1, then in Dungeons:5."""
    log = Log(LogBytes("game", (SAMPLES / "all-line-kinds.nhgame").read_bytes()))
    by_turn = {log.columns.save_turns[number]: log.save(number) for number in range(len(log.columns.save_lines))}
    assert sorted(by_turn) == [1, 2, 3, 4, 5, 6, 7, 8]
    return [by_turn[turn] for turn in sorted(by_turn)]


def places_of(*saves: bytes) -> list[tuple[str, int, int, int]]:
    """Place, first turn, turns and visits, of a log with these saves."""
    game = Game(begin=False)
    for save in saves:
        game.line(b"*00000000 " + (save if save == LOST else Blob.of(save).text))
    places = stats_of(bytes(game.data)).get("place", [])
    return [(place["place"], place["first"], place["turns"], place["entered"]) for place in places]


def test_whoever_comes_back_enters_again(real: list[bytes]) -> None:
    one, five, six = real[0], real[5], real[6]
    there, back = "Dungeons:1", "Dungeons:5"
    assert places_of(one, five) == [(there, 1, 5, 1), (back, 6, 0, 1)]
    assert places_of(one, five, one, six) == [(there, 1, 11, 2), (back, 6, 0, 2)]


def test_a_turn_counter_that_falls_takes_no_turns_away(real: list[bytes]) -> None:
    assert places_of(real[3], real[1], real[2]) == [("Dungeons:1", 4, 1, 1)]


def test_a_level_that_was_lost_is_not_gained_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    heroes = [Hero("Dungeons:1", level, 10, 10) for level in (1, 2, 1, 2, 4)]
    monkeypatch.setattr(Ledger, "hero", lambda _, save: heroes[save])
    levels = stats_of(bytes(played(4).data))["level"]
    assert levels == [{"level": 1, "turn": 1}, {"level": 2, "turn": 2}, {"level": 4, "turn": 5}]


def test_turns_after_a_lost_save_belong_to_no_place(real: list[bytes]) -> None:
    assert places_of(real[0], real[1], LOST, real[3], real[4]) == [("Dungeons:1", 1, 2, 1)]
    assert places_of(real[0], LOST, real[6]) == [("Dungeons:1", 1, 0, 1), ("Dungeons:5", 7, 0, 1)]


def test_what_lost_saves_would_tell_is_left_out_and_lines_are_counted_still(nhlog, tmp_path: Path) -> None:
    data = (SAMPLES / "died2.nhgame").read_bytes()
    log = Log(LogBytes("game", data))
    offset = log.columns.offsets[log.columns.save_lines[100]]
    holed = data[: offset + 4] + bytes(8) + data[offset + 12 :]
    whole, stats = stats_of(data), stats_of(holed)
    assert stats["command"] == whole["command"]
    assert stats["answer"] == whole["answer"]
    assert stats["game"][0]["place"] is None
    assert stats["game"][0]["state"] == "killed by a sewer rat"
    assert sum(place["turns"] for place in stats["place"]) == log.columns.save_turns[99] - 1
    told = f"1 broken line, at offset {offset}: 43 of 143 saves are lost"
    assert stats["error"] == [{"error": told}]
    (tmp_path / "x").write_bytes(holed)
    done = nhlog("stats", tmp_path / "x")
    assert (done.code, done.err) == (3, f"nhlog: {tmp_path / 'x'}: {told}\n")
    assert done.out.startswith("turn ")
    assert nhlog("stats", "--json", tmp_path / "x").code == 3


def test_lines_that_break_the_rules_are_told_and_not_counted() -> None:
    game = played(2)
    sound = stats_of(bytes(game.data))
    broken = len(game.data)
    for line in (b"move X", b"D99", b"Y", b"?", b"+x"):
        game.line(line)
    stats = stats_of(bytes(game.data))
    assert stats.pop("error") == [{"error": f"5 broken lines, the first at offset {broken}"}]
    assert stats == sound


def test_a_line_that_is_still_being_written_is_no_damage() -> None:
    game = every_kind()
    assert stats_of(bytes(game.data) + b"sear") == stats_of(bytes(game.data))


def test_in_words_each_kind_is_a_table(nhlog) -> None:
    done = nhlog("stats", SAMPLES / "scripted1.nhgame")
    assert (done.code, done.err) == (0, "")
    assert [table.split()[0] for table in done.out.split("\n\n")] == ["turn", "place", "level", "command", "answer"]
