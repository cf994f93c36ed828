"""The service at its socket: who is answered, how many at once, and for how long one waits for a request.

Each connection has one request, a line, and gets one answer.  The system says who is at the other end, and only the
players' account, root and the keeper itself are heard.  They run what strangers type into, and so nothing they send is
trusted: lines have a greatest length, connections a number, and each a time.  Requests are done one by one: the store
has one writer, and a password takes 64 MB while it is checked.
"""

import asyncio
import os
import socket
import struct
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

from nhlog.accounts.broker import Broker
from nhlog.errors import NhlogError
from nhlog.files import reason
from nhlog.players.asking import LONGEST

__all__ = ["listening", "serve"]

PATIENCE: Final = 5.0  # seconds for a request to come, and for its answer to be taken
_MOST: Final = 64  # connections at once
_FIRST: Final = 3  # the first descriptor that systemd hands over
_ALL_MAY: Final = 0o666  # connect: who is heard is decided by what the system says of them
_PEER: Final = struct.Struct("3i")  # Linux: pid, uid, gid


def listening(path: Path) -> socket.socket:
    """The socket that systemd opened for us, or one that listens at `path`; raises :class:`NhlogError`."""
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1":
        return socket.socket(fileno=_FIRST)
    listener = socket.socket(socket.AF_UNIX)
    try:
        if _answers(path):
            raise NhlogError("the service runs already", file=os.fspath(path))
        with suppress(FileNotFoundError):
            os.unlink(path)
        listener.bind(os.fspath(path))
        os.chmod(path, _ALL_MAY)
        listener.listen(_MOST)
    except OSError as error:
        listener.close()
        raise NhlogError(reason(error), file=os.fspath(path)) from None
    except BaseException:
        listener.close()
        raise
    return listener


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asked:
        return asked.connect_ex(os.fspath(path)) == 0


def serve(listener: socket.socket, broker: Broker, heard: Collection[int]) -> None:
    """Answer for ever, to the users with these ids."""
    asyncio.run(_Service(broker, heard).run(listener))


class _Service:
    """The open connections."""

    def __init__(self, broker: Broker, heard: Collection[int]) -> None:
        self._broker = broker
        self._heard = heard
        self._open = 0

    async def run(self, listener: socket.socket) -> None:
        server = await asyncio.start_unix_server(self._connected, sock=listener, limit=LONGEST)
        async with server:
            await server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= _MOST and _user_at(writer.get_extra_info("socket")) in self._heard:
                async with asyncio.timeout(PATIENCE):
                    writer.write(self._broker.answer(await reader.readuntil()))
                    await writer.drain()
        except (TimeoutError, asyncio.LimitOverrunError, asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._open -= 1
            writer.close()


def _user_at(connection: socket.socket) -> int:
    """The id of the user at the other end when it connected."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
    return int(_PEER.unpack(credentials)[1])
