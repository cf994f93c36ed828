"""The file that is made of messages."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.relay.copy import Copy, Likeness
from nhlog.relay.following import Following
from nhlog.relay.sources import open_source
from nhlog.relay.wire import Message
from tests.relay.made import append, copied, rewind, send


def test_a_copy_to_which_somebody_else_wrote_is_left_as_it_is(tmp_path: Path) -> None:
    path, copied_to, stored = copied(tmp_path), tmp_path / "copy.nhgame", list[Message]()
    with closing(open_source(path)) as source, closing(Copy(str(copied_to))) as copy:
        following = Following(source)
        send(following, stored)
        copy.take(stored[0])
        copy.caught_up()
        append(str(copied_to), "mine")
        append(path, "search")
        send(following, stored)

        with pytest.raises(NhlogError, match="another program has written to it"):
            copy.take(stored[1])

    assert copied_to.read_bytes().endswith(b"\nmine\n")


def test_a_file_is_a_game_if_it_was_once_what_the_messages_make(tmp_path: Path) -> None:
    path, stored, states = copied(tmp_path), list[Message](), list[bytes]()
    source = Path(path)
    with closing(open_source(path)) as opened:
        following = Following(opened)
        for change in (lambda: None, lambda: append(path, "search", "wait"), lambda: rewind(path, 9), lambda: None):
            change()
            send(following, stored)
            states.append(source.read_bytes())
        append(path, "other")
        send(following, stored)
        states.append(source.read_bytes())

    def known(data: bytes) -> bool:
        file = tmp_path / "file.nhgame"
        file.write_bytes(data)
        with closing(Likeness(str(file))) as likeness:
            for message in stored:
                likeness.take(message)
            return likeness.whole

    assert all(map(known, (*states, b"", states[1][:-3], states[1][:700], states[1][:50])))
    other = Path(copied(tmp_path, "died2.nhgame")).read_bytes()
    assert not any(map(known, (other, states[-1] + b"mine\n", states[1][:700] + other[700:9000], other[:50])))
