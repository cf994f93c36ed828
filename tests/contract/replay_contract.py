"""What every recording owes a viewer (`nhlog.replay.Replay`); each format's tests derive a class from `ReplayContract`.

A class gives recordings as bytes; the contract writes them to files, opens these, and looks.
"""

import hashlib
import os
import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.replay import Change, Event, Info, Replay, Status
from nhlog.timeline import Position, Timeline
from tests.corpus import ROOT
from tests.processes import Child

__all__ = ["ReplayContract", "portrait", "states"]


def portrait(replay: Replay[Any]) -> dict[str, Any]:
    """All that a replay tells without being moved, in values that can be compared."""
    timeline = replay.timeline
    return {
        "info": replay.info,
        "unit": timeline.unit,
        "start": timeline.start,
        "axes": {name: (list(axis.values), axis.first) for name, axis in timeline.axes.items()},
        "stops": list(timeline.stops),
        "keyframes": list(timeline.keyframes),
        "markers": list(timeline.markers),
        "events": list(replay.events(0, timeline.last)),
    }


def states(replay: Replay[Any]) -> list[Any]:
    """The state at each step, in order."""
    found = []
    for step in range(replay.timeline.last + 1):
        replay.seek(step)
        found.append(replay.state)
    return found


class ReplayContract:
    """The contract.  A derived class says how its recordings look, and may add tests of its own."""

    ending: ClassVar[str]
    """What the names of such files end in."""

    opener: ClassVar[tuple[str, str]] = ("nhlog.formats", "open_recording")
    """The module and the function that open them."""

    def open(self, path: Path) -> Replay[Any]:
        """The recording in the file."""
        module, function = self.opener
        replay: Replay[Any] = getattr(import_module(module), function)(str(path))
        return replay

    memory: ClassVar[int] = 24 << 20
    """Bytes that going through a big recording may take beyond its file."""

    def complete(self) -> bytes:
        """A small recording that is finished, with as many kinds of things in it as there are."""
        raise NotImplementedError

    def growing(self) -> tuple[bytes, bytes] | None:
        """A recording that is still being written: what is there when it is opened, and what is appended then.

        None where such recordings do not grow.
        """
        raise NotImplementedError

    def finished(self, data: bytes) -> bytes:
        """That recording when its end has come."""
        raise NotImplementedError

    def rewound(self, data: bytes) -> bytes | None:
        """That recording after some of its end was taken back; None where the format cannot do so."""
        raise NotImplementedError

    def damaged(self) -> Iterator[bytes]:
        """Recordings that break the format's rules behind their header."""
        raise NotImplementedError

    def says_damage(self, state: Any) -> bool:
        """Whether the state tells that it could not be rebuilt."""
        raise NotImplementedError

    def big(self) -> bytes | None:
        """A recording whose states, all together, take many times `memory`; None where there is only one state."""
        raise NotImplementedError

    def put(self, path: Path, data: bytes) -> None:
        """Make `data` the recording at `path`; a format whose recordings are folders says how."""
        path.write_bytes(data)

    def append(self, path: Path, data: bytes) -> None:
        """Let that recording grow."""
        with open(path, "ab") as file:
            file.write(data)

    # what the tests below use

    def _grows(self) -> tuple[bytes, bytes]:
        grows = self.growing()
        if grows is None:
            pytest.skip("such recordings do not grow")
        return grows

    def _some(self) -> list[bytes]:
        """A complete recording and, where there are such, one that grows."""
        return [self.complete(), *(self.growing() or ())[:1]]

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / f"recording{self.ending}"

    @pytest.fixture
    def opened(self, tmp_path: Path) -> Iterator[Any]:
        """Opens recordings, each in a file of its own, and closes them at the end."""
        replays: list[Replay[Any]] = []

        def open_it(data: bytes | Path) -> Replay[Any]:
            path = data
            if not isinstance(path, Path):
                path = tmp_path / f"{len(replays)}{self.ending}"
                self.put(path, data)
            replays.append(self.open(path))
            return replays[-1]

        yield open_it
        for replay in replays:
            replay.close()

    # the timeline

    def test_it_opens_at_its_first_step(self, opened) -> None:
        assert opened(self.complete()).step == 0

    def test_info_is_complete(self, opened) -> None:
        replay = opened(self.complete())
        info = replay.info
        assert isinstance(info, Info)
        assert info.format
        assert info.title
        assert info.status is Status.FINISHED
        assert info.start == replay.timeline.start
        assert info.duration >= replay.timeline.time(replay.timeline.last)
        assert all(isinstance(value, str | int) for value in info.metadata.values())

    def test_every_axis_has_a_value_for_every_step_and_none_falls(self, opened) -> None:
        for data in (*self._some(), *self.damaged()):
            try:
                timeline = opened(data).timeline
            except NhlogError:
                continue
            assert {timeline.unit, "time"} <= set(timeline.axes)
            for name, axis in timeline.axes.items():
                values = list(axis.values)
                assert len(values) == timeline.last + 1 > 0, name
                assert values == sorted(values), name
                assert values[0] >= 0, name
                assert values[-1] == axis.values[-1] == axis.values[timeline.last]
                assert list(axis.values[1:3]) == values[1:3]
                with pytest.raises(IndexError):
                    axis.values[timeline.last + 1]

    def test_stops_keyframes_and_markers_are_inside_and_in_order(self, opened) -> None:
        for data in (*self._some(), *self.damaged()):
            try:
                timeline = opened(data).timeline
            except NhlogError:
                continue
            marked = [marker.step for marker in timeline.markers]
            for steps in (timeline.stops, timeline.keyframes, marked):
                assert list(steps) == sorted(steps)
                assert all(0 <= step <= timeline.last for step in steps)
            for steps in (timeline.stops, timeline.keyframes):
                assert len(set(steps)) == len(steps)
            assert len(timeline.stops) > 0
            assert all(marker.kind and marker.name for marker in timeline.markers)

    def test_every_value_of_every_axis_leads_to_a_step_that_has_it(self, opened) -> None:
        timeline = opened(self.complete()).timeline
        for name, axis in timeline.axes.items():
            for step in range(timeline.last + 1):
                there = timeline.resolve(Position(name, axis.values[step]))
                assert axis.values[there] == axis.values[step]

    def test_markers_can_be_named(self, opened) -> None:
        timeline = opened(self.complete()).timeline
        for marker in timeline.markers:
            assert timeline.markers[[m.step for m in timeline.markers].index(marker.step)]
            there = timeline.resolve(Position("marker", marker.name))
            assert (there, marker.name) in [(other.step, other.name) for other in timeline.markers]

    # seeking

    def test_playing_backwards_shows_what_playing_forwards_shows(self, opened) -> None:
        replay = opened(self.complete())
        forwards = states(replay)
        backwards = []
        for step in reversed(range(replay.timeline.last + 1)):
            replay.seek(step)
            backwards.append(replay.state)
        assert backwards[::-1] == forwards

    @pytest.mark.parametrize("seed", range(4))
    def test_the_state_at_a_step_is_the_same_whichever_way_one_came_there(self, opened, seed: int) -> None:
        data = self.complete()
        expected = states(opened(data))
        chance = random.Random(seed)
        replay = opened(data)
        for _ in range(60):
            step = chance.randrange(len(expected))
            replay.seek(step)
            if chance.random() < 0.7:  # and to pass a step without looking changes nothing
                assert replay.step == step
                assert replay.state == expected[step]

    def test_a_fresh_replay_shows_at_once_what_a_played_one_shows(self, opened) -> None:
        data = self.complete()
        expected = states(opened(data))
        for step in range(0, len(expected), 3):
            replay = opened(data)
            replay.seek(step)
            assert replay.state == expected[step]

    def test_steps_are_kept_inside(self, opened) -> None:
        replay = opened(self.complete())
        last = replay.timeline.last
        for step, kept in ((-1, 0), (-(10**9), 0), (last + 1, last), (10**9, last), (last, last), (0, 0)):
            replay.seek(step)
            assert replay.step == kept

    def test_a_state_stays_as_it_was(self, opened) -> None:
        replay = opened(self.complete())
        first = replay.state
        seen = repr(first)
        states(replay)
        assert repr(first) == seen
        with pytest.raises((FrozenInstanceError, AttributeError)):
            first.step = 7

    def test_moving_changes_nothing_else(self, opened) -> None:
        replay = opened(self.complete())
        before = portrait(replay)
        states(replay)
        assert portrait(replay) == before

    # events

    def test_events_are_in_order_inside_and_in_words(self, opened) -> None:
        replay = opened(self.complete())
        last = replay.timeline.last
        events = list(replay.events(0, last))
        assert events
        assert [event.step for event in events] == sorted(event.step for event in events)
        for event in events:
            assert isinstance(event, Event)
            assert 0 <= event.step <= last
            assert event.text
            assert "\n" not in event.text

    def test_events_of_a_part_are_those_of_the_whole_that_are_in_it(self, opened) -> None:
        replay = opened(self.complete())
        last = replay.timeline.last
        events = list(replay.events(0, last))
        for first in range(0, last + 1, 2):
            for until in (first, first + 1, first + 7, last, last + 100):
                part = list(replay.events(first, until))
                assert part == [event for event in events if first <= event.step <= until]
        assert list(replay.events(5, 4)) == []

    # following

    def test_nothing_is_new_where_nothing_changed(self, opened) -> None:
        for data in self._some():
            replay = opened(data)
            replay.seek(3)
            step, before, state = replay.step, portrait(replay), replay.state
            assert replay.refresh() is Change.NOTHING
            assert (replay.step, replay.state, portrait(replay)) == (step, state, before)

    def test_growing_byte_by_byte_it_shows_what_a_fresh_opening_shows(self, opened, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old)
        replay = opened(path)
        replay.seek(replay.timeline.last)
        here, state = replay.step, replay.state
        for size in range(1, len(new) + 1):
            self.append(path, new[size - 1 : size])
            assert replay.refresh() in (Change.GREW, Change.NOTHING)
            assert replay.step == here
            if size % 7 == 0 or size == len(new):
                fresh = opened(old + new[:size])
                assert portrait(replay) == portrait(fresh)
                fresh.seek(replay.timeline.last)
                replay.seek(replay.timeline.last)
                assert replay.state == fresh.state
                replay.seek(here)
                assert replay.state == state
        assert replay.timeline.last > here
        assert states(replay) == states(opened(old + new))

    def test_growth_is_told_once(self, opened, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old)
        replay = opened(path)
        self.put(path, old + new)
        assert [replay.refresh() for _ in range(3)] == [Change.GREW, Change.NOTHING, Change.NOTHING]

    def test_a_timeline_and_an_info_are_snapshots(self, opened, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old)
        replay = opened(path)

        def told(timeline: Timeline) -> tuple[object, ...]:
            return (
                timeline.last,
                {name: list(axis.values) for name, axis in timeline.axes.items()},
                list(timeline.stops),
                list(timeline.keyframes),
                list(timeline.markers),
            )

        timeline, info = replay.timeline, replay.info
        before = told(timeline), repr(info)
        self.put(path, old + new)
        replay.refresh()
        assert (told(timeline), repr(info)) == before
        assert replay.timeline.last > timeline.last

    def test_the_end_is_told_once(self, opened, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old + new)
        replay = opened(path)
        assert replay.info.status is Status.LIVE
        self.put(path, self.finished(old + new))
        assert [replay.refresh() for _ in range(2)] == [Change.FINISHED, Change.NOTHING]
        assert replay.info.status is Status.FINISHED
        assert portrait(replay) == portrait(opened(self.finished(old + new)))

    @pytest.mark.parametrize("grown", [False, True])
    @pytest.mark.parametrize("here", [0, 2, 10**9])
    def test_after_a_rewind_it_shows_what_is_left(self, opened, path: Path, here: int, grown: bool) -> None:
        old, new = self._grows()
        shorter = self.rewound(old + new)
        if shorter is None:
            pytest.skip("this format takes nothing back")
        if grown:
            shorter += new + new
        self.put(path, old + new)
        replay = opened(path)
        states(replay)
        replay.seek(here)
        stood = replay.step
        self.put(path, shorter)
        assert replay.refresh() is Change.REWOUND
        assert replay.step == min(stood, replay.timeline.last)
        fresh = opened(shorter)
        fresh.seek(replay.step)
        assert replay.state == fresh.state
        assert portrait(replay) == portrait(fresh)
        assert replay.refresh() is Change.NOTHING
        assert states(replay) == states(fresh)

    # damage

    def test_damage_is_told_and_never_raised(self, opened) -> None:
        count = 0
        for data in self.damaged():
            count += 1
            try:
                replay = opened(data)
            except (Damaged, Unsupported):
                continue
            told = replay.info.status is Status.DAMAGED
            told |= any(map(self.says_damage, states(replay)))
            assert told, f"damaged recording number {count}"
            list(replay.events(0, replay.timeline.last))
        assert count > 2

    def test_damage_is_the_same_whichever_way_one_came_there(self, opened) -> None:
        for data in self.damaged():
            try:
                expected = states(opened(data))
            except NhlogError:
                continue
            replay = opened(data)
            steps = list(range(len(expected)))
            random.Random(len(data)).shuffle(steps)
            for step in [*steps, *reversed(steps)]:
                replay.seek(step)
                assert replay.state == expected[step]

    # cost

    def test_going_through_a_big_recording_does_not_keep_it(self, opened) -> None:
        data = self.big()
        if data is None:
            pytest.skip("there is only one state")
        replay = opened(data)
        total = 0
        tracemalloc.start()
        try:
            for step in range(replay.timeline.last + 1):
                replay.seek(step)
                total += len(repr(replay.state))
            for step in range(replay.timeline.last, 0, -97):
                replay.seek(step)
                total += len(repr(replay.state))
            for _ in replay.events(0, replay.timeline.last):
                pass
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert total > 2 * self.memory, "this recording is not big"
        assert peak < self.memory

    # company

    def test_many_processes_can_watch_at_once_and_see_the_same(self, path: Path) -> None:
        self.put(path, self.complete())
        code = f"""
sys.path.insert(0, {str(ROOT)!r})
import hashlib
from {self.opener[0]} import {self.opener[1]} as open_it
from tests.contract.replay_contract import portrait, states
replay = open_it(path)
say("open")
wait()
say(hashlib.sha256(repr((portrait(replay), states(replay))).encode()).hexdigest())
wait()
"""
        replay = self.open(path)
        expected = hashlib.sha256(repr((portrait(replay), states(replay))).encode()).hexdigest()
        replay.close()
        with Child(code, str(path)) as one, Child(code, str(path)) as two:
            assert [one.hear(), two.hear()] == ["open", "open"]
            for child in (one, two):
                child.tell()
            assert [one.hear(), two.hear()] == [expected, expected]

    def test_two_replays_do_not_know_of_each_other(self, opened) -> None:
        data = self.complete()
        one, two = opened(data), opened(data)
        expected = states(opened(data))
        for step in range(len(expected)):
            one.seek(step)
            two.seek(len(expected) - 1 - step)
            assert (one.state, two.state) == (expected[step], expected[-1 - step])

    def test_closing_gives_the_source_back(self, path: Path) -> None:
        self.put(path, self.complete())
        files = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            replay = self.open(path)
            replay.seek(2)
            replay.close()
        assert len(os.listdir("/proc/self/fd")) == files

    def test_what_cannot_be_opened_leaves_nothing_open(self, path: Path) -> None:
        files = len(os.listdir("/proc/self/fd"))
        for data in (b"", b"no recording at all\n" * 20):
            self.put(path, data)
            for _ in range(2):
                with pytest.raises(NhlogError) as error:
                    self.open(path)
                assert error.value.file == str(path)
        assert len(os.listdir("/proc/self/fd")) == files
