"""Columns are as wide as what is in them; where there is no room the less important ones give way first."""

from itertools import pairwise

import pytest

from terminal.screen.columns import BETWEEN, Column, places

COLUMNS = (Column("who", 5, 0), Column("where", 4, 2), Column("status", 6, 1))
WIDEST = {"who": 12, "where": 8, "status": 20}


def laid_out(width: int, **other: int) -> dict[str, int]:
    return {name: room for name, _, room in places(COLUMNS, WIDEST | other, 3, width)}


def test_where_there_is_room_each_fits_its_content() -> None:
    assert laid_out(200) == {"who": 12, "where": 8, "status": 20}


def test_a_column_is_at_least_as_wide_as_its_name_and_one_without_content_is_not_there() -> None:
    assert laid_out(200, who=1, where=0) == {"who": 3, "status": 20}


@pytest.mark.parametrize(
    ("width", "rooms"),
    [
        (46, {"who": 12, "where": 8, "status": 19}),
        (36, {"who": 10, "where": 8, "status": 11}),
        (23, {"who": 6, "where": 4, "status": 6}),
        (22, {"who": 5, "where": 4, "status": 6}),
        (21, {"who": 8, "status": 8}),
        (15, {"who": 12}),
    ],
)
def test_all_are_clipped_alike_and_the_last_in_rank_is_left_out_first(width: int, rooms: dict[str, int]) -> None:
    assert laid_out(width) == rooms


def test_one_that_yields_is_left_out_where_another_one_would_be_clipped() -> None:
    columns = (*COLUMNS, Column("since", 5, 3, yields=True))
    widths = {width: len(places(columns, WIDEST | {"since": 16}, 3, width)) for width in (65, 64, 40)}
    assert widths == {65: 4, 64: 3, 40: 3}


def test_nothing_stands_on_anything_else() -> None:
    for width in range(8, 60):  # from the least of the first one on
        found = places(COLUMNS, WIDEST, 3, width)
        assert all(one.x + one.width + BETWEEN == two.x for one, two in pairwise(found))
        assert found[-1].x + found[-1].width <= width
