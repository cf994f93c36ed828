"""The file that is made of messages."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.relay.copy import Copy
from nhlog.relay.following import Following
from nhlog.relay.sources import open_source
from nhlog.relay.wire import Message
from tests.relay.made import append, copied, send


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
