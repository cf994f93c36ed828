"""The places that a file can be cut back to follow from its bytes alone."""

import pytest

from nhlog.relay.course import STEP, Course

HEAD = 4
LINES = [STEP // 2, STEP + 9, 2 * STEP + 5, STEP // 8, STEP // 8, STEP, 7, STEP]
DATA = b"".join(b"x" * size + b"\n" for size in LINES)
STEPS = range(HEAD + 1, len(DATA), STEP // 3)


def course_over(*messages: bytes) -> Course:
    course = Course()
    for data in messages:
        course.take(course.bytes_message(data, HEAD))
    return course


@pytest.mark.parametrize("end", STEPS)
def test_after_a_cut_the_places_do_not_depend_on_where_messages_end(end: int) -> None:
    whole = course_over(DATA).places
    for back in {*course_over(DATA[:end]).places, end}:
        course = course_over(DATA[:end])
        course.take(course.truncate_message(back, 1, DATA[:HEAD]))
        course.take(course.bytes_message(DATA[back:], HEAD))
        assert course.places == whole
