"""The keys of players: the file that sshd reads, to which others add lines, and a key as somebody hands it in.

Lines that others wrote stay as they are, and a key lets in whom it belongs to alone.
"""

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from nhlog.players.keyfile import KeyFile
from nhlog.players.keys import KeyLine, PublicKey, key_line, parse_key
from nhlog.players.names import is_name
from scripts.fuzzing.mutants.change import TEXTS, bend_bytes, bend_often, bend_text, rarely
from scripts.fuzzing.rules import Begin, Broken, refused

__all__ = ["act", "mutant"]

_KIND: Final = "ssh-ed25519"
_PROGRAM: Final = "/usr/bin/nhlog"


def _key(number: int) -> PublicKey:
    raw = len(_KIND).to_bytes(4, "big") + _KIND.encode() + (32).to_bytes(4, "big") + bytes([number] * 32)
    return PublicKey(_KIND, b64encode(raw).decode())


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A file of keys, of players, spectators and others, bent; and one key that is handed in."""
    lines = [
        key_line(KeyLine(chance.choice(("ann", "Bob", "eve-2")), _key(number), spectator=rarely(chance, 3)), _PROGRAM)
        for number in range(chance.choice((0, 1, 3, 20)))
    ]
    lines += [f"{_key(99).kind} {_key(99).data} other@host", "# a comment", ""]
    lines = bend_often(chance, (0, 1, 3), lines, bend_text)
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    handed = f"{_key(7).kind} {_key(7).data} {chance.choice(TEXTS)}\n".encode("utf-8", "surrogatepass")
    return {
        "case/authorized_keys": bend_bytes(chance, data) if rarely(chance, 3) else data,
        "case/key.pub": bend_bytes(chance, handed) if rarely(chance, 2) else handed,
    }


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Read the file, add a key and take it away again."""
    path = case / "authorized_keys"
    before, file = path.read_bytes(), KeyFile(path)
    begin("keys")
    keys = file.keys
    for line in keys:
        if not is_name(line.name) or not line.key.fingerprint:
            raise Broken("a name that nobody may have")
    begin("key")
    key = _key(200)
    with refused():
        key = parse_key((case / "key.pub").read_bytes().decode(errors="replace"))
    begin("add")
    with refused():
        file.add(KeyLine("newcomer", key), _PROGRAM)
        if len(file.keys) != len(keys) + 1:
            raise Broken("not one key more")
        begin("remove")
        file.remove("newcomer")
        rest = path.read_bytes()
        if rest not in (before, before + b"\n") and all(line.name != "newcomer" for line in keys):
            raise Broken("lines of others were changed")
