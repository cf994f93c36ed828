"""What an administrator settles of the accounts of a server: the table `[accounts]`."""

from enum import Enum
from pathlib import Path
from typing import Any, Final

from nhlog.config.values import choices, count, folder, list_of, text
from nhlog.config.written import Readers, Written
from nhlog.values import dataclass

__all__ = ["ACCOUNTS", "Accounts", "Registration", "accounts_in"]

ACCOUNTS: Final = "accounts"


class Registration(Enum):
    """Who may register: anybody, whoever has an invitation, or nobody."""

    OPEN = "open"
    INVITED = "invited"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accounts:
    """`store` is the file of the accounts, None where players are those of a file of keys.

    `reserved` are names that nobody may register.  At most so many people register `a_day`, and so many
    `a_day_of_network`.
    """

    store: Path | None = None
    registration: Registration = Registration.CLOSED
    reserved: tuple[str, ...] = ()
    a_day: int = 200
    a_day_of_network: int = 5


def accounts_in(written: Written) -> dict[str, Any]:
    """What a file settles; raises :class:`~nhlog.errors.Usage` for what cannot be meant."""
    return {_OURS.get(name, name): value for name, value in written.settings(_READERS, ACCOUNTS).items()}


_COUNT: Final = (count, "a whole number above 0")
_OURS: Final = {"reserved_names": "reserved", "most_a_day": "a_day", "most_a_day_of_network": "a_day_of_network"}
_READERS: Final[Readers] = {
    "store": (folder, "a file's name"),
    "registration": (Registration, choices(Registration)),
    "reserved_names": (list_of(text), "a list of names"),
    "most_a_day": _COUNT,
    "most_a_day_of_network": _COUNT,
}
