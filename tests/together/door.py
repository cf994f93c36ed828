"""A real sshd on the loopback address, set up as docs/server.md does it: one account, a key for each player, and the
games that are in the documents."""

import os
import pwd
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

import pytest

from scripts.measures.processes import descendants
from terminal.cli import main
from tests.corpus import ROOT
from tests.starter import Started
from tests.terminal.pty import NHLOG, Pty
from tests.waiting import PATIENCE

__all__ = ["Door"]

TRIES = 5  # of ports, which somebody else may have taken meanwhile
SSHD_RUNS = Path("/run/sshd")  # what root's sshd wants to find

CONFIG = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
AcceptEnv LANG LC_*
SetEnv {ours}
Subsystem sftp internal-sftp
{documented}"""


def documented(document: str, head: str, line: str) -> str:
    """What a document has a file say: the line `head`, and those after it that are such lines."""
    text = (ROOT / "docs" / document).read_text()
    [found] = re.findall(rf"^{re.escape(head)}\n(?:{line}\n)+", text, re.MULTILINE)
    return str(found)


class Door:
    """The server in `folder`, and sshd before it; a context manager.  Skips the test where there can be none.

    `players` is the folder of the players' folders, `finished` that of finished games, `own` that of the account's own
    configuration.  `more` is what the system's has before its games.  With `accounts`, which are lines of the table of
    that name, players are in a store, beside which its service listens.  With `passwords` there is the second name of
    the players' account, too, for people without a key: in a folder that sshd alone sees as /etc.
    """

    def __init__(self, folder: Path, more: str = "", accounts: str = "", *, passwords: bool = False) -> None:
        self._folder, self._passwords = folder, passwords
        if passwords and (os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode):
            pytest.skip("only root has sshd see another list of users")
        self.players, self.finished, self.own = (folder / name for name in ("players", "finished", "own"))
        self._sshd = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
        if not self._sshd or not shutil.which("ssh"):
            pytest.skip("no sshd or no ssh on this machine: apt install openssh-server")
        for name in ("players", "finished", "keys", "etc/nhlog", "own"):
            (folder / name).mkdir(parents=True)
        settings = f'players = "{self.players}"\nauthorized_keys = "{folder}/keys/authorized_keys"\n'
        settings += f'finished = "{self.finished}"\n'
        games = documented("server.md", "[games.nethack]", r"\w.*") + documented("server.md", "[games.crawl]", r"\w.*")
        self.store = folder / "keys" / "accounts.db"
        self._accounts = f'[accounts]\nstore = "{self.store}"\n{accounts}' if accounts else ""
        (folder / "etc/nhlog/config.toml").write_text(settings + more + games + self._accounts)
        self._service = ExitStack()
        self._user = pwd.getpwuid(os.getuid()).pw_name

    def __enter__(self) -> Self:
        if os.geteuid() == 0:
            SSHD_RUNS.mkdir(mode=0o755, exist_ok=True)  # and it stays: another door that was opened since needs it
        self.make_key("host")
        if self._accounts:
            self._service.enter_context(self.administers("accounts", "serve"))
        for _ in range(TRIES):
            if self._listens():
                return self
        self._service.close()
        pytest.skip(f"sshd does not run here: {self.said}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self._service.close()

    def _listens(self) -> bool:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        config = self._folder / "sshd_config"
        ours = f"{self._environment} XDG_CACHE_HOME={self._folder}/cache XDG_CONFIG_HOME={self.own} LANG=C.UTF-8"
        config.write_text(CONFIG.format(port=self._port, folder=self._folder, ours=ours, documented=self._lines()))
        command = [str(self._sshd), "-D", "-e", "-f", str(config)]
        if self._passwords:
            command = self._among_users(command)
        with (self._folder / "said").open("w") as said:
            self._process = subprocess.Popen(command, stderr=said)
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self._port)) == 0:
                    return True
            time.sleep(0.02)
        return False

    def settle(self, accounts: str) -> None:
        """Have other lines in the table of accounts."""
        path = self._folder / "etc/nhlog/config.toml"
        table = f'[accounts]\nstore = "{self.store}"\n{accounts}'
        path.write_text(path.read_text().replace(self._accounts, table))
        self._accounts = table

    def _lines(self) -> str:
        """The documented lines, for this user, this file of keys and our own folders."""
        lines = documented("server.md", "Match User nhlog", r"    .*")
        if self._accounts:
            file = "    AuthorizedKeysFile /etc/nhlog/authorized_keys\n"
            lines = lines.replace(file, documented("server.md", "    AuthorizedKeysFile none", "    AuthorizedKeysC.*"))
            lines = lines.replace("/opt/nhlog/bin/nhlog-keys", self._keys_command).replace("nhlog-accounts", self._user)
            lines = lines.replace("/var/lib/nhlog", f"{self._folder}/keys")
        lines = lines.replace("User nhlog\n", f"User {self._user}\n").replace("/etc/nhlog", f"{self._folder}/keys")
        if self._passwords:
            lines += documented("server.md", "Match User play", r"    .*").replace("/usr/local/bin", str(self._folder))
        return "\n".join(line for line in lines.splitlines() if "SetEnv" not in line)

    def _among_users(self, command: list[str]) -> list[str]:
        """What runs sshd where the documented second name of the account is known, with the documented shell.

        It sees a copy of /etc.  A file that is mounted over alone would be the system's again as soon as another test
        makes a user of this machine, which renames a new one over it.
        """
        account = pwd.getpwuid(os.getuid())
        shell = self._folder / "nhlog-login"
        ours = f"{self._environment} XDG_CACHE_HOME={self._folder}/cache XDG_CONFIG_HOME={self.own}"
        script = documented("server.md", "#!/bin/sh", r"(?:exec|    ).*").replace("/var/games/nhlog", str(self._folder))
        shell.write_text(script.replace("/usr/local/bin/nhlog", f"{ours} {shlex.join(NHLOG)}"))
        shell.chmod(0o755)
        user = f"play:x:{account.pw_uid}:{account.pw_gid}::{self._folder}:{shell}\n"
        etc = self._folder / "system-etc"
        subprocess.run(["cp", "-a", "/etc", etc], stderr=subprocess.DEVNULL, check=False)  # a tool's lock may vanish
        for name, line in (("passwd", user), ("shadow", "play::20000:0:99999:7:::\n")):
            (etc / name).write_text((etc / name).read_text() + line)
        return ["unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc && exec "$@"', str(etc), *command]

    @property
    def _environment(self) -> str:
        """What has nhlog be that of this checkout, with our configuration."""
        return f"PYTHONPATH={ROOT} XDG_CONFIG_DIRS={self._folder}/etc"

    @property
    def _keys_command(self) -> str:
        """What is installed as `nhlog-keys`."""
        return f"/usr/bin/env {self._environment} {sys.executable} -m nhlog.accounts.offered"

    def runs(self) -> list[list[str]]:
        """The command lines of all that sshd has running, but for its own processes."""
        found = [told.rstrip("\0").split("\0") for told in self._told("cmdline")]
        return [command for command in found if command[0] and not command[0].startswith("sshd:")]

    def variables(self) -> set[str]:
        """The names of the variables in the environments of all that sshd has running, its own processes too."""
        return {told.partition("=")[0] for environment in self._told("environ") for told in environment.split("\0")}

    def _told(self, table: str) -> list[str]:
        """This table of the system's, of each process below sshd."""
        found = []
        for pid in descendants(self._process.pid):
            with suppress(OSError):  # it ended just now
                found.append(Path(f"/proc/{pid}/{table}").read_text(errors="replace"))
        return found

    @property
    def audit(self) -> Path:
        """The file of what administrators did."""
        return self._folder / "keys" / "audit"

    @property
    def said(self) -> str:
        """What sshd had to say."""
        return (self._folder / "said").read_text()

    def let_in(self, name: str, *options: str) -> None:
        """Give a player a key, as the administrator does."""
        self.administer("players", "add", name, f"{self.make_key(name)}.pub", *options)

    def shut_out(self, name: str) -> None:
        """Take a player's keys away, likewise."""
        self.administer("players", "remove", name)

    def administer(self, *arguments: str) -> None:
        """Have a verb do something on this server."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CONFIG_DIRS", str(self._folder / "etc"))
            assert main([*arguments]) == 0

    @contextmanager
    def administers(self, *arguments: str) -> Iterator[Started]:
        """A scope in which a verb goes on on this server, in a process of its own."""
        environment = {**os.environ, "XDG_CONFIG_DIRS": str(self._folder / "etc"), "PYTHONPATH": str(ROOT)}
        with Started([*NHLOG, *arguments], env=environment, stdout=subprocess.DEVNULL) as process:
            try:
                yield process
            finally:
                process.kill()

    def make_key(self, name: str) -> Path:
        """Make a key that is nobody's yet."""
        path = self._folder / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
        return path

    def command(self, name: str, *arguments: str) -> list[str]:
        """What connects as a player; options of ssh, then what would be run."""
        options = ("BatchMode=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "IdentitiesOnly=yes")
        told = [word for option in options for word in ("-o", option)]
        at = ["-i", str(self._folder / name), "-p", str(self._port), "-l", self._user]
        return ["ssh", "-F", "none", *at, *told, *arguments]

    def opens(self, name: str, *options: str, term: str = "xterm-256color") -> Pty:
        """The player's terminal."""
        return Pty(*self.command(name, "-tt", *options, "127.0.0.1"), size=(100, 28), term=term)

    def asks(self) -> Pty:
        """The terminal of somebody who has no key."""
        [ssh, *options] = self.command("nobody", "-tt", "-o", "PubkeyAuthentication=no", "127.0.0.1")
        return Pty(ssh, *("play" if word == self._user else word for word in options), size=(100, 28))

    def tries(self, name: str, *arguments: str, options: tuple[str, ...] = ()) -> "subprocess.CompletedProcess[str]":
        """What comes of these arguments, without a terminal."""
        command = self.command(name, "-T", *options, "127.0.0.1", *arguments)
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
