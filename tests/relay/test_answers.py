"""What answers in place of JetStream is believed no more than a message is."""

import asyncio
from pathlib import Path
from typing import Any

import nats
import pytest

from nhlog.errors import RemoteUnreachable
from nhlog.relay.connection import connected
from tests.relay.server import nats_server, needs_nats_server
from tests.relay.test_server import MOST, becomes, running

INFINITE = (
    b'{"state": {"first_seq": 1e999, "last_seq": 1}, "seq": 1e999}'  # a number for JSON, and none that one counts by
)
GOOD = b'{"state": {"first_seq": 1}}'


@needs_nats_server
def test_an_answer_that_is_none_is_an_error_of_ours(tmp_path: Path) -> None:
    """A server without JetStream, and somebody who answers instead."""
    answers = {"info": b"", "get": b"", "stored": b""}

    async def answer(message: Any) -> None:
        kind = "info" if "INFO" in message.subject else "get" if "GET" in message.subject else "stored"
        await message.respond(answers[kind])

    async def play(url: str) -> None:
        rogue = await nats.connect(url)
        for subject in ("$JS.API.>", "nhlog.>"):
            await rogue.subscribe(subject, cb=answer)
        await rogue.flush()
        async with connected(url, {}) as connection, asyncio.timeout(MOST):
            for bad in (b"", b"\xff", b"[]", b"7", b"[" * 100_000, b'{"error": 7}', b"{}", INFINITE):
                answers.update(dict.fromkeys(answers, bad))
                with pytest.raises(RemoteUnreachable):
                    await connection.sequences()
                with pytest.raises(RemoteUnreachable):
                    await connection.publish("nhlog.a", b"", {})
            for bad in (b'{"state": 7}', b'{"state": {"subjects": 7}}'):
                answers["info"] = bad
                with pytest.raises(RemoteUnreachable):
                    await connection.subjects("nhlog.>")
            answers["info"] = GOOD
            answers["stored"] = b'{"error": {"description": "' + b"no\\u001b[2J" * 1000 + b'"}}'
            with pytest.raises(RemoteUnreachable) as refused:
                await connection.publish("nhlog.a", b"", {})
            assert str(refused.value).isprintable()
            assert len(str(refused.value)) < 400
            for bad in (b"{}", b'{"message": {"seq": "x"}}', b'{"message": {"seq": 1, "subject": "a", "data": "A"}}'):
                answers["get"] = bad
                with pytest.raises(RemoteUnreachable):
                    await connection.last("nhlog.a")
        await rogue.close()

    with nats_server(tmp_path, 'listen: "127.0.0.1:-1"\n') as server:
        asyncio.run(play(server.url))


@needs_nats_server
def test_what_is_sent_to_the_inbox_of_a_receiver_is_no_message(tmp_path: Path) -> None:
    """Nor does it make the receiver send anything, but to where servers ask how far one is."""
    published = []

    async def note(message: Any) -> None:
        published.append(message.subject)

    async def play(url: str) -> None:
        rogue, inbox = await nats.connect(url), ""

        async def answer(message: Any) -> None:
            nonlocal inbox
            inbox = message.data.decode().partition('"deliver_subject": "')[2].partition('"')[0]
            await message.respond(b"{}")
            for headers in ({"Status": "100"}, {"Nats-Consumer-Stalled": "nhlog.victim"}):
                await rogue.publish(inbox, b"", reply="nhlog.victim", headers=headers)
            await rogue.publish(inbox, b"", headers={"Nats-Consumer-Stalled": "nhlog.victim"})
            await rogue.publish(inbox, b"", reply="$JS.FC.NHLOG.x.y")

        for subject, to in (("$JS.API.>", answer), ("nhlog.>", note), ("$JS.FC.>", note)):
            await rogue.subscribe(subject, cb=to)
        await rogue.flush()
        async with connected(url, {}) as connection, running(anext(connection.messages("nhlog.>", 1))):
            assert await becomes(lambda: "$JS.FC.NHLOG.x.y" in published)
        await rogue.close()

    with nats_server(tmp_path, 'listen: "127.0.0.1:-1"\n') as server:
        asyncio.run(play(server.url))
    assert published == ["$JS.FC.NHLOG.x.y"]
