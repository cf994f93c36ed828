"""A NATS server with JetStream: the one module that knows it.

Every message is in one stream, which the first relay creates, with limits (see `wire`).
A request without an answer is an error; whether it was carried out, only a look at what is stored shows.
"""

import asyncio
import json
import logging
from base64 import b64decode
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import count
from ssl import SSLCertVerificationError, SSLError
from typing import TYPE_CHECKING, Any, Final

from nhlog.errors import NhlogError, RemoteUnreachable, Unsupported
from nhlog.relay.wire import LIMITS, SUBJECTS, Limits, StreamState, state_of
from nhlog.values import NamedTuple

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

__all__ = ["STREAM", "Conflict", "Connection", "NotPermitted", "Options", "Stored", "connected"]

STREAM: Final = "NHLOG"
"""What the stream is called, unless the option `stream` says otherwise."""

Options = Mapping[str, Any]
"""Options of nats-py's `connect`, by their names there, and `stream` and `limits`, which are ours."""

_PATIENCE: Final = 5.0  # seconds for an answer
_AGAIN: Final = 0.25  # seconds between two attempts to connect
_NONE: Any = None  # no limit of nats-py: its own loses it when it is to be cancelled
_HEARTBEAT: Final = 2.0  # seconds after which the server says that there is nothing new
_MISSED: Final = 3  # heartbeats after which one asks anew
_QUEUED: Final = 1 << 6  # messages that wait to be taken; nats-py keeps those behind them
_UNTAKEN: Final = 1 << 26  # bytes of messages that it keeps; what comes then is dropped, and asked for again
_WRONG_SEQUENCE: Final = 10071  # JetStream's error codes
_NO_STREAM: Final = 10059
_NO_MESSAGE: Final = 10037
_VIOLATION: Final = "permissions violation for "  # as nats-server tells what one may not do
_TLS: Final = ("tls", "tls_hostname")  # options of nats-py
_FIELDS: Final = 9  # of the subject by which a message is acknowledged, up to nats-server 2.13
_MALFORMED: Final = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What is raised by an answer that is no proper one: by ``1e999``, which is a number for JSON, an OverflowError."""
_FLOW_CONTROL: Final = "$JS.FC."  # what such subjects begin with
_MOST_TOLD: Final = 300  # characters: what a server tells may be of any length
_OURS: Final = ("stream", "limits")  # of the options
_LAST: Final = {"deliver_policy": "last_per_subject"}
_SECOND: Final = 1_000_000_000  # nanoseconds


class Conflict(NhlogError):
    """Another message was stored in between, or this one is already stored."""


class NotPermitted(NhlogError):
    """The server forbids what is needed, so retrying is of no use (exit code 7)."""

    exit_code = RemoteUnreachable.exit_code


class Stored(NamedTuple):
    """A stored message; `pending` is the number of later ones with its subject, -1 if unknown."""

    sequence: int
    subject: str
    headers: Mapping[str, str]
    body: bytes
    pending: int = -1


class Connection:
    """A connection that comes back by itself; `name` is the server's URL, `stream` where messages are stored.

    Raises :class:`RemoteUnreachable`, and :class:`NotPermitted`.
    """

    def __init__(self, client: "Client", name: str, stream: str, limits: Limits = LIMITS) -> None:
        self.name = name
        self.trouble = ""  # what went wrong last
        self._client, self._stream, self._limits = client, stream, limits
        self._permitted = True
        self._stores = False
        self._asked: set[asyncio.Timeout] = set()
        self._queues: set[asyncio.Queue[Msg | None]] = set()

    @property
    def most(self) -> int:
        """Bytes that a body may have."""
        return self._client.max_payload - 4096  # with its headers

    async def make_stream(self) -> None:
        """Create the stream if there is none."""
        if await self.stream() is None:
            name, limits = self._stream, self._limits.settings
            await self._ask(f"STREAM.CREATE.{name}", name=name, subjects=[SUBJECTS], allow_rollup_hdrs=True, **limits)

    async def stream(self) -> StreamState | None:
        """The stream as it is; None if there is none."""
        found = await self._ask(f"STREAM.INFO.{self._stream}", missing=_NO_STREAM)
        with self._failures():
            state = None if found is None else state_of(found)
        self._stores = state is not None and state.last > 0
        return state

    async def sequences(self) -> tuple[int, int]:
        """The numbers of the first and the last message that are stored, of whatever subject."""
        stream = await self.stream()
        return (1, 0) if stream is None else (stream.first, stream.last)

    async def last(self, subject: str) -> Stored | None:
        """The last message of a subject, or of several; None if there is none."""
        return await self._message(last_by_subj=subject)

    async def message(self, sequence: int) -> Stored | None:
        """The message of this number; None if it is not stored."""
        return await self._message(seq=sequence)

    async def _message(self, **which: Any) -> Stored | None:
        """A message; it is asked for once something was stored.

        nats-server 2.9.10 breaks down if it is asked for a message while it makes the stream: it tells of the stream
        before that has a store.  What it counts in the stream it counts in its store.
        """
        if not self._stores:
            await self.stream()
            if not self._stores:
                return None
        found = await self._ask(f"STREAM.MSG.GET.{self._stream}", missing=_NO_MESSAGE, **which)
        if found is None:
            return None
        with self._failures():
            message = found["message"]
            headers, body = (b64decode(message.get(part, "")) for part in ("hdrs", "data"))
            return Stored(int(message["seq"]), str(message["subject"]), _headers(headers), body)

    async def subjects(self, pattern: str) -> list[str]:
        """The subjects that fit a pattern and have messages."""
        found = await self._ask(f"STREAM.INFO.{self._stream}", subjects_filter=pattern)
        with self._failures():
            return sorted(map(str, found["state"].get("subjects") or ()))

    async def publish(self, subject: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Store a message, and return its number; raises :class:`Conflict`.

        Of a double, or one that does not come right behind the one it should, nothing is stored.
        """
        answer = await self._request(subject, body, dict(headers))
        if "error" in answer:
            raise self._refusal(answer["error"])
        if answer.get("duplicate"):
            raise Conflict("this message is already stored", file=self.name)
        with self._failures():
            return int(answer["seq"])

    async def messages(self, subject: str, first: int | None) -> AsyncGenerator[Stored]:
        """The messages of some subjects from a number on, or the last one of each, and those to come.

        It ends where one has to ask anew: the connection was lost, or a message did not come.
        """
        inbox, queue = self._client.new_inbox(), asyncio.Queue["Msg | None"](_QUEUED)
        self._queues.add(queue)
        with self._failures():
            subscription = await self._client.subscribe(inbox, cb=queue.put, pending_bytes_limit=_UNTAKEN)
        try:
            config = {
                "deliver_subject": inbox,
                **(_LAST if first is None else {"deliver_policy": "by_start_sequence", "opt_start_seq": max(first, 1)}),
                "filter_subject": subject,
                "ack_policy": "none",
                "max_deliver": 1,
                "mem_storage": True,
                "num_replicas": 1,
                "flow_control": True,
                "idle_heartbeat": int(_HEARTBEAT * _SECOND),
            }
            await self._ask(f"CONSUMER.CREATE.{self._stream}", stream_name=self._stream, config=config)
            for number in count(1):
                message = await self._next(inbox, queue)
                if message is None:
                    return
                stored = _delivered(message, number)
                if stored is None:
                    return
                yield stored
        finally:
            self._queues.discard(queue)
            with suppress(Exception):  # the connection is lost, and the subscription with it
                await subscription.unsubscribe()

    async def _next(self, inbox: str, queue: "asyncio.Queue[Msg | None]") -> "Msg | None":
        """The next message; None if there is none and no sign of life, or all is to be asked anew.

        What comes to the inbox itself is the server's: it tells that there is nothing new, or wants to know how far
        we are.  What is stored has its own subject, and headers that anybody may have written.
        """
        while True:
            try:
                async with asyncio.timeout(_HEARTBEAT * _MISSED):
                    message = await queue.get()
            except TimeoutError:
                return None
            if message is None or message.subject != inbox:
                return message
            asked = message.reply or (message.headers or {}).get("Nats-Consumer-Stalled", "")
            if asked.startswith(_FLOW_CONTROL):
                with self._failures():
                    await self._client.publish(asked)

    async def note(self, error: Exception) -> None:
        """Note an error; the server reports in no other way that something is forbidden."""
        self.trouble = _told(error)
        if self.trouble.startswith(_VIOLATION):
            self._permitted = False
            await self.lost()

    async def lost(self) -> None:
        """Make everything that waits for an answer or a message ask again."""
        self._stores = False
        for waiting in self._asked:
            if not waiting.expired():
                waiting.reschedule(0)
        await self.returned()

    async def returned(self) -> None:
        """Make everything that waits for messages ask again."""
        for queue in self._queues:
            with suppress(asyncio.QueueFull):
                queue.put_nowait(None)

    async def _ask(self, subject: str, missing: int = -1, **request: Any) -> Any:
        """The answer of JetStream; None if it is the error `missing`, so that there is no such thing."""
        answer = await self._request(f"$JS.API.{subject}", json.dumps(request).encode() if request else b"", None)
        error = answer.get("error")
        if error is None:
            return answer
        self._stores &= error.get("err_code") != _NO_STREAM
        if error.get("err_code") in (missing, _NO_STREAM):
            if missing == -1:
                why = f"the server has no stream {self._stream}: nothing has been relayed to it yet"
                raise RemoteUnreachable(why, file=self.name)
            return None
        raise self._refusal(error)

    async def _request(self, subject: str, body: bytes, headers: dict[str, str] | None) -> dict[str, Any]:
        with self._failures():
            async with self._waiting():
                answer = await self._client.request(subject, body, timeout=_NONE, headers=headers)
            found = json.loads(answer.data)
            if not isinstance(found, dict) or not isinstance(found.get("error", {}), dict):
                raise ValueError("no object")
            return found

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """A scope in which what goes wrong is an error of ours."""
        from nats import errors

        try:
            if not self._permitted:
                raise TimeoutError
            with _cancellation_kept():
                yield
        except errors.NoRespondersError:
            raise RemoteUnreachable("JetStream does not answer (nats-server -js)", file=self.name) from None
        except errors.MaxPayloadError:
            raise Unsupported("the message is too large for the server", file=self.name) from None
        except (TimeoutError, errors.Error, OSError, *_MALFORMED) as error:
            if not self._permitted or self._client.is_closed:
                why = self.trouble or _told(self._client.last_error or error)
                raise NotPermitted(f"not permitted: {why.removeprefix(_VIOLATION)}", file=self.name) from None
            if not isinstance(error, TimeoutError):
                raise RemoteUnreachable(f"no proper answer: {_told(error)}", file=self.name) from None
            why = "" if self._client.is_connected or not self.trouble else f": {self.trouble}"
            raise RemoteUnreachable(f"no answer{why}", file=self.name) from None

    @asynccontextmanager
    async def _waiting(self) -> AsyncIterator[None]:
        """A scope that ends when the connection is lost: what was asked of it is not answered."""
        async with asyncio.timeout(_PATIENCE) as waiting:
            self._asked.add(waiting)
            try:
                yield
            finally:
                self._asked.discard(waiting)

    def _refusal(self, error: Mapping[str, Any]) -> NhlogError:
        if error.get("err_code") == _WRONG_SEQUENCE:
            return Conflict("another message was stored meanwhile", file=self.name)
        return RemoteUnreachable(f"the server refuses: {_printable(error.get('description'))}", file=self.name)


def _headers(data: bytes) -> dict[str, str]:
    """The headers in a message as it is stored."""
    lines = data.decode("latin-1").split("\r\n")[1:]
    return {name: value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon}


def _delivered(message: "Msg", number: int) -> Stored | None:
    """What was delivered as this message of those that were asked for; None for any other."""
    fields = message.reply.split(".")  # $JS.ACK.STREAM.CONSUMER and five numbers; later servers put two before STREAM
    numbers = fields[4:9] if len(fields) == _FIELDS else fields[6:11]
    if len(numbers) != 5 or not all(text.isascii() and text.isdigit() for text in numbers):
        return None
    _, sequence, delivered, _, pending = map(int, numbers)
    if delivered != number:
        return None
    return Stored(sequence, message.subject, message.headers or {}, message.data, pending)


def _told(error: BaseException) -> str:
    """An error of a server or of nats-py in words."""
    if isinstance(error, SSLCertVerificationError):
        return f"the server's certificate is not trusted: {error.verify_message}"
    return _printable(str(error).removeprefix("nats: ")) or type(error).__name__


def _printable(told: object) -> str:
    """What a server tells, as a part of a message."""
    return "".join(char if char.isprintable() else "\ufffd" for char in str(told)[:_MOST_TOLD])


def _why(client: "Client", error: BaseException) -> str:
    """Why one cannot connect; one that trusts no certificate of ours closes the connection in some way or other."""
    info: Any = client._server_info  # what it said before
    closed = isinstance(error, ConnectionError | SSLError) and not isinstance(error, SSLCertVerificationError)
    if closed and isinstance(info, dict) and info.get("tls_verify"):
        return "tls_cert and tls_key of [relay] must be a certificate that the server trusts"
    return _told(error)


@asynccontextmanager
async def connected(url: str, options: Options) -> AsyncIterator[Connection]:
    """A connection, which is encrypted for ``tls://`` and with any option of TLS.

    Raises :class:`RemoteUnreachable` if none comes about, and :class:`Unsupported` without nats-py.
    """
    client, made = _client(encrypted=url.startswith("tls://") or not options.keys().isdisjoint(_TLS)), False
    connection = Connection(client, url, options.get("stream", STREAM), options.get("limits", LIMITS))
    logging.getLogger("asyncio").addFilter(_matters)
    connecting = asyncio.timeout(_PATIENCE)

    async def note(error: Exception) -> None:
        await connection.note(error)
        if not made and not connecting.expired():
            connecting.reschedule(0)  # nats-py would try for ever

    try:
        try:
            with _cancellation_kept():
                async with connecting:
                    await client.connect(
                        servers=[url],
                        name="nhlog",
                        error_cb=note,
                        disconnected_cb=connection.lost,
                        reconnected_cb=connection.returned,
                        max_reconnect_attempts=-1,
                        reconnect_time_wait=_AGAIN,  # type: ignore[arg-type]  # seconds of any kind
                        connect_timeout=int(_PATIENCE),
                        **{name: value for name, value in options.items() if name not in _OURS},
                    )
            made = True
        except ImportError:
            raise _missing("nkeys") from None
        except Exception as error:  # of nats-py, of the system, of TLS
            why = _why(client, client.last_error or error)
            raise RemoteUnreachable(f"cannot connect: {why}", file=url) from None
        yield connection
    finally:
        with _cancellation_kept(), suppress(Exception):  # it may be lost just now
            async with asyncio.timeout(_PATIENCE):
                await client.close()


@contextmanager
def _cancellation_kept() -> Iterator[None]:
    """A scope at whose end the task is cancelled if it was to be within.

    nats-py passes over a cancellation in several places, and `asyncio.wait_for` of Python 3.11, which it uses, returns
    what it waited for if both come at once.  The task would go on, and whoever waits for its end would wait for ever.
    """
    task = asyncio.current_task()
    assert task is not None
    before = task.cancelling()
    yield
    if task.cancelling() > before:
        raise asyncio.CancelledError


def _client(*, encrypted: bool) -> "Client":
    """A client that says nothing to a server; to one without TLS not even who we are, if it is to be `encrypted`."""
    try:
        from nats.aio.client import Client
        from nats.errors import Error
    except ImportError:
        raise _missing("nats-py") from None

    class Encrypted(Client):
        """nats-py encrypts only where the server asks for it, and logs in all the same where it does not."""

        def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> Any:
            if initial_connection and not info.get("tls_required"):
                raise Error("the server has no TLS")
            return super()._process_info(info, initial_connection)

    return Encrypted() if encrypted else Client()


def _matters(record: logging.LogRecord) -> bool:
    """Whether asyncio reports more than a connection that the other side has closed and nats-py has not yet."""
    return record.levelno > logging.WARNING


def _missing(package: str) -> Unsupported:
    return Unsupported(f"relays need {package}", expected="pip install 'nhlog[relay]'")
