"""What becomes of a player of dgamelaunch: a line for each thing that is taken over, or is left, with the reason.

All is copied into a folder that is not there yet, so nothing of a player's here is ever changed, and whoever had the
name here already keeps it.  What is read is the players' own: a file is copied if it is a regular one without other
names, in folders that are no links; else it is left.  Files belong to the owner of the folder of players.
"""

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import PurePosixPath
from typing import Final

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.files import CHUNK, create_file, open_inner_folder, open_only_name, read_at, reason
from nhlog.files.owners import as_owner_of
from nhlog.players.dgamelaunch.logins import Login
from nhlog.players.dgamelaunch.settings import DglGame, Settings
from nhlog.players.folders import PlayerFolder, Players
from nhlog.players.names import is_name
from nhlog.values import NamedTuple

__all__ = ["Ours", "Outcome", "take_over"]

_RC: Final = 1 << 20  # bytes of an options file
_TTYREC: Final = 1 << 30  # bytes of a recording
_MOST: Final = 100_000  # recordings of a player
_OWN: Final = 0o700
_SAVE: Final = 1 << 26  # bytes of a saved game
_MOST_SAVES: Final = 1_000_000  # names in a folder of saved games
_STAMP: Final = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d\d):(\d\d):(\d\d)\.ttyrec(\.gz|\.bz2|\.xz)?")
_SAVED: Final = re.compile(r"(?P<number>\d*)(?P<rest>\.?(?P<player>[A-Za-z][\w-]*)(?:\.[A-Za-z]\w*)?)", re.ASCII)
"""A saved game: the number of the user who ran the game, where its name begins with that, and the player's name."""
_Saves = dict[str, list[re.Match[str]]]
"""Those of each player."""
_WHERE: Final = "no setting says where they are: name the folder with --saves"
_OF_ONE_BUILD: Final = "another build of the game cannot read them"


class Ours(NamedTuple):
    """A game of this server: its name, and its options file in a player's home, None if it has none.

    `saves` is the folder of dgamelaunch's saved games of it, below its root; None for nothing of them.
    """

    name: str
    rcfile: str | None
    saves: str | None = None


class Outcome(NamedTuple):
    """What became of a thing: `what` it is, of whom, and where it goes, or `why` it is left."""

    player: str
    what: str
    target: str = ""
    why: str = ""


class _Copy(NamedTuple):
    """A file to be copied: its folder and name below the root, and its new path below the player's folder."""

    folder: str
    name: str
    target: str
    most: int
    mode: int


def take_over(
    settings: Settings,
    logins: Iterable[Login | Damaged],
    players: Players,
    games: Mapping[str, Ours],
    *,
    dry_run: bool,
) -> Iterator[Outcome]:
    """Take over all players; `games` are ours by the short names of dgamelaunch's."""
    saves: dict[str, _Saves] = {}
    for game in settings.games:
        if ours := games.get(game.short_name):
            yield Outcome("", f"bones of {game.short_name}", why=_OF_ONE_BUILD)
            saves[game.short_name], why = _saves_in(settings.root, ours.saves)
            if why:
                yield Outcome("", f"saved games of {game.short_name}", why=why)
    known = {folder.name.casefold() for folder in players.all}
    for login in logins:
        if isinstance(login, Damaged):
            yield Outcome("", "line of the list", why=str(login))
            continue
        if why := _refused(login.name, known):
            yield Outcome(login.name, "player", why=why)
            continue
        known.add(login.name.casefold())
        folder = players.folder(login.name)
        if not dry_run:
            with as_owner_of(str(players.path)):
                folder.make()
        yield Outcome(login.name, "player", str(folder.path))
        yield Outcome(login.name, "password", why="a hash of crypt(3): the player needs a key")
        if login.email:
            yield Outcome(login.name, "e-mail", why=login.email)
        for game in settings.games:
            ours, saved = games.get(game.short_name), saves.get(game.short_name, {}).get(folder.name, ())
            yield from _of_game(settings, game, folder, ours, saved, dry_run=dry_run)


def _refused(name: str, known: Collection[str]) -> str:
    """Why a player cannot be taken over; empty if nothing is in the way."""
    if not is_name(name):
        return "the name is none here: a letter, then letters, digits, - and _, at most 20"
    return "there is a player of this name already" if name.casefold() in known else ""


def _of_game(
    settings: Settings,
    game: DglGame,
    folder: PlayerFolder,
    ours: Ours | None,
    saved: Iterable[re.Match[str]],
    *,
    dry_run: bool,
) -> Iterator[Outcome]:
    if ours is None:
        yield Outcome(folder.name, f"files of {game.short_name}", why="it is no game here: name one with --game")
        return
    try:
        copies = [
            *_options(settings, game, folder, ours),
            *_ttyrecs(settings, game, folder, ours),
            *_saves(folder, ours, saved, os.stat(folder.path.parent).st_uid),
        ]
    except (Usage, OSError) as error:
        why = error.message if isinstance(error, Usage) else reason(error)
        yield Outcome(folder.name, f"files of {game.short_name}", why=why)
        return
    for copy in copies:
        what = f"{copy.folder}/{copy.name}"
        try:
            _copied(settings.root, copy, folder, dry_run=dry_run)
        except FileNotFoundError:
            continue
        except NhlogError as error:
            yield Outcome(folder.name, what, why=error.message)
        except OSError as error:
            yield Outcome(folder.name, what, why=reason(error))
        else:
            yield Outcome(folder.name, what, str(folder.path / copy.target))


def _options(settings: Settings, game: DglGame, folder: PlayerFolder, ours: Ours) -> Iterator[_Copy]:
    path = settings.rcfile(game, folder.name)
    if path is not None and ours.rcfile is not None:
        place = PurePosixPath(path)
        yield _Copy(str(place.parent), place.name, f"home/{ours.rcfile}", _RC, 0o600)


def _ttyrecs(settings: Settings, game: DglGame, folder: PlayerFolder, ours: Ours) -> Iterator[_Copy]:
    path = settings.ttyrecs(game, folder.name)
    if path is None:
        return
    for name in _names(settings.root, path, _MOST):
        if found := _STAMP.fullmatch(name):
            day, hours, minutes, seconds, packed = found.groups()
            target = f"{folder.name}.{ours.name}.{day}.{hours}{minutes}{seconds}.ttyrec{packed or ''}"
            yield _Copy(path, name, f"recordings/{target}", _TTYREC, 0o644)


def _saves_in(root: str, path: str | None) -> tuple[_Saves, str]:
    """The saved games in a folder below the root, and why there are none; that is empty if they can be taken."""
    found: _Saves = defaultdict(list)
    if path is None:
        return found, _WHERE
    try:
        for saved in filter(None, map(_SAVED.fullmatch, _names(root, path, _MOST_SAVES))):
            found[saved["player"]].append(saved)
    except OSError as error:
        return found, reason(error)
    return found, "" if found else "there are none in this folder"


def _saves(folder: PlayerFolder, ours: Ours, saved: Iterable[re.Match[str]], user: int) -> Iterator[_Copy]:
    """The player's saved games, as the `user` has them under whom games run here."""
    place = folder.brought(ours.name).relative_to(folder.path)
    for name in saved:
        number = user if name["number"] else ""
        yield _Copy(ours.saves or "", name[0], f"{place}/{number}{name['rest']}", _SAVE, 0o600)


def _names(root: str, path: str, most: int) -> list[str]:
    """The names in a folder, in order; none if it is not there."""
    try:
        place = open_inner_folder(root, PurePosixPath(path).parts)
    except FileNotFoundError:
        return []
    try:
        return sorted(os.listdir(place))[:most]
    finally:
        os.close(place)


def _copied(root: str, copy: _Copy, folder: PlayerFolder, *, dry_run: bool) -> None:
    """Copy a file, or see whether it could be; raises :class:`NhlogError` and :class:`OSError`."""
    place = open_inner_folder(root, PurePosixPath(copy.folder).parts)
    try:
        os.stat(copy.name, dir_fd=place, follow_symlinks=False)  # says by its own error that there is none
        source = open_only_name(place, copy.name)
    finally:
        os.close(place)
    try:
        status = os.fstat(source)
        if status.st_size > copy.most:
            raise NhlogError("too large", expected=f"at most {copy.most} bytes", found=status.st_size)
        if not dry_run:
            _write(source, copy, folder, status)
    finally:
        os.close(source)


def _write(source: int, copy: _Copy, folder: PlayerFolder, status: os.stat_result) -> None:
    inner = PurePosixPath(copy.target)
    with as_owner_of(str(folder.path)):
        for part in [*reversed(inner.parent.parents), inner.parent]:
            with suppress(FileExistsError):
                (folder.path / part).mkdir(_OWN)
        place = open_inner_folder(str(folder.path), inner.parent.parts)
        try:
            target = create_file(inner.name, copy.mode, folder=place)
        finally:
            os.close(place)
    try:
        for offset in count(0, CHUNK):
            piece = read_at(source, min(CHUNK, copy.most - offset), offset, copy.name) if offset < copy.most else b""
            if not piece:
                break
            while piece:
                piece = piece[os.write(target, piece) :]
        os.fchmod(target, copy.mode)
        os.utime(target, ns=(status.st_mtime_ns, status.st_mtime_ns))
    finally:
        os.close(target)
