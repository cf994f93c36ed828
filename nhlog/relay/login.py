"""Logging in to a NATS server: the settings as options of nats-py; wrong settings are reported before."""

import ssl
from typing import Any, Final

from nhlog.config import Relay
from nhlog.errors import NhlogError, Usage
from nhlog.files import read_whole

__all__ = ["options_of"]

_MOST: Final = 1 << 20  # bytes of a file of credentials
_CONTENTS: Final = {
    "user_credentials": (b"BEGIN NATS USER JWT", b"BEGIN USER NKEY SEED"),
    "nkeys_seed": (b"SU",),
    "tls_ca": (b"CERTIFICATE",),
    "tls_cert": (b"CERTIFICATE",),
    "tls_key": (b"PRIVATE KEY",),
}
"""What stands in the files that these settings name: nats-py would look for secrets for ever, OpenSSL names no file."""


def options_of(relay: Relay) -> dict[str, Any]:
    """What is settled of connections, as nats-py takes it; raises `Usage` for files that are no such."""
    certificates = {"tls_ca": relay.authority, "tls_cert": relay.certificate, "tls_key": relay.key}
    for name, parts in _CONTENTS.items():
        if file := relay.options.get(name) or certificates.get(name):
            _check(name, str(file), parts)
    if relay.key is not None and relay.certificate is None:
        raise Usage("tls_key of [relay] needs a certificate, tls_cert")
    if relay.authority is None and relay.certificate is None:
        return dict(relay.options)
    try:
        context = ssl.create_default_context(cafile=relay.authority)
        if relay.certificate is not None:
            context.load_cert_chain(relay.certificate, relay.key)
    except OSError as error:  # ssl.SSLError is one
        raise Usage(f"the certificates of [relay] cannot be used: {error.strerror or error}") from None
    return {**relay.options, "tls": context}


def _check(name: str, file: str, parts: tuple[bytes, ...]) -> None:
    try:
        data = read_whole(file, _MOST)
    except NhlogError as error:
        raise Usage(f"{name} of [relay] cannot be read: {error.what}", file=file) from None
    if any(part not in data for part in parts):
        raise Usage(f"{name} of [relay] is a file of another kind", file=file, expected=repr(parts[0].decode()))
