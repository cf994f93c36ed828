"""The web server in front of two of ours, which makes one site of them: as the configurations of `docs/web.md` do."""

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

__all__ = ["front"]

_MOST = 1 << 16


@contextmanager
def front(listener: socket.socket, port_of: Callable[[str], int]) -> Iterator[None]:
    """Pass on what comes to the listener, each connection's one request by its path to a port of this machine."""
    threading.Thread(target=_accept, args=(listener, port_of), daemon=True).start()
    try:
        yield
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def _accept(listener: socket.socket, port_of: Callable[[str], int]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_pass_on, args=(client, port_of), daemon=True).start()


def _pass_on(client: socket.socket, port_of: Callable[[str], int]) -> None:
    with client, suppress(OSError):
        request = b""
        while b"\r\n\r\n" not in request:
            if not (data := client.recv(_MOST)):
                return
            request += data
        if b"upgrade: websocket" not in request.lower():
            request = re.sub(rb"(?im)^connection: .*\r$", b"Connection: close\r", request)
        path = request.split(b" ", 2)[1].decode()
        with socket.create_connection(("127.0.0.1", port_of(path))) as server:
            server.sendall(request)
            threading.Thread(target=_pump, args=(client, server), daemon=True).start()
            _pump(server, client)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_MOST):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
