"""Messages between the host of a game and its player: JSON objects; the first one comes with a terminal.

Both processes are the same user's, so an unknown message is a fault, and raises :class:`NhlogError`.
"""

import json
import os
import socket
from contextlib import suppress
from typing import Any, Final

from nhlog.errors import NhlogError
from nhlog.values import NamedTuple
from nhlog.vt import Size

__all__ = [
    "Called",
    "Ended",
    "Lent",
    "Told",
    "lend",
    "receive_said",
    "receive_terminal",
    "receive_told",
    "return_terminal",
    "send_call",
    "send_end",
    "send_mail",
    "send_size",
]

_MOST: Final = 1 << 14  # bytes of a packet
_TYPED: Final = 1 << 12  # bytes that are typed: more than a terminal gives at once
_DESCRIPTORS: Final = 2


class Lent(NamedTuple):
    """A terminal that is lent: descriptors of its keyboard and its screen, and its size if that is known.

    `typed` is what the player typed before, for the program, which gets none of the keys `kept`, by their codes: with
    one the terminal goes back to the player's process.
    """

    keyboard: int
    screen: int
    size: Size | None
    typed: bytes = b""
    kept: bytes = b""


class Told(NamedTuple):
    """A message of the player's process: `mail`, or what was `typed` for the game before the terminal is lent again.

    If both are None it is the terminal's size, None if unknown.  Empty mail means that the last one was shown for long
    enough.
    """

    size: Size | None
    mail: str | None
    typed: bytes | None = None


class Called(NamedTuple):
    """The player pressed the key with this `code`, which is not the game's: the terminal is the player's process's now.

    `typed` is what was typed after it.  It comes again when the game was drawn anew below what the process shows there.
    """

    code: int
    typed: bytes


class Ended(NamedTuple):
    """How a game ended for its player: `why` in words, and the exit code of the program if the program ended.

    `text` is whether the program left text on the screen, `over` what there is to say about a game that is over.
    """

    why: str
    code: int | None = None
    text: bool = False
    over: str = ""


def lend(connection: socket.socket, lent: Lent) -> None:
    """Lend the host a terminal."""
    first = {"size": lent.size, "typed": lent.typed[:_TYPED].hex(), "kept": lent.kept.hex()}
    socket.send_fds(connection, [_packed(first)], [lent.keyboard, lent.screen])


def receive_terminal(connection: socket.socket) -> Lent:
    """The terminal that is lent with a player's first packet."""
    data, descriptors, _, _ = socket.recv_fds(connection, _MOST, _DESCRIPTORS)
    try:
        keyboard, screen = descriptors
        record = _unpacked(data)
        return Lent(keyboard, screen, _size(record), _keys(record, "typed") or b"", _keys(record, "kept") or b"")
    except (ValueError, NhlogError):
        for fd in descriptors:
            os.close(fd)
        raise NhlogError("no terminal was sent") from None


def send_size(connection: socket.socket, size: Size | None) -> None:
    """Tell the host the terminal's new size; the host may be gone."""
    with suppress(OSError):
        connection.send(_packed({"size": size}))


def send_mail(connection: socket.socket, text: str) -> None:
    """Have the host show mail to the player; the host may be gone."""
    with suppress(OSError):
        connection.send(_packed({"mail": text}))


def return_terminal(connection: socket.socket, typed: bytes) -> None:
    """Lend the host the terminal again, of which the game gets what was `typed`; the host may be gone."""
    with suppress(OSError):
        connection.send(_packed({"typed": typed[:_TYPED].hex()}))


def receive_told(connection: socket.socket) -> Told:
    """The next message of the player's process; raises :class:`EOFError` when the player is gone."""
    data = _received(connection)
    if not data:
        raise EOFError
    record = _unpacked(data)
    mail = record.get("mail")
    return Told(_size(record), mail if isinstance(mail, str) else None, _keys(record, "typed"))


def send_call(connection: socket.socket, called: Called) -> None:
    """Give the player's process the terminal; the player may be gone."""
    with suppress(OSError):
        connection.send(_packed({"code": called.code, "typed": called.typed[:_TYPED].hex()}))


def send_end(connection: socket.socket, ended: Ended) -> None:
    """Tell the player that it is over; the player may be gone."""
    with suppress(OSError):
        connection.send(_packed(ended._asdict()))


def receive_said(connection: socket.socket) -> Called | Ended | None:
    """What the host says; None if it is gone without a message."""
    data = _received(connection)
    if not data:
        return None
    record = _unpacked(data)
    if (typed := _keys(record, "typed")) is not None and isinstance(record.get("code"), int):
        return Called(record["code"], typed)
    why, code, text, over = (record.get(name) for name in Ended._fields)
    if not isinstance(why, str) or not isinstance(code, int | None) or not isinstance(text, bool):
        raise NhlogError("not the end of a game")
    return Ended(why, code, text, over if isinstance(over, str) else "")


def _received(connection: socket.socket) -> bytes:
    """The next packet; nothing where there is none any more.

    Who closes a connection without having read all resets it: the error comes first, and then what was sent before.
    """
    for _ in range(2):
        try:
            return connection.recv(_MOST)
        except ConnectionResetError:
            continue
        except OSError:
            break
    return b""


def _packed(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


def _unpacked(data: bytes) -> dict[str, Any]:
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise NhlogError("not a message of a game's host or player")
    return record


def _size(record: dict[str, Any]) -> Size | None:
    said = record.get("size")
    if said is None:
        return None
    try:
        columns, rows = map(int, said)
    except (TypeError, ValueError, OverflowError):
        raise NhlogError("not a terminal size") from None
    return Size(columns, rows).clamped()


def _keys(record: dict[str, Any], name: str) -> bytes | None:
    """What was typed, by the field of this name; None if there is none."""
    said = record.get(name)
    try:
        return None if said is None else bytes.fromhex(said)
    except (TypeError, ValueError):
        raise NhlogError("not what a terminal sends") from None
