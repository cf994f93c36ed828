"""The administrator's commands around a game: `before`, `after`, and `on_death`.

They are not the game's: they run outside of its walls and without its environment, with the rights of the account that
all players share.  What a game or a player made up (a name, a death) is hostile, so it is never part of a command or
seen by a shell: it stands in variables, cleaned of control characters.  A command that hangs is killed with its whole
process group, as a player waits for it; `before` alone can keep a game from beginning.
"""

import os
import signal
import subprocess
import syslog
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import NhlogError
from nhlog.files import reason
from nhlog.scores.wire import Entry, format_entry
from terminal.hosting.left import printable_part

__all__ = ["Running"]

_PATIENCE: Final = 10.0  # seconds for a command
_ENVIRONMENT: Final = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
_LONGEST: Final = 1000  # characters of a variable


class Running:
    """The commands around one game of `player`, which is recorded in the file `recording`.

    A failure of `after` or `on_death` goes to the system's log, and nobody else hears of it.
    """

    def __init__(self, game: GameProgram, player: str, recording: str) -> None:
        self._game = game
        self._begun = False
        self._facts = {"NHLOG_GAME": game.name, "NHLOG_PLAYER": player, "NHLOG_RECORDING": recording}

    def before(self) -> None:
        """Run `before`; raises :class:`NhlogError` if it fails, and then there is no game."""
        if fault := self._run(self._game.hooks.before, {}):
            raise NhlogError(f"{self._game.title} does not begin: the server's command before it {fault}")
        self._begun = True

    def after(self, entries: Iterable[Entry]) -> None:
        """Run `on_death` for each new line of the scores, and `after` if `before` did not fail."""
        for entry in entries:
            told = {"NHLOG_DEATH": str(entry.get("death", "")), "NHLOG_POINTS": str(entry.get("points", ""))}
            self._log("on_death", self._run(self._game.hooks.on_death, {**told, "NHLOG_ENTRY": _line(entry)}))
        if self._begun:
            self._log("after", self._run(self._game.hooks.after, {}))

    def _run(self, command: tuple[str, ...], facts: Mapping[str, str]) -> str:
        """Run a command; returns what went wrong, empty if nothing did or there is none."""
        if not command:
            return ""
        null = subprocess.DEVNULL
        environment = {
            **_ENVIRONMENT,
            **{name: printable_part(text, _LONGEST) for name, text in {**self._facts, **facts}.items()},
        }
        try:
            process = subprocess.Popen(
                command, stdin=null, stdout=null, stderr=null, cwd="/", env=environment, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return f"cannot be run: {reason(error) if isinstance(error, OSError) else error}"
        try:
            code = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return f"was killed, as it took more than {_PATIENCE:g} seconds"
        return f"failed with exit code {code}" if code else ""

    def _log(self, which: str, fault: str) -> None:
        if fault:
            syslog.openlog("nhlog")
            syslog.syslog(syslog.LOG_WARNING, f"games.{self._game.name}.{which} {fault}")


def _line(entry: Entry) -> str:
    return format_entry(entry).decode().removesuffix("\n")
