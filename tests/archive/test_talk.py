"""What was said beside a game goes with it into an archive, and is seen and given back there, as far as it is clean."""

import os
import shutil
from itertools import count
from pathlib import Path

import msgspec
import pytest

from nhlog.archive.checking import check
from nhlog.archive.reading import index_name, read_index, talk_name
from nhlog.archive.wire import Index, pack_checked, pack_index, pack_talk
from nhlog.archive.writing import Archived, archive, restore
from nhlog.beside.file import MOST_BYTES, NotTaken
from nhlog.beside.mail import mail_file
from nhlog.beside.talk import Talk, bring, carried, open_talk, remove, say, talk_file
from nhlog.errors import Damaged
from nhlog.remote.store import Store
from terminal.cli import main
from terminal.replay.live import replayed
from terminal.replay.open import open_viewed
from tests.corpus import SAMPLES

_numbers = count()


@pytest.fixture
def store() -> Store:
    return Store(f"memory://talking{next(_numbers)}")


@pytest.fixture
def log(tmp_path: Path) -> str:
    """A finished game beside which two people said something, of which one line was removed."""
    path = shutil.copy(SAMPLES / "died2.nhgame", tmp_path)
    open_talk(path, takes=True, watched=True)
    for name, text in (("bob", "look out!"), ("eve", "an insult"), ("ann", "thänks")):
        say(path, name, text)
    talk = Talk(path)
    talk.look()
    remove(path, talk.said[1].offset)
    return path


def said(recording: str) -> list[str]:
    talk = Talk(recording)
    talk.look()
    return [str(line) for line in talk.said]


def test_what_was_said_is_shown_from_the_archive_at_its_moment(
    store: Store, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(log, store)
    address = f"{store.name}/died2.nhgame"
    assert said(address) == ["bob: look out!", "ann: thänks"]
    player = replayed(address, open_viewed(address))
    player.refresh()
    assert [str(line) for line in player.beside.said(player)] == []
    player.seek(player.timeline.last)
    assert [str(line) for line in player.beside.said(player)] == said(log)
    assert main(["talk", address]) == 0
    assert "bob: look out!" in capsys.readouterr().out
    assert b"insult" not in (read_index(store, "died2.nhgame").talk or b"")


def test_it_is_restored_beside_the_game_where_nobody_says_more(store: Store, log: str, tmp_path: Path) -> None:
    archive(log, store, remove=True)
    assert os.listdir(tmp_path) == []
    restore(f"{store.name}/died2.nhgame", log)
    assert said(log) == ["bob: look out!", "ann: thänks"]
    with pytest.raises(NotTaken, match="the player does not accept talk"):
        say(log, "bob", "again")
    before = Path(talk_file(log)).read_bytes()
    bring(log, b'{"time": 1, "name": "eve", "text": "forged"}\n')
    assert Path(talk_file(log)).read_bytes() == before


def test_what_the_archive_has_not_is_kept(store: Store, log: str) -> None:
    archive(log, store)
    say(log, "bob", "later")
    archive(log, store, remove=True)
    assert not Path(log).exists()
    assert said(log)[-1] == "bob: later"
    Path(mail_file(log)).touch()
    assert [*read_index(store, "died2.nhgame").talk.splitlines()] == carried(log).splitlines()[:-1]


def test_an_archive_that_an_earlier_nhlog_made_is_silent_and_an_earlier_nhlog_reads_ours(
    store: Store, log: str
) -> None:
    archive(log, store)
    index = read_index(store, "died2.nhgame")
    fields = {name: kind for name, kind in Index.__annotations__.items() if name != "talk"}
    earlier = msgspec.defstruct("Earlier", fields.items(), frozen=True)
    packed = msgspec.msgpack.encode(index)
    assert msgspec.msgpack.decode(packed, type=earlier).digest == index.digest
    silent = msgspec.msgpack.encode(msgspec.structs.replace(index, talk=b""))
    assert msgspec.msgpack.decode(silent, type=Index).talk == b""
    as_earlier(store)
    assert read_index(store, "died2.nhgame").talk is None
    assert said(f"{store.name}/died2.nhgame") == []


def as_earlier(store: Store) -> None:
    """Have the index of the game be one that was made before there was talk."""
    packed = msgspec.msgpack.encode(read_index(store, "died2.nhgame"))
    record = msgspec.msgpack.decode(packed)
    del record["talk"]
    store.remove(index_name("died2.nhgame"))
    store.create(index_name("died2.nhgame"), pack_index(record))


def test_what_was_archived_before_there_was_talk_gets_it_when_it_is_archived_again(
    store: Store, log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(log, store)
    as_earlier(store)
    address, before = f"{store.name}/died2.nhgame", store.read(index_name("died2.nhgame"), 1 << 20, 0)
    assert said(address) == []  # and the index is in the cache
    assert main(["archive", log, store.name]) == 0
    assert "what was said beside it was added" in capsys.readouterr().out
    assert said(address) == said(log) == ["bob: look out!", "ann: thänks"]
    assert store.read(index_name("died2.nhgame"), 1 << 20, 0) == before
    assert not [*check(address)]
    say(log, "bob", "later")
    with pytest.raises(Archived):
        archive(log, store)
    assert said(address) == ["bob: look out!", "ann: thänks"]
    remove(log, Path(talk_file(log)).read_bytes().rindex(b'{"time"'))
    assert archive(log, store, remove=True)["talk"] is False
    assert os.listdir(tmp_path) == []
    restore(address, log)
    assert said(log) == ["bob: look out!", "ann: thänks"]


def test_where_nothing_was_said_nothing_is_added(store: Store, log: str) -> None:
    Path(talk_file(log)).unlink()
    archive(log, store)
    as_earlier(store)
    with pytest.raises(Archived):
        archive(log, store)
    assert store.names(".nhlog") == ["died2.nhgame.index"]


@pytest.mark.parametrize("data", [b"", b"rubbish", pack_talk(b"\n" * (MOST_BYTES + 1)), pack_checked([1])])
def test_a_talk_of_its_own_that_is_damaged_is_none_and_verify_tells(store: Store, log: str, data: bytes) -> None:
    archive(log, store)
    as_earlier(store)
    store.create(talk_name("died2.nhgame"), data)
    address = f"{store.name}/died2.nhgame"
    assert said(address) == []
    [found] = check(address)
    assert str(found["what"]).startswith("the talk of the archived game is damaged: ")
    with pytest.raises(Damaged, match="the talk of the archived game is damaged"):
        restore(address, f"{log}.again")
    assert Path(f"{log}.again").read_bytes() == Path(log).read_bytes()


def test_a_hostile_archive_shows_no_control_characters_and_no_more_than_there_can_be(store: Store, log: str) -> None:
    archive(log, store)
    index = read_index(store, "died2.nhgame")
    lines = b'{"time": 1, "name": "eve", "text": "\\u001b[2J"}\n{"time": 2, "name": "bob", "text": "clean"}\nrubbish\n'
    store.remove(index_name("died2.nhgame"))
    store.create(index_name("died2.nhgame"), pack_index(msgspec.structs.replace(index, talk=lines)))
    assert said(f"{store.name}/died2.nhgame") == ["bob: clean"]
    store.remove(index_name("died2.nhgame"))
    store.create(index_name("died2.nhgame"), pack_index(msgspec.structs.replace(index, talk=b"\n" * (MOST_BYTES + 1))))
    with pytest.raises(Damaged):
        read_index(store, "died2.nhgame")


def test_of_a_talk_that_ran_away_the_latest_lines_are_carried(log: str) -> None:
    lines = (f'{{"time":{number},"name":"bob","text":"{number:>0100}"}}\n' for number in range(2500))
    Path(talk_file(log)).write_text("".join(lines))
    assert Path(talk_file(log)).stat().st_size > MOST_BYTES
    data = carried(log)
    assert MOST_BYTES - 200 < len(data) <= MOST_BYTES
    assert data.endswith(f'{2499:>0100}"}}\n'.encode())
