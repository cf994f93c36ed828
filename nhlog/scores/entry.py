"""What the log of a game tells for an xlogfile, under NetHack's names for it.

A log's last save is from before the command that ended a NetHack 4 game: hit points and the like are as of that save.
What cannot be known is left out.
"""

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from nhlog.cache import Index, fingerprint_of
from nhlog.engines import engines
from nhlog.errors import NhlogError
from nhlog.formats.nhgame.open import open_replay
from nhlog.formats.nhgame.replay import LEFT, LogReplay
from nhlog.formats.nhgame.stats import PlayTime
from nhlog.nethack4.hero.score import deepest_of, score_of
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.version import NETHACK4
from nhlog.scores.wire import Entry, parse_entry
from nhlog.session.replay import GameReplay, with_engine

__all__ = ["Ended", "entry_of", "identity_of", "log_of", "open_ended", "told_of"]

Ended = LogReplay | GameReplay
T = TypeVar("T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECONDS: Final = 1_000_000
_NUMBERS: Final = {  # what an engine's record may tell of the status, and what an xlogfile calls it
    "score": "points",
    "depth": "deathlev",
    "deepest": "maxlvl",
    "hp": "hp",
    "hp_max": "maxhp",
    "level": "xplevel",
}
_OURS: Final = frozenset(
    """
    version deathdate birthdate uid name starttimeus endtimeus starttime endtime realtime mode engine
    """.split()  # noqa: SIM905
)
"""What the log knows better than a line that the game itself wrote: its clock may stand."""
_MODES: Final = {"set seed": "setseed", "wizard": "debug"}  # where NetHack 4 has another word for one of `MODES`


def open_ended(path: str) -> Ended:
    """The game in the file `path`, at its last line, with its engine where that is installed.

    Raises :class:`~nhlog.errors.NhlogError`.
    """
    lines = open_replay(path)
    try:
        replay = with_engine(lines) if lines.info.metadata["engine"] in engines() else lines
        replay.seek(replay.timeline.last)
    except BaseException:
        lines.close()
        raise
    return replay


def told_of(path: str, tell: Callable[[Ended], T], kept: Index[T]) -> T:
    """What `tell` says of the finished game in the file `path`; kept as long as file and engines stay the same.

    Raises :class:`~nhlog.errors.NhlogError`, also for a game that goes on.
    """
    state, how = fingerprint_of(path), " ".join(engines())  # without its engine a log tells less
    told = kept.load(state, how)
    if told is None:
        with closing(open_ended(path)) as replay:
            header = log_of(replay).log.header
            if not header.finished:
                raise NhlogError("this game is not finished", file=path, found=header.state)
            told = tell(replay)
        kept.store(state, told, how)
    return told


def log_of(replay: Ended) -> LogReplay:
    """The lines of the replay."""
    return replay.lines if isinstance(replay, GameReplay) else replay


def entry_of(replay: Ended, owner: int) -> Entry:
    """The fields of a game that is over, whose file belongs to the user `owner`."""
    log = log_of(replay).log
    header, columns = log.header, log.columns
    start, end = header.start, columns.utc(len(log) - 1)
    told: Entry = {
        "version": _version(header.identification.version),
        **_numbers(replay),
        "deathdate": _day(end, columns.zone),
        "birthdate": _day(start, columns.zone),
        "uid": owner,
        "role": header.role.capitalize(),
        "race": header.race.capitalize(),
        "gender": header.gender.capitalize(),
        "align": header.alignment.capitalize(),
        "name": header.player,
        "death": header.state,
        "turns": columns.last_turn,
        "starttimeus": start,
        "endtimeus": end,
        "starttime": start // _MICROSECONDS,
        "endtime": end // _MICROSECONDS,
        "realtime": PlayTime(columns).total // _MICROSECONDS,
        "mode": _MODES.get(header.mode_word, header.mode_word),
        "engine": str(replay.info.metadata["engine"]),
    }
    return told | {name: value for name, value in _own_line(replay).items() if name not in _OURS}


def _own_line(replay: Ended) -> dict[str, str]:
    """The fields of the line that the game wrote itself of its end; none for a game that writes no such line."""
    try:
        record = replay.session.game.record() if isinstance(replay, GameReplay) else {}
        line = record.get("xlogfile")
        return parse_entry(line.encode()) if isinstance(line, str) and line else {}
    except NhlogError:
        return {}


def identity_of(entry: Entry) -> bytes:
    """What is in the line of this game's end and in no other: when it began and when it ended, to the microsecond."""
    return f":starttimeus={entry['starttimeus']}:endtimeus={entry['endtimeus']}:".encode()


def _numbers(replay: Ended) -> dict[str, int]:
    """What the last save tells of the hero; nothing where it cannot be read."""
    try:
        if isinstance(replay, GameReplay):
            return _of_record(replay)
        if replay.info.metadata["engine"] == NETHACK4:
            return _of_save(Save.parse(replay.state.save), replay.log.header.state)
    except NhlogError:
        pass
    return {}


def _of_record(replay: GameReplay) -> dict[str, int]:
    status: Any = replay.session.game.record().get("status")
    known = status if isinstance(status, dict) else {}
    numbers = {name: known[key] for key, name in _NUMBERS.items() if isinstance(known.get(key), int)}
    return numbers | {"deaths": _deaths(replay.lines.log.header.state)}


def _of_save(save: Save, ending: str) -> dict[str, int]:
    you = save.you
    return {
        "points": score_of(save, ending),
        "deathdnum": you.dnum,
        "deathlev": save.dungeons.depth(save.here),
        "maxlvl": deepest_of(save),
        "hp": you.uhp,
        "maxhp": you.uhpmax,
        "deaths": you.umortality + _deaths(ending),
        "xplevel": you.ulevel,
        "exp": you.uexp,
    }


def _deaths(ending: str) -> int:
    return int(not ending.startswith(LEFT))


def _version(version: str) -> str:
    """The three numbers as NetHack writes them: ``4.3.0``."""
    return ".".join(str(int(number)) for number in version.split("."))


def _day(moment: int, zone: int) -> str:
    """The date in the game's time zone as eight digits; zeros if it is outside the calendar."""
    try:
        return f"{_EPOCH + timedelta(microseconds=moment, seconds=zone):%Y%m%d}"
    except OverflowError:
        return "00000000"
