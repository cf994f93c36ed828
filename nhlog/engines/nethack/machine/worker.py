"""The process in which NetHack runs: ``python -m nhlog.engines.nethack.machine.worker FOLDER LOCK PACKAGE``.

NetHack is written in C, and its keys are read from a log that anybody may have written: what they do to it, they do in
this process.  It has the files in its own folder and NetHack's data, so much memory, few calls of the system where the
kernel can take the others from it, and so much of the processor for each command.

Before it takes a command it tells the digest of a short game with known seeds and keys, which it played in a copy of
itself: the game is a function of these here, or not.

It ends when its user has closed the socket, or is gone, and removes its folder.
"""

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import Final

from nhlog.confined.calls import keep_calls_for_files
from nhlog.confined.folders import keep_to_folders
from nhlog.confined.limits import limit
from nhlog.engines.nethack.machine.library import DATA, LIBRARY, Library, last_line, lay_out, system_slots
from nhlog.engines.nethack.machine.wire import ANSWER, BEGIN, COMMAND, Command, Outcome
from nhlog.errors import NhlogError

__all__: list[str] = []

MEMORY: Final = 1 << 28  # bytes: a long game takes a tenth
_LARGEST: Final = 1 << 24  # bytes of a file: a level has 30,000
_PATIENCE: Final = 20.0  # seconds of the processor for one command: all keys of a long game take a few
_NULL: Final = "/dev/null"
_TAKEN: Final = 1 << 18  # bytes taken from the socket at a time

_TESTED: Final = (1_000_000_000, (1, 2, 3))  # the second and the seeds of the test game
_TEST_OPTIONS: Final = b"name:Test,role:Val,race:hum,gender:fem,align:neu,nobones,time,showexp,mention_walls"
_TEST_KEYS: Final = b"\r hjklyubnHJKLYUBNs20s,i\r\x1b>_>..E-\x1bFhFjFkFl:o@^fd^d"
_TEST_ROUNDS: Final = 12


def main() -> None:
    """Play the test game, confine this process, and serve."""
    folder, lock, package = sys.argv[1:4]
    channel = _own_channel(int(lock))
    os.chdir(folder)
    try:
        path = os.path.join(package, LIBRARY)
        library = Library(path, system_slots(path))
        answer = Outcome.DONE, _tested(library, package)
        lay_out(package, folder)
    except (NhlogError, OSError) as error:
        library, answer = None, (Outcome.FAILED, str(error).encode())
    limit(MEMORY, _LARGEST)
    keep_to_folders([os.path.join(package, DATA)], [folder], [os.path.dirname(folder)])
    keep_calls_for_files()
    with suppress(BrokenPipeError, ConnectionResetError):
        _send(channel, answer)
        if library is not None:
            _serve(channel, library)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def _own_channel(lock: int) -> int:
    """The socket, under another number: what NetHack prints goes nowhere, and nothing else is open."""
    channel = os.dup(0)
    null = os.open(_NULL, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    first, last = sorted((channel, lock))
    for start, end in ((3, first), (first + 1, last), (last + 1, os.sysconf("SC_OPEN_MAX"))):
        os.closerange(start, end)
    return channel


def _tested(library: Library, package: str) -> bytes:
    """The digest of the test game, which is played in a copy of this process; empty where that one fell.

    Where others killed the copy, this one ends like it: that says nothing of NetHack, and its user tries again.
    """
    told, tells = os.pipe()
    copy = os.fork()
    if copy == 0:
        with suppress(BaseException):
            os.mkdir("test")
            os.chdir("test")
            lay_out(package, os.getcwd())
            os.write(tells, _digest(library))
        os._exit(0)
    os.close(tells)
    digest = b""
    while piece := os.read(told, _TAKEN):
        digest += piece
    os.close(told)
    _, status = os.waitpid(copy, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        os.kill(os.getpid(), signal.SIGKILL)
    shutil.rmtree("test", ignore_errors=True)
    return digest


def _digest(library: Library) -> bytes:
    """The digest of all that is seen in the test game."""
    seen = blake2b(library.begin(*_TESTED, _TEST_OPTIONS, os.getcwd()), digest_size=16)
    for number in range(_TEST_ROUNDS):
        seen.update(library.press(_TEST_KEYS[number:] + _TEST_KEYS[:number]))
    return seen.digest()


def _serve(channel: int, library: Library) -> None:
    """Do what comes, until nobody is there any more."""
    for command, body in _commands(channel):
        signal.setitimer(signal.ITIMER_PROF, _PATIENCE)  # which ends the process
        try:
            seen = _begun(library, body) if command == Command.BEGIN else library.press(body)
            _send(channel, (Outcome.DONE, seen + (last_line(os.getcwd()) if library.is_over else b"")))
        except (NhlogError, ValueError) as error:
            _send(channel, (Outcome.FAILED, str(error).encode()))


def _begun(library: Library, body: bytes) -> bytes:
    second, *seeds = BEGIN.unpack_from(body)
    return library.begin(second, (seeds[0], seeds[1], seeds[2]), body[BEGIN.size :], os.getcwd())


def _commands(channel: int) -> Iterator[tuple[int, bytes]]:
    data = b""
    while True:
        while len(data) < COMMAND.size or len(data) < COMMAND.size + COMMAND.unpack_from(data)[1]:
            more = os.read(channel, _TAKEN)
            if not more:
                return
            data += more
        command, size = COMMAND.unpack_from(data)
        yield command, data[COMMAND.size : COMMAND.size + size]
        data = data[COMMAND.size + size :]


def _send(channel: int, answer: tuple[Outcome, bytes]) -> None:
    outcome, body = answer
    left = memoryview(ANSWER.pack(outcome, len(body)) + body)
    while left:
        left = left[os.write(channel, left) :]


if __name__ == "__main__":
    main()
