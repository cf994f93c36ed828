"""What an administrator settles of pages: the table `[web]`."""

import re
from typing import TYPE_CHECKING, Any, Final, Union

from nhlog.config.values import count, flag, list_of, text
from nhlog.config.written import Readers, Written
from nhlog.values import dataclass

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

__all__ = ["WEB", "Network", "Web", "web_in"]

WEB: Final = "web"

Network = Union["IPv4Network", "IPv6Network"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """At most so many `viewers`, and so many `viewers_of_address`; at most so many processes that read for one viewer
    who looks back (`looking_back`, and `looking_back_of_address`), and so many that read for all (`watched`).

    `proxies` are the web servers that say for whom they ask.  `names` are those of the site: a request for another one
    is refused; none for any name.  `play` is the address of the page where players play, with its scheme; None where
    there is none.  At most so many play there at once (`playing`).  `guests_talk` is whether people talk beside games
    who are not logged in there.
    """

    viewers: int = 5000
    viewers_of_address: int = 100
    looking_back: int = 16
    looking_back_of_address: int = 4
    watched: int = 64
    playing: int = 100
    play: str | None = None
    guests_talk: bool = False
    proxies: tuple[Network, ...] = ()
    names: tuple[str, ...] = ()


def web_in(written: Written) -> dict[str, Any]:
    """What a file settles; raises :class:`~nhlog.errors.Usage` for what cannot be meant."""
    return written.settings(_READERS, WEB)


def _network(value: Any) -> Network:
    from ipaddress import ip_network  # few files name one

    return ip_network(text(value))


def _name(value: Any) -> str:
    return text(value).casefold()


def _address(value: Any) -> str:
    """The address of a page."""
    if not _ADDRESS.fullmatch(text(value)):
        raise ValueError(value)
    return text(value)


_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+/play")  # where else the page is, its files are not
_COUNT: Final = (count, "a whole number above 0")
_READERS: Final[Readers] = {
    "viewers": _COUNT,
    "viewers_of_address": _COUNT,
    "looking_back": _COUNT,
    "looking_back_of_address": _COUNT,
    "watched": _COUNT,
    "playing": _COUNT,
    "play": (_address, 'the address of the page for players, as "https://games.example.org/play"'),
    "guests_talk": (flag, "true or false"),
    "proxies": (list_of(_network), 'a list of addresses, as ["127.0.0.1", "10.0.0.0/8"]'),
    "names": (list_of(_name), 'a list of names, as ["games.example.org"]'),
}
