"""What comes from JetStream, or from whoever answers in its place: answers in JSON, and deliveries with their headers.

A client of nats-py stands here whose server says what the case says; all that asks is ours.
"""

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

from nats.aio.msg import Msg

from nhlog.relay.connection import Connection
from scripts.fuzzing.mutants.change import TEXTS, bend_bytes, bend_json, bend_text, json_bytes, rarely
from scripts.fuzzing.rules import Begin, refused

if TYPE_CHECKING:
    from nats.aio.client import Client

__all__ = ["act", "mutant"]

_HEADERS: Final = b"NATS/1.0\r\nNhlog-Kind: bytes\r\nNhlog-Offset: 3\r\n\r\n"
_ANSWERS: Final[Mapping[str, Any]] = {
    "STREAM.INFO": {"state": {"first_seq": 1, "last_seq": 12, "subjects": {"nhlog.a.b": 3, "nhlog.a.c": 1}}},
    "STREAM.CREATE": {"did_create": True, "config": {"name": "NHLOG"}},
    "STREAM.MSG.GET": {
        "message": {
            "subject": "nhlog.a.b",
            "seq": 7,
            "hdrs": b64encode(_HEADERS).decode(),
            "data": b64encode(b"bytes").decode(),
        }
    },
    "CONSUMER.CREATE": {"stream_name": "NHLOG", "name": "one", "config": {"deliver_subject": "_INBOX.a"}},
    "PUBLISH": {"stream": "NHLOG", "seq": 12, "duplicate": False},
}
_ERROR: Final[Mapping[str, Any]] = {"error": {"code": 404, "err_code": 10037, "description": "no message found"}}
_CODES: Final = (10071, 10059, 10037, 10003)
_DELIVERED: Final = {
    "subject": "nhlog.a.b",
    "reply": "$JS.ACK.NHLOG.one.1.7.1.1700000000.0",
    "headers": {"Nhlog-Kind": "a"},
}


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A line for each kind of answer, and for some deliveries; most of them bent."""
    lines = []
    for kind, answer in _ANSWERS.items():
        value: Any = answer
        if rarely(chance, 6):
            value = _ERROR | {"error": {**_ERROR["error"], "err_code": chance.choice(_CODES)}}
        for _ in range(chance.choice((0, 0, 1, 2, 4))):
            value = bend_json(chance, value)
        data = json_bytes(chance, value)
        if rarely(chance, 6):  # what is a number for JSON
            data = re.sub(rb"\d+", chance.choice((b"1e999", b"-1e999", b"0.5", b"9" * 5000)), data, count=1)
        if rarely(chance, 8):
            data = bend_bytes(chance, data)
        lines.append({"kind": kind, "data": data.decode("latin-1")})
    for _ in range(chance.choice((0, 1, 3))):
        lines.append({"kind": "DELIVERED", **_bent(chance, dict(_DELIVERED)), "data": "bytes"})
    return {"case.answers": b"".join(json.dumps(line).encode() + b"\n" for line in lines)}


def _bent(chance: Random, one: dict[str, Any]) -> dict[str, Any]:
    match chance.randrange(4):
        case 0:
            return one | {"reply": bend_text(chance, one["reply"])}
        case 1:
            return one | {"headers": {"Nats-Consumer-Stalled": chance.choice(("$JS.FC.a", *TEXTS))}, "subject": ""}
        case 2:
            return one | {"reply": chance.choice(("$JS.FC.NHLOG.a", "", *TEXTS)), "subject": ""}
    return one


class _Server:
    """A client of nats-py, as far as a connection of ours asks it for something."""

    max_payload = 1 << 20
    is_closed, is_connected, last_error = False, True, None

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self._answers = {line["kind"]: line["data"].encode("latin-1") for line in lines}
        self._delivered = [line for line in lines if line["kind"] == "DELIVERED"]
        self._take: Callable[[Msg | None], Awaitable[None]] | None = None

    def new_inbox(self) -> str:
        return "_INBOX.a"

    async def request(self, subject: str, body: bytes, timeout: Any, headers: Any) -> Msg:
        kind = subject.removeprefix("$JS.API.").rpartition(".")[0] if subject.startswith("$JS.") else "PUBLISH"
        if kind == "CONSUMER.CREATE" and self._take:
            for one in self._delivered:
                await self._take(self._message(one.get("subject") or "_INBOX.a", one.get("reply"), one))
            await self._take(None)
        return self._message(subject, "", {"data": self._answers.get(kind, b"{}").decode("latin-1")})

    def _message(self, subject: str, reply: Any, line: Mapping[str, Any]) -> Msg:
        return Msg(cast("Client", self), subject, f"{reply}", line["data"].encode("latin-1"), line.get("headers"))

    async def subscribe(
        self, subject: str, cb: Callable[[Any], Awaitable[None]], pending_bytes_limit: int
    ) -> "_Server":
        self._take = cb
        return self

    async def unsubscribe(self) -> None:
        self._take = None

    async def publish(self, subject: str) -> None:
        assert subject.startswith("$JS.FC.")


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Ask for everything, in any order, on one connection."""
    connection = Connection(cast("Client", _Server(_read(case))), "nats://a", "NHLOG")
    asked: list[tuple[str, Callable[[], Awaitable[Any]]]] = [
        ("make", connection.make_stream),
        ("sequences", connection.sequences),
        ("last", lambda: connection.last("nhlog.a.b")),
        ("message", lambda: connection.message(7)),
        ("subjects", lambda: connection.subjects("nhlog.>")),
        ("publish", lambda: connection.publish("nhlog.a.b", b"bytes", {"Nhlog-Kind": "a"})),
        ("messages", lambda: _all(connection)),
    ]
    chance.shuffle(asked)

    async def ask() -> None:
        for name, act in asked:
            begin(name)
            with refused():
                await act()

    asyncio.run(ask())


async def _all(connection: Connection) -> None:
    async for _ in connection.messages("nhlog.>", 1):
        pass


def _read(case: Path) -> list[dict[str, Any]]:
    """The lines; of a case that was made smaller, those that are left whole."""
    found = []
    for line in case.read_bytes().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [one for one in found if isinstance(one, dict) and one.keys() >= {"kind", "data"}]
