"""The table of lock levels: every state meets every event that can happen to it, and no walk breaks the rules."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.log.locks.handshake import TABLE, Action, Event, State

ASKED = (Event.ASKED_BY_LOWER, Event.ASKED_BY_HIGHER)
RESTING = (State.NONE, State.MONITOR)
YIELDED = (State.YIELDED, State.SEEK_YIELDED)
CALLERS = {
    State.NONE: {Event.WANT_REST, Event.WANT_WRITE},
    State.MONITOR: {Event.WANT_WRITE},
    State.SEEK: {Event.GRANTED, Event.REFUSED},
    State.WRITE: {Event.DONE},
    State.YIELDED: {Event.MAY_LOCK},
    State.SEEK_YIELDED: {Event.MAY_LOCK, Event.REFUSED},
}
"""What can happen in each state besides being asked, which can always."""


@pytest.mark.parametrize("state", State)
def test_every_state_has_a_row_for_each_event_that_can_happen_and_for_no_other(state: State) -> None:
    assert {event for at, event in TABLE if at == state} == CALLERS[state] | set(ASKED)


@pytest.mark.parametrize("asked", ASKED)
def test_a_process_that_writes_never_lets_go(asked: Event) -> None:
    assert TABLE[State.WRITE, asked] == (Action.DEFER, State.WRITE)


@pytest.mark.parametrize("asked", ASKED)
def test_a_process_at_rest_lets_go_for_anybody(asked: Event) -> None:
    assert TABLE[State.MONITOR, asked] == (Action.YIELD, State.YIELDED)


def test_of_two_seekers_the_lower_goes_first() -> None:
    assert TABLE[State.SEEK, Event.ASKED_BY_LOWER] == (Action.YIELD, State.SEEK_YIELDED)
    assert TABLE[State.SEEK, Event.ASKED_BY_HIGHER] == (Action.DEFER, State.SEEK)


def test_the_write_lock_is_reached_by_seeking_alone() -> None:
    assert {state for (state, _), (_, after) in TABLE.items() if after == State.WRITE and state != after} == {
        State.SEEK
    }


def test_after_writing_comes_rest() -> None:
    assert {new for (at, _), (_, new) in TABLE.items() if at == State.WRITE} == {State.WRITE, State.MONITOR}


def test_whoever_asked_others_tells_them_that_they_may_lock_again_however_it_ends() -> None:
    for (state, event), (action, _) in TABLE.items():
        ends = event in (Event.GRANTED, Event.REFUSED)
        assert (action == Action.RELEASE) == ends, (state, event)


def test_a_process_without_its_lock_takes_it_again_before_it_does_anything_else() -> None:
    for (state, event), (action, after) in TABLE.items():
        if state in YIELDED and after not in YIELDED:
            assert (event, action) == (Event.MAY_LOCK, Action.RELOCK)


def held(state: State) -> str:
    """The lock that a process which monitors its log holds in a state."""
    return {State.NONE: "none", State.WRITE: "write"}.get(state, "none" if state in YIELDED else "read")


def walk(choices: list[int]) -> Iterator[tuple[State, Event, Action, State]]:
    """A life of a process that monitors its log, each choice being one of what can happen then."""
    state = State.MONITOR
    for choice in choices:
        events = sorted(event for at, event in TABLE if at == state)
        event = events[choice % len(events)]
        action, after = TABLE[state, event]
        yield state, event, action, after
        state = after


@given(st.lists(st.integers(0, 11), max_size=60))
def test_on_every_walk_locks_move_only_by_the_actions_that_say_so(choices: list[int]) -> None:
    moving = {
        ("read", "none"): Action.YIELD,
        ("none", "read"): Action.RELOCK,
        ("read", "write"): Action.RELEASE,
        ("write", "read"): Action.SETTLE,
    }
    for state, event, action, after in walk(choices):
        if held(state) != held(after):
            assert action == moving[held(state), held(after)], (state, event)
        else:
            assert action not in (Action.YIELD, Action.RELOCK), (state, event)


@given(st.lists(st.integers(0, 11), max_size=60))
def test_on_every_walk_each_request_is_answered_at_once_or_put_off_until_rest(choices: list[int]) -> None:
    for state, event, action, after in walk(choices):
        if event in ASKED:
            assert action in (Action.ANSWER, Action.YIELD, Action.DEFER)
            if action == Action.ANSWER:
                assert held(state) == held(after) == "none", "it says that it has let go"


def test_from_every_state_a_process_comes_to_rest() -> None:
    resting = set(RESTING)
    while more := {state for (state, _), (_, after) in TABLE.items() if after in resting} - resting:
        resting |= more
    assert resting == set(State)
