"""Who is muted writes to nobody, neither mail nor talk, until it is lifted or over; all else goes on."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.beside.file import MAIL, TALK, FileBeside
from nhlog.beside.mail import Mailbox
from nhlog.beside.talk import Talk
from nhlog.errors import Damaged
from nhlog.players.bans import Ban, Bans, Comer
from nhlog.players.mutes import Author, Muted, mutes
from tests.conftest import Done


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "authorized_keys"


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = str(tmp_path / "ann.nhgame")
    for ending in (MAIL, TALK):
        FileBeside(path, ending, "").tend(takes=True, watched=True)
    return path


def written(game: str) -> tuple[int, int]:
    """How many letters there are, and lines of talk."""
    talk = Talk(game)
    talk.look()
    return len(Mailbox(game, 0).letters()), len(talk.said)


def test_who_is_muted_writes_nothing_and_is_told_why(keys: Path, game: str) -> None:
    mutes(keys).put(Ban("bob", None, "no insults"))
    for name in ("bob", "BOB"):
        for write in (Author(name, keys).send, Author(name, keys).say):
            with pytest.raises(Muted, match="you may not write to others: no insults"):
                write(game, "hello")
    assert written(game) == (0, 0)
    Author("eve", keys).send(game, "hello")
    Author("eve", keys).say(game, "hello")
    assert written(game) == (1, 1)


def test_a_mute_is_no_ban_and_ends(keys: Path, game: str) -> None:
    mutes(keys).put(Ban("bob", None, ""))
    assert Bans(keys).of(Comer("bob"), 0) is None
    mutes(keys).put(Ban("bob", 1000, ""))
    Author("bob", keys).say(game, "hello")
    assert written(game) == (0, 1)


def test_a_list_that_cannot_be_read_keeps_everybody_from_writing(keys: Path, game: str) -> None:
    keys.with_name("mutes").write_text("rubbish\n")
    with pytest.raises(Damaged):
        Author("eve", keys).say(game, "hello")
    assert written(game) == (0, 0)


def test_where_there_is_no_server_nobody_is_muted(game: str) -> None:
    Author("bob", None).say(game, "hello")
    assert written(game) == (0, 1)


@pytest.fixture
def server(tmp_path: Path, keys: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server whose system's configuration names its keys."""
    folder = tmp_path / "etc" / "nhlog"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'authorized_keys = "{keys}"\n')
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    return keys


def test_an_administrator_mutes_and_it_is_in_the_audit_log(server: Path, game: str, nhlog: Callable[..., Done]) -> None:
    done = nhlog("players", "mute", "bob", "--for", "7d", "--reason", "no insults")
    assert (done.code, done.out.startswith("bob may not write to others until 20")) == (0, True)
    with pytest.raises(Muted, match="no insults"):
        Author("bob", server).say(game, "hello")
    assert nhlog("players", "unmute", "bob").out == "bob may write to others again\n"
    Author("bob", server).say(game, "hello")
    again = nhlog("players", "unmute", "bob")
    assert (again.code, "bob is not muted" in again.err) == (2, True)
    told = [json.loads(line) for line in server.with_name("audit").read_text().splitlines()]
    assert [(line["action"], line["player"]) for line in told] == [("mute", "bob"), ("unmute", "bob")]
    assert told[0]["detail"].endswith("no insults")
    assert nhlog("players", "mute", "../bob").code == 2
    assert nhlog("players", "mute").code == 2


def test_an_administrator_lists_what_was_said_and_removes_a_line(
    server: Path, game: str, nhlog: Callable[..., Done]
) -> None:
    Path(game).touch()
    assert nhlog("talk", game).err.endswith("nothing was said\n")
    Author("bob", server).say(game, "rude")
    Author("eve", server).say(game, "hello")
    rude, hello = map(json.loads, nhlog("talk", game, "--json").out.splitlines())
    assert (rude["offset"], rude["name"], rude["text"]) == (0, "bob", "rude")
    assert nhlog("talk", game, "--remove", 0).out == "removed: bob: rude\n"
    assert [json.loads(line) for line in nhlog("talk", game, "--json").out.splitlines()] == [hello]
    assert nhlog("talk", game).out.endswith("eve: hello\n")
    assert nhlog("talk", game, "--remove", 0).code == 2
    (told,) = [json.loads(line) for line in server.with_name("audit").read_text().splitlines()]
    assert (told["action"], told["player"], told["detail"]) == ("remove-talk", "bob", f"{game}: rude")
