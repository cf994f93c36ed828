"""`nhlog players`: who can log in to play, by which keys, and who may not."""

from typing import TYPE_CHECKING

import click

from nhlog.errors import Usage
from terminal.options import age_option, json_option
from terminal.output import print_json, print_lines, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from nhlog.accounts.store import Store
    from nhlog.config import Config
    from nhlog.operations import Record
    from nhlog.players import PlayerFolder
    from nhlog.players.keys import KeyLine, PublicKey

__all__ = ["command"]

MOST = 1 << 16  # bytes of a file with a public key
WEEK = 7 * 24 * 60 * 60  # seconds
ACTIONS = (
    *("list", "add", "remove", "kick", "ban", "unban", "mute", "unmute"),
    *("link", "invite", "code", "import", "backup"),
)
EXPECTED = (
    "players takes list, add NAME KEY, remove, kick, ban, unban, mute, unmute, link or code NAME, invite, and import "
    "or backup FILE"
)


@click.command("players")
@click.argument("action", type=click.Choice(ACTIONS), default="list", metavar="[ACTION]")
@click.argument("name", required=False)
@click.argument("key", required=False)
@click.option("--spectator", is_flag=True, help="With add: the key is for watching only.")
@click.option("--key", "banned_key", metavar="FINGERPRINT", help="With ban and unban: a key, instead of a player.")
@click.option("--network", metavar="NETWORK", help="With ban and unban: an address or a network, 10.0.0.0/8.")
@age_option("--for", "With ban and mute: for how long, instead of for ever; with invite: instead of a week")
@click.option("--reason", default="", metavar="TEXT", help="With ban and mute: what the player is told.")
@click.option("--uses", type=click.IntRange(1, 10_000), default=1, help="With invite: how many may register by it.")
@json_option
def command(
    action: str,
    name: str | None,
    key: str | None,
    spectator: bool,
    banned_key: str | None,
    network: str | None,
    reason: str,
    uses: int,
    as_json: bool,
    **span: int | None,
) -> None:
    """List, add, kick, ban, mute or remove the players of this server.

    ACTION is list (the default), add, remove, kick, ban, unban, mute, unmute, link, invite, code, import or backup.

    KEY is a public SSH key, or the name of a file with one (- for standard input). A player may have several.
    `authorized_keys` in the system's config.toml is the file where the keys are stored, and where sshd finds them; with
    `store` in `[accounts]` they are in a store of accounts instead. Each key runs `nhlog lobby --player NAME` and
    nothing else. Removing a player deletes all their keys, and the password; games and recordings stay, and belong to
    the player again with a new key.

    `link` prints an address at which the player plays in a browser (`nhlog webplay`): it is good once, within ten
    minutes. The player needs no key for it.

    `kick` ends a player's sessions and games as if the connection were lost: games can save. Browsers are logged out.
    `ban` does the same, and the player cannot log in until `unban`, or until the time is over. A player
    who is muted by `mute` plays and watches, but neither talks beside games nor writes to players, until `unmute`. Who
    did what is kept in the file `audit` beside the keys.

    With a store of accounts, `invite` prints a code with which people can register, `code` one with which the player
    NAME can add a key or set a password, `import` takes over the players and bans of a file of keys, and `backup`
    writes the store to a new file.

    \b
    nhlog players
    nhlog players add ann ann.pub
    nhlog players add ann 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHb...'
    nhlog players add --spectator guest guest.pub
    nhlog players remove ann
    nhlog players link bob
    nhlog players ban bob --for 7d --reason 'no floods of mail, please'
    nhlog players ban --network 192.0.2.0/24
    nhlog players mute bob --for 7d --reason 'no insults, please'
    nhlog players invite --uses 20 --for 30d
    """
    from nhlog.config import read_system_config

    config = read_system_config()
    if config.door is None:
        raise Usage("authorized_keys is not set in the system's config.toml (docs/server.md)")
    kinds = {"name": name, "key": banned_key, "network": network}
    banned = [(kind, whose) for kind, whose in kinds.items() if whose is not None]
    if action == "list" and not banned:
        _list(config, as_json=as_json)
    elif action == "add" and name is not None and key is not None:
        _add(config, name, key, spectator=spectator)
    elif action in ("ban", "unban") and len(banned) == 1 and key is None:
        _keep_out(config, config.door, action, banned[0], span["for"], reason)
    elif action in ("mute", "unmute") and name is not None and len(banned) == 1 and key is None:
        _mute(config.door, action, name, span["for"], reason)
    elif action == "invite" and not banned:
        _invite(config, uses, WEEK if span["for"] is None else span["for"] // 1_000_000)
    elif action in _OF_ONE and name is not None and len(banned) == 1 and key is None:
        _OF_ONE[action](config, config.door, name)
    else:
        raise Usage(EXPECTED)


def _add(config: "Config", name: str, key: str, *, spectator: bool) -> None:
    """Let a key in."""
    import time

    from nhlog.players import KeyFile
    from nhlog.players.keys import KeyLine
    from terminal.accounts.program import nhlog_path

    assert config.door is not None
    new = KeyLine(name, _public_key(key), spectator)
    if config.accounts.store is None:
        KeyFile(config.door).add(new, nhlog_path())
    else:
        with _store(config) as store:
            store.add(new, int(time.time()))
    _note(config.door, "add", name, new.key.fingerprint)
    print_lines(f"{name} can log in to {_may(new)}, by {new.key.fingerprint}")


def _remove(config: "Config", door: "Path", name: str) -> None:
    """Let none of a player's keys in."""
    from nhlog.players import KeyFile

    if config.accounts.store is None:
        KeyFile(door).remove(name)
    else:
        with _store(config) as store:
            store.remove(name)
    if config.players is not None:
        _log_out(_folder(config, name))
    _note(door, "remove", name)
    print_lines(f"{name} can no longer log in; games and recordings are kept")


def _kick(config: "Config", door: "Path", name: str) -> None:
    """End a player's sessions and games."""
    folders = [_folder(config, name)]
    _note(door, "kick", name)
    _end(folders)


def _keep_out(
    config: "Config", door: "Path", action: str, banned: tuple[str, str], span: int | None, reason: str
) -> None:
    """Ban or unban a player, a key or a network, and end the sessions and games of those who are banned."""
    import time

    from nhlog.players.bans import Ban, Bans

    kind, whose = banned
    name, what = (whose, "") if kind == "name" else (None, f"{kind} {whose}")
    folders = list(_concerned(config, kind, whose)) if action == "ban" else []
    ban = Ban(whose, None if span is None else int(time.time()) + span // 1_000_000, reason, kind)
    if action == "unban":
        Bans(door).lift(kind, whose)
        print_lines(f"{whose} may play again")
    else:
        Bans(door).put(ban)
        print_lines(f"{whose} may not play{ban._replace(reason='').told}")
    _note(door, action, name, f"{what}{ban.told if action == 'ban' else ''}".strip())
    _end(folders)


def _mute(door: "Path", action: str, name: str, span: int | None, reason: str) -> None:
    """Let a player write to nobody, or write again."""
    import time

    from nhlog.players.bans import Ban
    from nhlog.players.mutes import mutes

    mute = Ban(name, None if span is None else int(time.time()) + span // 1_000_000, reason)
    if action == "unmute":
        mutes(door).lift("name", name)
        print_lines(f"{name} may write to others again")
    else:
        mutes(door).put(mute)
        print_lines(f"{name} may not write to others{mute._replace(reason='').told}")
    _note(door, action, name, mute.told.strip() if action == "mute" else "")


def _concerned(config: "Config", kind: str, whose: str) -> "Iterator[PlayerFolder]":
    """The folders of those whom such a ban is about, as far as they are there."""
    from nhlog.players import Players
    from nhlog.players.bans import KINDS, Comer
    from nhlog.players.sessions import present

    if kind == "name":
        yield _folder(config, whose)
        return
    whose = KINDS[kind].checked(whose)
    owners = {line.name for line in _keys(config) if line.key.fingerprint == whose} if kind == "key" else set()
    for folder in [] if config.players is None else Players(config.players).all:
        comers = [Comer(address=there.address) for there in present(folder)]
        if folder.name in owners or any(KINDS[kind].is_of(whose, comer) for comer in comers):
            yield folder


def _folder(config: "Config", name: str) -> "PlayerFolder":
    from nhlog.players import Players

    if config.players is None:
        raise Usage("players is not set in the system's config.toml (docs/server.md)")
    return Players(config.players).folder(name)


def _end(folders: "list[PlayerFolder]") -> None:
    """End the sessions and games of these players."""
    from nhlog.players.sessions import end_all
    from terminal.text.words import counted

    for folder in folders:
        _log_out(folder)
        lobbies, games = end_all(folder)
        print_lines(f"ended {counted(lobbies, 'session')} and {counted(games, 'game')} of {folder.name}")


def _invite(config: "Config", uses: int, seconds: int) -> None:
    """Print a code by which people may register."""
    import time

    from nhlog.accounts.codes import digest_of, new_code
    from terminal.text.words import counted, utc_time

    now = int(time.time())
    with _store(config) as store:
        store.invite(digest_of(code := new_code()), uses, now + seconds, now)
    assert config.door is not None
    _note(config.door, "invite", None, f"{uses} until {utc_time((now + seconds) * 1_000_000)}")
    print_lines(f"{code}  for {counted(uses, 'player')}, until {utc_time((now + seconds) * 1_000_000)}")


def _code(config: "Config", door: "Path", name: str) -> None:
    """Print a code by which the player of this name adds a key or sets a password."""
    import time

    from nhlog.accounts.codes import SENT_CODE_LIFE, digest_of, new_code

    now = int(time.time())
    with _store(config) as store:
        if store.account(name) is None and _has_folder(config, name):  # who was taken over from another server
            with store.change():
                store.register(name, now)
        store.keep_code(name, digest_of(code := new_code()), now + SENT_CODE_LIFE, now)
    _note(door, "code", name)
    print_lines(f"{code}  is {name} for a day, once")


def _has_folder(config: "Config", name: str) -> bool:
    """Whether there are games and recordings of a player of this name."""
    from nhlog.players import Players

    return config.players is not None and name in {folder.name for folder in Players(config.players).all}


def _import(config: "Config", door: "Path", file: str) -> None:
    """Take over the players of a file of keys, and the bans beside it."""
    import time
    from pathlib import Path

    from nhlog.accounts.store import Taken
    from nhlog.players import KeyFile
    from nhlog.players.bans import Bans
    from terminal.text.words import counted

    now, taken = int(time.time()), 0
    lines, bans = KeyFile(Path(file)).keys, Bans(Path(file)).all(now)
    with _store(config) as store:
        for line in lines:
            if store.owner_of(line.key) == line:  # it was imported before
                continue
            try:
                store.add(line, now)
            except (Taken, Usage) as error:
                raise error.within(file) from None
            taken += 1
    for ban in bans:
        Bans(door).put(ban)
    _note(door, "import", None, file)
    print_lines(f"{counted(taken, 'key')} of {len(lines)} and {counted(len(bans), 'ban')} are new in the store")


def _back_up(config: "Config", door: "Path", file: str) -> None:
    """Write the store to a new file, which others cannot read."""
    import os

    from nhlog.files import atomic

    with _store(config) as store:
        data = store.copy()
    before = os.umask(0o077)
    try:
        atomic.write(file, [data], force=False)
    finally:
        os.umask(before)
    print_lines(f"wrote {file}")


def _store(config: "Config") -> "AbstractContextManager[Store]":
    """The store of accounts, which is made if it is not there."""
    from contextlib import contextmanager

    from nhlog.accounts.store import Store
    from nhlog.files.owners import as_owner_of

    path = config.accounts.store
    if path is None:
        raise Usage("store is not set in [accounts] of the system's config.toml (docs/server.md)")

    @contextmanager
    def opened() -> "Iterator[Store]":
        with as_owner_of(str(path.absolute().parent)), Store(path, make=True) as store:
            yield store

    return opened()


def _note(door: "Path", action: str, name: str | None, detail: str = "") -> None:
    from nhlog.players.audit import note

    note(door, action, name, detail)


def _link(config: "Config", door: "Path", name: str) -> None:
    """Print an address at which the player plays in a browser."""
    from nhlog.files import refusals
    from nhlog.files.owners import as_owner_of
    from nhlog.players.tickets import LINK, issue

    folder = _folder(config, name)
    if config.web.play is None:
        raise Usage("play is not set in [web] of the system's config.toml (docs/web.md)")
    with refusals(str(folder.path)), as_owner_of(str(config.players)):
        folder.make()
        print_lines(f"{config.web.play}#{issue(folder, LINK)}")
    _note(door, "link", name)


def _log_out(folder: "PlayerFolder") -> None:
    """Log the browsers of a player out."""
    from nhlog.files import refusals
    from nhlog.files.owners import as_owner_of
    from nhlog.players.tickets import revoke_all

    with refusals(str(folder.tickets)), as_owner_of(str(folder.path.parent)):
        revoke_all(folder)


def _may(key: "KeyLine") -> str:
    """What the key is good for."""
    return "watch" if key.spectator else "play"


def _public_key(text: str) -> "PublicKey":
    """The key that was given, or the one in the file of this name."""
    from nhlog.files import read_whole
    from nhlog.players.keys import parse_key

    if " " in text.strip():
        return parse_key(text)
    try:
        return parse_key(read_whole(text, MOST).decode("utf-8", "replace"))
    except Usage as error:
        raise error.within(text) from None


def _keys(config: "Config") -> "list[KeyLine]":
    """The keys that let somebody in."""
    from nhlog.players import KeyFile

    assert config.door is not None
    if config.accounts.store is None:
        return KeyFile(config.door).keys
    with _store(config) as store:
        return store.keys


def _without_keys(config: "Config") -> set[str]:
    """The players who may have none: those with a folder, and those of the store."""
    from nhlog.players import Players

    names = set() if config.players is None else {folder.name for folder in Players(config.players).all}
    if config.accounts.store is not None:
        with _store(config) as store:
            names |= {account.name for account in store.accounts}
    return names


def _list(config: "Config", *, as_json: bool) -> None:
    """A row for each key, and for each player without one."""
    rows: list[Record] = [
        {"player": key.name, "may": _may(key), "kind": key.key.kind, "fingerprint": key.key.fingerprint}
        for key in _keys(config)
    ]
    known = {row["player"] for row in rows}
    rows += [{"player": name, "may": None, "kind": None, "fingerprint": None} for name in _without_keys(config) - known]
    rows.sort(key=lambda row: str(row["player"]).casefold())
    if as_json:
        for row in rows:
            print_json(row)
    elif rows:
        print_table([{name: value or "" for name, value in row.items()} for row in rows])
    else:
        print_lines("there are no players yet: nhlog players add NAME KEY", err=True)


_OF_ONE = {"remove": _remove, "kick": _kick, "link": _link, "code": _code, "import": _import, "backup": _back_up}
"""The actions on one player, or with one file."""
