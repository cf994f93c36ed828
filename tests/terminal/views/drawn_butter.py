"""The screens of Echo VR sessions that the tests compare with, kept as text in `drawn_butter/`.

After a change of looks: ``python -m tests.terminal.views.drawn_butter`` draws them anew; read the difference before
committing it.
"""

import tempfile
from contextlib import closing
from pathlib import Path

from nhlog.formats import open_recording
from nhlog.screen import Screen
from terminal.views import Viewpoint, view_of
from tests.contract.test_butter import played
from tests.corpus import SAMPLES
from tests.formats.butter.made import session_file

__all__ = ["CASES", "FOLDER", "drawn"]

FOLDER = Path(__file__).with_name("drawn_butter")

CASES: dict[str, tuple[str, int, int, int, Viewpoint | str]] = {
    "above": ("sample", 62, 80, 20, Viewpoint()),
    "above-wide": ("sample", 62, 140, 44, Viewpoint()),
    "side": ("sample", 62, 80, 20, Viewpoint(side=1)),
    "the-disc": ("sample", 62, 80, 20, Viewpoint(camera=1)),
    "a-player": ("sample", 62, 80, 20, Viewpoint(camera=4, zoom=-2)),
    "panned": ("sample", 62, 80, 20, Viewpoint(zoom=3, pan=(20, -2))),
    "narrow": ("sample", 10, 40, 10, Viewpoint()),
    "goal": ("made", 2, 80, 12, Viewpoint()),
    "paused": ("made", 3, 80, 12, Viewpoint()),
    "attributes": ("sample", 62, 100, 14, "attributes"),
    "discoveries": ("sample", 62, 60, 14, "discoveries"),
    "overview": ("made", 4, 100, 7, "overview"),
    "ledger": ("made", 5, 80, 12, "ledger"),
}
"""By name: which session, the frame, the size, and the eye or the panel."""


def drawn(name: str) -> Screen:
    """One of these screens."""
    session, step, width, height, how = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        path = SAMPLES / "arena.butter"
        if session == "made":
            path = Path(folder, "made.butter")
            path.write_bytes(session_file(played()))
        with closing(open_recording(str(path))) as replay:
            replay.seek(step)
            view = view_of(replay.info.id)
            if isinstance(how, str):
                return view.panels[how](replay).crop(0, 0, width, height)
            return view.body(replay, width, height, how)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        (FOLDER / f"{case}.txt").write_text("\n".join(drawn(case).text()) + "\n")
