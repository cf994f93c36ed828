"""Games at addresses ``nats://HOST/PLAYER/GAME``, and the files that they are received into.

What is watched is received by a process of its own (``python -m terminal.relayed``), as a process may open a log once;
it ends with the one that started it.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from nhlog.config import read_config
from nhlog.errors import NhlogError, RemoteUnreachable, Usage
from nhlog.files import as_ours
from nhlog.files.processes import python_command, python_environment
from nhlog.relay.wire import SCHEMES, parse_place

if TYPE_CHECKING:
    from nhlog.relay.receiving import Receive

__all__ = ["file_name", "is_relayed", "mirror", "received"]

_PAUSE: Final = 0.02  # seconds between two looks at whether there is a file


def file_name(name: str) -> str:
    """The name of a file here for a game of this name, which may have been made to lead elsewhere."""
    if "/" in name or "\0" in name or name.startswith("."):
        raise Usage("a game of this name needs the name of a file", found=repr(name))
    return name


def is_relayed(name: str) -> bool:
    """Whether this is the address of a game at a NATS server."""
    return name.partition("://")[0] in SCHEMES


async def mirror(address: str, file: str | None, tell: Callable[[str], None]) -> str:
    """Receive a game into a file, by default of its own name, until it is finished; returns the file's name."""
    from nhlog.relay.receiving import receive

    return await _fill(address, file, receive, tell)


async def _fill(address: str, file: str | None, receive: "Receive", tell: Callable[[str], None]) -> str:
    from nhlog.relay.connection import connected
    from nhlog.relay.copy import Copy
    from nhlog.relay.login import options_of
    from nhlog.relay.receiving import find

    place, options = parse_place(address), options_of(read_config().relay)
    async with connected(place.url, options) as connection:
        game = await find(connection, place)
        with closing(Copy(file or file_name(game.name))) as copy:
            await receive(connection, game, copy, tell)
            return copy.name


@contextmanager
def received(address: str) -> Iterator[tuple[str, Callable[[], bool]]]:
    """A file that gets what is sent of a game, as it comes, and whether nothing more can come.

    Raises :class:`NhlogError` if the game cannot be received.
    """
    name = file_name(parse_place(address).name)
    with tempfile.TemporaryDirectory(prefix="nhlog-") as folder:
        file = os.path.join(folder, name)
        process = subprocess.Popen(
            python_command("-m", "terminal.relayed", address, file),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=python_environment(),
            start_new_session=True,
        )
        try:
            while not os.path.exists(file) and process.poll() is None:
                time.sleep(_PAUSE)
            if not os.path.exists(file):
                raise _failure(process, address)
            yield file, lambda: process.poll() is not None
        except NhlogError as error:
            if process.poll():
                raise _failure(process, address) from None
            error.file = address if error.file == file else error.file
            raise
        finally:
            process.kill()
            process.communicate()


def _failure(process: "subprocess.Popen[bytes]", address: str) -> RemoteUnreachable:
    """Why a receiver, which has ended, could not receive a game."""
    _, told = process.communicate()
    why = told.decode("utf-8", "replace").strip()
    return RemoteUnreachable(why or "its receiver broke down", file=address)


def _main(address: str, file: str) -> int:
    """Receive a game until it is finished, or the one who started this ends; says why it cannot on standard error."""

    async def until_orphaned() -> None:
        from nhlog.relay.receiving import receive_late

        receiving = asyncio.ensure_future(_fill(address, file, receive_late, lambda told: None))
        asyncio.get_running_loop().add_reader(0, receiving.cancel)
        await receiving

    try:
        with suppress(asyncio.CancelledError):
            asyncio.run(until_orphaned())
    except (NhlogError, OSError) as error:
        sys.stderr.write(as_ours(error).message)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
