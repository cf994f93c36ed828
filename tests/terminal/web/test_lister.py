"""What the lister tells of recordings."""

import pytest

from terminal.web.processes.lister import lasting


@pytest.mark.parametrize(
    ("place", "others", "lasts"),
    [
        ("/g/x.cast", [], "/g/x.cast"),
        ("/g/x.cast.zst", [], "/g/x.cast"),
        ("/g/x.cast.zst", ["/g/x.cast"], "/g/x.cast.zst"),
        ("/g/x.cast", ["/g/x.cast.zst"], "/g/x.cast"),
        ("/g/x.nhgame", [], "/g/x.nhgame"),
    ],
)
def test_links_to_a_recording_hold_when_it_is_packed(place: str, others: list[str], lasts: str) -> None:
    assert lasting(place, {place, *others}) == lasts
