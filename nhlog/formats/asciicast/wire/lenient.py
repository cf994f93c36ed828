"""JSON of writers who took less care: whatever can be made out of it is; and back, so that any reader takes it."""

import json
import re
from typing import Any, Final

import msgspec

__all__ = ["BOM", "json_of", "object_of", "parse", "plain"]

_HALVES: Final = re.compile("[\ud800-\udfff]")  # of a character, each of which is none
BOM: Final = b"\xef\xbb\xbf"


def plain(text: str) -> str:
    """The text with a sign for each half of a character by itself."""
    return _HALVES.sub("\ufffd", text)


def parse(data: bytes) -> Any:
    """The value of JSON; raises ValueError.

    What is no UTF-8, and halves of characters, are replaced; of keys that come twice the last one stands.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    try:
        value = json.loads(data.decode(errors="replace"), parse_constant=_refuse)
        text = json.dumps(value, ensure_ascii=False)
        return json.loads(plain(text)) if _HALVES.search(text) else value
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def object_of(data: bytes) -> dict[str, Any] | None:
    """The object that the data is, which may begin with a mark of its byte order; None if it is none."""
    try:
        value = parse(data.removeprefix(BOM))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def json_of(value: Any) -> bytes:
    """A value as JSON in UTF-8; halves of characters are replaced."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return plain(json.dumps(value, ensure_ascii=False)).encode()
