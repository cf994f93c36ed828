"""Sessions as nobody expects them: the odd inputs of the reference's own trials, and random ones."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from nhlog.compression import MAX_CHUNK
from nhlog.errors import Unsupported
from nhlog.formats.butter.reading.stream import EchoreplayStream
from nhlog.formats.butter.wire.codes import GOALS, LOADOUTS
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.frames import MOST_FRAME, MOST_PLAYERS, read_frames
from nhlog.formats.butter.wire.header import Header, Roster
from nhlog.formats.butter.wire.primitives import single, singles
from nhlog.formats.butter.wire.stored import layouts
from nhlog.formats.butter.wire.values import (
    NO_STATS,
    Disc,
    Frame,
    Pause,
    Payload,
    Player,
    Pose,
    Rules,
    Score,
    Stats,
    Team,
    Throw,
)
from nhlog.formats.butter.writing.recode import Recoder, is_full
from tests.corpus import WHOLE, corpus
from tests.formats.butter.made import HEADER, START, key
from tests.formats.butter.written import Session, all_faults, chunks_of, parted, read_back


def odd_inputs() -> list[Path]:
    return sorted(corpus("butter", "robust").glob("enc_*.input.jsonl.gz"))


def test_odd_inputs_are_read_back_as_they_were_and_by_the_reference_too(tmp_path: Path) -> None:
    inputs = odd_inputs()
    assert len(inputs) >= (16 if WHOLE else 1)
    wrong = []
    for path in inputs:
        text = tmp_path / "odd.echoreplay"
        text.write_bytes(gzip.decompress(path.read_bytes()))
        stream = EchoreplayStream(str(text))
        whole: Session = stream.header, stream.roster, tuple(stream.frames())
        stream.close()
        assert stream.faults.count == 0
        chunks = chunks_of(whole, 30)
        wrong += [(path.name, *fault) for fault in all_faults(whole, read_back(whole, chunks))]
        wrong += [(path.name, *apart) for apart in parted(whole, chunks)]
    assert wrong == []


def test_a_goal_of_any_kind_keeps_its_word_or_its_number() -> None:
    """Five bits; a word that the format has no number for is unknown, also where it looks like one."""
    decoder, layout = CorrectedDecoder(HEADER), layouts(HEADER)[0]
    written = [key(score=(number << 3 | 4, 1, 2, 8.5, 2.0)) for number in range(32)]
    frames = [frame for _, frame in decoder.frames(read_frames(written, layout))]
    kinds = [frame.last_score.goal_type for frame in frames if frame.last_score]
    assert kinds == [*GOALS, *map(str, range(len(GOALS), 32))]
    assert scores_read_back(frames) == [frame.last_score for frame in frames]

    strange = ["", "5", "32", "99", "9" * 5000, "\u0663\u0660", "-9", "slam dunk"]
    odd = [frames[0]._replace(last_score=frames[0].last_score._replace(goal_type=kind)) for kind in strange]
    assert {score.goal_type for score in scores_read_back(odd)} == {"unknown"}


def scores_read_back(frames: list[Frame]) -> list[Score]:
    whole = HEADER, Roster(HEADER.people), frames
    return [frame.last_score for frame in read_back(whole, chunks_of(whole, 1))]


NUMBER = st.one_of(
    st.floats(-80, 80, width=32),
    st.floats(-1, 1, width=32),
    st.just(0.0),
    st.floats(width=32, allow_nan=True, allow_infinity=False),
)
STEP = st.one_of(st.just(0.0), st.floats(-0.25, 0.25, width=32), st.floats(-1 / 256, 1 / 256, width=32))
BITS = st.integers(0, 3).flatmap(
    lambda index: st.tuples(*[st.integers(220, 800)] * 3).map(lambda c: index | c[0] << 2 | c[1] << 12 | c[2] << 22)
)
COUNT = st.integers(0, 255)


class Walk:
    """A session in which everything may happen."""

    def __init__(self, draw: st.DrawFn, header: Header) -> None:
        self.draw, self.header = draw, header
        self.roster = Roster()
        self.time, self.clock = START, 600.0
        self.walked: dict[int, list[float]] = {}
        self.stats: dict[int, Stats] = {}

    def numbers(self, whose: int, count: int) -> tuple[float, ...]:
        """Numbers that walk, stand, or jump anywhere."""
        now = self.walked.get(whose)
        if now is None or self.draw(st.integers(0, 19)) == 0:
            now = [self.draw(NUMBER) for _ in range(count)]
        elif self.draw(st.booleans()):
            now = [value + self.draw(STEP) for value in now]
        self.walked[whose] = list(singles(now))
        return tuple(self.walked[whose])

    def tally(self, whose: int) -> Stats:
        last = self.stats.get(whose, NO_STATS)
        if self.draw(st.integers(0, 3)) == 0:
            last = Stats(
                *[self.draw(COUNT) for _ in range(10)], self.draw(st.floats(0, 900, width=32)), self.draw(COUNT)
            )
        self.stats[whose] = last
        return last

    def player(self, number: int) -> Player:
        numbers = self.numbers(number, 15)
        arena, combat = self.header.arena, self.header.combat
        return Player(
            self.roster.person(100 + number, f"P{number}", number, 50),
            number,
            self.draw(st.integers(0, 31)),
            self.tally(number),
            self.draw(st.integers(-5, 40_000).filter(lambda ping: ping < 0x8000)),
            single(self.draw(st.floats(0, 1, width=32))),
            (self.draw(st.sampled_from(["none", "disc", "geo", "3"])), None) if arena else (None, None),
            numbers[12:],  # type: ignore[arg-type]
            numbers[:12],
            tuple(self.draw(BITS) for _ in range(4)),
            self.draw(st.sampled_from(LOADOUTS[:128])) if combat else None,
        )

    def frame(self) -> Frame:
        draw = self.draw
        self.time += draw(st.sampled_from([16, 17, 33, 33, 33, 70_000, -500]))
        self.clock = single(self.clock - draw(st.sampled_from([0.0, 1 / 30, 1 / 60])))
        here = draw(st.lists(st.integers(0, 4), unique=True, max_size=4))
        cut = draw(st.integers(0, len(here)))
        players = [tuple(map(self.player, some)) for some in (here[:cut], here[cut:], [])]
        points = draw(st.integers(0, 300)), draw(st.integers(0, 300))
        x, y, z, *speed = self.numbers(10, 6)
        camera = self.numbers(11, 3)
        kind = "arena" if self.header.arena else "combat"
        gone = draw(st.integers(0, 7))
        return Frame(
            self.time,
            self.clock,
            draw(st.sampled_from(["playing", "score", ""])),
            (float(points[0]), float(points[1])),
            draw(st.integers(0, 15)),
            (draw(st.booleans()), draw(st.booleans())),
            Pause("unpaused", "none", draw(st.sampled_from(["blue", "none"])), *singles([abs(v) for v in camera[:2]])),
            Score("blue", 2, "SLAM DUNK", "P0", "P1", 1.5, 2.5) if kind == "arena" and gone != 1 else None,
            Throw(*[draw(st.floats(-100, 100, width=32)) for _ in range(13)]),
            Pose((camera[0], camera[1], camera[2]), draw(BITS)),
            Disc((x, y, z), draw(BITS), (speed[0], speed[1], speed[2])) if kind == "arena" and gone else None,
            Payload(True, 1, 2, 0.5, 0.25) if kind == "combat" else None,
            Rules(draw(st.integers(0, 1 << 40)), draw(st.sampled_from(["P1", "P2"]))),
            tuple(Team(draw(st.booleans()), self.tally(20 + n), some) for n, some in enumerate(players)),  # type: ignore[arg-type]
            None,
        )


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    place = draw(st.sampled_from(["mpl_arena_a", "mpl_combat_dyson"]))
    header = replace(HEADER, map_name=place, people=(), private_match=draw(st.booleans()))
    walk = Walk(draw, header)
    frames = [walk.frame() for _ in range(draw(st.integers(1, 9)))]
    return header, walk.roster, tuple(frames)


@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(whole=sessions(), interval=st.integers(1, 9))
def test_whatever_happens_is_read_back_and_the_reference_reads_the_same(whole: Session, interval: int) -> None:
    chunks = chunks_of(whole, interval)
    assert all_faults(whole, read_back(whole, chunks)) == []
    assert parted(whole, chunks) == []


@pytest.mark.parametrize(
    ("frames", "players", "size", "full"),
    [
        (299, 0, 0, False),
        (300, 0, 0, True),
        (1, MOST_PLAYERS, 0, False),
        (1, MOST_PLAYERS + 1, 0, True),
        (1, 0, MAX_CHUNK - MOST_FRAME, False),
        (1, 0, MAX_CHUNK - MOST_FRAME + 1, True),
    ],
)
def test_a_chunk_ends_before_readers_refuse_it(frames: int, players: int, size: int, full: bool) -> None:
    assert is_full(frames, players, size, 300) is full


@pytest.mark.parametrize("time", [1 << 62, -(1 << 62), 253_402_300_800_000])
def test_a_time_that_no_reader_takes_is_refused(time: int) -> None:
    frame = read_back((HEADER, Roster(), ()), [key()])[0]
    with pytest.raises(Unsupported):
        [*Recoder(HEADER, Roster(), "none").chunks([frame._replace(time=time)], 300)]
