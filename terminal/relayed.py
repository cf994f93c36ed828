"""Games at addresses ``nats://HOST/PLAYER/GAME``: how one logs in there, and which file they are received into."""

import ssl
from typing import Any, Final

from nhlog.config import Relay
from nhlog.errors import Usage

__all__ = ["file_name", "options_of", "server_url"]

_SCHEMES: Final = ("nats", "tls")


def server_url(text: str) -> str:
    """The URL of a NATS server; raises `Usage` for what is none."""
    scheme, _, host = text.partition("://")
    if scheme not in _SCHEMES or not host or "/" in host:
        raise Usage("no address of a NATS server", expected="nats://HOST", found=repr(text))
    return text


def options_of(relay: Relay) -> dict[str, Any]:
    """What is settled of connections, as nats-py takes it; raises `Usage` for certificates that cannot be read."""
    if relay.authority is None and relay.certificate is None:
        return dict(relay.options)
    try:
        context = ssl.create_default_context(cafile=relay.authority)
        if relay.certificate is not None:
            context.load_cert_chain(relay.certificate, relay.key)
    except OSError as error:  # ssl.SSLError is one
        raise Usage(f"the certificates of [relay] cannot be read: {error.strerror or error}") from None
    return {**relay.options, "tls": context}


def file_name(name: str) -> str:
    """The name of a file here for a game of this name, which may have been made to lead elsewhere."""
    if "/" in name or "\0" in name or name.startswith("."):
        raise Usage("a game of this name needs the name of a file", found=repr(name))
    return name
