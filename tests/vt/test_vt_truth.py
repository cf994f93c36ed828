"""The emulator shows what three emulators agreed on, in recordings of real programs."""

import pytest

from nhlog.vt import Tape
from tests.vt.truth import FILES, differing, truth

OF_NOTHING = {
    "asciinema-player/powerline-rounded-symbols.cast",
    "converted/bash-resize-v3.cast",
    "converted/bash-unicode-v3.cast",
}
"""Their first screens are empty, nothing was written yet; the truth has styles there that come later."""


@pytest.mark.parametrize("name", FILES)
def test_sampled_screens_are_the_known_ones(name: str) -> None:
    known = truth(name)
    assert len(known.parts) == known.told["events"]
    tape = Tape(known.size, known.between)
    for frame in known.frames:
        grid = tape.grid(frame["index"] + 1)
        trusted = [y for y in range(frame["rows"]) if y not in frame.get("disputed_rows", ())]
        assert (grid.columns, len(grid.rows)) == (frame["cols"], frame["rows"])
        text = grid.text()
        assert [(y, text[y]) for y in trusted] == [(y, frame["screen"][y]) for y in trusted]
        assert grid.cursor == tuple(frame["cursor"])
        assert grid.cursor_visible == frame["cursor_visible"]
        if "styles" in frame and not (name in OF_NOTHING and frame["index"] == 0):
            wrong = [(y, differing(list(grid.rows[y]), y, frame["styles"])) for y in trusted]
            assert [found for found in wrong if found[1]] == []


def test_seeking_shows_what_playing_shows() -> None:
    """Both ways, across snapshots and resizes."""
    for name in FILES:
        known = truth(name)
        if sum(map(len, known.parts)) > 1 << 18:
            steps = [frame["index"] + 1 for frame in known.frames]
            played, sought = (Tape(known.size, known.between) for _ in range(2))
            grids = [played.grid(step) for step in steps]
            sought.grid(len(known.parts))
            assert [sought.grid(step) for step in reversed(steps)] == grids[::-1]
            assert [sought.grid(step) for step in steps] == grids
