"""Players, keys and networks that may not play for a while, or ever again: a file beside that of the keys, with a JSON
object in each line.

The keys stay where they are.  sshd lets whoever is banned in as far as the session, which looks here first, and says
why it ends: so networks are banned by every sshd, of which those before 9.4 do not say to others who asks.  A file that
cannot be read lets nobody in: a ban holds until somebody lifts it.
"""

import json
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.players.lines import change_lines, fields_of, read_lines
from nhlog.players.maintenance import LATEST
from nhlog.players.names import checked_name
from nhlog.values import NamedTuple

__all__ = ["KINDS", "Ban", "Banned", "Bans", "Comer"]

BANS: Final = "bans"  # the file's name
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_FINGERPRINT: Final = re.compile(r"SHA256:[0-9A-Za-z+/]{43}")


class Banned(NhlogError):
    """Somebody who may not play."""


class Comer(NamedTuple):
    """Somebody who comes to play: the player's name, the fingerprint of the key, and the address; empty if unknown."""

    name: str = ""
    key: str = ""
    address: str = ""


class Ban(NamedTuple):
    """Nobody may play before `until`, in seconds since 1970, None for ever, who is of this `kind`: the player of the
    `name`, who has the `key` of a fingerprint, or who comes from the `network`, as `10.0.0.0/8`.

    `reason` may be empty.
    """

    whose: str
    until: int | None
    reason: str
    kind: str = "name"

    def holds(self, now: float) -> bool:
        """Whether it is not over yet."""
        return self.until is None or now < self.until

    @property
    def told(self) -> str:
        """Until when, and why, for whoever is refused."""
        moment = "" if self.until is None else time.strftime(" until %Y-%m-%d %H:%M UTC", time.gmtime(self.until))
        return f"{moment}{': ' if self.reason else ''}{self.reason}"

    def refuses(self, comer: Comer) -> bool:
        """Whether it is about somebody."""
        return KINDS[self.kind].is_of(self.whose, comer)


class Bans:
    """The bans of the server whose keys are in the file `keys`, in a file of this `name` beside it.

    Messages call by `kept_from` what a ban does to somebody.
    """

    def __init__(self, keys: Path, name: str = BANS, kept_from: str = "banned") -> None:
        self._path, self._kept_from = str(keys.with_name(name)), kept_from

    def all(self, now: float) -> list[Ban]:
        """Those that hold."""
        return [ban for ban in map(self._parse, read_lines(self._path)) if ban.holds(now)]

    def of(self, comer: Comer, now: float) -> Ban | None:
        """One that is about somebody; None if whoever it is may play."""
        return next((ban for ban in self.all(now) if ban.refuses(comer)), None)

    def put(self, new: Ban) -> None:
        """Let somebody not play; an earlier ban gives way to it."""
        new = new._replace(whose=KINDS[new.kind].checked(new.whose), reason=_CONTROL.sub(" ", new.reason))
        line = json.dumps({new.kind: new.whose, "until": new.until, "reason": new.reason})

        def added(lines: list[str]) -> list[str]:
            return [*(known for known in lines if not _is_same(self._parse(known), new)), line]

        change_lines(self._path, added)

    def lift(self, kind: str, whose: str) -> None:
        """Let somebody play again; raises :class:`Usage` if no such ban kept them from it."""
        lifted = Ban(KINDS[kind].checked(whose), None, "", kind)

        def rest(lines: list[str]) -> list[str]:
            left = [line for line in lines if not _is_same(self._parse(line), lifted)]
            if len(left) == len(lines):
                raise Usage(f"{whose} is not {self._kept_from}", file=self._path)
            return left

        change_lines(self._path, rest)

    def _parse(self, line: str) -> Ban:
        for kind, rule in KINDS.items():
            whose, until, reason = fields_of(line, (kind, "until", "reason")) or (None, None, None)
            sound = isinstance(until, int | None) and (until is None or 0 <= until < LATEST)
            if sound and isinstance(whose, str) and isinstance(reason, str):
                try:
                    return Ban(rule.checked(whose), until, reason, kind)
                except Usage:
                    break
        raise Damaged("not a list of bans", file=self._path, found=repr(line[:40]))


def _is_same(ban: Ban, other: Ban) -> bool:
    return (ban.kind, ban.whose.casefold()) == (other.kind, other.whose.casefold())


class _Kind(NamedTuple):
    """`checked` gives the one spelling, or raises :class:`Usage`; `is_of` says whether it is about somebody."""

    checked: Callable[[str], str]
    is_of: Callable[[str, Comer], bool]


def _fingerprint(text: str) -> str:
    if not _FINGERPRINT.fullmatch(text):
        raise Usage(
            "not the fingerprint of a key", expected="SHA256:..., as `nhlog players` lists it", found=repr(text[:60])
        )
    return text


def _network(text: str) -> str:
    from ipaddress import ip_network  # few bans are of one

    try:
        return str(ip_network(text))
    except ValueError:
        raise Usage(
            "not a network", expected="as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32", found=repr(text[:60])
        ) from None


def _is_in(network: str, comer: Comer) -> bool:
    from ipaddress import ip_address, ip_network

    try:
        return ip_address(comer.address.partition("%")[0]) in ip_network(network)
    except ValueError:
        return False


KINDS: Final[Mapping[str, _Kind]] = {
    "name": _Kind(checked_name, lambda name, comer: name.casefold() == comer.name.casefold()),
    "key": _Kind(_fingerprint, lambda key, comer: key == comer.key),
    "network": _Kind(_network, _is_in),
}
"""What can be banned, by the word for it in the file and on the command line."""
