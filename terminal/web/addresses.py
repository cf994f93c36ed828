"""Where a request comes from, and whether there were too many from there.

What a header says of that is believed of the web servers that the configuration names alone.
"""

import time
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from nhlog.config import Network

__all__ = ["Rates", "source_of"]

_SITE: Final = 64  # bits of an IPv6 address: who has one, has all that begin so
_MOST: Final = 10_000  # sources that are remembered


def source_of(peer: str, forwarded: Sequence[str], proxies: Sequence[Network]) -> str:
    """Whom a connection from `peer` is counted for; `forwarded` are the values of its X-Forwarded-For headers.

    Each web server adds at the right whom it was asked by: the first one from there that is none of ours.
    """
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    source = peer
    while hops and _is_one_of(source, proxies):
        hop = hops.pop()
        if _parsed(hop) is None:
            break
        source = hop
    address = _parsed(source)
    if isinstance(address, IPv6Address):
        return str(IPv6Address(int(address) >> _SITE << _SITE))
    return source if address is None else str(address)


def _is_one_of(text: str, networks: Sequence[Network]) -> bool:
    address = _parsed(text)
    return address is not None and any(address in network for network in networks)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """The address; one of IPv4 in IPv6's clothes as itself."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


class Rates:
    """How often each source may do something: `burst` times at once, and `rate` times a second."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left: dict[str, tuple[float, float]] = {}  # how often still, as of when; the latest at the end

    def allow(self, source: str) -> bool:
        """Whether it may once more."""
        now = time.monotonic()
        left, since = self._left.pop(source, (float(self._burst), now))
        left = min(left + (now - since) * self._rate, self._burst)
        allowed = left >= 1
        self._left[source] = left - allowed, now
        if len(self._left) > _MOST:
            del self._left[next(iter(self._left))]
        return allowed
