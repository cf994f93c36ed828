"""A player at a game sees what watchers write, keeps it in the list of messages, and may switch it off."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.beside.mail import MailRefused, mail_file, send
from nhlog.config import Config
from nhlog.players.notices import broadcast
from terminal.messages.others import Wants
from terminal.play.company import LOOK_AGAIN
from terminal.play.controller import PlayController
from terminal.play.open import open_game
from tests.corpus import ROOT
from tests.processes import Child
from tests.terminal.play.drawn import shown

WATCHING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.files import mark
mark(os.open(path, os.O_RDONLY))
say("here")
wait()
"""


def test_what_all_are_told_is_on_the_message_rows_whether_or_not_there_is_mail(path: str, tmp_path: Path) -> None:
    keys = tmp_path / "authorized_keys"
    with closing(open_game(path, Config(mail=False, authorized_keys=keys))) as controller:
        controller.enter()
        controller.wait(1.0)
        broadcast(keys, "the server restarts at ten")
        controller.wait(1.0 + LOOK_AGAIN)
        assert "To all: the server restarts at ten" in shown(controller)


def test_what_a_watcher_writes_is_on_the_message_rows_until_a_key(controller: PlayController, path: str) -> None:
    with Child(WATCHING, path) as watcher:
        assert watcher.hear() == "here"
        controller.wait(1.0)
        before = controller.seat.shown
        send(path, "bob", "a trap, two steps east!")
        controller.wait(1.0 + LOOK_AGAIN)
        assert controller.seat.shown != before
        assert "bob writes: a trap, two steps east!" in shown(controller)
    controller.press("s")
    assert "bob writes" not in shown(controller)
    controller.press("ctrl-p")
    while controller.advance():
        pass
    assert "bob writes: a trap, two steps east!" in shown(controller)


def test_it_waits_while_something_is_asked(controller: PlayController, path: str) -> None:
    Path(mail_file(path)).touch()
    send(path, "bob", "hello")
    controller.press("#")
    controller.wait(1.0)
    assert "bob writes" not in shown(controller)
    controller.press("escape")
    controller.wait(1.0 + LOOK_AGAIN)
    assert "bob writes: hello" in shown(controller)


def test_who_switched_it_off_sees_nothing_and_gets_nothing(controller: PlayController, path: str) -> None:
    Path(mail_file(path)).touch()
    send(path, "bob", "hello")
    controller.others.wants = Wants(mail=False)
    controller.wait(1.0)
    assert "bob writes" not in shown(controller)
    with pytest.raises(MailRefused):
        send(path, "bob", "hello?")


def test_where_the_system_has_none_there_is_none(path: str) -> None:
    with closing(open_game(path, Config(mail=False))) as controller:
        Path(mail_file(path)).touch()
        send(path, "bob", "hello")
        controller.wait(1.0)
        assert "bob writes" not in shown(controller)
