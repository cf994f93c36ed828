"""Text for Echo VR sessions: facts in words, and the panels of players, throws and events.

Pure functions of a replay's state; must not import other views of recordings.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

from nhlog.formats.butter.replay import EchoReplay
from nhlog.formats.butter.wire.values import Disc, Frame, Person, Player, Score, Throw, Vector
from nhlog.replay import Replay
from nhlog.screen import PLAIN, Screen, Style
from terminal.screen import theme
from terminal.views import LEGEND
from terminal.views.lines import Line, draw_lines

__all__ = [
    "PANELS",
    "TEAM_NAMES",
    "TEAM_STYLES",
    "clock_words",
    "disc_words",
    "goal_words",
    "letters",
    "marks",
    "player_words",
    "points_words",
    "throw_words",
]

TEAM_NAMES: Final = ("blue", "orange", "spectator")
TEAM_STYLES: Final = (Style(fg=75, bold=True), Style(fg=208, bold=True), Style(fg=245))
MARKS: Final = (("#", "blocking"), ("!", "stunned"), ("+", "invulnerable"), ("~", "emote"))
HELD: Final = "="  # holds the arena or a player
AROUND: Final = 40  # events before and after the present one that are listed

_THROW: Final = (
    ("total speed", "total_speed", "m/s"),
    ("  from the arm", "speed_from_arm", "m/s"),
    ("  from movement", "speed_from_movement", "m/s"),
    ("  from the wrist", "speed_from_wrist", "m/s"),
    ("arm speed", "arm_speed", "m/s"),
    ("rotation", "rot_per_sec", "turns/s"),
    ("  could give", "pot_speed_from_rot", "m/s"),
    ("spin off axis", "off_axis_spin_deg", "degrees"),
    ("wrist to throw", "wrist_align_to_throw_deg", "degrees"),
    ("throw to movement", "throw_align_to_movement_deg", "degrees"),
    ("wrist penalty", "wrist_throw_penalty", ""),
    ("axis penalty", "off_axis_penalty", ""),
    ("movement penalty", "throw_move_penalty", ""),
)


@cache
def letters(people: tuple[Person, ...]) -> Mapping[int, str]:
    """A letter for each row of the table of players: one of the name if it is free, else any."""
    free = dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    found = {}
    for person in people:
        own = (char.upper() for char in person.name if char.isascii() and char.isalpha())
        letter = next((char for char in own if char in free), next(iter(free), "?"))
        free.pop(letter, None)
        found[person.row] = letter
    return found


def marks(player: Player) -> str:
    """The signs for a player's unusual conditions, shown after the letter."""
    told = "".join(sign for bit, (sign, _) in enumerate(MARKS, 1) if player.flags >> bit & 1)
    if player.possession or "disc" in player.holding:
        told = "●" + told
    elif any(hand not in (None, "none", "disc") for hand in player.holding):
        told += HELD
    return told


def points_words(points: float) -> str:
    """Points of the arena are whole, those of combat are not."""
    return f"{points:.0f}" if float(points).is_integer() else f"{points:.2f}"


def clock_words(frame: Frame) -> str:
    """The game clock as text."""
    if not math.isfinite(frame.clock):
        return "--:--"
    minutes, seconds = divmod(max(frame.clock, 0.0), 60)
    return f"{minutes:02.0f}:{math.floor(seconds * 10) / 10:04.1f}"


def speed_of(velocity: Vector) -> float:
    """The speed in metres per second, in any direction."""
    return math.hypot(*velocity)


def disc_words(disc: Disc) -> str:
    """The disc's speed as text."""
    return f"disc {speed_of(disc.velocity):.1f} m/s"


def goal_words(score: Score) -> str:
    """A goal as a short text."""
    assist = "" if score.assist_scored in ("", "[INVALID]") else f", assist {score.assist_scored}"
    return (
        f"{score.person_scored} ({score.team}, {score.point_amount}), {score.goal_type.lower()}, "
        f"{score.disc_speed:.1f} m/s from {score.distance_thrown:.1f} m{assist}"
    )


def throw_words(throw: Throw) -> str:
    """The latest throw as a short text."""
    return f"{throw.total_speed:.1f} m/s, arm {throw.speed_from_arm:.1f}, movement {throw.speed_from_movement:.1f}"


def player_words(player: Player, team: str, names: Mapping[str, str] | None = None) -> str:
    """A player as a short text: team, speed, ping, unusual conditions; `names` are other players' names by number."""
    told = [team, f"{speed_of(player.velocity):.1f} m/s", f"ping {player.ping}"]
    told += [word for bit, (_, word) in enumerate(MARKS, 1) if player.flags >> bit & 1]
    held = [hand for hand in player.holding if hand not in (None, "none")]
    if player.possession and "disc" not in held:
        held.insert(0, "disc")
    told += [f"holds {(names or {}).get(thing, thing)}" for thing in dict.fromkeys(held)]
    if player.loadout is not None:
        told.append("/".join(player.loadout))
    return ", ".join(told)


def players(opened: EchoReplay) -> Iterable[Line]:
    """The players panel: everybody's statistics, ping and packet loss."""
    frame = opened.state.frame
    names = letters(opened.header.people)
    counts = " ".join(f"{name:>3}" for name in ("pts", "gl", "as", "sv", "stl", "stn"))
    yield f"  {'name':<20} {'team':<9} {'no':>3} {'lv':>2} {counts} {'poss':>6} {'ping':>4} {'loss':>6}", theme.HEAD
    for number, team in enumerate(frame.teams):
        for player in team.players:
            stats, who = player.stats, player.who
            letter = names.get(who.row, "?")
            letter = letter.lower() if number == 1 else letter
            yield (
                f"{letter} {who.name:<20.20} {TEAM_NAMES[number]:<9} {who.number:>3} "
                f"{who.level:>2} {stats.points:>3} {stats.goals:>3} {stats.assists:>3} {stats.saves:>3} "
                f"{stats.steals:>3} {stats.stuns:>3} {stats.possession_time:>6.1f} {player.ping:>4} "
                f"{100 * player.loss:>5.1f}%",
                TEAM_STYLES[number],
            )
    loaded = [player for player in frame.players if player.loadout is not None]
    if loaded:
        yield "loadouts", theme.HEAD
    for player in loaded:
        yield f"  {player.who.name:<20.20} {' '.join(player.loadout or ())}", PLAIN


def throw(opened: EchoReplay) -> Iterable[Line]:
    """The throw panel: how the latest throw was made."""
    yield "latest throw of the one who recorded", theme.HEAD
    for name, field, unit in _THROW:
        yield f"{name:<18} {getattr(opened.state.frame.last_throw, field):>8.2f} {unit}".rstrip(), PLAIN


def scores(opened: EchoReplay) -> Iterable[Line]:
    """The scores panel: the score by team, and every goal so far."""
    frame, header = opened.state.frame, opened.header
    yield f"{'team':<10} {'points':>6} {'rounds':>6} {'players':>7}  possession", theme.HEAD
    rounds = (header.blue_round_score, header.orange_round_score)
    for number, team in enumerate(frame.teams[:2]):
        yield (
            f"{TEAM_NAMES[number]:<10} {points_words(frame.points[number]):>6} {rounds[number]:>6} "
            f"{len(team.players):>7}  {'has the disc' if team.possession else ''}".rstrip(),
            TEAM_STYLES[number],
        )
    yield f"rounds in all: {header.total_round_count}", PLAIN
    yield "goals", theme.HEAD
    goals = [event for event in opened.outline.events if event.kind == "goal"]
    for number, event in enumerate(goals, 1):
        passed = event.step <= opened.step
        yield f"{number:>3} frame {event.step:<7} {event.text}", PLAIN if passed else theme.FUTURE
    if not goals:
        yield "  none in this recording", theme.QUIET


def events(opened: EchoReplay) -> Iterable[Line]:
    """The events panel: the markers around the current frame."""
    found = opened.outline.events
    passed = sum(event.step <= opened.step for event in found)
    first = max(passed - AROUND, 0)
    yield f"{'frame':>7}  what happened", theme.HEAD
    if not found:
        yield "         nothing", theme.QUIET
    for number, event in enumerate(found[first : passed + AROUND], first):
        here = number == passed - 1
        style = theme.HERE if here else PLAIN if number < passed else theme.FUTURE
        yield f"{event.step:>7}  {event.text}", style


def _panel(lines: Callable[[EchoReplay], Iterable[Line]]) -> Callable[[Replay[object]], Screen]:
    def draw(replay: Replay[object]) -> Screen:
        assert isinstance(replay, EchoReplay)
        return draw_lines([*lines(replay)])

    return draw


def legend(replay: Replay[object]) -> Screen:
    """Letters, signs beside them, and the arena."""
    from terminal.views.legend import draw_signs

    assert isinstance(replay, EchoReplay)
    people, names = replay.header.people, letters(replay.header.people)
    orange = {player.who.row for team in replay.state.frame.teams[1:2] for player in team.players}
    as_drawn = {row: letter.lower() if row in orange else letter for row, letter in names.items()}
    return draw_signs(
        [
            ("ABC", PLAIN, "players of blue, and abc of orange: a letter of the name"),
            *((f"  {as_drawn.get(person.row, '?')}", theme.QUIET, person.name) for person in people),
            ("A", Style(reverse=True), "a letter in reverse: stunned"),
            *((sign, PLAIN, f"beside a letter: {words}") for sign, words in MARKS),
            (HELD, PLAIN, "beside a letter: holds the arena or a player"),
            ("●", PLAIN, "the disc, and beside a letter: has it"),
            ("·", PLAIN, "the way of the disc in the last 1.5 s"),
            ("( )", PLAIN, "the goals; ┊ the middle"),
        ]
    )


PANELS: Final = {
    LEGEND: legend,
    "attributes": _panel(players),
    "discoveries": _panel(throw),
    "overview": _panel(scores),
    "ledger": _panel(events),
}
