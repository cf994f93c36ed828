"""Public keys of players, and the lines by which sshd lets them in: each runs the lobby and nothing else.

What a player hands in is a public key and no more: options before it are refused, the comment behind it is dropped.  It
is read wholly, as sshd reads it, and kept in the one spelling that its values have: so what cannot log in is refused,
and two keys are the same if sshd takes them for the same.

sshd waits for a process that needs this for each key it is offered (`nhlog.accounts.offered`): so it imports little.
"""

import base64
import binascii
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from nhlog.errors import Usage
from nhlog.players.names import is_name
from nhlog.values import NamedTuple

__all__ = ["KeyLine", "PublicKey", "checked_program", "key_line", "parse_key", "parse_line", "program_of"]

LONGEST: Final = 1 << 14  # characters of a key; those of RSA with 16384 bits have 2,800
ALLOWED: Final = "restrict,pty"  # of all that sshd could let them do, a terminal alone

_LINE: Final = re.compile(
    rf'{ALLOWED},command="(?P<program>[^"\\]+) lobby --(player (?P<player>\S+)( --key (?P<by>\S+))?|spectator)" '
    r"(?P<kind>\S+) (?P<data>\S+) (?P<name>\S+)"
)


class PublicKey(NamedTuple):
    """A key of this kind; `data` is in base64, and always the same of the same key."""

    kind: str
    data: str

    @property
    def fingerprint(self) -> str:
        """What ``ssh-keygen -l`` calls it."""
        from hashlib import sha256  # which brings all of OpenSSL with it

        digest = sha256(base64.b64decode(self.data)).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


class KeyLine(NamedTuple):
    """A key and its owner: a player, or a spectator, whose name is only for the administrator."""

    name: str
    key: PublicKey
    spectator: bool = False


def parse_key(text: str) -> PublicKey:
    """The one public key in a text, as ``ssh-keygen`` writes it to a file; raises :class:`Usage` for anything else."""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    kind, data, *_ = [*(lines[0].split() if len(lines) == 1 else []), "", ""]
    key = _read(kind, data)
    if key is None:
        raise Usage("not a public key", expected="one line as ssh-keygen writes it: ssh-ed25519 AAAA... ")
    return key


def _read(kind: str, data: str) -> PublicKey | None:
    """The key of this kind that these are in base64; None if they are none, or one that sshd refuses."""
    if kind not in _VALUES or len(data) > LONGEST:
        return None
    try:
        said, *values = _strings(base64.b64decode(data, validate=True))
        checks = _VALUES[kind]
        if said != kind.encode() or len(values) != len(checks):
            return None
        values = [check(value) for check, value in zip(checks, values, strict=True)]
    except (binascii.Error, ValueError):
        return None
    whole = b"".join(len(value).to_bytes(4, "big") + value for value in (said, *values))
    return PublicKey(kind, base64.b64encode(whole).decode())


def _strings(raw: bytes) -> Iterator[bytes]:
    """What is in a key, each with its length before it; raises :class:`ValueError` where that is not so."""
    at = 0
    while at < len(raw) or not at:
        size = int.from_bytes(raw[at : at + 4], "big")
        at += 4
        if at + size > len(raw):
            raise ValueError("a key is cut short")
        yield raw[at : at + size]
        at += size


def _of_ed25519(value: bytes) -> bytes:
    if len(value) != _ED25519:
        raise ValueError("not a key of 256 bits")
    return value


def _number(value: bytes) -> bytes:
    """A number as it is written: without needless zeros; those that are negative sshd refuses."""
    number = int.from_bytes(value, "big", signed=True)
    if number <= 0:
        raise ValueError("not a positive number")
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def _modulus(value: bytes) -> bytes:
    number = _number(value)
    if not _LEAST_RSA <= int.from_bytes(number, "big").bit_length() <= _MOST_RSA:
        raise ValueError("not as many bits as sshd takes")
    return number


def _application(value: bytes) -> bytes:
    value.decode()
    return value


def _curve(name: str) -> tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]:
    """Read the name of a curve, and a point on it."""
    prime, constant = _CURVES[name]
    size = (prime.bit_length() + 7) // 8

    def named(value: bytes) -> bytes:
        if value != name.encode():
            raise ValueError("another curve")
        return value

    def point(value: bytes) -> bytes:
        x, y = (int.from_bytes(value[at : at + size], "big") for at in (1, 1 + size))
        if len(value) != 1 + 2 * size or value[0] != _UNCOMPRESSED or not (0 <= x < prime and 0 <= y < prime):
            raise ValueError("not a point")
        if (y * y - x * x * x + 3 * x - constant) % prime:
            raise ValueError("not a point of the curve")
        return value

    return named, point


def key_line(line: KeyLine, program: str) -> str:
    """The line of `authorized_keys` that has the key run the lobby of the nhlog at the path `program`.

    The lobby is told the fingerprint, as the key may be banned.  Raises :class:`Usage` for a path that a shell or sshd
    would take for something else.
    """
    who = "--spectator" if line.spectator else f"--player {line.name} --key {line.key.fingerprint}"
    command = f"{checked_program(program)} lobby {who}"
    return f'{ALLOWED},command="{command}" {line.key.kind} {line.key.data} {line.name}'


def checked_program(path: str) -> str:
    """The path; raises :class:`Usage` for one that a shell or sshd would take for something else."""
    if shlex.quote(path) != path:
        raise Usage("sshd cannot use such a path", file=path, expected="letters, digits, -, _, . and / alone")
    return path


def parse_line(text: str) -> KeyLine | None:
    """What such a line says; None for a line of anything else."""
    found = _LINE.fullmatch(text)
    if found is None or not is_name(found["name"]) or found["player"] not in (None, found["name"]):
        return None
    key = _read(found["kind"], found["data"])
    if key is None or found["by"] not in (None, key.fingerprint):
        return None
    return KeyLine(found["name"], key, spectator=found["player"] is None)


def program_of(text: str) -> str | None:
    """The path of the nhlog that such a line has run; None for a line of anything else."""
    found = _LINE.fullmatch(text)
    return None if found is None or parse_line(text) is None else found["program"]


_ED25519: Final = 32  # bytes
_LEAST_RSA, _MOST_RSA = 1024, 16384  # bits that OpenSSH takes
_UNCOMPRESSED: Final = 4  # the first byte of a point with both of its coordinates
_CURVES: Final = {  # FIPS 186-4: the prime, and the constant of y^2 = x^3 - 3x + b
    "nistp256": (
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    ),
    "nistp384": (
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    ),
    "nistp521": (
        2**521 - 1,
        int(
            "051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E1"
            "56193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00",
            16,
        ),
    ),
}
_VALUES: Final[Mapping[str, tuple[Callable[[bytes], bytes], ...]]] = {
    "ssh-ed25519": (_of_ed25519,),
    "ssh-rsa": (_number, _modulus),
    **{f"ecdsa-sha2-{name}": _curve(name) for name in _CURVES},
    "sk-ssh-ed25519@openssh.com": (_of_ed25519, _application),
    "sk-ecdsa-sha2-nistp256@openssh.com": (*_curve("nistp256"), _application),
}
"""The kinds of keys, and what reads each value in one: gives it in its one spelling, or raises :class:`ValueError`."""
