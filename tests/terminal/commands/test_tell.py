"""`nhlog info`, `verify`, `search` and `ls`: what they say, in words and in JSON."""

import os
import re
from pathlib import Path

import pytest

from tests.builders import Game, every_kind, played
from tests.corpus import SAMPLES, corpus
from tests.logs import SAMPLE_LOGS, TRUTHS

# info


def test_info_in_words(nhlog, tmp_path: Path) -> None:
    path = played(4, zone=3600).write(tmp_path / "x")
    done = nhlog("info", path)
    assert done.code == 0
    rows = dict(line.strip().split("  ", 1) for line in done.out.splitlines()[1:12])
    assert {name: value.strip() for name, value in rows.items()} == {
        "game": "Ann the human Valkyrie (female, lawful)",
        "state": "live: Exp:1, 1 turns, on Dungeons:1",
        "mode": "explore",
        "engine": "NetHack 4.3, version 4.003.000",
        "started": "2026-11-20 15:29:39 UTC (2026-11-20 15:29:39 UTC)",
        "last line": "2026-11-20 15:29:40 UTC (2026-11-20 15:29:40 UTC)",
        "played": "0:01, 5 turns, 0 sessions",
        "size": f"{os.stat(path).st_size} B, 16 lines",
        "saves": "1 backup, 4 diffs, the newest 96 B",
        "recoveries": "recovery count 1",
        "health": "sound",
    }


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_info_of_real_logs(nhlog, path: Path) -> None:
    [record] = nhlog("info", path, "--json").records
    assert record["size"] == path.stat().st_size == sum(record["bytes"].values())
    assert record["health"] == "sound"
    assert nhlog("info", path).code == 0


def test_info_of_a_log_whose_saves_it_cannot_read(nhlog, tmp_path: Path) -> None:
    orphan = Game(begin=False)
    orphan.input(b"search")
    for name, game in (("none", Game(begin=False)), ("orphan", orphan)):
        done = nhlog("info", game.write(tmp_path / name))
        assert done.code == 0
        assert "the newest cannot be rebuilt" in done.out or "no save" in done.out


def test_info_of_fiqhack(nhlog) -> None:
    done = nhlog("info", corpus("nethack4", "fiqhack1.nhgame"))
    assert (done.code, done.err) == (0, "")
    assert "752 turns" in done.out
    assert "the newest 120.4 kB" in done.out


def test_info_of_a_damaged_log_tells_and_its_exit_code_too(nhlog, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(played(2).data + b"sear")
    done = nhlog("info", tmp_path / "x")
    assert done.code == 3
    assert "partial last line of 4 bytes" in done.out
    assert done.err == ""


def test_no_text_of_a_log_moves_the_cursor(nhlog, tmp_path: Path) -> None:
    game = Game(name=b"G1sySg==")  # escape [ 2 J
    game.state(b"\x1b[31mred\x07")
    game.input(b"name TG1sySgA=", b"search", b"Y\x9b")
    game.line(b"\x1b]0;title\x07")
    path = game.write(tmp_path / "x.nhgame")
    for verb in (
        ["info", path],
        ["dump", path],
        ["verify", path],
        ["search", path, "."],
        ["ls", tmp_path],
        ["show", path],
    ):
        done = nhlog(*verb)
        assert done.code in (0, 3)
        assert all(char.isprintable() or char == "\n" for char in done.out + done.err), verb


# verify


def test_verify_of_a_sound_log(nhlog, tmp_path: Path) -> None:
    game = every_kind()
    path = game.write(tmp_path / "x")
    size, lines, saves = len(game.data), len(game.lines), len(game.saves)
    done = nhlog("verify", path)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"{path}: sound; {lines} of {lines} lines, {saves} of {saves} saves "
        f"and the first {size} of {size} bytes are sound\n"
    )


def test_verify_names_each_fault_with_its_offset_what_was_expected_and_found(nhlog, tmp_path: Path) -> None:
    game = played(3)
    game.line(b"D99")
    path, at = game.write(tmp_path / "x"), game.offsets[-1]
    done = nhlog("verify", path)
    assert done.code == 3
    fault, verdict = done.out.splitlines()
    assert fault == f"{path}: offset {at}: fault: bad direction answer: expected D-1 to D10, found b'D99'"
    assert verdict == (
        f"{path}: 1 fault; 10 of 11 lines, 4 of 4 saves and the first {at} of {len(game.data)} bytes are sound"
    )


def test_verify_in_json(nhlog, tmp_path: Path) -> None:
    game = played(3)
    game.line(b"D99")
    [record] = nhlog("verify", "--json", game.write(tmp_path / "x")).records
    findings = record.pop("findings")
    assert record == {
        "file": str(tmp_path / "x"),
        "sound": False,
        "size": len(game.data),
        "sound_bytes": game.offsets[-1],
        "lines": 11,
        "sound_lines": 10,
        "saves": 4,
        "sound_saves": 4,
        "unsupported": None,
    }
    assert findings == [
        {
            "offset": game.offsets[-1],
            "what": "bad direction answer",
            "expected": "D-1 to D10",
            "found": "b'D99'",
            "fault": True,
        }
    ]


@pytest.mark.parametrize("name", TRUTHS)
def test_real_logs_are_sound(nhlog, name: str) -> None:
    path = corpus("nethack4", f"{name}.nhgame")
    assert nhlog("verify", path).code == (0 if path.read_bytes().endswith(b"\n") else 3)


def test_verify_checks_fiqhacks_saves(nhlog) -> None:
    done = nhlog("verify", corpus("nethack4", "fiqhack1.nhgame"))
    assert done.code == 0
    assert "377 of 377 saves" in done.out


# search


def test_search_finds_commands_answers_and_typed_text_with_turn_and_time(nhlog, tmp_path: Path) -> None:
    path = every_kind().write(tmp_path / "x")
    for pattern, found in (("moves east", "moves east"), ("hello", "text: 'hello world'"), ("Fido", "'Fido'")):
        done = nhlog("search", path, pattern)
        assert done.code == 0
        assert found in done.out
        assert re.match(r"turn \d +0:0\d  ", done.out)


def test_search_looks_between_two_positions(nhlog) -> None:
    def turns(*where: str) -> list[int]:
        return [
            record["turn"] for record in nhlog("search", SAMPLES / "died2.nhgame", "moves", *where, "--json").records
        ]

    some = turns("--first", "turn:100", "--last", "turn:200")
    assert some == [turn for turn in turns() if 100 <= turn <= 200]
    assert 0 < len(some) < len(turns())


def test_search_in_json_tells_where_in_every_way(nhlog) -> None:
    done = nhlog("search", SAMPLES / "died2.nhgame", "game over", "--json")
    [record] = done.records
    assert set(record) == {"step", "turn", "time", "offset", "line", "text", "source"}
    assert (record["text"], record["source"]) == ("game over", "Q")


@pytest.mark.parametrize(
    ("pattern", "hits"), [("SEARCH", 0), ("search", 1), ("Search", 0), ("^searches$", 1), ("x{2}", 0)]
)
def test_small_letters_match_capitals_and_capitals_only_themselves(
    nhlog, tmp_path: Path, pattern: str, hits: int
) -> None:
    done = nhlog("search", played(1).write(tmp_path / "x"), pattern)
    assert (done.code, len(done.out.splitlines())) == (0 if hits else 1, hits)
    assert (done.err == "") == bool(hits)


def test_a_folder_without_recordings_has_nothing_to_search(nhlog, tmp_path: Path) -> None:
    done = nhlog("search", tmp_path, "x")
    assert (done.code, done.out, done.err) == (1, "", f"{tmp_path}: no recordings here\n")


def test_a_pattern_that_is_none_is_wrong_usage(nhlog, tmp_path: Path) -> None:
    done = nhlog("search", played(1).write(tmp_path / "x"), "(")
    assert (done.code, done.out) == (2, "")
    assert "not a regular expression" in done.err


# ls


@pytest.fixture
def games(tmp_path: Path) -> Path:
    for number, (name, turns, over) in enumerate([("QW5u", 3, False), ("Ym9i", 9, False), ("Q2Vk", 6, True)]):
        game = Game(name=name.encode()).play(turns)
        if over:
            game.over()
        path = tmp_path / f"{number}.nhgame"
        path.write_bytes(game.data + (b"sear" if turns == 9 else b""))
        os.utime(path, (1000 + number, 1000 + number))
    (tmp_path / "notes.txt").write_text("no game")
    return tmp_path


def test_ls_lists_games_the_latest_first(nhlog, games: Path) -> None:
    done = nhlog("ls", games, "--json")
    assert (done.code, done.err) == (0, "")
    told = [(game["player"], game["turn"], game["status"]) for game in done.records]
    assert told == [("Ced", 7, "finished"), ("bob", 10, "needs recovery"), ("Ann", 4, "live")]
    table = nhlog("ls", games).out.splitlines()
    assert [line.split()[0] for line in table] == ["player", "Ced", "bob", "Ann"]
    assert "killed by a newt" in table[1]


@pytest.mark.parametrize(
    ("options", "players"),
    [
        (["--sort", "turn"], ["bob", "Ced", "Ann"]),
        (["--sort", "player"], ["Ann", "bob", "Ced"]),
        (["--sort", "file"], ["Ann", "bob", "Ced"]),
        (["--player", "B"], ["bob"]),
        (["--role", "val"], ["Ced", "bob", "Ann"]),
        (["--role", "Wiz"], []),
        (["--status", "live"], ["Ann"]),
        (["--status", "needs recovery"], ["bob"]),
    ],
)
def test_ls_sorts_and_filters(nhlog, games: Path, options: list[str], players: list[str]) -> None:
    done = nhlog("ls", games, "--json", *options)
    assert [game["player"] for game in done.records] == players


def test_ls_names_what_it_cannot_read_and_lists_the_rest(nhlog, games: Path) -> None:
    (games / "empty.nhgame").touch()
    (games / "folder.nhgame").mkdir()
    os.mkfifo(games / "fifo.nhgame")
    done = nhlog("ls", games, "--json")
    unread = [game for game in done.records if game["status"] == "unreadable"]
    assert (done.code, len(done.records)) == (3, 6)
    assert sorted(Path(game["file"]).name for game in unread) == ["empty.nhgame", "fifo.nhgame", "folder.nhgame"]
    assert all(game["fault"] for game in unread)
    assert [line.split(": ")[1] for line in done.err.splitlines()] == [
        str(games / name) for name in ("empty.nhgame", "fifo.nhgame", "folder.nhgame")
    ]


def test_ls_lists_several_folders_as_one(nhlog, games: Path) -> None:
    (other := games / "other").mkdir()
    (games / "0.nhgame").rename(other / "0.nhgame")
    done = nhlog("ls", games, other, "--json", "--sort", "player")
    assert [game["player"] for game in done.records] == ["Ann", "bob", "Ced"]


def test_ls_of_a_folder_without_games(nhlog, tmp_path: Path) -> None:
    assert nhlog("ls", tmp_path, "--json").records == []
    done = nhlog("ls", tmp_path)
    assert (done.code, done.out, done.err) == (0, "", f"{tmp_path}: no recordings here\n")


@pytest.mark.parametrize("name", ["none", "0.nhgame"])
def test_ls_of_what_is_no_folder(nhlog, games: Path, name: str) -> None:
    done = nhlog("ls", games / name)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith(f"nhlog: {games / name}: ")
