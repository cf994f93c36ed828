"""The contract of replays (`nhlog.replay.Replay`) as tests; a format's tests derive a class from `ReplayContract`."""

import multiprocessing
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

import pytest

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.plots import Heat, NothingToPlot, Plot
from nhlog.replay import Event, Info, Plottable, Replay, Status
from nhlog.testing.following import FollowingContract
from nhlog.testing.recordings import Opener, digest, portrait, states
from nhlog.timeline import Position

__all__ = ["ReplayContract"]

_PROCESSES = multiprocessing.get_context("fork")  # which have all modules: the contract is of many formats


class _Viewer:
    """Another process that opens a recording, says so, waits for a word, and sends the recording's digest."""

    def __init__(self, open_it: Callable[[Path], Replay[Any]], path: Path) -> None:
        self._pipe, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_view, args=(open_it, path, theirs))
        self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # it has ended before
            self.go_on()
        self._process.join()
        self._pipe.close()

    def hear(self) -> str:
        """What it sends next; raises :class:`EOFError` if it has ended."""
        return str(self._pipe.recv())

    def go_on(self) -> None:
        """Say the word that it waits for."""
        self._pipe.send("go on")


def _view(open_it: Callable[[Path], Replay[Any]], path: Path, pipe: Connection) -> None:
    replay = open_it(path)
    pipe.send("open")
    pipe.recv()
    pipe.send(digest(replay))
    pipe.recv()  # both have it open at the same time


def _steps_of(plot: Plot) -> Iterator[int]:
    """The steps to which a plot leads; its points are in order."""
    yield from (mark.step for mark in plot.marks)
    if isinstance(plot, Heat):
        assert len(plot.seconds) == len(plot.firsts) == plot.columns * plot.rows
        yield from (first for seconds, first in zip(plot.seconds, plot.firsts, strict=True) if seconds > 0)
        return
    for series in plot.series:
        assert len(series.xs) == len(series.ys) == len(series.steps)
        assert list(series.xs) == sorted(series.xs)
        yield from series.steps


class ReplayContract(FollowingContract):
    """The contract of replays.  A derived class supplies sample recordings, and may add tests of its own."""

    # the timeline

    def test_it_opens_at_its_first_step(self, opened: Opener) -> None:
        assert opened(self.complete()).step == 0

    def test_info_is_complete(self, opened: Opener) -> None:
        replay = opened(self.complete())
        info = replay.info
        assert isinstance(info, Info)
        assert info.format
        assert info.title
        assert info.status is Status.FINISHED
        assert info.start == replay.timeline.start
        assert info.duration >= replay.timeline.time(replay.timeline.last)
        assert all(isinstance(value, str | int) for value in info.metadata.values())

    def test_every_axis_has_a_value_for_every_step_and_none_falls(self, opened: Opener) -> None:
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

    def test_stops_keyframes_and_markers_are_inside_and_in_order(self, opened: Opener) -> None:
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

    def test_every_value_of_every_axis_leads_to_a_step_that_has_it(self, opened: Opener) -> None:
        timeline = opened(self.complete()).timeline
        for name, axis in timeline.axes.items():
            for step in range(timeline.last + 1):
                there = timeline.resolve(Position(name, axis.values[step]))
                assert axis.values[there] == axis.values[step]

    def test_markers_can_be_named(self, opened: Opener) -> None:
        timeline = opened(self.complete()).timeline
        for marker in timeline.markers:
            assert timeline.markers[[m.step for m in timeline.markers].index(marker.step)]
            there = timeline.resolve(Position("marker", marker.name))
            assert (there, marker.name) in [(other.step, other.name) for other in timeline.markers]

    # seeking

    def test_playing_backwards_shows_what_playing_forwards_shows(self, opened: Opener) -> None:
        replay = opened(self.complete())
        forwards = states(replay)
        backwards = []
        for step in reversed(range(replay.timeline.last + 1)):
            replay.seek(step)
            backwards.append(replay.state)
        assert backwards[::-1] == forwards

    @pytest.mark.parametrize("seed", range(4))
    def test_the_state_at_a_step_is_the_same_whichever_way_one_came_there(self, opened: Opener, seed: int) -> None:
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

    def test_a_fresh_replay_shows_at_once_what_a_played_one_shows(self, opened: Opener) -> None:
        data = self.complete()
        expected = states(opened(data))
        for step in range(0, len(expected), 3):
            replay = opened(data)
            replay.seek(step)
            assert replay.state == expected[step]

    def test_steps_are_kept_inside(self, opened: Opener) -> None:
        replay = opened(self.complete())
        last = replay.timeline.last
        for step, kept in ((-1, 0), (-(10**9), 0), (last + 1, last), (10**9, last), (last, last), (0, 0)):
            replay.seek(step)
            assert replay.step == kept

    def test_a_state_stays_as_it_was(self, opened: Opener) -> None:
        replay = opened(self.complete())
        first = replay.state
        seen = repr(first)
        states(replay)
        assert repr(first) == seen
        with pytest.raises((FrozenInstanceError, AttributeError)):
            first.step = 7

    def test_moving_changes_nothing_else(self, opened: Opener) -> None:
        replay = opened(self.complete())
        before = portrait(replay)
        states(replay)
        assert portrait(replay) == before

    # events

    def test_events_are_in_order_inside_and_in_words(self, opened: Opener) -> None:
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

    def test_events_of_a_part_are_those_of_the_whole_that_are_in_it(self, opened: Opener) -> None:
        replay = opened(self.complete())
        last = replay.timeline.last
        events = list(replay.events(0, last))
        for first in range(0, last + 1, 2):
            for until in (first, first + 1, first + 7, last, last + 100):
                part = list(replay.events(first, until))
                assert part == [event for event in events if first <= event.step <= until]
        assert list(replay.events(5, 4)) == []

    def test_moving_meanwhile_changes_no_event(self, opened: Opener) -> None:
        replay = opened(self.complete())
        last = replay.timeline.last
        found = []
        for event in replay.events(0, last):
            found.append(event)
            replay.seek(last - event.step)
            assert replay.state is not None
        assert found == list(replay.events(0, last))

    # damage

    def test_damage_is_told_and_never_raised(self, opened: Opener) -> None:
        count = 0
        for data in self.damaged():
            count += 1
            try:
                replay = opened(data)
            except (Damaged, Unsupported):
                continue
            reported = replay.info.status is Status.DAMAGED
            reported |= any(map(self.says_damage, states(replay)))
            assert reported, f"damaged recording number {count}"
            list(replay.events(0, replay.timeline.last))
        assert count > 2, "damaged() gives at least three recordings"

    def test_damage_is_the_same_whichever_way_one_came_there(self, opened: Opener) -> None:
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

    def test_going_through_a_big_recording_does_not_keep_it(self, opened: Opener) -> None:
        data = self.big()
        if data is None:
            pytest.skip("there is only one state")
        replay = opened(data)
        last = replay.timeline.last
        total = 0
        tracemalloc.start()
        try:
            events = replay.events(0, last)
            event = next(events, None)
            for step in range(last + 1):
                replay.seek(step)
                if step % 7 == 0:  # the others are about as large
                    total += 7 * len(repr(replay.state))
                while event and event.step <= step:  # what was decoded for the state serves for the events, too
                    event = next(events, None)
            for step in range(last, 0, -97):
                replay.seek(step)
                total += len(repr(replay.state))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert total > 2 * self.memory, "this recording is not big"
        assert peak < self.memory

    # plots, of those that have some

    def test_plots_are_made_of_the_steps_of_the_recording(self, opened: Opener) -> None:
        for data in (*self._some(), *self.damaged()):
            try:
                replay = opened(data)
            except NhlogError:
                continue
            if not isinstance(replay, Plottable):
                return
            plots = replay.plots()
            step, passed = replay.step, list(plots.survey())
            assert (passed, replay.step) == (sorted(passed), step)
            for kind in plots.kinds:
                try:
                    plot = plots.plot(kind)
                except NothingToPlot:
                    continue
                assert set(_steps_of(plot)) <= set(range(replay.timeline.last + 1))

    # company

    def test_many_processes_can_watch_at_once_and_see_the_same(self, path: Path) -> None:
        self.put(path, self.complete())
        replay = self.open(path)
        expected = digest(replay)
        replay.close()
        with _Viewer(self.open, path) as one, _Viewer(self.open, path) as two:
            assert [one.hear(), two.hear()] == ["open", "open"]
            for viewer in (one, two):
                viewer.go_on()
            assert [one.hear(), two.hear()] == [expected, expected]

    def test_two_replays_do_not_know_of_each_other(self, opened: Opener) -> None:
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
