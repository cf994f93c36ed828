"""How a game of 2048 looks: a pure function from a replay to a screen."""

from game2048 import ENGINE, Game2048
from nhlog import HEAD_SIZE, LogState, NhlogError, Replay, Screen, Style
from terminal.views import Fact, View, Viewpoint

CELL = 7  # columns of a square


def game_of(replay: Replay[LogState]) -> Game2048 | None:
    """The game at the step where the replay stands; None where its save cannot be read."""
    try:
        return ENGINE.load(replay.state.save[HEAD_SIZE:])
    except NhlogError:
        return None


def body(replay: Replay[LogState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The tiles and the points; the first row is left for messages."""
    screen, game = Screen(width, height), game_of(replay)
    if game is None or replay.state.fault:
        screen.put(0, 0, replay.state.fault or "there is no game here")
    if game is not None:
        for index, tile in enumerate(game.tiles):
            row, column = divmod(index, 4)
            text = str(1 << tile) if tile else "·"
            screen.put(column * CELL, 2 + 2 * row, f"{text:^{CELL}}", Style(fg=16 + tile, bg=255 - tile, bold=True))
        screen.put(0, 11, game.state)
    return screen


def facts(replay: Replay[LogState]) -> list[Fact]:
    """What stands beside the tiles."""
    game = game_of(replay)
    return [] if game is None else [("points", str(game.points)), ("turn", str(game.turn))]


VIEW = View(body, facts)
