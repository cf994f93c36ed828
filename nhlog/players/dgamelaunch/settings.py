"""The settings in dgamelaunch.conf that say where things are; all others are passed over.

chroot_path = "/opt/nethack/chroot/"
passwd = "/dgldir/dgamelaunch.db"
DEFINE {
  short_name = "NH367"
  rc_fmt = "%rdgldir/userdata/%N/%n/%n.nh367rc"
  ttyrecdir = "%rdgldir/userdata/%N/%n/nh367/ttyrec/"
}
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from nhlog.errors import Usage
from nhlog.values import dataclass

__all__ = ["DglGame", "Settings", "inside", "parse_settings"]

_TOKEN: Final = re.compile(r'#[^\n]*|"((?:[^"\\\n]|\\.)*)"|([A-Za-z_][\w.-]*)|([=\[\]{},])|(\d+)|\s+|(.)')
_SIGN: Final = re.compile(r"%(.)")
_LISTS: Final = ("dgl-login", "dgldir/dgamelaunch.db")
"""Where the list of players is if no setting says so: by how dgamelaunch was built, lines or SQLite."""


@dataclass(frozen=True, slots=True)
class DglGame:
    """A game: `rcfile` and `ttyrecs` are patterns of paths, empty if it has none."""

    short_name: str
    name: str = ""
    rcfile: str = ""
    ttyrecs: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """The folder `root` (``chroot_path``), below which all others are.

    `lists` are where the list of players may be, `inner` is what ``%r`` stands for (``dglroot``).
    """

    root: str
    inner: str
    lists: tuple[str, ...]
    games: tuple[DglGame, ...]

    def rcfile(self, game: DglGame, player: str) -> str | None:
        """The path of the player's options file, below the root; None if the game has none."""
        return self._filled(game.rcfile, game, player)

    def ttyrecs(self, game: DglGame, player: str) -> str | None:
        """The folder of the player's ttyrecs, below the root; None if the game has none."""
        return self._filled(game.ttyrecs, game, player)

    def _filled(self, pattern: str, game: DglGame, player: str) -> str | None:
        signs = {"n": player, "N": player[:1], "r": self.inner, "s": game.short_name, "g": game.name}
        return inside(_SIGN.sub(lambda sign: signs.get(sign[1], sign[0]), pattern)) if pattern else None


def parse_settings(text: str) -> Settings:
    """The settings in the text of dgamelaunch.conf; raises :class:`Usage` for paths that lead elsewhere."""
    own: dict[str, str] = {}
    games: list[DglGame] = []
    block: dict[str, str] | None = None
    name = before = ""
    for found in _TOKEN.finditer(text):
        string, word, sign, _, _ = found.groups()
        if string is not None and before == "=":
            (own if block is None else block)[name] = string
        elif sign == "{" and name == "DEFINE":
            block = {}
        elif sign == "}" and block is not None:
            games.append(_game(block))
            block = None
        elif word is not None and before != "=":
            name = word
        before = sign or word or (before if not found[0].strip() else "")
    lists = (inside(own["passwd"]),) if "passwd" in own else _LISTS
    return Settings(own.get("chroot_path", "/"), own.get("dglroot", "/"), lists, tuple(games))


def _game(settings: Mapping[str, str]) -> DglGame:
    name = settings.get("game_name", "")
    return DglGame(settings.get("short_name") or name, name, settings.get("rc_fmt", ""), settings.get("ttyrecdir", ""))


def inside(path: str) -> str:
    """The path below the root; raises :class:`Usage` for one that leads out of it, or has a sign that is unknown."""
    parts = PurePosixPath("/" + path)
    if ".." in parts.parts or "%" in path:
        raise Usage("a path that cannot be followed", found=repr(path))
    return str(parts.relative_to(parts.anchor))
