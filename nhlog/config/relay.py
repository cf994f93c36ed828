"""How one connects to a NATS server: the table `[relay]`, with nats-py's own options by their names there."""

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from nhlog.config.values import folder, text
from nhlog.config.written import Readers, Written
from nhlog.values import dataclass

__all__ = ["RELAY", "Relay", "relay_in"]

RELAY: Final = "relay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relay:
    """`server` is what this machine is called among those that relay, empty for its own name.

    `options` are those of nats-py, and `stream`; of TLS `authority`, `certificate` and `key` are the files.
    """

    server: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


def relay_in(written: Written) -> dict[str, Any]:
    """What a file settles; raises :class:`~nhlog.errors.Usage` for what cannot be meant."""
    found = written.settings(_READERS, RELAY)
    own = {_OURS[name]: value for name, value in found.items() if name in _OURS}
    options = {name: str(value) for name, value in found.items() if name not in _OURS}
    return own | ({"options": options} if options else {})


def _stream(value: Any) -> str:
    """The name of a stream, which is part of what the server is asked."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,255}", text(value)):
        raise ValueError
    return str(value)


_OURS: Final = {"server": "server", "tls_ca": "authority", "tls_cert": "certificate", "tls_key": "key"}
_TEXT: Final = (text, "a text")
_FILE: Final = (folder, "a file's name")
_READERS: Final[Readers] = {
    "server": _TEXT,
    "user": _TEXT,
    "password": _TEXT,
    "token": _TEXT,
    "user_credentials": _FILE,
    "nkeys_seed": _FILE,
    "inbox_prefix": _TEXT,
    "stream": (_stream, "a stream's name: letters, digits, - and _"),
    "tls_hostname": _TEXT,
    "tls_ca": _FILE,
    "tls_cert": _FILE,
    "tls_key": _FILE,
}
