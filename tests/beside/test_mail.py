"""Mail: what others write reaches the player as plain lines, where the player takes it, and does no harm."""

import os
from pathlib import Path

import pytest

from nhlog.beside.file import NotYet
from nhlog.beside.mail import MOST_BYTES, MOST_TEXT, Mailbox, MailRefused, mail_file, send
from nhlog.errors import Usage


@pytest.fixture
def game(tmp_path: Path) -> str:
    return str(tmp_path / "ann.nhgame")


@pytest.fixture
def box(game: str) -> Mailbox:
    """The mailbox of a player who takes mail, after somebody came to watch."""
    box = Mailbox(game, 0)
    box.tend(takes=True, watched=True)
    return box


def read(box: Mailbox) -> list[str]:
    return [str(letter) for letter in box.letters()]


def test_what_is_sent_comes_once(game: str, box: Mailbox) -> None:
    send(game, "bob", "hello")
    send(game, "eve", "  look   behind you ")
    assert read(box) == ["bob writes: hello", "eve writes: look behind you"]
    assert read(box) == []
    send(game, "bob", "well?")
    assert read(box) == ["bob writes: well?"]
    assert len(Path(mail_file(game)).read_bytes().splitlines()) == 3


def test_there_is_a_file_as_soon_as_somebody_is_there(game: str) -> None:
    box = Mailbox(game, 0)
    box.tend(takes=True, watched=False)
    assert not os.path.exists(mail_file(game))
    with pytest.raises(NotYet, match="the player does not accept mail now"):
        send(game, "bob", "hello")
    before = os.umask(0o077)
    try:
        box.tend(takes=True, watched=True)
    finally:
        os.umask(before)
    assert os.stat(mail_file(game)).st_mode & 0o777 == 0o664


def test_who_takes_none_refuses_it_as_soon_as_somebody_is_there(game: str) -> None:
    box = Mailbox(game, 0)
    box.tend(takes=False, watched=False)
    assert not os.path.exists(mail_file(game))
    box.tend(takes=False, watched=True)
    with pytest.raises(MailRefused, match=r"the player does not accept mail$") as refused:
        send(game, "bob", "hello")
    assert not isinstance(refused.value, NotYet)


def test_who_takes_none_gets_none_and_may_take_it_again(game: str, box: Mailbox) -> None:
    box.tend(takes=False, watched=True)
    with pytest.raises(MailRefused, match="the player does not accept mail"):
        send(game, "bob", "hello")
    box.tend(takes=True, watched=False)
    send(game, "bob", "hello")
    assert read(box) == ["bob writes: hello"]


def test_what_came_before_is_not_shown_again_and_what_came_meanwhile_is(game: str, box: Mailbox) -> None:
    send(game, "bob", "old")
    last = box.letters()[0].time
    send(game, "bob", "new")
    assert read(Mailbox(game, last)) == ["bob writes: new"]


def test_nothing_but_plain_characters_is_passed_on(game: str, box: Mailbox) -> None:
    send(game, "b\x1b[31mob", "a\tb\nc\x1b]0;x\x07\u202e\u200b")
    with open(mail_file(game), "ab") as file:
        file.write(b"no line\n1\tx\n5\teve\t\xff\x1b[2J!\n\t\t\n99999999999999999999\ta\tb\n7\t\thi\n")
    assert read(box) == ["b [31mob writes: a b c ]0;x", "eve writes: \ufffd [2J!", "somebody writes: hi"]
    with pytest.raises(Usage):
        send(game, "bob", " \n\x07")


def test_letters_have_a_length_and_all_mail_has_one(game: str, box: Mailbox) -> None:
    send(game, "n" * 99, "x" * 999)
    assert [len(letter.text) for letter in box.letters()] == [MOST_TEXT]
    with open(mail_file(game), "ab") as file:
        file.write(b"x" * MOST_BYTES + b"\n")
    with pytest.raises(MailRefused, match="full"):
        send(game, "bob", "hello")
    assert box.letters() == []


def test_a_letter_is_read_when_all_of_it_is_there(game: str, box: Mailbox) -> None:
    path = Path(mail_file(game))
    path.write_bytes(b"1\tbob\thello\n2\teve\tlook be")
    assert read(box) == ["bob writes: hello"]
    path.write_bytes(path.read_bytes() + b"hind you\n")
    assert read(box) == ["eve writes: look behind you"]


def test_a_mailbox_that_was_emptied_is_read_from_its_beginning(game: str, box: Mailbox) -> None:
    send(game, "bob", "a long letter")
    assert len(read(box)) == 1
    Path(mail_file(game)).write_bytes(b"")
    send(game, "eve", "short")
    assert read(box) == ["eve writes: short"]


def test_mail_leaves_nothing_open(game: str, box: Mailbox) -> None:
    before = os.listdir("/proc/self/fd")
    send(game, "bob", "hello")
    box.tend(takes=False, watched=True)
    assert read(box) == ["bob writes: hello"]
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_is_neither_written_nor_read(tmp_path: Path, game: str, link: object) -> None:
    secret = tmp_path / "secret"
    secret.write_text("1\tx\tsecret\n")
    link(secret, mail_file(game))
    with pytest.raises(MailRefused, match="you cannot write"):
        send(game, "bob", "hello")
    box = Mailbox(game, 0)
    box.tend(takes=False, watched=True)
    assert box.letters() == []
    assert (secret.read_text(), secret.stat().st_mode & 0o222) == ("1\tx\tsecret\n", 0o200)
