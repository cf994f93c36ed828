"""What a relay sends: subjects, headers and announcements, as values and back; nothing here does I/O.

A game's messages have the subject ``nhlog.SERVER.PLAYER.GAME``, its snapshot, its announcement and its talk one token
more.  The names are escaped, so that none can widen a subject or have two of them; GAME is the name of the file.

A message (headers ``Nhlog-Kind``, ``-Count``, ``-Offset``, ``-Head``, ``-Length``, ``-Digest``) says what becomes of
the file: the first `head` bytes are rewritten in place, as a log's header is, and all others stand until a
``truncate``, which raises the count.

=========  ==================================================================
bytes      the body stands at `offset`, which is where the file ended
head       the body stands at the beginning, in place of what stood there
truncate   the file is cut at `offset`, and its head is the body
finished   as ``head``; the game is over
snapshot   the body is a log that may stand for what ends at `offset`: see `snapshots`
=========  ==================================================================

The body of a talk is what was said beside the game, as lines of a copy (`nhlog.beside.talk.carried`): what is none of
them is passed over where they are read.

Whatever arrives may be forged: it is a message, or :class:`BadMessage`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from nhlog.errors import Damaged, Usage
from nhlog.values import NamedTuple, dataclass

__all__ = [
    "LIMITS",
    "MOST_BODY",
    "MOST_FILE",
    "MOST_HEAD",
    "MOST_TALK",
    "PIECE",
    "SCHEMES",
    "SUBJECTS",
    "Announcement",
    "BadMessage",
    "Game",
    "Kind",
    "Limits",
    "Message",
    "Place",
    "StreamState",
    "decode",
    "decode_announcement",
    "decode_snapshot",
    "decode_talk",
    "encode",
    "encode_announcement",
    "encode_snapshot",
    "parse_place",
    "parse_server",
    "state_of",
]

SUBJECTS: Final = "nhlog.>"
SCHEMES: Final = ("nats", "tls")
PIECE: Final = 1 << 18  # bytes of a body that is sent: what many lines take together
MOST_BODY: Final = 1 << 23  # bytes of a body that is taken: the most that a server can be set to carry is 64 MiB
MOST_FILE: Final = 1 << 34  # bytes of a file that is received
MOST_HEAD: Final = 1 << 13  # bytes that are rewritten in place: a header, and where the newest backup stands
MOST_TALK: Final = 1 << 16  # bytes of a talk: some hundred lines, which are sent again with each new one
_MOST_COUNT: Final = 0xFFFF_FFFF  # eight hexadecimal digits, as in a log's first line
_MOST_TOKEN: Final = 800  # characters: of the 255 bytes of a file's name each may take three
_MOST_TEXT: Final = 200  # characters of a text in an announcement
_MOST_ANNOUNCEMENT: Final = 1 << 14  # bytes: five such texts, each character escaped

_ROOT: Final = "nhlog"
_SNAPSHOT: Final = "snapshot"
_ANNOUNCEMENT: Final = "announcement"
_TALK: Final = "talk"
_FURTHER: Final[tuple[list[str], ...]] = ([], [_SNAPSHOT], [_ANNOUNCEMENT], [_TALK])  # tokens behind those of a game
_SEQUENCE: Final = "Nhlog-Sequence"
_PLAIN: Final = re.compile(rb"[A-Za-z0-9_-]")
_TOKEN: Final = re.compile(r"(?:[A-Za-z0-9_-]|%[0-9A-F]{2})+")
_NO_NAME: Final = re.compile(r"[/\0]")
_NUMBER: Final = re.compile(r"0|[1-9]\d{0,17}", re.ASCII)
_HOST: Final = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?", re.ASCII)
_DIGEST: Final = re.compile(r"[0-9a-f]{32}")


class BadMessage(Damaged):
    """The received message is not one of a relay."""


class Kind(StrEnum):
    """What a message does to the file."""

    BYTES = "bytes"
    HEAD = "head"
    TRUNCATE = "truncate"
    FINISHED = "finished"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class Message:
    """A message: `count` is the recovery count, or how often something was taken back where the file has none.

    `digest` is that of the file behind its head, up to the end of the body, or to `offset` where the body is the head.
    """

    kind: Kind
    count: int
    offset: int
    head: int
    digest: str
    body: bytes

    @property
    def end(self) -> int:
        """Where the file ends then."""
        return self.offset + len(self.body) if self.kind is Kind.BYTES else self.offset


class Game(NamedTuple):
    """A game, or a recording, of a player on a server; `name` is its file's name."""

    server: str
    player: str
    name: str

    @property
    def subject(self) -> str:
        """The subject of its messages."""
        return ".".join((_ROOT, *map(_escaped, self)))

    @property
    def snapshot(self) -> str:
        """The subject of its snapshot."""
        return f"{self.subject}.{_SNAPSHOT}"

    @property
    def announcement(self) -> str:
        """The subject of its announcement."""
        return f"{self.subject}.{_ANNOUNCEMENT}"

    @property
    def talk(self) -> str:
        """The subject of its talk."""
        return f"{self.subject}.{_TALK}"

    @classmethod
    def of(cls, subject: str) -> "Game":
        """The game whose messages, snapshot, announcement or talk have this subject; raises :class:`BadMessage`."""
        root, *tokens = subject.split(".")
        if root != _ROOT or len(tokens) not in (3, 4) or tokens[3:] not in _FURTHER:
            raise BadMessage("not the subject of a game", expected="nhlog.SERVER.PLAYER.GAME", found=repr(subject[:80]))
        return cls(*map(_name, tokens[:3]))


class Place(NamedTuple):
    """A parsed address: the server's URL and a game; `server` is None if any will do."""

    url: str
    server: str | None
    player: str
    name: str

    @property
    def subject(self) -> str:
        """The subject, with a wildcard for any server."""
        server = "*" if self.server is None else _escaped(self.server)
        return f"{_ROOT}.{server}.{_escaped(self.player)}.{_escaped(self.name)}"


ANNOUNCEMENTS: Final = f"{_ROOT}.*.*.*.{_ANNOUNCEMENT}"
"""The subjects of all announcements."""


def parse_server(text: str) -> str:
    """The URL of a NATS server; raises :class:`~nhlog.errors.Usage` for a bad one, or one with a login."""
    scheme, _, host = text.partition("://")
    if scheme not in SCHEMES or not _HOST.fullmatch(host):
        raise Usage("not the address of a NATS server", expected="nats://HOST[:PORT]", found=repr(text[:80]))
    return text


def parse_place(address: str) -> Place:
    """What ``nats://HOST[:PORT]/[SERVER/]PLAYER/GAME`` names; raises :class:`~nhlog.errors.Usage`."""
    scheme, _, rest = address.partition("://")
    host, *names = rest.split("/")
    if len(names) not in (2, 3) or not all(names):
        raise Usage("not the address of a relayed game", expected="nats://HOST/PLAYER/GAME", found=repr(address[:80]))
    server = names[0] if len(names) == 3 else None
    return Place(parse_server(f"{scheme}://{host}"), server, names[-2], names[-1])


def _escaped(name: str) -> str:
    """A name as one token: nothing in it separates tokens, or stands for others."""
    data = name.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if _PLAIN.match(data, at) else f"%{byte:02X}" for at, byte in enumerate(data)) or "%"


def _name(token: str) -> str:
    """The name in a token; raises :class:`BadMessage` for one that `_escaped` does not make, or no file can have."""
    if len(token) <= _MOST_TOKEN and _TOKEN.fullmatch(token):
        data = re.sub(rb"%(..)", lambda found: bytes((int(found[1], 16),)), token.encode())
        name = data.decode("utf-8", "surrogateescape")
        if _escaped(name) == token and not _NO_NAME.search(name):
            return name
    raise BadMessage("not a name in a subject", found=repr(token[:80]))


def encode(message: Message) -> dict[str, str]:
    """The headers of a message."""
    return {
        "Nhlog-Kind": str(message.kind),
        "Nhlog-Count": str(message.count),
        "Nhlog-Offset": str(message.offset),
        "Nhlog-Head": str(message.head),
        "Nhlog-Length": str(len(message.body)),
        "Nhlog-Digest": message.digest,
    }


def decode(headers: Mapping[str, str] | None, body: bytes) -> Message:
    """The message with these headers and this body; raises :class:`BadMessage` if they are invalid."""
    headers = headers or {}
    try:
        kind = Kind(headers.get("Nhlog-Kind", ""))
    except ValueError:
        raise BadMessage("not a kind of message", found=repr(headers.get("Nhlog-Kind", "")[:80])) from None
    count = _number(headers, "Nhlog-Count", _MOST_COUNT)
    offset = _number(headers, "Nhlog-Offset", MOST_FILE)
    head = _number(headers, "Nhlog-Head", MOST_HEAD)
    length = _number(headers, "Nhlog-Length", MOST_BODY)
    digest = headers.get("Nhlog-Digest", "")
    if not _DIGEST.fullmatch(digest):
        raise BadMessage("not a digest", found=repr(digest[:80]))
    if length != len(body):
        raise BadMessage("wrong length of the body", expected=length, found=len(body))
    message = Message(kind, count, offset, head, digest, body)
    _check_lengths(message)
    return message


def encode_snapshot(message: Message, sequence: int) -> dict[str, str]:
    """The headers of a snapshot of what ends with the message of this number."""
    return {**encode(message), _SEQUENCE: str(sequence)}


def decode_snapshot(headers: Mapping[str, str], body: bytes) -> tuple[Message, int]:
    """The snapshot, and the number of the last message before it; raises :class:`BadMessage`."""
    message = decode(headers, body)
    if message.kind is not Kind.SNAPSHOT:
        raise BadMessage("not a snapshot", found=str(message.kind))
    return message, _number(headers, _SEQUENCE, MOST_FILE)


def decode_talk(body: bytes) -> bytes:
    """The lines of a talk; raises :class:`BadMessage` for what is too much, or no lines."""
    if len(body) > MOST_TALK:
        raise BadMessage("too much talk", expected=f"at most {MOST_TALK} bytes", found=len(body))
    if body and not body.endswith(b"\n"):
        raise BadMessage("not lines of a talk", expected="a newline at the end")
    return body


def _check_lengths(message: Message) -> None:
    length, head = len(message.body), message.head
    if message.end > MOST_FILE:
        raise BadMessage("file too large", expected=f"at most {MOST_FILE} bytes", found=message.end)
    if message.kind is Kind.BYTES:
        if not length or (message.offset < head and (message.offset or message.end < head)):
            raise BadMessage("the bytes end inside the head", expected=f"{head} bytes at least", found=length)
        return
    if message.kind is Kind.SNAPSHOT:
        if not head < length:
            raise BadMessage("the snapshot ends inside the head", expected=f"more than {head} bytes", found=length)
        return
    if length != (head if message.offset else 0) or 0 < message.offset < head:
        raise BadMessage("wrong length of the head", expected=head, found=length)


def _number(headers: Mapping[str, str], name: str, most: int) -> int:
    text = headers.get(name, "")
    if not _NUMBER.fullmatch(text) or int(text) > most:
        raise BadMessage(f"bad header {name}", expected=f"a number of at most {most}", found=repr(text[:80]))
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What a lobby shows of a relayed game: times in microseconds since 1970, None or empty if unknown."""

    title: str
    format: str
    game: str
    place: str
    turn: int | None
    status: str
    start: int | None
    changed: int
    size: int
    told: int
    """When this was said: a relay says it again from time to time."""


_TEXTS: Final = ("title", "format", "game", "place", "status")
_NUMBERS: Final = ("turn", "start", "changed", "size", "told")


def encode_announcement(announcement: Announcement) -> bytes:
    """An announcement as JSON; texts are cut to what one takes."""
    import msgspec

    values = {name: getattr(announcement, name) for name in (*_TEXTS, *_NUMBERS)}
    clipped = {name: _sendable(values[name])[:_MOST_TEXT] for name in _TEXTS}
    return msgspec.json.encode(values | clipped)


def _sendable(text: str) -> str:
    """A text that is Unicode: the names of files need not be."""
    return text.encode("utf-8", "replace").decode()


def decode_announcement(data: bytes) -> Announcement:
    """The announcement in some JSON; raises :class:`BadMessage`."""
    import msgspec

    try:
        found: Any = msgspec.json.decode(data) if len(data) <= _MOST_ANNOUNCEMENT else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadMessage("not an announcement", expected="an object of JSON")
    for name in _TEXTS:
        if not isinstance(found.get(name), str) or len(found[name]) > _MOST_TEXT:
            raise BadMessage(f"bad {name} in an announcement", expected=f"a text of at most {_MOST_TEXT} characters")
    for name in _NUMBERS:
        if not _is_amount(found.get(name), optional=name in ("turn", "start")):
            raise BadMessage(f"bad {name} in an announcement", expected="a number")
    return Announcement(**{name: found[name] for name in (*_TEXTS, *_NUMBERS)})


def _is_amount(value: Any, *, optional: bool) -> bool:
    if value is None:
        return optional
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53


_THOUSAND: Final = 1000  # nanoseconds, as the server counts


class Limits(NamedTuple):
    """How long a stream keeps messages, in microseconds, and up to how many bytes; None is without end."""

    age: int | None
    size: int | None

    @property
    def settings(self) -> dict[str, Any]:
        """The same as the server takes it."""
        return {
            "max_age": 0 if self.age is None else self.age * _THOUSAND,
            "max_bytes": -1 if self.size is None else self.size,
        }


LIMITS: Final = Limits(30 * 86_400_000_000, 4 << 30)
"""Those of a stream that a relay creates: a game lasts for days, and one of ten hours takes some 28 MB."""


class StreamState(NamedTuple):
    """A stream with its limits, how many messages and bytes it has, and the numbers of the first and the last one."""

    limits: Limits
    messages: int
    size: int
    first: int
    last: int


def state_of(answer: Mapping[str, Any]) -> StreamState:
    """What the server says of a stream; raises :class:`KeyError` and :class:`ValueError` for what is no such answer."""
    config, state = answer.get("config", {}), answer["state"]
    age, size = int(config.get("max_age", 0)), int(config.get("max_bytes", -1))
    limits = Limits(age // _THOUSAND if age > 0 else None, size if size > 0 else None)
    numbers = (int(state[name]) for name in ("messages", "bytes", "first_seq", "last_seq"))
    return StreamState(limits, *numbers)
