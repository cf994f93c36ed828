"""A growing file as messages, and the file that is made of them: byte for byte the same, whoever begins anew."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from nhlog.relay.copy import Copy
from nhlog.relay.following import Following
from nhlog.relay.sources import open_source
from nhlog.relay.wire import BadMessage, Kind, Message
from tests.corpus import SAMPLES
from tests.doses import dose, seeded
from tests.relay.made import append, copied, descriptors, rewind, send


@pytest.fixture
def path(tmp_path: Path) -> str:
    return copied(tmp_path)


@pytest.fixture
def following(path: str) -> Iterator[Following]:
    with closing(open_source(path)) as source:
        yield Following(source)


def received(stored: list[Message], file: Path) -> bytes:
    with closing(Copy(str(file))) as copy:
        for message in stored:
            copy.take(message)
        copy.caught_up()
    return file.read_bytes()


def test_a_log_is_sent_once_and_then_line_by_line(path: str, following: Following, tmp_path: Path) -> None:
    stored: list[Message] = []
    send(following, stored)
    append(path, "search")
    send(following, stored)
    append(path, "wait", "pray")
    send(following, stored)

    assert stored[-2].body.endswith(b"search\n")
    assert stored[-1].body.count(b"wait") == stored[-1].body.count(b"pray") == 1
    assert received(stored, tmp_path / "copy.nhgame") == Path(path).read_bytes()


def test_half_a_line_waits_for_its_rest(path: str, following: Following) -> None:
    send(following, [])
    with open(path, "ab") as file:
        file.write(b"sea")
    assert following.next() is None

    with open(path, "ab") as file:
        file.write(b"rch\n")
    message = following.next()

    assert message is not None
    assert message.body == b"search\n"


def test_a_rewind_is_a_truncate_with_the_new_recovery_count(path: str, following: Following, tmp_path: Path) -> None:
    stored: list[Message] = []
    send(following, stored)
    rewind(path, 40)
    send(following, stored)

    kinds = [message.kind for message in stored]
    assert kinds[1] is Kind.TRUNCATE
    assert stored[1].count == 2
    assert received(stored, tmp_path / "copy.nhgame") == Path(path).read_bytes()


def test_a_header_that_is_rewritten_in_place_is_sent(path: str, following: Following, tmp_path: Path) -> None:
    stored: list[Message] = []
    send(following, stored)
    data = bytearray(Path(path).read_bytes())
    data[100:108] = b"changed!"
    Path(path).write_bytes(data)
    send(following, stored)

    assert [message.kind for message in stored[1:]] == [Kind.HEAD]
    assert received(stored, tmp_path / "copy.nhgame") == bytes(data)


def test_a_finished_game_says_so_last(tmp_path: Path) -> None:
    path, stored = copied(tmp_path, "died2.nhgame"), []
    with closing(open_source(path)) as source:
        send(Following(source), stored)

    assert stored[-1].kind is Kind.FINISHED


def test_whoever_starts_again_goes_on_behind_the_last_message(path: str, tmp_path: Path) -> None:
    stored: list[Message] = []
    for _ in range(3):
        append(path, "search")
        with closing(open_source(path)) as source:
            following = Following(source)
            following.go_on_from(stored[-1] if stored else None)
            send(following, stored)

    ends = [(message.offset, message.end) for message in stored if message.kind is Kind.BYTES]
    assert [begin for begin, _ in ends] == [0, *(end for _, end in ends[:-1])]
    assert received(stored, tmp_path / "copy.nhgame") == Path(path).read_bytes()


def test_another_file_of_the_same_name_begins_anew(path: str, tmp_path: Path) -> None:
    stored: list[Message] = []
    with closing(open_source(path)) as source:
        send(Following(source), stored)
    shutil.copy(SAMPLES / "all-line-kinds.nhgame", path)
    with closing(open_source(path)) as source:
        following = Following(source)
        following.go_on_from(stored[-1])
        send(following, stored)

    assert (stored[1].kind, stored[1].offset) == (Kind.TRUNCATE, 0)
    assert received(stored, tmp_path / "copy.nhgame") == Path(path).read_bytes()


@pytest.mark.parametrize("name", ["nethack.cast", "arena.butter", "coverage.teehistorian", "ghost.replay"])
def test_any_recording_is_sent_as_it_grows_and_is_cut(tmp_path: Path, name: str) -> None:
    whole, path, stored = (SAMPLES / name).read_bytes(), tmp_path / name, []
    path.write_bytes(whole[:4000])
    with closing(open_source(str(path))) as source:
        following = Following(source)
        for end in (4000, 6000, 4500, len(whole)):
            path.write_bytes(whole[:end])
            send(following, stored)

    assert received(stored, tmp_path / f"copy-{name}") == whole


@pytest.mark.parametrize("name", ["scripted1.nhgame", "nethack.cast", "coverage.teehistorian"])
def test_of_a_source_that_was_closed_nothing_is_open(tmp_path: Path, name: str) -> None:
    with closing(open_source(copied(tmp_path, name))) as source:
        send(Following(source), [])
        assert descriptors(tmp_path)
    assert descriptors(tmp_path) == []


def test_what_was_cut_and_grew_again_meanwhile_is_seen(tmp_path: Path) -> None:
    path, stored = tmp_path / "a.teehistorian", []
    whole = (SAMPLES / "coverage.teehistorian").read_bytes()
    path.write_bytes(whole[:9000])
    with closing(open_source(str(path))) as source:
        following = Following(source)
        send(following, stored)
        path.write_bytes(whole[:5000] + whole[7000:])
        send(following, stored)

    assert received(stored, tmp_path / "copy.teehistorian") == whole[:5000] + whole[7000:]


def test_another_file_with_the_same_last_byte_is_seen(tmp_path: Path) -> None:
    path, stored = tmp_path / "a.teehistorian", []
    whole = (SAMPLES / "coverage.teehistorian").read_bytes()
    other = whole[:8744] + bytes(255) + whole[8999:]
    path.write_bytes(whole[:9000])
    with closing(open_source(str(path))) as source:
        following = Following(source)
        send(following, stored)
        path.write_bytes(other)
        send(following, stored)

    assert received(stored, tmp_path / "copy.teehistorian") == other


def test_an_event_is_sent_when_it_is_whole(tmp_path: Path) -> None:
    whole, path, stored = (SAMPLES / "nethack.cast").read_bytes(), tmp_path / "a.cast", []
    path.write_bytes(whole[:5000])
    with closing(open_source(str(path))) as source:
        send(Following(source), stored)

    assert stored[-1].end == whole[:5000].rfind(b"\n") + 1


@pytest.mark.parametrize("seed", range(dose("relay.seeds")))
def test_a_copy_is_the_source_whatever_happens_to_either(path: str, tmp_path: Path, seed: int) -> None:
    """Lines, rewinds, and everybody begins anew at any moment, also in the middle of what is stored."""
    chance, numbers, file = seeded(seed), count(), tmp_path / "copy.nhgame"
    stored: list[Message] = []
    for _ in range(dose("relay.moments")):
        if chance.random() < 0.2:
            rewind(path, chance.randrange(1, 200))
        else:
            append(path, *(f"search L1;{next(numbers)};x" for _ in range(chance.randrange(1, 300))))
        with closing(open_source(path)) as source:
            following = Following(source)
            following.go_on_from(stored[-1] if stored else None)
            for _ in range(chance.randrange(1, 4)):
                if (message := following.next()) is not None:
                    stored.append(message)
                    following.take(message)
                if chance.random() < 0.2:
                    rewind(path, 3)
        if chance.random() < 0.5:
            received(stored[: chance.randrange(len(stored)) + 1], file)
    with closing(open_source(path)) as source:
        following = Following(source)
        following.go_on_from(stored[-1])
        send(following, stored)

    assert received(stored, file) == received(stored, tmp_path / "new.nhgame") == Path(path).read_bytes()


def test_what_does_not_join_on_changes_nothing(path: str, following: Following, tmp_path: Path) -> None:
    stored: list[Message] = []
    send(following, stored)
    append(path, "search")
    send(following, stored)
    first, last = stored
    forged = [
        Message(last.kind, last.count, last.offset + 1, last.head, last.digest, last.body),
        Message(last.kind, last.count + 1, last.offset, last.head, last.digest, last.body),
        Message(last.kind, last.count, last.offset, last.head, last.digest, last.body.upper()),
        Message(last.kind, last.count, last.offset, last.head - 1, last.digest, last.body),
        Message(Kind.TRUNCATE, 2, 5000, last.head, last.digest, b"x" * last.head),
        Message(Kind.TRUNCATE, 2, first.end, last.head, last.digest, b"x" * last.head),
        first,
    ]

    with closing(Copy(str(tmp_path / "copy.nhgame"))) as copy:
        with pytest.raises(BadMessage):
            copy.take(last)
        copy.take(first)
        for message in forged:
            with pytest.raises(BadMessage):
                copy.take(message)
        copy.take(last)

    assert (tmp_path / "copy.nhgame").read_bytes() == Path(path).read_bytes()
