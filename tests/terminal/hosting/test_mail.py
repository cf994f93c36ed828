"""What others write to who plays a program: each letter is shown for some time, then all is as before."""

import json
from pathlib import Path

import pytest

from nhlog.beside.file import NotTaken
from nhlog.beside.mail import MailRefused, mail_file, send
from nhlog.beside.talk import say, talk_file
from nhlog.files import File
from nhlog.players.notices import Notices, broadcast
from nhlog.vt import Size, Terminal
from terminal.hosting.mail import MOST, SHOWN, WHO, Post, drawn
from terminal.messages.others import HIDDEN, OFF, FromOthers, Wants
from tests.clock import Clock


@pytest.fixture
def recording(tmp_path: Path) -> str:
    path = tmp_path / "it.cast"
    path.touch()
    return str(path)


def test_letters_are_shown_one_after_the_other_and_not_for_ever(recording: str) -> None:
    clock = Clock()
    post = Post(recording, FromOthers(recording), clock)
    assert post.look() == []
    with File(recording) as watcher:
        watcher.mark()
        assert post.look() == []
        assert not Path(mail_file(recording)).exists()  # the locks of all are not read at each look
        clock.now = WHO
        assert post.look() == []
    send(recording, "bob", "one")
    send(recording, "bob", "two")
    assert post.look() == ["bob writes: one"]
    assert [post.look(), post.look()] == [[""], ["bob writes: two"]]
    clock.now = WHO + SHOWN / 2
    assert post.look() == []
    clock.now = WHO + SHOWN
    assert [post.look(), post.look()] == [[""], []]


def test_who_takes_none_is_shown_none(recording: str) -> None:
    Path(mail_file(recording)).touch()
    others = FromOthers(recording)
    others.wants = Wants(mail=False)
    post = Post(recording, others)
    assert post.look() == []
    with pytest.raises(MailRefused):
        send(recording, "bob", "one")


def test_the_talk_of_those_who_watch_is_shown_as_far_as_the_player_wants_it(recording: str) -> None:
    others = FromOthers(recording)
    post = Post(recording, others)
    with File(recording) as watcher:
        watcher.mark()
        assert post.look() == []
    say(recording, "bob", "one")
    assert post.look() == ["bob: one"]
    others.wants = Wants(talk=HIDDEN)
    say(recording, "bob", "two")
    assert post.look() == []
    others.wants = Wants(talk=OFF)
    post.look()
    with pytest.raises(NotTaken, match="the player does not accept talk"):
        say(recording, "bob", "three")


def test_of_a_talk_that_runs_away_the_latest_lines_are_shown(recording: str) -> None:
    post = Post(recording, FromOthers(recording))
    lines = ({"time": number, "name": "bob", "text": str(number)} for number in range(1, 5 * MOST))
    Path(talk_file(recording)).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert post.look() == [f"bob: {4 * MOST}"]


def test_what_all_are_told_is_shown_to_who_takes_no_mail(recording: str, tmp_path: Path) -> None:
    keys = tmp_path / "authorized_keys"
    post = Post(recording, FromOthers(recording, notices=Notices(keys)))
    broadcast(keys, "the server restarts at ten")
    assert post.look() == ["To all: the server restarts at ten"]


def test_it_is_drawn_below_the_game_and_the_game_goes_on_where_it_was() -> None:
    """Whatever the program did to its terminal: lines for letters, margins, a place counted from them, colours."""
    terminal = Terminal(Size(30, 12))
    terminal.feed(b"\x1b[2;6r\x1b[?6h\x1b[31m\x1b(0\x1b[3;5Hlq")
    before = terminal.grid()
    terminal.feed(drawn("bob writes: well played, Ann!!", Size(30, 12)))
    rows = terminal.grid().text()
    assert rows[11] == "bob writes: well played, Ann!!"
    assert rows[:11] == before.text()[:11]
    assert terminal.grid().cursor == before.cursor
    terminal.feed(drawn("", Size(30, 12)) + b"k")
    after = terminal.grid()
    assert (after.text()[11], after.text()[3]) == ("", "    ┌─┐")
    assert after.rows[3][6][1] == after.rows[3][5][1]


def test_where_the_game_has_all_of_the_terminal_the_title_tells() -> None:
    assert drawn("bob writes: hi", None) == b"\x1b[22;2t\x1b]2;bob writes: hi\x07\x07"
    assert drawn("", None) == b"\x1b[23;2t"
