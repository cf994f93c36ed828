"""How a terminal recording looks: the lines as they are."""

from minicast.replay import CastState
from nhlog import Replay, Screen
from terminal.views import Fact, View, Viewpoint


def body(replay: Replay[CastState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The last lines that there is room for."""
    screen = Screen(width, height)
    for row, text in enumerate(replay.state.rows[-height:] if height > 0 else ()):
        screen.put(0, row, text)
    return screen


def facts(replay: Replay[CastState]) -> list[Fact]:
    """What stands beside the lines."""
    return [("lines", str(len(replay.state.rows)))]


VIEW = View(body, facts)
