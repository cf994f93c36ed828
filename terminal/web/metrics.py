"""Numbers of a running server for Prometheus, in its text format 0.0.4, for programs on this machine alone.

They have a port of their own: nobody has to keep a path away from the world at the web server in front.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Final

from nhlog.values import dataclass
from terminal.text.words import printable

__all__ = ["Metric", "answering", "exposition"]

_MOST: Final = 50  # values of a label
_OTHERS: Final = "other"
_LONGEST: Final = 1 << 13  # bytes of a request
_PATIENCE: Final = 5.0  # seconds for one
_HEAD: Final = (
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
    "Content-Length: {}\r\nConnection: close\r\n\r\n"
)
_UNSAFE: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


@dataclass(frozen=True, slots=True)
class Metric:
    """A number, or one for each value of the label `label`; `kind` is ``gauge`` or ``counter``."""

    name: str
    kind: str
    help: str
    value: float = 0
    label: str = ""
    values: Mapping[str, float] = field(default_factory=dict)


def exposition(metrics: Iterable[Metric]) -> bytes:
    """The metrics as text."""
    return "".join(line + "\n" for metric in metrics for line in _lines(metric)).encode()


def _lines(metric: Metric) -> Iterable[str]:
    name = f"nhlog_{metric.name}"
    yield f"# HELP {name} {metric.help}"
    yield f"# TYPE {name} {metric.kind}"
    if not metric.label:
        yield f"{name} {metric.value:g}" if isinstance(metric.value, float) else f"{name} {metric.value}"
    ranked = sorted(metric.values.items(), key=lambda item: (-item[1], item[0]))
    for value, number in ranked[:_MOST]:
        yield f'{name}{{{metric.label}="{printable(value).translate(_UNSAFE)}"}} {number}'
    if rest := sum(number for _, number in ranked[_MOST:]):
        yield f'{name}{{{metric.label}="{_OTHERS}"}} {rest}'


async def answering(listener: socket.socket, measured: Callable[[], Iterable[Metric]]) -> None:
    """Answer each request at the listening socket with the metrics, whatever it asks for, until this is cancelled."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
            body = exposition(measured())
            writer.write(_HEAD.format(len(body)).encode() + body)
            await asyncio.wait_for(writer.drain(), _PATIENCE)
        writer.close()

    server = await asyncio.start_server(answer, sock=listener, limit=_LONGEST)
    async with server:
        await server.serve_forever()
