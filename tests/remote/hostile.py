"""A server on 127.0.0.1 that does whatever it is told with each connection."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Self

from tests.waiting import PATIENCE

__all__ = ["Answer", "Hostile", "drip", "dropped", "endless", "ranged", "reset", "sent", "silent"]

Answer = Callable[[socket.socket, str], None]
"""Gets the connection and the head of the request; when it returns, the connection is closed."""


class Hostile:
    """Answers its connections one after the other, all further ones as the last.

    `asked` are the heads of the requests.  `left` counts the connections that the other side has ended.
    """

    def __init__(self, *answers: Answer) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self._left = threading.Semaphore(0)
        self._came = threading.Semaphore(0)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def wait_until_asked(self) -> None:
        assert self._came.acquire(timeout=PATIENCE), "nobody asked"

    def wait_until_left(self) -> None:
        assert self._left.acquire(timeout=PATIENCE), "the other side does not let go"

    def _serve(self) -> None:
        for number in count():
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            answer = self.answers[min(number, len(self.answers) - 1)]
            threading.Thread(target=self._talk, args=(connection, answer), daemon=True).start()

    def _talk(self, connection: socket.socket, answer: Answer) -> None:
        with connection:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                part = connection.recv(4096)
                if not part:
                    self._left.release()
                    return
                head += part
            self.asked.append(head.decode())
            self._came.release()
            try:
                answer(connection, self.asked[-1])
            except OSError:
                self._left.release()


def sent(*parts: bytes) -> Answer:
    """Sends that, and closes the connection."""

    def answer(connection: socket.socket, head: str) -> None:
        for part in parts:
            connection.sendall(part)

    return answer


def ranged(data: bytes, part: str, *, length: object = None) -> bytes:
    """An answer to a request for a range, whatever was asked for; `part` is its Content-Range."""
    length = len(data) if length is None else length
    return f"HTTP/1.1 206 Partial\r\nContent-Range: {part}\r\nContent-Length: {length}\r\n\r\n".encode() + data


def dropped(data: bytes) -> Answer:
    """Sends that and nothing more."""
    return sent(data)


def reset(data: bytes) -> Answer:
    """Sends that, and breaks the connection off."""

    def answer(connection: socket.socket, head: str) -> None:
        connection.sendall(data)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return answer


def silent(connection: socket.socket, head: str) -> None:
    """Says nothing until the other side goes."""
    with suppress(ConnectionResetError):
        connection.recv(1)
    raise BrokenPipeError


def endless(first: bytes, again: bytes) -> Answer:
    """Sends `first`, and then the same again and again until the other side goes."""

    def answer(connection: socket.socket, head: str) -> None:
        connection.sendall(first)
        while True:
            connection.sendall(again)

    return answer


def drip(first: bytes, pieces: Callable[[], Iterator[bytes]], stop: threading.Event) -> Answer:
    """Sends `first` and then piece after piece, each as soon as one thinks that nothing more comes."""

    def answer(connection: socket.socket, head: str) -> None:
        connection.sendall(first)
        for piece in pieces():
            if stop.wait(0.01):
                return
            connection.sendall(piece)

    return answer
