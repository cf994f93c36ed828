"""Public keys of players, and the lines by which sshd lets them in: each runs the lobby and nothing else.

What a player hands in is a public key and no more: options before it are refused, the comment behind it is dropped.
"""

import base64
import binascii
import hashlib
import re
import shlex
from typing import Final

from nhlog.errors import Usage
from nhlog.players.names import is_name
from nhlog.values import dataclass

__all__ = ["KeyLine", "PublicKey", "key_line", "parse_key", "parse_line"]

KINDS: Final = (
    "ssh-ed25519",
    "ssh-rsa",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
)
LONGEST: Final = 1 << 14  # characters of a key; those of RSA with 16384 bits have 2,800
ALLOWED: Final = "restrict,pty"  # of all that sshd could let them do, a terminal alone

_LINE: Final = re.compile(
    rf'{ALLOWED},command="[^"\\]+ lobby --(player (?P<player>\S+)|spectator)" (?P<kind>\S+) (?P<data>\S+) (?P<name>\S+)'
)


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key of this kind; `data` is in base64."""

    kind: str
    data: str

    @property
    def fingerprint(self) -> str:
        """What ``ssh-keygen -l`` calls it."""
        digest = hashlib.sha256(base64.b64decode(self.data)).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A key and its owner: a player, or a spectator, whose name is only for the administrator."""

    name: str
    key: PublicKey
    spectator: bool = False


def parse_key(text: str) -> PublicKey:
    """The one public key in a text, as ``ssh-keygen`` writes it to a file; raises :class:`Usage` for anything else."""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    kind, data, *_ = [*(lines[0].split() if len(lines) == 1 else []), "", ""]
    if kind not in KINDS or not _is_of(data, kind):
        raise Usage("not a public key", expected="one line as ssh-keygen writes it: ssh-ed25519 AAAA... ")
    return PublicKey(kind, data)


def _is_of(data: str, kind: str) -> bool:
    """Whether this is base64 of a key that is of this kind by its own account, too."""
    if not kind.isascii():  # in a line that others wrote are any bytes
        return False
    try:
        raw = base64.b64decode(data, validate=True) if len(data) <= LONGEST else b""
    except (binascii.Error, ValueError):
        return False
    head = len(kind).to_bytes(4, "big") + kind.encode()
    return raw.startswith(head) and len(raw) > len(head)


def key_line(line: KeyLine, program: str) -> str:
    """The line of `authorized_keys` that has the key run the lobby of the nhlog at the path `program`.

    Raises :class:`Usage` for a path that a shell or sshd would take for something else.
    """
    if shlex.quote(program) != program:
        raise Usage("sshd cannot use such a path", file=program, expected="letters, digits, -, _, . and / alone")
    who = "--spectator" if line.spectator else f"--player {line.name}"
    return f'{ALLOWED},command="{program} lobby {who}" {line.key.kind} {line.key.data} {line.name}'


def parse_line(text: str) -> KeyLine | None:
    """What such a line says; None for a line of anything else."""
    found = _LINE.fullmatch(text)
    if found is None or not is_name(found["name"]) or found["player"] not in (None, found["name"]):
        return None
    if not _is_of(found["data"], found["kind"]):
        return None
    return KeyLine(found["name"], PublicKey(found["kind"], found["data"]), spectator=found["player"] is None)
