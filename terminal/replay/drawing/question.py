"""A game's messages and its question to the player, over the picture of that moment."""

from nhlog.replay import Remarked
from nhlog.screen import Screen
from terminal.messages.rows import draw_rows, told_rows
from terminal.prompts.directions import PositionInput
from terminal.prompts.drawing import draw_prompt
from terminal.prompts.inputs import prompt_input
from terminal.replay.controls import Controls
from terminal.replay.look import draw_cursor

__all__ = ["draw_place", "draw_said"]


def draw_place(body: Screen, controls: Controls, state: Remarked) -> None:
    """Draw the place on the map at which the player begins to choose one, if that is what the game asks for."""
    asked = None if state.asks is None else prompt_input(state.asks)
    if isinstance(asked, PositionInput):
        (x, y), (here_x, here_y) = asked.cursor, state.here
        view = controls.view
        draw_cursor(body, view, controls.player.replay, controls.viewpoint, (x - here_x, y - here_y))


def draw_said(body: Screen, state: Remarked) -> None:
    """Draw the messages of the game at this step, and what it asks, as the player sees it before the answer."""
    rows = draw_rows(body, told_rows(state.told, body.width))
    if state.asks is not None:
        draw_prompt(body, prompt_input(state.asks), rows)
