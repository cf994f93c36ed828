"""What a game asks its player, over the picture of the moment at which it does."""

from nhlog.replay import Remarked
from nhlog.screen import Screen
from terminal.prompts.directions import PositionInput
from terminal.prompts.drawing import draw_prompt
from terminal.prompts.inputs import prompt_input
from terminal.replay.controls import Controls
from terminal.replay.look import draw_cursor

__all__ = ["draw_question"]


def draw_question(body: Screen, controls: Controls, state: Remarked) -> None:
    """Draw what the game asks its player at this step, as the player sees it before the answer."""
    asked = prompt_input(state.asks)
    if isinstance(asked, PositionInput):
        (x, y), (here_x, here_y) = asked.cursor, state.here
        view = controls.view
        draw_cursor(body, view, controls.player.replay, controls.viewpoint, (x - here_x, y - here_y))
    draw_prompt(body, asked)
