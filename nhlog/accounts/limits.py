"""How often somebody may register, and how soon try a password again: by the network that they come from, and in all.

A network is what one household has: an IPv4 address, or the 2^80 addresses of a site in IPv6.  Who comes from many
networks is slowed down by the limits for all, and nobody is locked out of an account by others: a key lets its owner in
whatever happens to the password.
"""

from collections.abc import Sequence
from typing import Final

from nhlog.errors import NhlogError
from nhlog.values import NamedTuple

__all__ = ["ALL", "DAY", "FAILURE", "MEMORY", "REGISTRATION", "TooMany", "network_of", "wait_after"]

REGISTRATION: Final = "registration"
FAILURE: Final = "failure"
"""What is counted: accounts that were made, and passwords, codes and invitations that were wrong."""

ALL: Final = ""
"""Whose it is that is counted for all networks together."""

DAY: Final = 24 * 60 * 60  # seconds over which registrations are counted
MEMORY: Final = 15 * 60  # seconds over which failures are
_FREE: Final = 5  # failures after which the next try has to wait
_SITE: Final = 48  # bits of an IPv6 address that are one site's


class TooMany(NhlogError):
    """Tried too often: try again later."""


class Wait(NamedTuple):
    """A network, a name or all have so many failures for free; then each doubles the seconds until the next try."""

    free: int
    most: int


OF_NETWORK: Final = Wait(_FREE, MEMORY)
OF_NAME: Final = Wait(4 * _FREE, 60)
"""Others may make a player wait for a minute, but not keep the player out."""


def wait_after(failures: Sequence[int], now: int, rule: Wait) -> int:
    """How many seconds are left to wait after failures at these times, within `MEMORY`; 0 for none."""
    over = len(failures) - rule.free
    if over < 0:
        return 0
    pause = min(1 << min(over, 30), rule.most)
    return max(0, max(failures) + pause - now)


def network_of(address: str) -> str:
    """The network of an address as sshd writes it; ``nowhere``, which counts as one, for what is none."""
    from ipaddress import IPv6Address, ip_address

    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return "nowhere"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 128 - _SITE << 128 - _SITE)}/{_SITE}"
