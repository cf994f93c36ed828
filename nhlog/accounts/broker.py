"""What the service does for sessions and pages: one request after the other, each whole.

Whatever is asked, by whatever bytes, is answered by a line; what cannot be done is refused for a reason that whoever
asked can be shown.  The rules are here and nowhere else, as sessions are others' processes: who may register and under
which name, who is banned, how often something may be tried.

Wrong passwords, codes and invitations count as failures of the network they came from, passwords of the name, too; who
has too many has to wait, and is told for how long.  Names of players are no secret: lists show them.
"""

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from nhlog.accounts.codes import CODE_LIFE, BadCode, digest_of, is_code, new_code
from nhlog.accounts.limits import (
    ALL,
    DAY,
    FAILURE,
    MEMORY,
    OF_NAME,
    OF_NETWORK,
    REGISTRATION,
    TooMany,
    network_of,
    wait_after,
)
from nhlog.accounts.passwords import checked_password, hash_password, is_password
from nhlog.accounts.store import Store, Taken
from nhlog.config import Config, Registration
from nhlog.errors import NhlogError, Usage
from nhlog.players.asking import (
    AddKey,
    GiveCode,
    LogIn,
    Redeem,
    Register,
    Request,
    SetPassword,
    Welcome,
    encode,
    parse_request,
)
from nhlog.players.audit import note
from nhlog.players.bans import Banned, Bans, Comer
from nhlog.players.keys import PublicKey, parse_key
from nhlog.players.names import checked_name

__all__ = ["Broker"]

_RESERVED: Final = ("root", "admin", "administrator", "moderator", "nhlog", "new", "guest", "anonymous")
_UNINVITED: Final = "this is no invitation, or it was used up"
_WRONG: Final = "wrong name or password"
_Answer = dict[str, Any]


class Broker:
    """The service of the open `store`; `settled` gives the configuration, which may change while it runs."""

    def __init__(self, store: Store, settled: Callable[[], Config], clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._settled = settled
        self._clock = clock

    def answer(self, line: bytes) -> bytes:
        """The answer to a request, each of which is a line of bytes."""
        try:
            return encode(self._answer(parse_request(line)))
        except NhlogError as error:
            return encode({"refused": error.message})

    def _answer(self, request: Request) -> _Answer:
        return _ANSWERS[type(request)](self, request)

    # what can be asked

    def _welcome(self, request: Welcome) -> _Answer:
        config = self._settled()
        key = parse_key(request.key) if request.key else None
        self._refuse_banned(config, Comer("", "" if key is None else key.fingerprint, request.address))
        return {"registration": config.accounts.registration.value}

    def _register(self, request: Register) -> _Answer:
        config, now, network = self._settled(), self._now, network_of(request.address)
        key = parse_key(request.key) if request.key else None
        self._refuse_banned(config, Comer(request.name, "" if key is None else key.fingerprint, request.address))
        if config.accounts.registration is Registration.CLOSED:
            raise NhlogError("registration is closed here")
        _check_free(request.name, config)
        if (key is None) == (not request.password):
            raise Usage("either a key or a password")
        self._refuse_hasty(network, "", now)
        self._refuse_crowd(config, network, now)
        kept = hash_password(checked_password(request.password)) if key is None else None
        invited = config.accounts.registration is Registration.INVITED
        if invited and not self._is_invited(request.code, now):
            raise self._failed(network, "", now, _UNINVITED)
        with self._store.change():
            if invited and not self._store.use_invitation(digest_of(request.code), now):
                raise NhlogError(_UNINVITED)  # an administrator took it back since it was looked at
            self._store.register(request.name, now)
            self._let_in(request.name, key, kept, now)
            for whose in (network, ALL):
                self._store.note(REGISTRATION, whose, now, kept=DAY)
        self._note("register", request.name, key, request.address)
        return {"player": request.name}

    def _log_in(self, request: LogIn) -> _Answer:
        now, network = self._now, network_of(request.address)
        self._refuse_banned(self._settled(), Comer(request.name, "", request.address))
        self._refuse_hasty(network, request.name, now)
        account = self._store.account(request.name)
        if not is_password(request.password, None if account is None else self._store.password_of(account.name)):
            raise self._failed(network, request.name, now, _WRONG)
        assert account is not None
        return {"player": account.name}

    def _give_code(self, request: GiveCode) -> _Answer:
        now = self._now
        self._refuse_banned(self._settled(), Comer(request.name))
        if not self._store.lets_in(request.name):  # whose session goes on, but is the last
            raise NhlogError(f"{request.name} was removed")
        self._store.keep_code(request.name, digest_of(code := new_code()), now + CODE_LIFE, now)
        return {"code": code, "until": now + CODE_LIFE}

    def _redeem(self, request: Redeem) -> _Answer:
        return {"player": self._taken(request.code, request.address)}

    def _add_key(self, request: AddKey) -> _Answer:
        key = parse_key(request.key)
        self._refuse_banned(self._settled(), Comer("", key.fingerprint, request.address))
        if (owner := self._store.owner_of(key)) is not None:
            raise Taken(f"this key already belongs to {owner.name}")
        name = self._taken(request.code, request.address)
        with self._store.change():
            self._store.give_key(name, key, self._now)
        self._note("add key", name, key, request.address)
        return {"player": name}

    def _set_password(self, request: SetPassword) -> _Answer:
        kept = hash_password(checked_password(request.password))
        name = self._taken(request.code, request.address)
        self._store.give_password(name, kept)
        self._note("set password", name, None, request.address)
        return {"player": name}

    # the rules

    @property
    def _now(self) -> int:
        return int(self._clock())

    def _refuse_banned(self, config: Config, comer: Comer) -> None:
        ban = None if config.door is None else Bans(config.door).of(comer, self._now)
        if ban is not None:
            raise Banned(f"you may not play here{ban.told}")

    def _refuse_hasty(self, network: str, name: str, now: int) -> None:
        """Refuse who has failed too often until some time is over."""
        wait = wait_after(self._store.times(FAILURE, network, now - MEMORY), now, OF_NETWORK)
        if name:
            wait = max(wait, wait_after(self._store.times(FAILURE, _named(name), now - MEMORY), now, OF_NAME))
        if wait:
            raise TooMany(f"too many failures: try again in {wait} s")

    def _refuse_crowd(self, config: Config, network: str, now: int) -> None:
        """Refuse another account to a network that has made enough, or when all have."""
        for whose, most in ((network, config.accounts.a_day_of_network), (ALL, config.accounts.a_day)):
            if len(self._store.times(REGISTRATION, whose, now - DAY)) >= most:
                raise TooMany("too many have registered: try again tomorrow")

    def _failed(self, network: str, name: str, now: int, why: str) -> NhlogError:
        """Count a failure; gives the error that says so."""
        for whose in (network, *([_named(name)] if name else [])):
            self._store.note(FAILURE, whose, now, kept=MEMORY)
        if len(self._store.times(FAILURE, network, now - MEMORY)) == OF_NETWORK.free:
            self._note("too many failures", name or None, None, network)
        return NhlogError(why)

    def _is_invited(self, code: str, now: int) -> bool:
        try:
            return self._store.has_invitation(digest_of(code), now)
        except BadCode:
            return False

    def _taken(self, code: str, address: str) -> str:
        """Whose code it was, which is none any more; not of somebody who is banned."""
        now, network = self._now, network_of(address)
        self._refuse_banned(self._settled(), Comer("", "", address))
        self._refuse_hasty(network, "", now)
        try:
            name = self._store.take_code(digest_of(code), now)
        except BadCode:
            name = None
        if name is None:
            raise self._failed(network, "", now, "this code is wrong, was used, or is too old")
        self._refuse_banned(self._settled(), Comer(name))
        return name

    def _let_in(self, name: str, key: PublicKey | None, kept: str | None, now: int) -> None:
        if key is not None:
            self._store.give_key(name, key, now)
        if kept is not None:
            self._store.give_password(name, kept)

    def _note(self, action: str, name: str | None, key: PublicKey | None, address: str) -> None:
        """Write down what was done, or tried."""
        door = self._settled().door
        if door is not None:
            note(door, action, name, f"{address} {'' if key is None else key.fingerprint}".strip())


def _check_free(name: str, config: Config) -> None:
    """Refuse names that nobody may register: those of games and recordings that are there belong to whose they are."""
    checked_name(name)
    if is_code(name):
        raise Usage("a name must not look like a code")
    reserved = {*_RESERVED, *config.accounts.reserved, *config.administrators}
    if name.casefold() in {word.casefold() for word in reserved}:
        raise Taken(f"nobody may be called {name} here")
    if config.players is not None and name.casefold() in map(str.casefold, _names_in(config.players)):
        raise Taken(f"{name} is taken")


def _names_in(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise NhlogError("the folder of players cannot be read", file=os.fspath(folder)) from error


def _named(name: str) -> str:
    """Whose failures those of a name are: no network is written so."""
    return f"name {name.casefold()}"


_ANSWERS: Final[Mapping[type, Callable[[Broker, Any], _Answer]]] = {
    Welcome: Broker._welcome,
    Register: Broker._register,
    LogIn: Broker._log_in,
    GiveCode: Broker._give_code,
    Redeem: Broker._redeem,
    AddKey: Broker._add_key,
    SetPassword: Broker._set_password,
}
