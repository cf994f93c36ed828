"""What the process of a player's terminal says when it cannot begin."""

import os
import pty
import subprocess
import sys
from socket import socketpair

import msgspec

from terminal.web.processes.wire import Inbox, Kind

FULL = """
import errno, os, socket, sys
from nhlog.vt import Size
from terminal.web.processes.terminal import Descriptor, Lent, play
def fork():
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
os.fork = fork
channel, terminal = map(int, sys.argv[1:])
play(socket.socket(fileno=channel), Lent(Descriptor(terminal), Size(80, 24)))
"""  # on a machine that has no room for another process


def test_a_page_is_told_why_there_is_no_terminal() -> None:
    front, lobby = pty.openpty()
    ours, theirs = socketpair()
    with ours:
        with theirs:
            given = (theirs.fileno(), front)
            subprocess.run([sys.executable, "-c", FULL, *map(str, given)], pass_fds=given, check=True)
        for fd in (front, lobby):
            os.close(fd)
        [message] = Inbox().feed(ours.recv(1 << 16))
    told = msgspec.json.decode(message.parts[0])
    assert (message.kind, told["t"]) == (Kind.ENDED, "gone")
    assert told["text"] == "the terminal emulator cannot be started: resource temporarily unavailable"
