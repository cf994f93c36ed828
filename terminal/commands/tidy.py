"""`nhlog tidy`: old recordings of programs are packed, and older ones removed."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from nhlog.errors import Usage
from nhlog.values import dataclass
from terminal.options import FILE, age_option, json_option
from terminal.output import confirm, print_error, print_json, print_lines, print_table

if TYPE_CHECKING:
    from nhlog.config import Config

__all__ = ["command"]

PACK: Final = "pack"
REMOVE: Final = "remove"
_PAST: Final = {PACK: "packed", REMOVE: "removed"}
_LEFT: Final = "left"
_REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True)
class _Due:
    """A recording to which something is to be done; `changed` in microseconds since 1970, `size` in bytes."""

    file: str
    does: str
    changed: int
    size: int


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was done, or would be; `packed` is the size afterwards, `why` what is in the way."""

    done: str
    packed: int | None = None
    why: str | None = None


@click.command("tidy")
@click.argument("folders", nargs=-1, type=FILE, metavar="[DIR...]")
@age_option("--pack-after", "Compress what has not changed for this long")
@age_option("--remove-after", "Delete what has not changed for this long")
@click.option("--over-quota", is_flag=True, help="Delete the oldest recordings of players whose quota is used up.")
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.option("--yes", is_flag=True, help="Do not ask before deleting.")
@json_option
def command(
    folders: tuple[str, ...],
    pack_after: int | None,
    remove_after: int | None,
    over_quota: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Compress old recordings of programs, and delete older ones.

    It looks in the folders of all players, and in `games` and `recordings` of config.toml, or in DIR. NAME.cast becomes
    NAME.cast.zst (likewise .ttyrec), opens as before, and keeps its age. It is read back before NAME.cast is deleted.
    Recordings that are being written or watched, or have cuts (see `nhlog cuts`), are left alone, as are all games of
    delve and NetHack 4.

    --over-quota deletes only enough to give a player room for another game (see quota_games and quota_bytes).

    \b
    nhlog tidy --pack-after 7d --dry-run
    nhlog tidy --pack-after 7d --remove-after 365d --over-quota --yes
    nhlog tidy /var/games/recordings --pack-after 12h
    """
    import time

    from nhlog.config import read_config

    if pack_after is None and remove_after is None and not over_quota:
        raise Usage("nothing to do", expected="--pack-after AGE, --remove-after AGE or --over-quota")
    config, now, codes = read_config(), time.time_ns() // 1000, [0]
    found = _recordings(folders or tuple(_folders(config)), codes)
    due = [
        *_older(found, now, REMOVE, remove_after),
        *(_over_quota(found, config, codes) if over_quota else ()),
        *_older(found, now, PACK, pack_after),
    ]
    due = list({each.file: each for each in reversed(due)}.values())[::-1]  # what is removed is not packed first
    if not dry_run and not yes:
        _ask([each for each in due if each.does == REMOVE])
    outcomes = [(each, (_would if dry_run else _do)(each, codes)) for each in due]
    _tell(outcomes, as_json=as_json)
    return max(codes)


def _folders(config: "Config") -> Iterator[str]:
    """Where recordings are by default, as far as these folders are there."""
    from nhlog.players import Players

    players = Players(config.players).all if config.players is not None else []
    for folder in (config.games, *config.recordings, *(player.recordings for player in players)):
        if folder.is_dir():
            yield str(folder)


def _recordings(folders: Sequence[str], codes: list[int]) -> list[_Due]:
    """The recordings of programs, the oldest first, for which nothing is due yet.

    A folder that cannot be read is told, and its exit code added to `codes`.
    """
    from nhlog.files import reason
    from nhlog.recorder.packing import is_of_program

    found = []
    for folder in folders:
        try:
            files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
            states = [(file, os.lstat(file)) for file in files if is_of_program(file)]
        except OSError as error:
            print_error(f"{error.filename}: {reason(error)}")
            codes.append(1)
            continue
        found += [
            _Due(file, "", state.st_mtime_ns // 1000, state.st_size)
            for file, state in states
            if stat.S_ISREG(state.st_mode)
        ]
    return sorted(found, key=lambda due: due.changed)


def _older(found: Sequence[_Due], now: int, does: str, age: int | None) -> Iterator[_Due]:
    from nhlog.recorder.packing import is_packable

    for due in found:
        if age is not None and due.changed <= now - age and (does != PACK or is_packable(due.file)):
            yield _Due(due.file, does, due.changed, due.size)


def _over_quota(found: Sequence[_Due], config: "Config", codes: list[int]) -> Iterator[_Due]:
    """The oldest recordings of each player who has no room, as many as have to go.

    Where that makes no room all stay; it is told, with an exit code in `codes`.
    """
    from nhlog.players import Players, Quota
    from nhlog.players.quota import excess

    if config.players is None:
        raise Usage("players is not set in config.toml, so nobody has a quota", expected="players = FOLDER")
    players = Players(config.players)
    for player in players.all:
        games, size = excess(player, Quota(config.quota_games, config.quota_bytes))
        oldest = []
        for due in found:
            if (games > 0 or size > 0) and players.owner(due.file) == player.name and not _in_use(due):
                games, size = games - 1, size - due.size
                oldest.append(_Due(due.file, REMOVE, due.changed, due.size))
        if games > 0 or size > 0:
            print_error(f"{player.path}: removing recordings would not make enough room: other files take too much")
            codes.append(1)
        else:
            yield from oldest


def _in_use(due: _Due) -> str | None:
    """Why it is left alone; None if it is not."""
    from nhlog.errors import NhlogError
    from nhlog.recorder.packing import check_unused

    try:
        check_unused(due.file)
    except NhlogError as error:
        return error.message
    return None


def _ask(due: Sequence[_Due]) -> None:
    if due:
        print_lines(*(each.file for each in due), err=True)
        if not confirm(f"Remove {'this recording' if len(due) == 1 else f'these {len(due)} recordings'}?"):
            raise click.Abort


def _would(due: _Due, codes: list[int]) -> _Outcome:
    why = _in_use(due)
    return _Outcome(_LEFT, why=why) if why else _Outcome(f"would {due.does}")


def _do(due: _Due, codes: list[int]) -> _Outcome:
    """Do it; what is refused is printed, and its exit code added to `codes`."""
    from nhlog.errors import LockNotObtained, NhlogError
    from nhlog.recorder.packing import pack, remove

    does: dict[str, Callable[[str], Any]] = {PACK: lambda file: os.stat(pack(file)).st_size, REMOVE: remove}
    try:
        return _Outcome(_PAST[due.does], does[due.does](due.file))
    except LockNotObtained as error:
        return _Outcome(_LEFT, why=error.message)
    except NhlogError as error:
        codes.append(error.exit_code)
        print_error(str(error))
        return _Outcome(_REFUSED, why=error.message)


def _tell(outcomes: Sequence[tuple[_Due, _Outcome]], *, as_json: bool) -> None:
    from terminal.text.words import size, utc_time

    if as_json:
        for due, outcome in outcomes:
            print_json(
                {
                    "file": due.file,
                    "changed": due.changed,
                    "size": due.size,
                    "done": outcome.done,
                    "packed_size": outcome.packed,
                    "why": outcome.why,
                }
            )
    elif outcomes:
        print_table(
            [
                {
                    "file": due.file,
                    "changed": utc_time(due.changed).removesuffix(" UTC")[:16],
                    "size": size(due.size),
                    "packed": "" if outcome.packed is None else size(outcome.packed),
                    "done": outcome.done if outcome.why is None else f"{outcome.done}: {outcome.why}",
                }
                for due, outcome in outcomes
            ]
        )
    else:
        print_lines("no recording is old enough, or over a quota", err=True)
