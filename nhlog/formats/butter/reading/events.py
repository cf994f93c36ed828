"""Events, found by comparing two frames: goals, status, pauses, players joining and leaving, throws, saves, gaps.

An event belongs to the later of the two frames.  Nothing is known about the time before the first frame.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Final

from nhlog.formats.butter.wire.values import Frame, Person, Player, Score
from nhlog.replay import Event
from nhlog.values import dataclass

__all__ = ["GAP", "MARKED", "SessionEvent", "begin_event", "events_between", "marker_events"]

GAP: Final = 1000
"""Milliseconds without a frame that count as a gap; recorders take ten frames per second or more."""

MARKED: Final = ("goal", "status", "pause", "join", "leave", "swap", "gap")
"""Kinds of events that a viewer marks on its timeline."""

_TEAMS: Final = ("blue", "orange", "spectators")
_DEEDS: Final = {"saves": "save", "steals": "steal", "blocks": "block", "interceptions": "interception"}


@dataclass(frozen=True, slots=True)
class SessionEvent(Event):
    """An event; `kind` is its type and `facts` its values, for programs that evaluate them."""

    kind: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


def begin_event(frame: Frame) -> SessionEvent:
    """An event that lists the players at the beginning of the recording."""
    teams = {name: [player.who.name for player in team.players] for name, team in zip(_TEAMS, frame.teams, strict=True)}
    names = "; ".join(f"{name} {', '.join(players)}" for name, players in teams.items() if players)
    return SessionEvent(0, f"the recording begins, with {names or 'nobody'}", "teams", "begin", teams)


def marker_events(before: Frame, after: Frame, step: int) -> Iterator[SessionEvent]:
    """The events of the kinds in `MARKED`; does not use positions and statistics of the frames."""
    yield from _gap(before, after, step)
    if after.status != before.status:
        status = after.status or "none"
        yield SessionEvent(step, f"status {status}", f"game_status {status}", "status", {"status": status})
    if after.pause.paused_state != before.pause.paused_state:
        yield _pause(after, step)
    if after.last_score != before.last_score and after.last_score is not None:
        yield _goal(after.last_score, after, step)
    yield from _people(before, after, step)


def events_between(before: Frame, after: Frame, step: int) -> Iterator[SessionEvent]:
    """All events between two frames, `after` being that of `step`."""
    yield from marker_events(before, after, step)
    for team, asked, asks in zip(_TEAMS, before.restarts, after.restarts, strict=False):
        if asks and not asked:
            yield SessionEvent(
                step, f"{team} asks for a restart", f"{team}_team_restart_request", "restart", {"team": team}
            )
    if after.rules != before.rules and after.rules.changed_at:
        by = after.rules.changed_by or ""
        yield SessionEvent(step, f"rules changed by {by}", f"rules_changed_by {by}", "rules", {"player": by})
    if after.last_throw != before.last_throw:
        throw = after.last_throw
        text = f"throw at {throw.total_speed:.1f} m/s, {throw.arm_speed:.1f} of it from the arm"
        yield SessionEvent(
            step, text, "last_throw", "throw", {"speed": throw.total_speed, "arm_speed": throw.arm_speed}
        )
    old_players = {player.who: player for player in before.players}
    for player in after.players:
        old = old_players.get(player.who)
        if old is not None:
            yield from _deeds(old, player, step)


def _gap(before: Frame, after: Frame, step: int) -> Iterator[SessionEvent]:
    span = after.time - before.time
    facts = {"span": span * 1000}
    if span < 0:
        yield SessionEvent(step, f"the recorded clock goes back by {-span / 1000:.2f} s", "time", "gap", facts)
    elif span >= GAP:
        yield SessionEvent(step, f"nothing was recorded for {span / 1000:.1f} s", "time", "gap", facts)


def _pause(after: Frame, step: int) -> SessionEvent:
    pause = after.pause
    team = pause.paused_requested_team if pause.paused_state == "paused" else pause.unpaused_team
    by = "" if team == "none" else f" by {team}"
    facts = {"state": pause.paused_state, "team": None if team == "none" else team}
    return SessionEvent(step, f"{pause.paused_state}{by}", f"paused_state {pause.paused_state}", "pause", facts)


def _goal(score: Score, after: Frame, step: int) -> SessionEvent:
    assist = "" if score.assist_scored in ("", "[INVALID]") else f", assist by {score.assist_scored}"
    text = (
        f"goal for {score.team}: {score.point_amount} points by {score.person_scored}, {score.goal_type.lower()}, "
        f"{score.disc_speed:.1f} m/s from {score.distance_thrown:.1f} m{assist}"
    )
    blue, orange = after.points
    facts = {**score._asdict(), "blue_points": blue, "orange_points": orange}
    return SessionEvent(step, text, "last_score", "goal", facts)


def _people(before: Frame, after: Frame, step: int) -> Iterator[SessionEvent]:
    old, new = _places(before), _places(after)
    if old == new:
        return
    for who, team in old.items():
        if who not in new:
            yield SessionEvent(step, f"{who.name} left {team}", who.name, "leave", {"player": who.name, "team": team})
    for who, team in new.items():
        facts = {"player": who.name, "team": team}
        if who not in old:
            yield SessionEvent(step, f"{who.name} joined {team}", who.name, "join", facts)
        elif old[who] != team:
            facts["from"] = old[who]
            yield SessionEvent(step, f"{who.name} went from {old[who]} to {team}", who.name, "swap", facts)


def _places(frame: Frame) -> dict[Person, str]:
    return {player.who: name for name, team in zip(_TEAMS, frame.teams, strict=True) for player in team.players}


def _deeds(old: Player, new: Player, step: int) -> Iterator[SessionEvent]:
    name = new.who.name
    started = new.flags & ~old.flags
    if started & 1:
        yield SessionEvent(step, f"{name} has the disc", name, "possession", {"player": name})
    if started & 4:
        yield SessionEvent(step, f"{name} is stunned", name, "stun", {"player": name})
    if new.stats is old.stats:
        return
    for field_name, word in _DEEDS.items():
        if getattr(new.stats, field_name) > getattr(old.stats, field_name):
            yield SessionEvent(step, f"{word} by {name}", name, word, {"player": name})
