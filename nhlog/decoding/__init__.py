"""Decoders of JSON and MessagePack into types of ours: each type is learned by one thread at a time.

msgspec learns a type when it first decodes one, and notes what it knows on the class before it knows all of it, as
types may contain themselves.  Meanwhile other threads run; one that decodes the same type then follows pointers that
are not there yet, which ends the process: of nineteen times that six threads listed 334 recordings, once.  What was
learned can be used by any number of threads.

So whatever decodes into a class gets its decoder here, and nothing else gives msgspec a class to decode into.  What
consists of built-in types alone (``tuple[float, str, str]``) is not noted anywhere, and needs no care.

Must import nothing of nhlog.
"""

import threading
from functools import cache
from typing import Any, Final, TypeVar, cast

import msgspec

__all__ = ["converted", "json_decoder", "msgpack_decoder"]

T = TypeVar("T")

_LEARNING: Final = threading.Lock()


def json_decoder(kind: type[T], *, strict: bool = True) -> msgspec.json.Decoder[T]:
    """The decoder of JSON into this type, which any thread may use; see msgspec for `strict`."""
    with _LEARNING:
        return _json(cast("Any", kind), strict)


def msgpack_decoder(kind: type[T]) -> msgspec.msgpack.Decoder[T]:
    """The decoder of MessagePack into this type, which any thread may use."""
    with _LEARNING:
        return _msgpack(cast("Any", kind))


def converted(value: object, kind: type[T]) -> T:
    """A value of built-in types as this type; raises :class:`msgspec.ValidationError`."""
    json_decoder(kind)
    return msgspec.convert(value, kind)


@cache
def _json(kind: Any, strict: bool) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind, strict=strict)


@cache
def _msgpack(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)
