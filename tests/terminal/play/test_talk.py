"""Who plays sees what those who watch say, hides it or has nobody say anything, and says something to them."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.beside.file import NotTaken
from nhlog.beside.talk import Talk, open_talk, say
from nhlog.config import Config
from nhlog.engines.delve import ENGINE
from nhlog.players import Players
from nhlog.players.bans import Ban
from nhlog.players.mutes import mutes
from nhlog.session import new_game
from terminal.messages.others import HIDDEN, OFF, SHOWN, FromOthers, Wants
from terminal.play.company import LOOK_AGAIN
from terminal.play.controller import PlayController
from terminal.play.open import open_game
from tests.terminal.play.drawn import ANN, shown


@pytest.fixture
def path(path: str) -> str:
    """The file of a game beside which people may talk."""
    open_talk(path, takes=True, watched=True)
    return path


def said(path: str) -> list[str]:
    talk = Talk(path)
    talk.look()
    return [one.text for one in talk.said]


def test_what_is_said_is_on_the_message_rows_until_a_key_and_in_the_list(controller: PlayController, path: str) -> None:
    say(path, "bob", "mind the trap")
    controller.wait(1.0)
    assert "bob: mind the trap" in shown(controller)
    controller.press("s")
    controller.wait(1.0 + LOOK_AGAIN)
    assert "bob: mind" not in shown(controller)
    controller.press("ctrl-p")
    while controller.advance():
        pass
    assert "bob: mind the trap" in shown(controller)


def test_who_hides_it_sees_nothing_and_others_go_on(controller: PlayController, path: str) -> None:
    controller.others.wants = Wants(talk=HIDDEN)
    say(path, "bob", "one")
    controller.wait(1.0)
    assert "bob: one" not in shown(controller)
    say(path, "eve", "two")
    controller.others.wants = Wants(talk=SHOWN)
    controller.wait(1.0 + LOOK_AGAIN)
    assert "eve: two" in shown(controller)
    assert "bob: one" not in shown(controller)


def test_who_switches_it_off_has_nobody_talk_and_may_have_it_again(controller: PlayController, path: str) -> None:
    controller.others.wants = Wants(talk=OFF)
    controller.wait(1.0)
    with pytest.raises(NotTaken, match="the player does not accept talk"):
        say(path, "bob", "hello")
    controller.others.wants = Wants()
    controller.wait(1.0 + LOOK_AGAIN)
    say(path, "bob", "hello")
    assert said(path) == ["hello"]


def test_the_menu_has_it(controller: PlayController, path: str) -> None:
    controller.press("O")
    controller.press("up")
    controller.press("right")
    assert controller.others.wants == Wants(talk=HIDDEN)


def test_who_plays_says_something_to_all_who_watch(controller: PlayController, path: str) -> None:
    for key in ("ctrl-y", *"thanks!", "enter"):
        controller.press(key)
    for key in ("ctrl-y", "escape"):
        controller.press(key)
    assert said(path) == ["thanks!"]
    assert "To all who watch" not in shown(controller)


def test_a_player_of_a_server_talks_under_the_name_and_not_when_muted(tmp_path: Path) -> None:
    keys, players = tmp_path / "authorized_keys", Players(tmp_path / "players")
    players.path.mkdir()
    folder = players.folder("ann")
    folder.make()
    path = str(folder.games / "ann.nhgame")
    new_game(path, ENGINE, ANN).log.source.close()
    with closing(open_game(path, Config(players=players.path, authorized_keys=keys))) as controller:
        controller.enter()
        for key in ("ctrl-y", *"hello", "enter"):
            controller.press(key)
        mutes(keys).put(Ban("ANN", None, "no insults"))
        for key in ("ctrl-y", *"hello?", "enter"):
            controller.press(key)
        assert "you may not write to others: no insults" in shown(controller)
    talk = Talk(path)
    talk.look()
    assert [str(said) for said in talk.said] == ["ann: hello"]


def test_where_the_system_has_none_there_is_none(path: str) -> None:
    with closing(open_game(path, Config(talk=False))) as controller:
        controller.enter()
        say(path, "bob", "hello")
        controller.wait(1.0)
        assert "bob: hello" not in shown(controller)
        assert controller.own("ctrl-y") is None


def test_what_was_said_before_the_player_came_is_not_said_again(path: str) -> None:
    say(path, "bob", "old")
    others = FromOthers(path, 1 << 60)
    assert others.news() == []
