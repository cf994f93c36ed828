"""Games at addresses ``nats://HOST/PLAYER/GAME``, and the files that they are received into.

What is watched is received by a process of its own (``python -m terminal.relayed``), as a process may open a log once,
and that one writes it.  It says on standard output, in lines of JSON, which file is to be shown, and on standard error
why it cannot receive the game.  What it reads from standard input says that the file is shown; when that is closed, it
ends.
"""

import asyncio
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Final

from nhlog.config import read_config
from nhlog.errors import NhlogError, RemoteUnreachable, Usage
from nhlog.files import as_ours
from nhlog.files.processes import python_command, python_environment
from nhlog.relay.wire import SCHEMES, parse_place
from terminal.followed import Followed, Version

__all__ = ["file_name", "is_relayed", "mirror", "received"]

_WHOLE, _LATE = "whole", "late"  # how a game is received
_PIPE: Final = 1 << 16  # bytes that fit into a pipe


def file_name(name: str) -> str:
    """The name of a file here for a game of this name, which may have been made to lead elsewhere."""
    if "/" in name or "\0" in name or name.startswith("."):
        raise Usage("the name of this game cannot be that of a file: say which file to write", found=repr(name))
    return name


def is_relayed(name: str) -> bool:
    """Whether this is the address of a game at a NATS server."""
    return name.partition("://")[0] in SCHEMES


async def mirror(address: str, file: str | None, tell: Callable[[str], None], *, force: bool = False) -> str:
    """Receive a game into a file, by default of its own name, until it is finished; returns the file's name.

    Raises :class:`Usage` for a file that is not this game; with `force` that is kept under another name.
    """
    from nhlog.files.cuts import move_away
    from nhlog.relay.connection import connected
    from nhlog.relay.copy import Copy
    from nhlog.relay.login import options_of
    from nhlog.relay.receiving import find, receive, was

    place, options = parse_place(address), options_of(read_config().relay)
    async with connected(place.url, options) as connection:
        game = await find(connection, place)
        name = file or file_name(game.name)
        if os.path.lexists(name) and not await was(connection, game, name, tell):
            if not force:
                raise Usage("there is another game in this file", file=name, expected="another file, or --force")
            tell(f"what was in {name} is now in {move_away(name)}")
        with closing(Copy(name)) as copy:
            await receive(connection, game, copy, tell)
            return copy.name


@contextmanager
def received(address: str, *, from_start: bool) -> Iterator[Followed]:
    """A recording that gets what is sent of a game, as it comes.

    It may begin late, and get its beginning afterwards, unless it is wanted `from_start`.  Raises :class:`NhlogError`
    if the game cannot be received.
    """
    file_name(parse_place(address).name)
    with tempfile.TemporaryDirectory(prefix="nhlog-") as folder:
        receiver = _Receiver(address, folder, _WHOLE if from_start else _LATE)
        try:
            receiver.wait()
            yield receiver
        except NhlogError as error:
            if receiver.failed:
                raise receiver.failure() from None
            error.file = address if error.file and error.file.startswith(folder) else error.file
            raise
        finally:
            receiver.kill()


class _Receiver(Followed):
    """The process that receives a game into a folder."""

    def __init__(self, address: str, folder: str, how: str) -> None:
        super().__init__("")
        self._address = address
        self._process = subprocess.Popen(
            python_command("-m", "terminal.relayed", how, address, folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=python_environment(),
            start_new_session=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._output, False)

    def wait(self) -> None:
        """Wait until there is something to be shown; raises :class:`RemoteUnreachable`."""
        while not self.version().path:
            if self.ended() and not self.version().path:  # what it said before that comes first
                raise self.failure()
            select.select([self._output], [], [])  # it says something, or ends

    def version(self) -> Version:
        """What is to be shown now."""
        with suppress(BlockingIOError):
            lines = os.read(self._output, _PIPE).splitlines()
            if lines:
                self._version = Version(*json.loads(lines[-1]))
        return self._version

    def taken(self) -> None:
        """Take in that this is shown."""
        with suppress(OSError):  # it has ended
            os.write(self._input, b"\n")

    def ended(self) -> bool:
        """Whether nothing more comes."""
        return self._process.poll() is not None

    @property
    def failed(self) -> bool:
        """Whether it ended because the game cannot be received."""
        return bool(self._process.poll())

    def failure(self) -> RemoteUnreachable:
        """Why it could not receive the game; it has ended."""
        _, told = self._process.communicate()
        why = told.decode("utf-8", "replace").strip()
        return RemoteUnreachable(why or "its receiver broke down", file=self._address)

    def kill(self) -> None:
        """End it without warning."""
        self._process.kill()
        self._process.communicate()


def _say(path: str, before: int, told: str) -> None:
    os.write(1, json.dumps([path, before, told]).encode() + b"\n")


def _main(how: str, address: str, folder: str) -> int:
    """Receive a game until it is finished, or the one who started this ends; says why it cannot on standard error."""
    try:
        with suppress(asyncio.CancelledError):
            asyncio.run(_receive(how, address, folder))
    except (NhlogError, OSError) as error:
        sys.stderr.write(as_ours(error).message)
        return 1
    return 0


async def _receive(how: str, address: str, folder: str) -> None:
    from nhlog.relay.connection import connected
    from nhlog.relay.late import Late
    from nhlog.relay.login import options_of
    from nhlog.relay.receiving import find
    from nhlog.relay.said.talking import hear as hear_talk
    from nhlog.relay.said.talking import hear_last

    place = parse_place(address)
    connect = partial(connected, place.url, options_of(read_config().relay))
    async with connect() as connection:
        game = await find(connection, place)
        late = Late(connect, game, folder, lambda told: None, _say)
        talking = asyncio.ensure_future(hear_talk(connection, game, late.hear))
        receiving = asyncio.ensure_future(late.receive_whole(connection) if how == _WHOLE else late.receive(connection))

        def hear() -> None:
            if os.read(0, _PIPE):
                late.taken()
            else:
                receiving.cancel()

        asyncio.get_running_loop().add_reader(0, hear)
        try:
            await receiving
            await hear_last(connection, game, late.hear)
        finally:
            talking.cancel()


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
