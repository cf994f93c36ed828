"""Asking for a new game: a name and a role, over the screen of the lobby."""

from typing import Final

from nhlog.engines import engine_named
from nhlog.engines.prompts import AskMenu, AskText, Choice
from nhlog.engines.protocol import NewGame
from nhlog.log.wire.lines import Line, MenuAnswer, TextAnswer
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.model import Lobby
from terminal.play.drawing import draw_prompt
from terminal.play.new_game import ENGINE, default_name, random_options
from terminal.play.prompts.inputs import PromptInput
from terminal.play.prompts.menus import MenuInput
from terminal.play.prompts.text import TextInput
from terminal.screen.display import Display

__all__ = ["ask_new_game"]

_WAIT: Final = 0.5  # seconds between two drawings while nobody presses a key


def ask_new_game(display: Display, lobby: Lobby) -> NewGame | None:
    """Ask for the hero's name and role and leave the rest to chance; None if a prompt was cancelled."""
    name = TextInput(AskText("What is your name?"))
    name.typed = default_name()
    answer = _ask(display, lobby, name)
    if not isinstance(answer, TextAnswer) or answer.blob.decode() in (b"\x1b\0", b"\0"):
        return None
    roles = list(engine_named(ENGINE).roles)
    choices = tuple(Choice(number, role) for number, role in enumerate(("any", *roles), 1))
    picked = _ask(display, lobby, MenuInput(AskMenu("Who are you?", choices, 1)))
    if not isinstance(picked, MenuAnswer) or not picked.ids:
        return None
    role = None if picked.ids[0] == 1 else roles[picked.ids[0] - 2]
    return random_options(name.typed, role)


def _ask(display: Display, lobby: Lobby, prompt: PromptInput) -> Line:
    """The answer to a prompt that is shown over the lobby."""
    while True:
        screen = draw_lobby(lobby, *display.size)
        draw_prompt(screen, prompt)
        display.draw(screen)
        for key in display.keys(_WAIT):
            answer = prompt.press(key)
            if answer is not None:
                return answer
