"""The frames of a chunk as they are stored (spec 3 and 5): bytes in, values out, nothing is added up.

What a frame leaves out is an empty tuple or None.  A frame is given whole or not at all: what breaks the rules raises
:class:`Damaged` with the offset of its frame in the chunk.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from struct import Struct, error
from typing import Any, Final, NamedTuple

from nhlog.errors import Damaged
from nhlog.formats.butter.bones import bones_end
from nhlog.formats.butter.header import Header
from nhlog.formats.butter.values import Person

__all__ = [
    "EARLY",
    "Layout",
    "Stored",
    "StoredPlayer",
    "StoredTeam",
    "TeamReader",
    "layout_of",
    "layouts",
    "read_frames",
    "read_people",
    "read_teams",
]

_KEY: Final = b"\xfc\xfe"
_OTHER: Final = b"\xfe\xfe"
_MOST_TEXT: Final = 1024  # bytes after which the reference takes a string for complete
_TIMES: Final = range(-62_135_596_800_000, 253_402_300_800_000)  # ms that a date of the reference can be

_NEEDED: Final = {1: 0xFF, 2: 0x6C, 3: 0x1B}  # sections without which the reference reads no keyframe, by version

_KEY_HEAD: Final = Struct("<qfB")
_HEAD: Final = Struct("<HfB")
_PAUSE: Final = Struct("<BBee")
_SHORT_PAUSE: Final = Struct("<Bee")
_SCORE: Final = Struct("<BBBee")
_THROW: Final = Struct("<13e")
_POSE: Final = Struct("<eeeI")
_DISC: Final = Struct("<eeeIeee")
_PAYLOAD: Final = Struct("<BBBee")
_RULES: Final = Struct("<q")
_STATS: Final = Struct("<10BeH")
_POSES: Final = tuple(
    Struct("<" + "".join(part for bit, part in enumerate(("eee", "I") * 4) if bits >> bit & 1)) for bits in range(256)
)

_POSE_SIZES: Final = tuple(form.size for form in _POSES)

Numbers = tuple[Any, ...]  # as a struct gives them: integers and floats


class StoredPlayer(NamedTuple):
    """A player: what is stored of each part, in the order of the file; `parts` says which `poses` there are."""

    who: Person
    playerid: int
    flags: int
    stats: Numbers
    ping: Numbers
    holding: Numbers
    velocity: Numbers
    parts: int
    poses: Numbers
    loadout: int | None


class StoredTeam(NamedTuple):
    """A team; its players are `StoredPlayer`, or their first two fields where no more was asked for."""

    possession: bool
    stats: Numbers
    players: tuple[Any, ...]


class Stored(NamedTuple):
    """A frame at byte `offset` of its chunk; `time` is absolute in a keyframe, else ms since the frame before."""

    offset: int
    key: bool
    time: int
    clock: float
    status: int | None
    points: Numbers
    inputs: int | None
    pause: Numbers
    score: Numbers
    throw: Numbers
    vr: Numbers
    disc: Numbers
    payload: Numbers
    rules: tuple[int, str] | None
    teams: tuple[StoredTeam, StoredTeam, StoredTeam]
    bones: bytes | None


_PAUSE_STATES: Final = 6
_MOST_CHANGED: Final = 1 << 56  # no date, in whatever unit, is later
EARLY: Final = 5  # bytes of a pause before package 1.3.4


@dataclass(frozen=True, slots=True)
class Layout:
    """How the frames of a file are laid out: by version, map, and the bytes that a pause takes."""

    version: int
    arena: bool
    combat: bool
    pause: int
    people: tuple[Person | None, ...]


def layouts(header: Header) -> tuple[Layout, ...]:
    """The layouts that a file with this header may have, the likeliest first."""
    nobody = header.person(0)
    pauses = (6, EARLY) if header.version == 3 else (EARLY,)
    return tuple(
        Layout(header.version, header.arena, header.combat, pause, (nobody, *header.people)) for pause in pauses
    )


def layout_of(data: bytes, header: Header) -> Layout:
    """The layout of the file that this chunk is of.

    The version number does not tell (spec 5), so each is tried: one in which all frames can be read and say nothing odd
    is right, else one in which they can be read, else the likeliest.
    """
    candidates = layouts(header)
    if len(candidates) == 1:
        return candidates[0]
    readable = []
    for layout in candidates:
        try:
            frames = list(read_frames(data, layout))
        except Damaged:
            continue
        if all(map(_plausible, frames)):
            return layout
        readable.append(layout)
    return [*readable, *candidates][0]


def _plausible(frame: Stored) -> bool:
    """Whether nothing in it is odd: read a byte too late, a name lends its first letter to the date before it."""
    changed, name = frame.rules or (0, "")
    paused = frame.pause[1] if frame.pause else 0
    return paused < _PAUSE_STATES and name.isprintable() and 0 <= changed < _MOST_CHANGED


def read_frames(data: bytes, layout: Layout, teams: "TeamReader | None" = None) -> Iterator[Stored]:
    """The frames of a chunk, the teams as `teams` reads them (all of them if None).

    Raises :class:`Damaged` at the first frame that breaks the rules.
    """
    at = 0
    reader = teams or read_teams
    sections = _sections if layout.version == 3 else _old_sections
    while at < len(data):
        try:
            frame, at = _frame(data, at, layout, sections, reader)
        except (error, IndexError):
            raise Damaged("a frame is cut off", offset=at, expected="more bytes", found=len(data) - at) from None
        except Damaged as fault:
            fault.offset = at
            raise
        yield frame


def _frame(data: bytes, at: int, layout: Layout, sections: Any, reader: "TeamReader") -> tuple[Stored, int]:
    start, mark = at, data[at : at + 2]
    if mark == _OTHER:
        time, clock, bits = _HEAD.unpack_from(data, at + 2)
        at += 9
    elif mark == _KEY:
        time, clock, bits = _KEY_HEAD.unpack_from(data, at + 2)
        at += 15
        if time not in _TIMES:
            raise Damaged("no such date", expected=f"{_TIMES.start} to {_TIMES.stop - 1} ms", found=time)
    else:
        raise Damaged("not the beginning of a frame", expected="FCFE or FEFE", found=mark.hex().upper())
    needed = _NEEDED[layout.version]
    if mark == _KEY and bits & needed != needed:
        raise Damaged("a keyframe without a part of it", expected=f"{needed:08b}", found=f"{bits:08b}")
    found, at = sections(data, at, bits, layout)
    teams, at = reader(data, at, layout)
    end = bones_end(data, at)
    bones = data[at:end] if data[at] & 1 else None
    return Stored._make((start, mark == _KEY, time, clock, *found, teams, bones)), end


def _sections(data: bytes, at: int, bits: int, layout: Layout) -> tuple[Numbers, int]:
    """Status to rules of version 3."""
    status = inputs = rules = None
    points: Numbers = ()
    pause: Numbers = ()
    score = throw = vr = disc = payload = ()
    if bits & 1:
        form = _points(layout.arena, layout.combat)
        status, *numbers, inputs = form.unpack_from(data, at)
        points = tuple(numbers)
        at += form.size
    if bits & 2:
        pause, at = _pause(data, at, layout.pause)
    if bits & 4:
        score = _SCORE.unpack_from(data, at)
        at += 7
    if bits & 8:
        throw = _THROW.unpack_from(data, at)
        at += 26
    if bits & 16:
        vr = _POSE.unpack_from(data, at)
        at += 10
    if bits & 32:
        disc = _DISC.unpack_from(data, at)
        at += 16
    if bits & 64:
        payload = _PAYLOAD.unpack_from(data, at)
        at += 7
    if bits & 128:
        rules, at = _rules(data, at)
    return (status, points, inputs, pause, score, throw, vr, disc, payload, rules), at


def _old_sections(data: bytes, at: int, bits: int, layout: Layout) -> tuple[Numbers, int]:
    """Status to disc of versions 1 and 2."""
    status = inputs = None
    points: Numbers = ()
    pause: Numbers = ()
    score = throw = vr = disc = ()
    if bits & 1:
        status = data[at]
        at += 1
    if bits & 2:
        points = (data[at], data[at + 1])
        at += 2
    if bits & 4:
        pause, at = _pause(data, at, layout.pause)
    if bits & 8:
        inputs = data[at]
        at += 1
    if bits & 16:
        score = _SCORE.unpack_from(data, at)
        at += 7
    if bits & 32:
        throw = _THROW.unpack_from(data, at)
        at += 26
    if bits & 64:
        vr = _POSE.unpack_from(data, at)
        at += 10
    if bits & 128:
        disc = _DISC.unpack_from(data, at)
        at += 16
    return (status, points, inputs, pause, score, throw, vr, disc, (), None), at


@cache
def _points(arena: bool, combat: bool) -> Struct:
    return Struct("<BBBB" if arena else "<BeeB" if combat else "<BB")


def _pause(data: bytes, at: int, size: int) -> tuple[Numbers, int]:
    """Flags, state, two timers."""
    if size == EARLY:
        flags, paused, unpaused = _SHORT_PAUSE.unpack_from(data, at)
        return (flags, flags >> 6, paused, unpaused), at + size
    return _PAUSE.unpack_from(data, at), at + size


def _rules(data: bytes, at: int) -> tuple[tuple[int, str], int]:
    (changed,) = _RULES.unpack_from(data, at)
    at += 8
    end = data.find(0, at, at + _MOST_TEXT)
    if end < 0:
        if len(data) - at < _MOST_TEXT:
            raise Damaged("a string without end")
        name, at = data[at : at + _MOST_TEXT], at + _MOST_TEXT
    else:
        name, at = data[at:end], end + 1
    return (changed, name.decode("ascii", "replace").replace("\ufffd", "?")), at


class _Form(NamedTuple):
    """What follows the flags of a player, for one pattern of them, and where its parts are."""

    struct: Struct
    stats: slice
    ping: slice
    holding: slice
    velocity: slice


@cache
def _forms(version: int, arena: bool, combat: bool) -> tuple[_Form, ...]:
    """The forms for every value of the bits above the flags (4 flags in version 1 and 2, then 5)."""
    stats, ping, holding, velocity = ("<10BeH", 12), ("He" if version == 1 else "he", 2), ("BB", 2), ("eee", 3)
    holds = arena if version == 3 else version == 1 or not combat
    forms = []
    for bits in range(8 if version == 3 else 16):
        has = [bits & 1, bits & 2, bits & 2, bits & 4] if version == 3 else [bits & 1, bits & 2, bits & 4, bits & 8]
        has[2] = has[2] and holds
        text, at, slices = "", 0, []
        for part, (form, count) in zip(has, (stats, ping, holding, velocity), strict=True):
            count = count if part else 0
            text += form.strip("<") if part else ""
            slices.append(slice(at, at + count))
            at += count
        forms.append(_Form(Struct(f"<{text}B"), *slices))
    return tuple(forms)


@cache
def _form_sizes(version: int, arena: bool, combat: bool) -> tuple[int, ...]:
    """The bytes of a player up to the poses."""
    return tuple(3 + form.struct.size for form in _forms(version, arena, combat))


def _team_bits(data: bytes, at: int) -> tuple[int, int]:
    bits = data[at]
    if bits & 0xE0:
        raise Damaged("no such team", expected="5 bits", found=f"{bits:08b}")
    return bits, at + 1


TeamReader = Callable[[bytes, int, Layout], tuple[tuple[StoredTeam, StoredTeam, StoredTeam], int]]


def read_people(data: bytes, at: int, layout: Layout) -> tuple[tuple[StoredTeam, StoredTeam, StoredTeam], int]:
    """The teams with nothing but who is in them: the first two fields of each player."""
    bits, at = _team_bits(data, at)
    forms = _form_sizes(layout.version, layout.arena, layout.combat)
    shift = 5 if layout.version == 3 else 4
    loadout = int(layout.combat and layout.version > 1)
    people = layout.people
    teams = []
    for team in range(3):
        at += 14 * (bits >> team + 2 & 1)
        players = []
        left = data[at]
        at += 1
        while left:
            left -= 1
            players.append((people[data[at]], data[at + 1]))
            at += forms[data[at + 2] >> shift]
            at += _POSE_SIZES[data[at - 1]] + loadout
        teams.append(StoredTeam(team < 2 and bool(bits >> team & 1), (), tuple(players)))
    return (teams[0], teams[1], teams[2]), at


def read_teams(data: bytes, at: int, layout: Layout) -> tuple[tuple[StoredTeam, StoredTeam, StoredTeam], int]:
    """The teams with all that is stored of them."""
    bits, at = _team_bits(data, at)
    forms = _forms(layout.version, layout.arena, layout.combat)
    shift = 5 if layout.version == 3 else 4
    flags = (1 << shift) - 1
    loadouts = layout.combat and layout.version > 1
    people, poses, make = layout.people, _POSES, tuple.__new__
    teams = []
    for team in range(3):
        stats: Numbers = ()
        if bits >> team + 2 & 1:
            stats = _STATS.unpack_from(data, at)
            at += 14
        players = []
        left = data[at]
        at += 1
        while left:
            left -= 1
            state = data[at + 2]
            who, playerid = people[data[at]], data[at + 1]
            form, in_stats, in_ping, in_holding, in_velocity = forms[state >> shift]
            numbers = form.unpack_from(data, at + 3)
            at += 3 + form.size
            parts = numbers[-1]
            pose = poses[parts]
            placed = pose.unpack_from(data, at)
            at += pose.size
            loadout = None
            if loadouts:
                loadout = data[at]
                at += 1
            players.append(
                make(
                    StoredPlayer,
                    (
                        who,
                        playerid,
                        state & flags,
                        numbers[in_stats],
                        numbers[in_ping],
                        numbers[in_holding],
                        numbers[in_velocity],
                        parts,
                        placed,
                        loadout,
                    ),
                )
            )
        teams.append(StoredTeam(team < 2 and bool(bits >> team & 1), stats, tuple(players)))
    return (teams[0], teams[1], teams[2]), at
