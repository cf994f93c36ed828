"""Whether events can be where the columns say, as the kernel has it, as Python has it, and event by event."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.screencast.kept import _follow
from tests.kernels.builds import BUILDS, build

EVENTS = st.lists(
    st.tuples(
        st.integers(-1, 5) | st.integers(-(1 << 63), (1 << 63) - 1),
        st.integers(0, 40) | st.integers(0, (1 << 63) - 1),
        st.integers(0, 9) | st.integers(0, (1 << 32) - 1),
    )
)
SORTED = EVENTS.map(lambda events: [*zip(*map(sorted, zip(*events, strict=True)), strict=True)])
SPACED = SORTED.map(
    lambda events: [(time, place // 2 + number * 9, size % 9) for number, (time, place, size) in enumerate(events)]
)


@pytest.mark.parametrize("kind", BUILDS)
@given(events=EVENTS | SORTED | SPACED)
def test_it_is_in_order_where_each_event_is_behind_the_one_before_it(kind: str, events: list[tuple]) -> None:
    columns = [array(code, [event[at] for event in events]).tobytes() for at, code in enumerate("qQI")]
    before = [(0, 0, 0), *events]
    expected = all(
        time >= last and place >= begun + size
        for (last, begun, size), (time, place, _) in zip(before, events, strict=False)
    )
    assert build("event_columns", kind).in_order(*columns) is expected
    assert _follow(*columns) is expected
