"""EX messages (spec 3): decoded if encoding gives the same bytes again, kept as bytes otherwise.

`_LAYOUTS` has the fields of the known ones.  Each has `rest`: bytes that a later version wrote behind its fields.
"""

from collections.abc import Callable
from hashlib import md5
from typing import Any, Final

from nhlog.formats.teehistorian.wire.varint import NeedMore, pack, unpack
from nhlog.values import NamedTuple

__all__ = [
    "EXTRA_NAMES",
    "EXTRA_TYPES",
    "Antibot",
    "AuthInit",
    "AuthInitRole",
    "AuthLogin",
    "AuthLoginRole",
    "AuthLogout",
    "DdnetVersion",
    "DdnetVersionOld",
    "JoinVersion6",
    "JoinVersion7",
    "LoadFailure",
    "LoadSuccess",
    "PlayerFinish",
    "PlayerName",
    "PlayerReady",
    "PlayerSwap",
    "PlayerTeam",
    "RejoinVersion6",
    "SaveFailure",
    "SaveSuccess",
    "TeamFinish",
    "TeamPractice",
    "Test",
    "UnknownExtra",
    "decode_extra",
    "encode_extra",
    "uuid_of",
    "uuid_text",
]

_NAMESPACE: Final = bytes.fromhex("e05ddaaac4e64cfbb6425d48e80c0029")  # Teeworlds'


def uuid_of(name: str) -> bytes:
    """The version 3 UUID of a name in Teeworlds' namespace, 16 bytes."""
    digest = bytearray(md5(_NAMESPACE + name.encode(), usedforsecurity=False).digest())
    digest[6] = digest[6] & 0x0F | 0x30
    digest[8] = digest[8] & 0x3F | 0x80
    return bytes(digest)


def uuid_text(raw: bytes) -> str:
    """A UUID in its usual text form."""
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


class UnknownExtra(NamedTuple):
    """An EX message that is unknown, or does not have the known layout."""

    uuid: bytes
    data: bytes


class Test(NamedTuple):
    """A test message."""

    rest: bytes = b""


class DdnetVersionOld(NamedTuple):
    """The version of a client."""

    cid: int
    version: int
    rest: bytes = b""


class DdnetVersion(NamedTuple):
    """The version of a client, as a number and a text, and the UUID of its connection."""

    cid: int
    connection: bytes
    version: int
    text: bytes
    rest: bytes = b""


class AuthInit(NamedTuple):
    """A player has rcon access since before the map began."""

    cid: int
    level: int
    name: bytes
    rest: bytes = b""


class AuthLogin(NamedTuple):
    """A player got rcon access: 1 helper, 2 moderator, 3 admin."""

    cid: int
    level: int
    name: bytes
    rest: bytes = b""


class AuthLogout(NamedTuple):
    """A player gave up rcon access."""

    cid: int
    rest: bytes = b""


class AuthInitRole(NamedTuple):
    """Like :class:`AuthInit`, with the level as a word."""

    cid: int
    role: bytes
    name: bytes
    rest: bytes = b""


class AuthLoginRole(NamedTuple):
    """Like :class:`AuthLogin`, with the level as a word."""

    cid: int
    role: bytes
    name: bytes
    rest: bytes = b""


class JoinVersion6(NamedTuple):
    """The client that joins next speaks protocol 0.6."""

    cid: int
    rest: bytes = b""


class JoinVersion7(NamedTuple):
    """The client that joins next speaks protocol 0.7."""

    cid: int
    rest: bytes = b""


class RejoinVersion6(NamedTuple):
    """A client reconnected after a timeout."""

    cid: int
    rest: bytes = b""


class SaveSuccess(NamedTuple):
    """A team was saved; `save` is None for long saves by servers before minor version 9."""

    team: int
    save_id: bytes
    save: bytes | None
    rest: bytes = b""


class SaveFailure(NamedTuple):
    """A team could not be saved."""

    team: int
    rest: bytes = b""


class LoadSuccess(NamedTuple):
    """A team was loaded."""

    team: int
    save_id: bytes
    save: bytes | None
    rest: bytes = b""


class LoadFailure(NamedTuple):
    """A team could not be loaded."""

    team: int
    rest: bytes = b""


class PlayerTeam(NamedTuple):
    """A player changed to another team."""

    cid: int
    team: int
    rest: bytes = b""


class TeamPractice(NamedTuple):
    """A team turned practice mode on or off."""

    team: int
    practice: int
    rest: bytes = b""


class PlayerReady(NamedTuple):
    """A player has loaded the map."""

    cid: int
    rest: bytes = b""


class PlayerSwap(NamedTuple):
    """Two players swapped places."""

    cid: int
    other: int
    rest: bytes = b""


class Antibot(NamedTuple):
    """Data of the server's bot detection, in an unpublished form."""

    rest: bytes = b""


class PlayerName(NamedTuple):
    """The name of a player on the server."""

    cid: int
    name: bytes
    rest: bytes = b""


class PlayerFinish(NamedTuple):
    """A player finished the map in `time` ticks."""

    cid: int
    time: int
    rest: bytes = b""


class TeamFinish(NamedTuple):
    """A team finished the map in `time` ticks."""

    team: int
    time: int
    rest: bytes = b""


# i: number, s: string, S: string that may be missing, u: UUID; the rest of the payload is `rest`.
_LAYOUTS: Final[dict[str, tuple[type, str]]] = {
    "teehistorian-test@ddnet.tw": (Test, ""),
    "teehistorian-ddnetver-old@ddnet.tw": (DdnetVersionOld, "ii"),
    "teehistorian-ddnetver@ddnet.tw": (DdnetVersion, "iuis"),
    "teehistorian-auth-init@ddnet.tw": (AuthInit, "iis"),
    "teehistorian-auth-login@ddnet.tw": (AuthLogin, "iis"),
    "teehistorian-auth-logout@ddnet.tw": (AuthLogout, "i"),
    "teehistorian-auth-init-role@ddnet.org": (AuthInitRole, "iss"),
    "teehistorian-auth-login-role@ddnet.org": (AuthLoginRole, "iss"),
    "teehistorian-joinver6@ddnet.tw": (JoinVersion6, "i"),
    "teehistorian-joinver7@ddnet.tw": (JoinVersion7, "i"),
    "teehistorian-rejoinver6@ddnet.org": (RejoinVersion6, "i"),
    "teehistorian-save-success@ddnet.tw": (SaveSuccess, "iuS"),
    "teehistorian-save-failure@ddnet.tw": (SaveFailure, "i"),
    "teehistorian-load-success@ddnet.tw": (LoadSuccess, "iuS"),
    "teehistorian-load-failure@ddnet.tw": (LoadFailure, "i"),
    "teehistorian-player-team@ddnet.tw": (PlayerTeam, "ii"),
    "teehistorian-team-practice@ddnet.tw": (TeamPractice, "ii"),
    "teehistorian-player-ready@ddnet.tw": (PlayerReady, "i"),
    "teehistorian-player-swap@ddnet.tw": (PlayerSwap, "ii"),
    "teehistorian-antibot@ddnet.org": (Antibot, ""),
    "teehistorian-player-name@ddnet.org": (PlayerName, "is"),
    "teehistorian-player-finish@ddnet.org": (PlayerFinish, "ii"),
    "teehistorian-team-finish@ddnet.org": (TeamFinish, "ii"),
}

EXTRA_TYPES: Final = {name: kind for name, (kind, _) in _LAYOUTS.items()}
EXTRA_NAMES: Final = {uuid_of(name): name for name in _LAYOUTS}
_BY_UUID: Final = {uuid_of(name): layout for name, layout in _LAYOUTS.items()}
_BY_TYPE: Final = {kind: (uuid_of(name), layout) for name, (kind, layout) in _LAYOUTS.items()}


def decode_extra(uuid: bytes, data: bytes) -> tuple[Any, ...]:
    """Decode the payload of an EX message; :class:`UnknownExtra` if it cannot be decoded without loss."""
    known = _BY_UUID.get(uuid)
    if known is None:
        return UnknownExtra(uuid, data)
    kind, layout = known
    fields: list[Any] = []
    at = 0
    try:
        for letter in layout:
            field, at = _READERS[letter](data, at)
            fields.append(field)
    except NeedMore:
        return UnknownExtra(uuid, data)
    value: tuple[Any, ...] = kind(*fields, data[at:])
    return value if encode_extra(value) == (uuid, data) else UnknownExtra(uuid, data)


def encode_extra(value: tuple[Any, ...]) -> tuple[bytes, bytes]:
    """The UUID and the payload of an EX message."""
    if isinstance(value, UnknownExtra):
        return value
    uuid, layout = _BY_TYPE[type(value)]
    *fields, rest = value
    return uuid, b"".join(_WRITERS[letter](field) for letter, field in zip(layout, fields, strict=True)) + rest


def _uuid(data: bytes, at: int) -> tuple[bytes, int]:
    if len(data) < at + 16:
        raise NeedMore
    return data[at : at + 16], at + 16


def _string(data: bytes, at: int) -> tuple[bytes, int]:
    end = data.find(b"\0", at)
    if end < 0:
        raise NeedMore
    return data[at:end], end + 1


def _optional(data: bytes, at: int) -> tuple[bytes | None, int]:
    return (None, at) if at == len(data) else _string(data, at)


_READERS: Final[dict[str, Callable[[bytes, int], tuple[Any, int]]]] = {
    "i": unpack,
    "s": _string,
    "S": _optional,
    "u": _uuid,
}
_WRITERS: Final[dict[str, Callable[[Any], bytes]]] = {
    "i": pack,
    "s": lambda text: text + b"\0",
    "S": lambda text: b"" if text is None else text + b"\0",
    "u": bytes,
}
