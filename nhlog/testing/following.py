"""The contract of recordings that grow or are rewound, as tests."""

from pathlib import Path

import pytest

from nhlog.errors import TooShort
from nhlog.replay import Change, Status
from nhlog.testing.recordings import Opener, Recordings, portrait, states
from nhlog.timeline import Timeline

__all__ = ["FollowingContract"]


class FollowingContract(Recordings):
    """Tests of growth byte by byte, the end, rewinding, replacing; skipped for formats whose recordings do not grow."""

    def test_nothing_is_new_where_nothing_changed(self, opened: Opener) -> None:
        for data in self._some():
            replay = opened(data)
            replay.seek(3)
            step, before, state = replay.step, portrait(replay), replay.state
            assert replay.refresh() is Change.NOTHING
            assert (replay.step, replay.state, portrait(replay)) == (step, state, before)

    def test_growing_byte_by_byte_it_shows_what_a_fresh_opening_shows(self, opened: Opener, path: Path) -> None:
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

    def test_growth_is_told_once(self, opened: Opener, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old)
        replay = opened(path)
        self.put(path, old + new)
        assert [replay.refresh() for _ in range(3)] == [Change.GREW, Change.NOTHING, Change.NOTHING]

    def test_a_timeline_and_an_info_are_snapshots(self, opened: Opener, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old)
        replay = opened(path)

        def values_of(timeline: Timeline) -> tuple[object, ...]:
            return (
                timeline.last,
                {name: list(axis.values) for name, axis in timeline.axes.items()},
                list(timeline.stops),
                list(timeline.keyframes),
                list(timeline.markers),
            )

        timeline, info = replay.timeline, replay.info
        before = values_of(timeline), repr(info)
        self.put(path, old + new)
        replay.refresh()
        assert (values_of(timeline), repr(info)) == before
        assert replay.timeline.last > timeline.last

    def test_a_recording_without_a_first_byte_is_too_short(self, opened: Opener, path: Path) -> None:
        self._grows()
        self.put(path, b"")
        with pytest.raises(TooShort):
            opened(path)

    def test_one_that_was_emptied_is_told_until_it_can_be_read_again(self, opened: Opener, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old + new)
        replay = opened(path)
        before = states(replay)
        self.empty(path)
        for _ in range(2):
            with pytest.raises(TooShort):
                replay.refresh()
        self.put(path, old + new)
        replay.refresh()
        assert replay.refresh() is Change.NOTHING
        assert states(replay) == before

    def test_another_recording_under_its_name_is_told_once(self, opened: Opener, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old + new)
        replay = opened(path)
        other = path.with_name(f"other{self.ending}")
        self.put(other, self.other())
        path.rename(path.with_name(f"former{self.ending}"))
        other.rename(path)
        changes = [replay.refresh() for _ in range(2)]
        assert changes in ([Change.REPLACED, Change.NOTHING], [Change.REWOUND, Change.NOTHING])
        shown = replay if changes[0] is Change.REWOUND else opened(path)
        assert portrait(shown) == portrait(opened(self.other()))

    def test_the_end_is_told_once(self, opened: Opener, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old + new)
        replay = opened(path)
        before = replay.info.status
        assert before is Status.LIVE
        self.put(path, self.finished(old + new))
        assert [replay.refresh() for _ in range(2)] == [Change.FINISHED, Change.NOTHING]
        assert replay.info.status is Status.FINISHED
        assert portrait(replay) == portrait(opened(self.finished(old + new)))

    def test_what_is_written_after_it_was_moved_is_shown_and_its_end(self, opened: Opener, path: Path) -> None:
        old, new = self._grows()
        self.put(path, old)
        replay = opened(path)
        moved = path.with_name(f"moved{self.ending}")
        self.move(path, moved)
        replay.refresh()
        self.put(moved, old + new)
        replay.refresh()
        assert states(replay) == states(opened(old + new))
        self.put(moved, self.finished(old + new))
        assert [replay.refresh() for _ in range(2)] == [Change.FINISHED, Change.NOTHING]
        assert replay.info.status is Status.FINISHED
        assert states(replay) == states(opened(self.finished(old + new)))

    @pytest.mark.parametrize("grown", [False, True])
    @pytest.mark.parametrize("here", [0, 2, 10**9])
    def test_after_a_rewind_it_shows_what_is_left(self, opened: Opener, path: Path, here: int, grown: bool) -> None:
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
