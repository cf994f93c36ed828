"""`nhlog-keys`: what sshd asks about a key that it is offered, before it knows whether it is whose it says.

    AuthorizedKeysCommand /opt/nhlog/bin/nhlog-keys /var/lib/nhlog/accounts.db %t %k
    AuthorizedKeysCommandUser nhlog-accounts

Prints one line in the form of `authorized_keys`, or none: then the key lets nobody in.  A key that is known runs the
lobby of its owner.  One that is not runs a session that registers its owner, unless registration is closed.  Whatever
is wrong is said on standard error, which goes to sshd's log, and lets nobody in.

sshd waits for it twice for each login, and strangers can have it run as often as they can connect: so it imports
little, and reads the configuration for keys alone that it does not know.  Of CPU it takes 66 ms for a key that is
known, and 99 for another one; a verb of `nhlog` that does the same takes 114 (least of 11 on a busy machine; Python
alone 14).  Bans are the business of the sessions, which can say why (`nhlog.players.bans`).
"""

import os
import sys
from pathlib import Path

from nhlog.accounts.store import Store
from nhlog.errors import NhlogError
from nhlog.players.keys import ALLOWED, PublicKey, checked_program, key_line, parse_key

__all__ = ["line_for", "main", "nhlog_beside"]


def main() -> int:
    """Answer sshd, by the arguments of the process."""
    try:
        if len(sys.argv) != 4:
            raise NhlogError("nhlog-keys is for sshd", expected="STORE %t %k")
        _, store, kind, data = sys.argv
        line = line_for(Path(store), parse_key(f"{kind} {data}"), nhlog_beside())
    except NhlogError as error:
        print(f"nhlog-keys: {error}", file=sys.stderr)
        return error.exit_code
    if line:
        print(line)
    return 0


def line_for(store: Path, key: PublicKey, program: str) -> str:
    """The line that has the key run the nhlog at the path `program`; empty if the key lets nobody in.

    Raises :class:`NhlogError` where that cannot be found out.
    """
    with Store(store) as accounts:
        known = accounts.owner_of(key)
    if known is not None:
        return key_line(known, program)
    if not _registers():
        return ""
    command = f"{checked_program(program)} accounts register {key.kind} {key.data}"
    return f'{ALLOWED},command="{command}" {key.kind} {key.data}'


def _registers() -> bool:
    """Whether strangers may register."""
    from nhlog.config import Registration, read_system_config

    return read_system_config().accounts.registration is not Registration.CLOSED


def nhlog_beside() -> str:
    """Where the command is if it was installed beside this Python."""
    return os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "nhlog")


if __name__ == "__main__":
    sys.exit(main())
