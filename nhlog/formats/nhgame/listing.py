"""A game in one line, from its file's header and newest lines alone, or at a glance from the header.

Takes the same time for a long game as for a short one.
"""

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.files import Stamp
from nhlog.formats.nhgame import FORMAT
from nhlog.formats.nhgame.engine import engine_name
from nhlog.listed import GameListing
from nhlog.log.file import LogCopy, LogFile, open_log_file
from nhlog.log.reading import Moment, as_one
from nhlog.log.tail import length_of_tail, read_tail
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import Header, parse_header
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.nethack4.save.head import HERO_SIZE, Hero, read_hero
from nhlog.replay import Status
from nhlog.savehead import HEAD_SIZE
from nhlog.values import pattern

__all__ = ["glance_at_game", "list_game", "list_near", "list_open"]

_SMALL = 8 << 20  # bytes of a file that is read whole in the time between two frames, whatever is in it
_NEAR = 1 << 19  # bytes after the latest backup that are
_TURN = pattern(r"(\d{1,10}) turns(?:, on |$)")
_ON = pattern(r" turns, on (.+)$")


def list_game(path: str) -> GameListing:
    """Summarise the game in the file `path`; raises :class:`~nhlog.errors.NhlogError` if it is no log."""
    with open_log_file(path) as file:
        return list_open(file)


def list_near(path: str) -> GameListing | None:
    """The same, if little has to be read for it, so that who draws a list need not leave it to others; else None."""
    with open_log_file(path) as file:
        return list_open(file) if file.size() <= _SMALL and length_of_tail(file) <= _NEAR else None


def list_open(file: LogFile | LogCopy) -> GameListing:
    """Summarise the game in a log that is open; raises as :func:`list_game`."""
    tail = read_tail(file, HERO_SIZE)
    stamp = file.stamp()
    hero = read_hero(tail.head)
    return _listing(file.name, tail.header, tail.head, hero, tail.turn, stamp, incomplete=tail.held > 0)


def glance_at_game(path: str) -> GameListing:
    """The game as its header tells it, whose turn and place may be those of the latest backup; raises the same."""
    with open_log_file(path) as file:

        def read(moment: Moment) -> tuple[Moment, Header, bytes]:
            return moment, parse_header(moment.head), file.pread(1, moment.size - 1)

        try:
            moment, header, last = as_one(file, read)
        except NhlogError as error:
            raise error.within(path) from None
        stamp = file.stamp()._replace(size=moment.size)
    head = _first_head(moment.head[header.length :].partition(b"\n")[0])
    return _listing(path, header, head, None, _turn_told(header.state), stamp, incomplete=last != b"\n")


def _first_head(line: bytes) -> bytes:
    """How the save of the first backup begins, which tells the engine; nothing where this is no such line."""
    try:
        return Blob(line[BACKUP_HEAD:]).head(HEAD_SIZE) if backup_pointer(line) is not None else b""
    except (Damaged, Unsupported):
        return b""


def _listing(
    path: str, header: Header, head: bytes, hero: Hero | None, turn: int | None, stamp: Stamp, *, incomplete: bool
) -> GameListing:
    player, words = header.player, header.words
    return GameListing(
        file=path,
        format=FORMAT,
        title=f"{player}, {words['race']} {words['role']}",
        people=(player,),
        duration=None,
        player=player,
        role=words["role"],
        race=words["race"],
        engine=engine_name(header.identification.version, head),
        turn=turn,
        place=hero.place if hero else _place_told(header.state),
        level=hero.level if hero else None,
        hp=hero.hp if hero else None,
        hp_max=hero.hp_max if hero else None,
        start=header.start,
        changed=stamp.modified // 1000,
        size=stamp.size,
        status=Status.NEEDS_RECOVERY if incomplete else Status.FINISHED if header.finished else Status.LIVE,
        state=header.state,
    )


def _turn_told(state: str) -> int | None:
    """The turn in the header's own words about a game that goes on; None where they are about something else."""
    found = _TURN.search(state)
    return int(found[1]) if found else None


def _place_told(state: str) -> str | None:
    """The place in the header's state line of an unfinished game, which is as old as its latest backup."""
    found = _ON.search(state)
    return found[1] if found else None
