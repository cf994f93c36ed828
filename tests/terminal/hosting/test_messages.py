"""What the host of a game and its player tell each other."""

import os
import socket

import pytest

from nhlog.errors import NhlogError
from terminal.hosting.messages import Ended, receive_said, receive_terminal, send_end, send_mail


@pytest.mark.parametrize(
    ("data", "count"),
    [(b'{"size": null}', 1), (b"nonsense", 2), (b'{"size": [80]}', 2), (b'{"size": [Infinity, 24]}', 2)],
)
def test_of_a_terminal_that_is_refused_nothing_stays_open(data: bytes, count: int) -> None:
    reader, writer = os.pipe()
    host, player = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with host, player, open(reader, "rb", buffering=0) as kept:
        socket.send_fds(player, [data], [writer] * count)
        os.close(writer)
        with pytest.raises(NhlogError):
            receive_terminal(host)
        os.set_blocking(kept.fileno(), False)
        assert kept.read() == b"", "the end: nobody has the other side open any more"


@pytest.mark.parametrize(
    "data", [b'{"why": 3, "code": 0}', b'{"code": "0", "why": ""}', b'{"why": "", "code": 0, "text": 1}', b"[" * 9999]
)
def test_an_end_of_another_shape_is_an_error_of_ours(data: bytes) -> None:
    host, player = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with host, player:
        host.send(data)
        with pytest.raises(NhlogError):
            receive_said(player)


def test_the_end_comes_also_where_the_host_closes_before_it_has_read_all() -> None:
    host, player = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with player:
        with host:
            send_mail(player, "bob writes: hello")
            send_end(host, Ended("it is over", 0))
        assert receive_said(player) == Ended("it is over", 0)
        assert receive_said(player) is None
