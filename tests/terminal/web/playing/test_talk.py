"""What is said on pages beside games: by whom, and what of it is refused."""

import json
import os
from collections.abc import Iterator
from http.client import HTTPResponse
from itertools import count
from pathlib import Path

import pytest

from nhlog.beside.talk import Talk, close_talk, open_talk, talk_file
from nhlog.players.bans import Ban, Bans
from nhlog.players.mutes import mutes
from terminal.web.recordings import identified
from tests.terminal.web.playing.house import House, forged_for, open_house

NUMBERS = count(1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


def begin_talk(house: House) -> str:
    """The recording of a game of ann's beside which nobody has said anything."""
    recording = house.folder("ann").recordings / f"{next(NUMBERS)}.cast"
    recording.touch()
    open_talk(str(recording), takes=True, watched=True)
    return str(recording)


def say(house: House, recording: str, text: str, by: str = "", **headers: str) -> HTTPResponse:
    """Say something from a page, each time from elsewhere unless it is said from where."""
    body = {"recording": identified(os.path.realpath(recording)), "text": text}
    return house.post("/play/talk", body, by=by or f"203.0.113.{next(NUMBERS) % 250}", **headers)


def said(recording: str) -> list[str]:
    talk = Talk(recording)
    talk.look()
    return [str(one) for one in talk.said]


def test_a_player_talks_under_the_name_of_the_session(house: House) -> None:
    recording, cookie = begin_talk(house), house.log_in("bob")
    assert say(house, recording, " look <b>behind</b>\x1b[2J you\u202e ", Cookie=cookie).status == 200
    assert said(recording) == ["bob: look <b>behind</b> [2J you"]
    told = house.served.get("/play/session", headers={"Host": house.host, "Cookie": cookie})
    assert json.loads(told.body) == {"player": "bob", "talk": True, "talks": True}


@forged_for("bob")
def test_no_other_site_and_nobody_without_a_session_says_anything(house: House, headers: dict[str, str]) -> None:
    recording, cookie = begin_talk(house), house.log_in("bob")
    assert say(house, recording, "hello", **{"Cookie": cookie} | headers).status == 403
    assert said(recording) == []


def test_the_session_of_a_player_speaks_for_no_other(house: House) -> None:
    recording = begin_talk(house)
    secret = house.log_in("bob").rpartition(".")[2]
    assert say(house, recording, "hello", Cookie=f"nhlog-session=ann.{secret}").status == 403
    assert said(recording) == []


def test_what_no_watcher_can_write_to_no_page_writes_to(house: House, tmp_path: Path) -> None:
    cookie, secret = house.log_in("bob"), tmp_path / "secret.talk"
    secret.touch()
    folder = house.folder("ann").recordings
    for name, make in (("link", lambda path: path.symlink_to(secret)), ("fifo", os.mkfifo), ("folder", os.mkdir)):
        recording = folder / f"{name}.cast"
        make(Path(talk_file(str(recording))))
        assert say(house, str(recording), "hello", Cookie=cookie).status == 403
    closed = begin_talk(house)
    close_talk(closed)
    assert say(house, closed, "hello", Cookie=cookie).status == 403
    for recording in (str(folder / "none.cast"), str(tmp_path / "secret"), "/etc/passwd"):
        assert say(house, recording, "hello", Cookie=cookie).status == 503
    for identity in ("", "..", "../../../etc/passwd", "\0", "a" * 500):
        assert house.post("/play/talk", {"recording": identity, "text": "x"}, Cookie=cookie).status in (503, 429)
    assert (secret.read_bytes(), said(closed)) == (b"", [])


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"recording": 7, "text": ""}', "[" * 900, "\xff"])
def test_what_is_no_line_is_refused_in_one_line(house: House, body: str) -> None:
    answer = house.served.get("/play/talk", "POST", {"Host": house.host, "Origin": house.origin}, body)
    assert answer.status == 400
    assert answer.body.count(b"\n") == 1


def test_a_line_that_is_too_long_is_cut_and_a_body_without_an_end_not_read(house: House) -> None:
    recording, cookie = begin_talk(house), house.log_in("bob")
    assert say(house, recording, "x" * 900, Cookie=cookie).status == 200
    assert said(recording) == ["bob: " + "x" * 200]
    assert say(house, recording, "x" * 5000, Cookie=cookie).status == 413
    assert say(house, recording, "  ", Cookie=cookie).status == 403


def test_who_is_muted_or_banned_is_told_why(house: House) -> None:
    recording, cookie, keys = begin_talk(house), house.log_in("eve"), house.players.path.with_name("keys")
    mutes(keys).put(Ban("eve", None, "no insults"))
    answer = say(house, recording, "hello", Cookie=cookie)
    assert (answer.status, answer.body) == (403, b"you may not write to others: no insults\n")
    Bans(keys).put(Ban("198.18.0.0/15", None, "no floods", "network"))
    answer = say(house, recording, "hello", by="198.18.7.7", Cookie=house.log_in("bob"))
    assert (answer.status, answer.body) == (403, b"you may not talk here: no floods\n")
    assert said(recording) == []


def test_who_talks_before_the_player_has_noticed_anybody_is_told_when_to_try_again_and_who_is_muted_why(
    house: House,
) -> None:
    recording, cookie = house.folder("ann").recordings / f"{next(NUMBERS)}.cast", house.log_in("joe")
    recording.touch()
    answer = say(house, str(recording), "hello", Cookie=cookie)
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
    mutes(house.players.path.with_name("keys")).put(Ban("joe", None, "no insults"))
    assert say(house, str(recording), "hello", Cookie=cookie).status == 403


def test_nobody_floods_a_talk_neither_by_name_nor_by_address(house: House) -> None:
    recording, cookie = begin_talk(house), house.log_in("bob")
    assert [say(house, recording, str(n), Cookie=cookie).status for n in range(7)] == [200] * 5 + [403] * 2
    other = house.log_in("zoe")
    tried = [say(house, recording, str(n), by="192.0.2.99", Cookie=other).status for n in range(9)]
    assert (tried[:5], tried[-1]) == ([200] * 5, 429)


def test_guests_talk_where_the_configuration_lets_them_and_have_no_player_s_name(tmp_path: Path) -> None:
    with open_house(tmp_path, web="guests_talk = true") as house:
        told = house.served.get("/play/session", headers={"Host": house.host})
        assert json.loads(told.body) == {"player": None, "talk": True, "talks": True}
        recording = begin_talk(house)
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
            assert say(house, recording, "hello", by=address).status == 200
        names = [line.rpartition(": ")[0] for line in said(recording)]
        assert names[0] == names[1] != names[2]
        assert all(name.startswith("guest ") and "192" not in name for name in names)


def test_where_the_system_has_no_talk_nobody_says_anything(tmp_path: Path) -> None:
    with open_house(tmp_path, web="guests_talk = true", others="talk = false") as house:
        recording, cookie = begin_talk(house), house.log_in("bob")
        answer = say(house, recording, "hello", Cookie=cookie)
        assert (answer.status, answer.body) == (403, b"there is no talk here\n")
        assert said(recording) == []
