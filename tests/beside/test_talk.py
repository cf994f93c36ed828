"""The talk beside a recording: everybody reads the same, nothing in it does harm, and nobody can say too much."""

import json
import os
from pathlib import Path

import pytest

from nhlog.beside.file import MOST_BYTES, FileBeside, NotTaken
from nhlog.beside.talk import MOST_TEXT, Talk, close_talk, remove, say, talk_file
from nhlog.errors import Usage


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A game whose player lets others talk, after somebody came to watch."""
    path = str(tmp_path / "ann.nhgame")
    FileBeside(path, ".talk", "talk").tend(takes=True, watched=True)
    return path


def read(talk: Talk) -> list[str]:
    talk.look()
    return [str(said) for said in talk.said]


def write(game: str, *lines: object) -> None:
    with open(talk_file(game), "ab") as file:
        for line in lines:
            file.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")


def test_what_is_said_is_read_by_all_and_by_who_comes_later(game: str) -> None:
    here = Talk(game)
    assert not here.look()
    say(game, "bob", "hello")
    assert read(here) == ["bob: hello"]
    say(game, "eve", "  look   behind you ")
    assert here.look()
    assert not here.look()
    assert read(here) == read(Talk(game)) == ["bob: hello", "eve: look behind you"]


def test_each_line_has_its_moment(game: str) -> None:
    write(game, {"time": 1000, "name": "bob", "text": "one"}, {"time": 2000, "name": "bob", "text": "two"})
    talk = Talk(game)
    talk.look()
    assert [said.text for said in talk.until(1_999_999)] == ["one"]
    assert [said.text for said in talk.until(2_000_000)] == ["one", "two"]


def test_only_who_is_at_the_game_opens_the_talk_and_closes_it(tmp_path: Path, game: str) -> None:
    with pytest.raises(NotTaken, match="the player does not accept talk now"):
        say(str(tmp_path / "other.nhgame"), "bob", "hello")
    close_talk(game)
    assert os.stat(talk_file(game)).st_mode & 0o777 == 0o444
    with pytest.raises(NotTaken, match="the player does not accept talk"):
        say(game, "bob", "hello")


def test_controls_and_marks_of_direction_are_neither_written_nor_read(game: str) -> None:
    say(game, "b\x1b[31mob", "a\tb\nc\x1b]0;x\x07\u202e\u200b<b>")
    write(
        game,
        {"time": 1, "name": "eve", "text": "\x1b[2J"},
        {"time": 1, "name": "e\u202eve", "text": "hi"},
        {"time": 1, "name": "eve", "text": "two\nlines"},
        {"time": 1, "name": "", "text": "hi"},
        {"time": 1, "name": "eve", "text": " "},
        {"time": 1, "name": "eve", "text": "x" * (MOST_TEXT + 1)},
        {"time": 1 << 60, "name": "eve", "text": "hi"},
        {"time": "1", "name": "eve", "text": "hi"},
        {"time": 1, "removes": -1},
        ["time"],
        b"[" * 5000,
        b'{"time": 1, "name": "eve", "text": "\xff"}',
        b"",
        {"time": 1, "name": "../../etc/passwd", "text": "hi"},
    )
    assert read(Talk(game)) == ["b [31mob: a b c ]0;x <b>", "../../etc/passwd: hi"]
    with pytest.raises(Usage):
        say(game, "bob", " \n\x07")


def test_an_administrator_removes_a_line_and_the_others_stay(game: str) -> None:
    here = Talk(game)
    say(game, "bob", "one")
    say(game, "eve", "rude")
    say(game, "bob", "two")
    here.look()
    before = Path(talk_file(game)).read_bytes()
    assert remove(game, here.said[1].offset).text == "rude"
    assert read(here) == read(Talk(game)) == ["bob: one", "bob: two"]
    assert Path(talk_file(game)).read_bytes().startswith(before)
    for offset in (here.said[0].offset + 1, len(before), -1):
        with pytest.raises(Usage, match="nothing is said there"):
            remove(game, offset)


def test_a_line_of_a_talk_that_is_closed_can_be_removed_by_who_may_write_it(game: str) -> None:
    say(game, "eve", "rude")
    close_talk(game)
    if os.geteuid():
        with pytest.raises(NotTaken, match="cannot write"):
            remove(game, 0)
    else:
        remove(game, 0)
        assert read(Talk(game)) == []


def test_nobody_says_much_at_once_and_all_together_do_not_either(game: str) -> None:
    for number in range(5):  # a case: the fifth is still taken
        say(game, "bob", str(number))
    with pytest.raises(NotTaken, match="too much was said just now"):
        say(game, "bob", "5")
    for number in range(25):  # a case: thirty of all are taken
        say(game, f"n{number}", "hello")
    with pytest.raises(NotTaken, match="too much was said just now"):
        say(game, "eve", "hello")


def test_who_was_slowed_down_is_heard_again_after_some_seconds(game: str) -> None:
    write(game, *({"time": 1000 + number, "name": "bob", "text": "long ago"} for number in range(99)))
    say(game, "bob", "now")
    assert read(Talk(game))[-1] == "bob: now"


def test_lines_have_a_length_and_the_talk_has_one(game: str) -> None:
    say(game, "n" * 99, "x" * 999)
    assert [(len(said.name), len(said.text)) for said in _said(game)] == [(40, MOST_TEXT)]
    write(game, b"x" * MOST_BYTES)
    with pytest.raises(NotTaken, match="full"):
        say(game, "bob", "hello")
    assert _said(game) == []


def test_ten_gigabytes_are_not_read(game: str) -> None:
    os.truncate(talk_file(game), 10 << 30)
    write(game, {"time": 1, "name": "eve", "text": "hi"})
    assert [str(said) for said in _said(game)] == []  # it has begun in the middle of a line
    write(game, {"time": 1, "name": "eve", "text": "hi"})
    assert [str(said) for said in _said(game)] == ["eve: hi"]


def test_a_part_of_a_line_is_no_line_and_spoils_none(game: str) -> None:
    write(game, {"time": 1, "name": "eve", "text": "whole"})
    path = Path(talk_file(game))
    with path.open("ab") as file:
        file.write(b'{"time": 1, "name": "eve", "te')
    here = Talk(game)
    assert read(here) == ["eve: whole"]
    say(game, "bob", "hello")
    assert read(here) == read(Talk(game)) == ["eve: whole", "bob: hello"]


def test_another_talk_of_the_same_name_takes_the_place_of_the_first(game: str) -> None:
    say(game, "bob", "old")
    here = Talk(game)
    assert read(here) == ["bob: old"]
    other = Path(game + ".other")
    other.write_text('{"time": 1, "name": "eve", "text": "new"}\n' * 2)
    other.replace(talk_file(game))
    assert read(here) == ["eve: new"] * 2
    Path(talk_file(game)).write_text('{"time": 1, "name": "eve", "text": "short"}\n')
    assert read(here) == ["eve: short"]
    Path(talk_file(game)).write_text("{")
    assert here.look()
    assert read(here) == []


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_is_neither_written_nor_read(tmp_path: Path, link: object) -> None:
    secret, game = tmp_path / "secret", str(tmp_path / "ann.nhgame")
    text = '{"time": 1, "name": "eve", "text": "secret"}\n'
    secret.write_text(text)
    link(secret, talk_file(game))
    with pytest.raises(NotTaken, match="you cannot write"):
        say(game, "bob", "hello")
    close_talk(game)
    assert _said(game) == []
    assert (secret.read_text(), secret.stat().st_mode & 0o222) == (text, 0o200)


def test_a_fifo_or_a_folder_in_its_place_keeps_nobody_waiting(tmp_path: Path) -> None:
    for name, make in (("fifo", os.mkfifo), ("folder", os.mkdir)):
        game = str(tmp_path / name)
        make(talk_file(game))
        with pytest.raises(NotTaken, match="you cannot write"):
            say(game, "bob", "hello")
        assert _said(game) == []


def test_talk_leaves_nothing_open(game: str) -> None:
    before = os.listdir("/proc/self/fd")
    say(game, "bob", "hello")
    assert read(Talk(game)) == ["bob: hello"]
    close_talk(game)
    assert os.listdir("/proc/self/fd") == before


def _said(game: str) -> list[object]:
    talk = Talk(game)
    talk.look()
    return [*talk.said]
