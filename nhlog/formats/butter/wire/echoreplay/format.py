"""A frame as the game's HTTP API gives it: the record that `dump` prints and that .echoreplay lines hold.

Names and nesting are those of the API; what a .butter file does not store has the value that the reference gives it.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.primitives import singles
from nhlog.formats.butter.wire.rotations import axes
from nhlog.formats.butter.wire.values import Axes, Bones, Frame, Player, Pose, Rotation, Stats

__all__ = ["bones_record", "frame_record", "shortest_floats"]

_STATS: Final = (
    "possession_time",
    "points",
    "saves",
    "goals",
    "stuns",
    "passes",
    "catches",
    "steals",
    "blocks",
    "interceptions",
    "assists",
    "shots_taken",
)
_INPUTS: Final = (
    "left_shoulder_pressed",
    "right_shoulder_pressed",
    "left_shoulder_pressed2",
    "right_shoulder_pressed2",
)

_WORDS: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}

_NORMAL: Final = 2.0**-126  # the least float32 of 24 bits
_SURE: Final = 6  # digits of a decimal that any normal float32 keeps

Number = float | str  # a string for NaN and infinities, which JSON does not have
Expand = Callable[[Rotation], Axes]


def shortest_floats(values: Sequence[float]) -> list[Number]:
    """Each float32 with the fewest digits that identify it; NaN and infinities as strings.

    Seven digits, where they identify it, end in zeros where fewer do, but for two kinds of rare numbers: those below
    the normal ones, which have fewer bits, and some just above a power of two and below one of ten, whose neighbours
    are farther apart than the seventh digit tells (8.5899e9: 8589941000 and 8589940000 are the same).
    """
    wanted = tuple(values)
    told = _form(7, len(wanted)) % wanted
    short = [*map(float, told.split())]
    found = singles(short)
    for digits in (8, 9):
        if found == wanted:
            break
        longer = _in_digits(digits, wanted)
        triples = zip(short, found, longer, wanted, strict=True)
        short = [brief if single == value else long for brief, single, long, value in triples]
        found = singles(short)
    if "e" in told or "0.0009" in told:  # of both kinds none is told otherwise
        short = [*map(_shorter, wanted, short)]
    if found == wanted and math.inf not in short and -math.inf not in short:
        return short  # type: ignore[return-value]
    return [value if math.isfinite(value) else _WORDS[str(value)] for value in short]


def _shorter(value: float, short: float) -> float:
    """`short`, or the value with fewer digits if they, too, identify it."""
    for digits in range(1 if abs(value) < _NORMAL else _SURE, 7):
        brief = float(f"{value:.{digits}g}")
        if singles((brief,)) == (value,):
            return brief
    return short


def _in_digits(digits: int, values: tuple[float, ...]) -> list[float]:
    return [*map(float, (_form(digits, len(values)) % values).split())]


@cache
def _form(digits: int, count: int) -> str:
    return " ".join([f"%.{digits}g"] * count)


def _one(value: float) -> Number:
    return shortest_floats((value,))[0]


def clock_display(clock: float) -> str:
    """The game clock (seconds) as the game shows it, ``mm:ss.hh``, truncated; ``NaN`` if it is not finite."""
    if not math.isfinite(clock):
        return "NaN"
    whole = int(clock)
    minutes, seconds = int(whole / 60), int(math.fmod(whole, 60))
    return f"{_two(minutes)}:{_two(seconds)}.{_two(int(singles(((clock - whole) * 100,))[0]))}"


def _two(number: int) -> str:
    return f"-{-number:02}" if number < 0 else f"{number:02}"


def frame_record(header: Header, frame: Frame, expand: Expand = axes) -> dict[str, Any]:
    """A frame as the JSON object of the game's HTTP API; `expand` turns a rotation into its axes."""
    team_records = [
        {
            "players": [_player(player, expand) for player in team.players],
            "team": team.name,
            "possession": team.possession,
            "stats": _stats(team.stats),
        }
        for team in frame.teams
    ]
    forward, left, up = map(shortest_floats, expand(frame.vr.rotation))
    disc = frame.disc
    pause, score, payload = frame.pause, frame.last_score, frame.payload
    return {
        "err_code": 0,
        "err_description": None,
        "disc": disc
        and {
            "position": shortest_floats(disc.position),
            **_turned(disc.rotation, expand),
            "velocity": shortest_floats(disc.velocity),
            "bounce_count": 0,
        },
        "last_throw": dict(zip(frame.last_throw._fields, shortest_floats(frame.last_throw), strict=True)),
        "sessionid": header.sessionid,
        "sessionip": header.sessionip,
        "blue_team_restart_request": frame.restarts[0],
        "orange_team_restart_request": frame.restarts[1],
        "game_status": frame.status,
        "game_clock": _one(frame.clock),
        "game_clock_display": clock_display(frame.clock),
        "match_type": header.match_type,
        "map_name": header.map_name,
        "private_match": header.private_match,
        "tournament_match": False,
        "blue_points": _one(frame.points[0]),
        "orange_points": _one(frame.points[1]),
        "blue_round_score": header.blue_round_score,
        "orange_round_score": header.orange_round_score,
        "total_round_count": header.total_round_count,
        "player": {
            "vr_left": left,
            "vr_position": shortest_floats(frame.vr.position),
            "vr_forward": forward,
            "vr_up": up,
        },
        "pause": {
            **pause._asdict(),
            "paused_timer": _one(pause.paused_timer),
            "unpaused_timer": _one(pause.unpaused_timer),
        },
        "possession": None,
        **{name: bool(frame.inputs >> bit & 1) for bit, name in enumerate(_INPUTS)},
        "rules_changed_by": frame.rules.changed_by,
        "rules_changed_at": frame.rules.changed_at,
        "client_name": header.client_name,
        "last_score": score
        and {
            **score._asdict(),
            "disc_speed": _one(score.disc_speed),
            "distance_thrown": _one(score.distance_thrown),
        },
        "teams": team_records,
        "contested": payload.contested if payload else False,
        "payload_multiplier": 0.0,
        "payload_checkpoint": payload.checkpoint if payload else 0,
        "payload_distance": _one(payload.distance) if payload else 0.0,
        "payload_defenders": payload.defenders if payload else 0,
        "payload_speed": _one(payload.speed) if payload else 0.0,
    }


def _player(player: Player, expand: Expand) -> dict[str, Any]:
    loadout, who = player.loadout, player.who
    return {
        "Weapon": loadout and loadout.weapon,
        "Ordnance": loadout and loadout.ordnance,
        "TacMod": loadout and loadout.tac_mod,
        "Arm": loadout and loadout.arm,
        "head": _transform(player.head, "position", expand),
        "body": _transform(player.body, "position", expand),
        "rhand": _transform(player.right_hand, "pos", expand),
        "playerid": player.playerid,
        "name": who.name,
        "userid": who.userid,
        "stats": _stats(player.stats),
        "number": who.number,
        "level": who.level,
        "stunned": player.stunned,
        "ping": player.ping,
        "packetlossratio": _one(player.loss),
        "holding_left": player.holding[0],
        "holding_right": player.holding[1],
        "invulnerable": player.invulnerable,
        "possession": player.possession,
        "lhand": _transform(player.left_hand, "pos", expand),
        "blocking": player.blocking,
        "is_emote_playing": player.emote,
        "velocity": shortest_floats(player.velocity),
    }


def _transform(pose: Pose, place: str, expand: Expand) -> dict[str, Any]:
    """A pose; the API calls the position of a hand `pos`, any other one `position`."""
    return {**_turned(pose.rotation, expand), "pos": None, "position": None, place: shortest_floats(pose.position)}


def _turned(rotation: Rotation, expand: Expand) -> dict[str, Any]:
    forward, left, up = map(shortest_floats, expand(rotation))
    return {"forward": forward, "left": left, "up": up}


def _stats(stats: Stats) -> dict[str, Any]:
    record = {name: getattr(stats, name) for name in _STATS}
    record["possession_time"] = _one(stats.possession_time)
    return record


def bones_record(bones: Bones | None) -> dict[str, Any] | None:
    """The bones as the JSON object of the game's HTTP API; None if there are none."""
    if bones is None:
        return None
    return {
        "user_bones": [
            {"bone_o": shortest_floats(player.rotations), "bone_t": shortest_floats(player.positions)}
            for player in bones
        ],
        "error_code": 0,
        "err_description": None,
    }
