"""A shared server as docs/server.md sets it up, and the people on it: real users of this machine."""

import json
import os
import pwd
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from tests.corpus import ROOT
from tests.terminal.pty import Pty

__all__ = ["NEW", "Server", "User"]

NEW = ("play", "--new", "--name", "Ann", "--role", "Wiz", "--seed", "7")
"""What begins Ann's game."""
_BECOME = (sys.executable, "-I", "-S", str(ROOT / "tests" / "together" / "become.py"))


@dataclass(frozen=True)
class User:
    """A user of this machine, with a home on the server."""

    name: str
    home: Path

    @property
    def uid(self) -> int:
        return pwd.getpwnam(self.name).pw_uid

    def opens(self, *arguments: str, size: tuple[int, int] = (100, 28)) -> Pty:
        """The client in a terminal of this user's."""
        return Pty(*self._command("-m", "terminal.cli", *arguments), size=size, **self._environment)

    def does(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A verb that ends by itself, done by this user."""
        with self._python("-m", "terminal.cli", *arguments) as process:
            out, err = process.communicate()
            return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def scores(self) -> list[dict]:
        """The list of scores, as this user may read it."""
        return [json.loads(line) for line in self.does("scores", "--json").stdout.splitlines()]

    def runs(self, code: str, *arguments: str) -> "subprocess.Popen[str]":
        """A Python program of this user's, with pipes."""
        return self._python("-c", code, *arguments)

    def _python(self, *arguments: str) -> "subprocess.Popen[str]":
        environment = {**os.environ, **self._environment}
        pipe = subprocess.PIPE
        command = self._command(*arguments)
        return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def _command(self, *arguments: str) -> tuple[str, ...]:
        """What runs Python as this user."""
        return (*_BECOME, self.name, str(ROOT), sysconfig.get_path("purelib"), *arguments)

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "LOGNAME": self.name,
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_CONFIG_DIRS": str(self.home.parent / "etc"),
            "XDG_DATA_HOME": str(self.home / "data"),
        }


class Server:
    """The folder of games in `folder`, and its configuration.

    `users` are Ann and Ben, who are in the players' group, and Cyn, who is not.
    """

    def __init__(self, folder: Path, group: int, names: list[str]) -> None:
        folder.chmod(0o755)
        self.games = folder / "games"
        self.games.mkdir()
        os.chown(self.games, 0, group)
        self.games.chmod(0o3775)
        self.root, *self.users = (User(name, folder / name.partition("-")[0]) for name in ("root", *names))
        for user in (self.root, *self.users):
            user.home.mkdir(0o700)
            os.chown(user.home, user.uid, -1)
        self._config = folder / "etc" / "nhlog" / "config.toml"
        self._config.parent.mkdir(parents=True)
        self.configure()

    def configure(self, *administrators: str) -> None:
        """Write the system's file."""
        named = f"administrators = {[*administrators]!r}\n" if administrators else ""
        self._config.write_text(f'games = "{self.games}"\n{named}')

    def put_finished_games_away(self) -> Path:
        """Name a folder for finished games in the system's file, made as docs/server.md has it made."""
        folder = self.games.parent / "finished"
        folder.mkdir()
        (folder / "xlogfile").touch()
        for place, mode in ((folder, 0o3775), (folder / "xlogfile", 0o664)):
            os.chown(place, 0, self.games.stat().st_gid)
            place.chmod(mode)
        with self._config.open("a") as file:
            file.write(f'finished = "{folder}"\n')
        return folder

    @property
    def game(self) -> str:
        """The only game there is."""
        [path] = self.games.glob("*.nhgame")
        return str(path)

    @property
    def state(self) -> str:
        """What line 2 of the game's header says."""
        return Path(self.game).read_bytes()[31:109].decode().strip()

    def lines(self) -> list[str]:
        """All lines of the game, each of which is sound."""
        with LogFile(self.game) as file:
            log = Log(file)
            assert [found for found in verify(log) if isinstance(found, Finding)] == []
            return [log.raw(number).data.decode("latin-1") for number in range(len(log))]

    def typed(self) -> list[str]:
        """What players did: the lines of the game without times and saves."""
        return [line for line in self.lines() if line[0] not in "+~*"]
