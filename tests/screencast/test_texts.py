"""Names, titles and labels of a recording hold whatever its maker liked: nothing of it reaches a terminal unchanged."""

import json
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.screen import Screen
from terminal.cli import main
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.player import Player
from terminal.views import view_of

EVIL = "a\x1b]0;x\x07\x9b31mb\nc\u202e\x7f"
VERBS = (
    ("info",),
    ("ls",),
    ("events",),
    ("dump",),
    ("dump", "--screens"),
    ("state", "--at", "end"),
    ("stats",),
    ("verify",),
    ("search", "hi"),
    ("show", "--at", "end", "--text"),
    ("show", "--at", "end", "--html"),
    ("show", "--at", "end", "--svg", "--bare"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    header = {"version": 2, "width": 80, "height": 24, "title": EVIL, "command": EVIL, "env": {"TERM": EVIL}}
    events = [[0.1, "o", f"\x1b]0;{EVIL}\x1b\\hi {EVIL}"], [0.2, "m", EVIL], [0.3, "\x1b[2J", EVIL], [0.4, "i", EVIL]]
    path = tmp_path / f"some{EVIL.replace('/', '')}.cast"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *events)))
    return path


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_no_verb_passes_them_on(verb: tuple[str, ...], path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, *options = verb
    file, *words = [str(path.parent if name == "ls" else path), *options]
    assert main([name, file, *words]) in (0, 1)
    out, err = capsys.readouterr()
    assert out
    assert [char for char in out + err if char != "\n" and not char.isprintable()] == []


def test_the_player_shows_them_harmless(path: Path) -> None:
    replay = open_recording(str(path))
    controls = Controls(Player(replay), view_of(replay.info.id))
    for step in range(replay.timeline.last + 1):
        replay.seek(step)
        screen: Screen = draw_frame(controls, 160, 40)
        assert all(row.isprintable() for row in screen.text())
    replay.close()
