"""Logging in to a NATS server: the settings as options of nats-py; wrong settings are reported before."""

import ssl
from typing import Any, Final

from nhlog.config import Relay
from nhlog.errors import NhlogError, Usage
from nhlog.files import read_whole

__all__ = ["options_of"]

_MOST: Final = 1 << 20  # bytes of a file of credentials
_SECRETS: Final = {
    "user_credentials": (b"BEGIN NATS USER JWT", b"BEGIN USER NKEY SEED"),
    "nkeys_seed": (b"SU",),
}
"""What stands in the files that these options name: nats-py would look for it for ever."""


def options_of(relay: Relay) -> dict[str, Any]:
    """What is settled of connections, as nats-py takes it; raises `Usage` for files that are no such."""
    for name, parts in _SECRETS.items():
        if name in relay.options:
            _check_secret(name, relay.options[name], parts)
    if relay.authority is None and relay.certificate is None:
        return dict(relay.options)
    try:
        context = ssl.create_default_context(cafile=relay.authority)
        if relay.certificate is not None:
            context.load_cert_chain(relay.certificate, relay.key)
    except OSError as error:  # ssl.SSLError is one
        raise Usage(f"the certificates of [relay] cannot be read: {error.strerror or error}") from None
    return {**relay.options, "tls": context}


def _check_secret(name: str, file: str, parts: tuple[bytes, ...]) -> None:
    try:
        data = read_whole(file, _MOST)
    except NhlogError as error:
        raise Usage(f"{name} of [relay] cannot be read: {error.what}", file=file) from None
    if any(part not in data for part in parts):
        raise Usage(f"{name} of [relay] is no such file", file=file, expected=repr(parts[0].decode()))
