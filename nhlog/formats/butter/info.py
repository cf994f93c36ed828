"""The description of a session: in full for `info`, in one line for a listing."""

from itertools import pairwise
from typing import Final

from nhlog.errors import in_short
from nhlog.formats.butter import FORMAT
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.reading.source import ECHOREPLAY_DIALECT, FrameSource, faults_of, open_source
from nhlog.operations import Listing
from nhlog.replay import Status
from nhlog.values import dataclass

__all__ = ["PlayerInfo", "RoundScores", "SessionInfo", "list_session", "session_info"]

_MS: Final = 1000  # µs


@dataclass(frozen=True, slots=True)
class RoundScores:
    """The rounds that each team had won when the recording began."""

    blue: int
    orange: int


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A row of the header's table of players; `number` is the shirt number, `level` only its lower 8 bits."""

    name: str
    userid: int
    number: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """The description of a session: the record of ``nhlog info``, see docs/butter.md.

    Times are µs since 1970, durations µs, sizes bytes; `rate` is in frames per second.
    """

    format: str
    health: str
    version: int
    dialect: str
    session: str
    server: str
    client: str
    map: str
    match_type: str
    private: bool
    rounds: int
    round_scores: RoundScores
    players: tuple[PlayerInfo, ...]
    start: int | None
    end: int | None
    duration: int
    frames: int
    rate: float | None
    worst_gap: int
    goals: int
    chunks: int
    keyframes: int
    interval: int
    compression: str
    bones: bool
    size: int
    bytes_per_frame: float | None
    losses: tuple[str, ...]


def session_info(path: str) -> SessionInfo:
    """Describe a session; raises :class:`~nhlog.errors.NhlogError` if it cannot be opened or is no session."""
    with open_source(path) as source:
        outline, header = source.outline(), source.header
        times = outline.times
        spans = sorted(after - before for before, after in pairwise(times))
        middle = spans[len(spans) // 2] if spans else 0
        return SessionInfo(
            format=FORMAT.name,
            health=_health(source, outline),
            version=header.version,
            dialect=source.dialect,
            session=header.sessionid,
            server=header.sessionip,
            client=header.client_name,
            map=header.map_name,
            match_type=header.match_type,
            private=header.private_match,
            rounds=header.total_round_count,
            round_scores=RoundScores(header.blue_round_score, header.orange_round_score),
            players=tuple(PlayerInfo(who.name, who.userid, who.number, who.level) for who in header.people),
            start=times[0] * _MS if times else None,
            end=times[-1] * _MS if times else None,
            duration=max((max(times) - times[0]) * _MS, 0) if times else 0,
            frames=len(times),
            rate=round(1000 / middle, 2) if middle > 0 else None,
            worst_gap=spans[-1] * _MS if spans else 0,
            goals=sum(event.kind == "goal" for event in outline.events),
            chunks=source.count,
            keyframes=len(outline.keys),
            interval=header.interval,
            compression=header.compression,
            bones=outline.bones,
            size=source.size,
            bytes_per_frame=round(source.size / len(times), 1) if times else None,
            losses=tuple(_losses(source, outline)),
        )


def _health(source: FrameSource, outline: Outline) -> str:
    faults = faults_of(source, len(outline.times), outline.faults.values())
    return in_short(faults[0].message, len(faults)) if faults else "sound"


def _losses(source: FrameSource, outline: Outline) -> list[str]:
    """What this file does not store exactly (spec 9)."""
    losses = [outline.clock_setbacks()] if outline.clock_setbacks() else []
    if source.dialect == ECHOREPLAY_DIALECT:
        return losses
    if any(event.kind == "pause" for event in outline.events):
        losses.append("pause timers may count from the latest keyframe")
    if source.header.combat:
        losses.append("combat points may have steps of 0.01")
    if outline.bones:
        losses.append("bones may turn and drift with every frame")
    return losses


def list_session(path: str) -> Listing:
    """Summarise a session from its header and its first and last frame."""
    with open_source(path) as source:
        start, end = source.ends()
        return Listing(
            file=path,
            format=FORMAT.name,
            title=source.header.title,
            people=tuple(who.name for who in source.header.people),
            start=None if start is None else start * _MS,
            duration=None if start is None or end is None else max(end - start, 0) * _MS,
            changed=source.changed,
            size=source.size,
            status=Status.LIVE if source.live else Status.FINISHED,
        )
