"""What is said between sshd's door and the lobby: a stranger registers, and a player without a key logs in.

Each function returns the name of the player, or None if whoever it is leaves.  What the service refuses is said, and
asked again a few times.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from nhlog.accounts.codes import is_code
from nhlog.config import Registration
from nhlog.errors import Usage
from nhlog.players import MOST_LETTERS, is_name
from nhlog.players.asking import AddKey, LogIn, Refused, Register, SetPassword, Welcome
from nhlog.players.asking import ask as request
from nhlog.players.keys import PublicKey
from nhlog.players.sessions import address_of_session
from terminal.accounts.lines import ask, ask_secret, say

__all__ = ["log_in", "register"]

_TRIES: Final = 5
_NEW: Final = "new"  # in place of a name, which nobody may be called


def register(store: Path, key: PublicKey) -> str | None:
    """Let the owner of a key that is nobody's choose a name, or add it to an account."""
    registration = _welcome(store, key)
    say("Welcome! Nobody here has your key yet:")
    say(f"  {key.fingerprint}")
    say("You have an account? Leave, and use its key: ssh -i FILE -o IdentitiesOnly=yes")
    say("Or add this key to it: type a code, which the lobby shows when you press L.")
    if registration is Registration.CLOSED:
        say("No new players can register here now.")
    return _tried(lambda: _name_or_code(store, key, registration))


def log_in(store: Path) -> str | None:
    """Ask for name and password; also let somebody register by a password, or set one by a code."""
    say(f"Type your name; {_NEW!r} to register; or a code from the lobby (key L), to set a password.")
    return _tried(lambda: _password_or_code(store))


def _tried(once: Callable[[], str | None]) -> str | None:
    """Ask until something is done, or nothing is answered."""
    for _ in range(_TRIES):
        try:
            return once()
        except (Refused, Usage) as error:
            say(f"{error.message[:1].upper()}{error.message[1:]}.")
    say("Good-bye.")
    return None


def _welcome(store: Path, key: PublicKey | None) -> Registration:
    """Who may register; raises :class:`Refused` for somebody who is banned."""
    answer = request(store, Welcome(key=_text(key), address=address_of_session()))
    return Registration(answer["registration"])


def _name_or_code(store: Path, key: PublicKey, registration: Registration) -> str | None:
    name = ask("Your name or code, or nothing to leave: ")
    if not name:
        return None
    if is_code(name):
        return _player(request(store, AddKey(code=name, key=_text(key), address=address_of_session())))
    return _new_player(store, name, key, "", registration)


def _password_or_code(store: Path) -> str | None:
    name = ask("Name: ")
    if not name:
        return None
    if is_code(name):
        return _player(request(store, SetPassword(code=name, password=_new_password(), address=address_of_session())))
    if name.casefold() == _NEW:
        registration = _welcome(store, None)
        name = ask("The name that you want: ")
        return _new_player(store, name, None, _new_password(), registration) if name else None
    return _player(
        request(store, LogIn(name=name[:64], password=ask_secret("Password: "), address=address_of_session()))
    )


def _new_player(store: Path, name: str, key: PublicKey | None, password: str, registration: Registration) -> str | None:
    """Make an account of this name once that is confirmed."""
    if not is_name(name):
        raise Usage(f"a name is a letter, then letters, digits, - and _, at most {MOST_LETTERS} in all")
    code = ask("Your invitation: ") if registration is Registration.INVITED else ""
    if ask(f"Play as {name}? A name stays. (y/n) ").casefold() not in ("y", "yes"):
        raise Usage("nothing was done")
    asked = Register(name=name, key=_text(key), password=password, code=code[:64], address=address_of_session())
    return _player(request(store, asked))


def _new_password() -> str:
    password = ask_secret("A password, of at least 10 characters: ")
    if ask_secret("Again: ") != password:
        raise Usage("these are two passwords")
    return password


def _player(answer: dict[str, object]) -> str:
    return str(answer["player"])


def _text(key: PublicKey | None) -> str:
    return "" if key is None else f"{key.kind} {key.data}"
