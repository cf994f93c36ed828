"""Parsing of the stored teams of a frame: bytes in, values out.

Bytes that are cut off raise `struct.error` or :class:`IndexError`, which `frames` turns into :class:`Incomplete`.
"""

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.stored import Layout, Numbers, StoredPlayer, StoredTeam
from nhlog.values import NamedTuple

__all__ = ["TeamReader", "read_people", "read_teams"]

_STATS: Final = Struct("<10BeH")
_POSES: Final = tuple(
    Struct("<" + "".join(part for bit, part in enumerate(("eee", "I") * 4) if bits >> bit & 1)) for bits in range(256)
)

_POSE_SIZES: Final = tuple(form.size for form in _POSES)


class _Form(NamedTuple):
    """The struct of what follows a player's flags, for one value of them, and the slices of its parts."""

    struct: Struct
    stats: slice
    ping: slice
    holding: slice
    velocity: slice


@cache
def _forms(version: int, arena: bool, combat: bool) -> tuple[_Form, ...]:
    """The form for each value of the bits above the flags (4 flags in versions 1 and 2, 5 in version 3)."""
    stats, ping, holding, velocity = ("<10BeH", 12), ("he", 2), ("BB", 2), ("eee", 3)
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
    """The size of a player in bytes up to the poses, for each form."""
    return tuple(3 + form.struct.size for form in _forms(version, arena, combat))


def _team_bits(data: bytes, at: int) -> tuple[int, int]:
    bits = data[at]
    if bits & 0xE0:
        raise Damaged("no such team", expected="5 bits", found=f"{bits:08b}")
    return bits, at + 1


TeamReader = Callable[[bytes, int, Layout], tuple[tuple[StoredTeam, StoredTeam, StoredTeam], int]]


def read_people(data: bytes, at: int, layout: Layout) -> tuple[tuple[StoredTeam, StoredTeam, StoredTeam], int]:
    """The teams with only the first two fields of each player, `who` and `playerid`, and the offset of their end."""
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
    """The teams with all that is stored of them, and the offset of their end."""
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
