"""What the writer makes of frames, read back, and held against them number by number."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import acos, degrees, frexp, isnan
from pathlib import Path

from nhlog.formats.butter.reading.stream import EchoreplayStream
from nhlog.formats.butter.wire import bones
from nhlog.formats.butter.wire.codes import PAUSES, STATUSES
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.encode.frames import Encoder
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.formats.butter.wire.header import Header, Roster
from nhlog.formats.butter.wire.rotations import axes
from nhlog.formats.butter.wire.stored import layouts
from nhlog.formats.butter.wire.values import NO_STATS, Frame, Player, Rotation

__all__ = ["Session", "all_faults", "chunks_of", "faults", "parted", "read_back", "session", "step"]

MILLIMETRE = 1 / 1024
CLOSE = 1e-6  # what float32 itself leaves
TURN = 0.36  # degrees: half a step of each component, seen along an axis
LARGEST = 65504.0

Session = tuple[Header, Roster, Sequence[Frame]]


@cache
def session(path: Path) -> Session:
    """The frames of an .echoreplay file, with its header and its table of players."""
    stream = EchoreplayStream(str(path))
    frames = tuple(stream.frames())
    assert stream.faults.count == 0
    stream.close()
    return stream.header, stream.roster, frames


def chunks_of(whole: Session, interval: int) -> list[bytes]:
    """The frames in chunks of version 3, not compressed."""
    header, roster, frames = whole
    encoder = Encoder(header, roster)
    parts = [encoder.frame(frame, key=number % interval == 0) for number, frame in enumerate(frames)]
    return [b"".join(parts[at : at + interval]) for at in range(0, len(parts), interval)]


def read_back(
    whole: Session, chunks: Sequence[bytes], decoding: type[ReferenceDecoder] = CorrectedDecoder
) -> list[Frame]:
    """The frames of these chunks, bones expanded as the decoding does it."""
    header = replace(whole[0], version=3, people=tuple(whole[1].people))
    pairs = [pair for chunk in chunks for pair in decoding(header).frames(read_frames([chunk], layouts(header)[0]))]
    expand = bones.corrected_bones if decoding is CorrectedDecoder else bones.reference_bones
    return [frame._replace(bones=limbs) for (_, frame), limbs in zip(pairs, expand(pairs), strict=True)]


def step(value: float) -> float:
    """The step of halves around a value."""
    return max(2.0 ** (frexp(value)[1] - 11), 2.0**-24)


def _off(
    name: str, one: Sequence[float], other: Sequence[float], least: float, before: Sequence[float] = ()
) -> Iterator[str]:
    """What is off by more than a step of the number stored: the recorded one, or how far it is from the one before."""
    for recorded, found, last in zip(one, other, before or [0.0] * len(one), strict=True):
        recorded = recorded if isnan(recorded) else min(max(recorded, -LARGEST), LARGEST)
        if isnan(recorded) and isnan(found):
            continue
        jump = 0.0 if isnan(recorded - last) or not before else min(abs(recorded - last) * 1.01, LARGEST)
        if not abs(recorded - found) <= max(step(recorded), step(jump), least) + CLOSE:
            yield f"{name}: {recorded} became {found}"


def _turned(name: str, one: Rotation, other: Rotation) -> Iterator[str]:
    for axis, (a, b) in enumerate(zip(axes(one), axes(other), strict=True)):
        if axis == 1 and not isinstance(one, int):
            continue  # left follows from the others, and what the game says of it is not looked at
        lengths = sum(x * x for x in a) * sum(x * x for x in b)
        if not lengths > 0 or isnan(lengths):
            continue
        angle = degrees(acos(min(sum(x * y for x, y in zip(a, b, strict=True)) / lengths**0.5, 1.0)))
        if angle > TURN:
            yield f"{name} axis {axis}: {angle} degrees"


def _player(one: Player, other: Player, last: Player | None, arena: bool, combat: bool) -> Iterator[str]:
    yield from _off("places", one.places, other.places, MILLIMETRE, last.places if last else ())
    yield from _off("velocity", one.velocity, other.velocity, 2 * MILLIMETRE, last.velocity if last else ())
    for part, (a, b) in enumerate(zip(one.rotations, other.rotations, strict=True)):
        yield from _turned(f"part {part}", a, b)
    yield from _off("packet loss", (one.loss,), (other.loss,), 0)
    yield from _off("possession", (one.stats.possession_time,), (other.stats.possession_time,), 0)
    exact = [
        (one.who.userid, other.who.userid),
        (one.playerid & 255, other.playerid),
        (one.flags, other.flags),
        (min(max(one.ping, -0x8000), 0x7FFF), other.ping),
        (one.stats._replace(possession_time=0), other.stats._replace(possession_time=0)),
        (one.holding if arena else None, other.holding if arena else None),
        (one.loadout if combat else None, other.loadout if combat else None),
    ]
    yield from (f"{a} became {b}" for a, b in exact if a != b)


def faults(header: Header, one: Frame, other: Frame, before: Frame | None) -> Iterator[str]:
    """What is further from the recorded frame than the format's own step, or another word; `before` was recorded."""
    known = {player.who.userid: player for player in before.players} if before else {}
    arena, combat = header.arena, header.combat
    state = one.pause.paused_state
    exact = [(one.time, other.time), (one.inputs, other.inputs), (one.restarts, other.restarts)]
    exact += [(one.status if one.status in STATUSES else STATUSES[0], other.status)]
    exact += [(one.pause[1:3], other.pause[1:3]), (state if state in PAUSES else PAUSES[-1], other.pause.paused_state)]
    exact += [(len(a.players), len(b.players)) for a, b in zip(one.teams, other.teams, strict=True)]
    exact += [(a.possession, b.possession) for a, b in zip(one.teams[:2], other.teams[:2], strict=True)]
    exact += [((one.disc is None) or not arena, other.disc is None), (one.payload is None, other.payload is None)]
    exact += [((one.last_score is None) or not arena, other.last_score is None)]
    if arena and header.private_match:
        changed_by = (one.rules.changed_by or "").encode("ascii", "replace").decode()
        exact += [((one.rules.changed_at, changed_by), (other.rules.changed_at, other.rules.changed_by))]
    yield from (f"{a} became {b}" for a, b in exact if a != b)
    yield from _off("clock", (one.clock,), (other.clock,), 1e-4)
    yield from _off("camera", one.vr.position, other.vr.position, MILLIMETRE, before.vr.position if before else ())
    yield from _turned("camera", one.vr.rotation, other.vr.rotation)
    if arena and one.disc and other.disc:
        last = before.disc if before else None
        yield from _off("disc", one.disc.position, other.disc.position, MILLIMETRE, last.position if last else ())
        yield from _off("disc", one.disc.velocity, other.disc.velocity, MILLIMETRE, last.velocity if last else ())
        yield from _turned("disc", one.disc.rotation, other.disc.rotation)
    yield from _off("throw", one.last_throw, other.last_throw, 0)
    if one.last_score and other.last_score:
        yield from _off("score", one.last_score[5:], other.last_score[5:], 0)
        if one.last_score.team != other.last_score.team:
            yield f"a goal for {one.last_score.team} became one for {other.last_score.team}"
    if one.payload and other.payload:
        yield from _off("payload", one.payload, other.payload, 0)
    yield from _off("timers", one.pause[3:], other.pause[3:], MILLIMETRE, before.pause[3:] if before else ())
    if arena or combat:
        points = [min(point, 255) for point in one.points] if arena else one.points
        yield from _off("points", points, other.points, 0)
    for team, read in zip(one.teams, other.teams, strict=True):
        if team.stats._replace(possession_time=0) != read.stats._replace(possession_time=0):
            yield f"{team.stats} became {read.stats}"
        yield from _off("possession", (team.stats.possession_time,), (read.stats.possession_time,), 0)
        for player, found in zip(team.players, read.players, strict=False):
            yield from _player(player, found, known.get(player.who.userid), arena, combat)


def all_faults(whole: Session, found: Sequence[Frame]) -> list[tuple[int, str]]:
    """The faults of every frame."""
    header, _, frames = whole
    assert len(found) == len(frames)
    return [
        (number, fault)
        for number in range(len(frames))
        for fault in faults(header, frames[number], found[number], frames[number - 1] if number else None)
    ]


def parted(whole: Session, chunks: Sequence[bytes], found: Sequence[Frame] | None = None) -> list[tuple[int, str]]:
    """Where the reference reads another bit than the corrected decoder does, which may have `found` these frames.

    Two things only the corrected decoder can add up: a team's statistics and the pause timers (spec 9.3 and 9.4).
    """
    reference, corrected = (
        [
            frame._replace(
                pause=frame.pause._replace(paused_timer=0, unpaused_timer=0),
                teams=tuple(team._replace(stats=NO_STATS) for team in frame.teams),
            )
            for frame in frames
        ]
        for frames in (read_back(whole, chunks, ReferenceDecoder), found or read_back(whole, chunks))
    )
    return [
        (number, name)
        for number, (one, other) in enumerate(zip(reference, corrected, strict=True))
        if one != other  # as numbers that are none are of themselves
        for name in Frame._fields
        if repr(getattr(one, name)) != repr(getattr(other, name))
    ]
