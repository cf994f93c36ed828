"""All of a recording as an asciicast: sent as it is made, to a few at a time, for a page anywhere."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from terminal.web.connection import STUCK
from terminal.web.processes.process import Process
from terminal.web.processes.streamer import Streamed, cast
from terminal.web.processes.wire import ALL, Kind, Message, packed

__all__ = ["Casts"]

_MOST: Final = 16  # that are sent at a time: each has a process
_MOST_OF_SOURCE: Final = 4  # of them from one address
_HEADERS: Final = {
    "Content-Type": "application/x-asciicast",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


class Casts:
    """The casts that are being sent."""

    def __init__(self, opening: dict[str, str]) -> None:
        self._opening = opening
        self._sent = Counter[str]()

    def head(self) -> Response:
        """What is said before any cast."""
        return Response(headers=_HEADERS)

    async def of(self, source: str, file: str, size: int) -> Response:
        """The cast of a recording for `source`; if it is not of a terminal, it is drawn in this class of sizes."""
        if self._sent.total() >= _MOST or self._sent[source] >= _MOST_OF_SOURCE:
            raise HTTPException(503, "too many casts are being made; try again in a while", {"Retry-After": "10"})
        pieces = self._pieces(source, file, size)
        try:
            first = await anext(pieces)
        except EOFError:
            raise HTTPException(404, "it cannot be read") from None
        return _Sending(_with(first, pieces))

    async def _pieces(self, source: str, file: str, size: int) -> AsyncGenerator[bytes]:
        """The cast in pieces; raises :class:`EOFError` if it cannot be made to its end."""
        came: asyncio.Queue[Message | None] = asyncio.Queue()
        process = Process(cast, Streamed(file, size, self._opening), came.put_nowait, lambda: came.put_nowait(None))
        self._sent[source] += 1
        try:
            while True:
                process.send(packed(Kind.WANTED, ALL))
                message = await came.get()
                if message is None:
                    raise EOFError
                if message.kind is Kind.ENDED:
                    return
                yield b"".join(message.parts)
        finally:
            self._sent[source] -= 1
            self._sent += Counter()  # forgets who has none
            process.end()


async def _with(first: bytes, rest: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


class _Sending(StreamingResponse):
    """Aborts the answer if a cast cannot be completed or nobody reads it, so that it is visibly incomplete."""

    def __init__(self, pieces: AsyncGenerator[bytes]) -> None:
        super().__init__(pieces, headers=_HEADERS)
        self._pieces = pieces

    async def stream_response(self, send: Send) -> None:
        """Send it."""
        with suppress(EOFError, TimeoutError):
            async with aclosing(self._pieces):
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                async for piece in self._pieces:
                    async with asyncio.timeout(STUCK):
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
