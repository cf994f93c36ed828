"""Messages between the server and a process: whole ones alone, and none that is too long."""

import pytest

from terminal.web.processes.wire import LONGEST, Inbox, Kind, Message, packed


def head(length: int) -> bytes:
    return length.to_bytes(4, "big") + bytes((Kind.WHOLE, 0))


def test_a_message_that_is_too_long_is_refused_before_any_of_it_came() -> None:
    assert list(Inbox().feed(head(LONGEST))) == []
    with pytest.raises(ValueError, match=str(LONGEST + 1)):
        list(Inbox().feed(head(LONGEST + 1)))


def test_messages_come_whole_however_they_are_cut() -> None:
    inbox, sent = Inbox(), packed(Kind.UPDATE, 1, b"one", b"") + packed(Kind.BACK)
    assert [message for at in range(len(sent)) for message in inbox.feed(sent[at : at + 1])] == [
        Message(Kind.UPDATE, 1, (b"one", b"")),
        Message(Kind.BACK, 255, ()),
    ]


@pytest.mark.parametrize("body", [b"\0\0\0", b"\0\0\0\2x"])
def test_parts_that_lead_out_of_their_message_are_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        list(Inbox().feed(head(len(body)) + body))
