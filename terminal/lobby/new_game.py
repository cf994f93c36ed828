"""Asking for a new game: which game, a name and a role, over the screen of the lobby."""

from collections.abc import Sequence
from typing import Final

from nhlog.engines import engine_named, engines
from nhlog.engines.prompts import AskMenu, AskText, Choice
from nhlog.engines.protocol import NewGame
from nhlog.log.wire.lines import Line, MenuAnswer, TextAnswer
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.model import Lobby
from terminal.play.new_game import DEFAULT_GAME, default_name, random_options
from terminal.prompts.drawing import draw_prompt
from terminal.prompts.inputs import PromptInput
from terminal.prompts.menus import MenuInput
from terminal.prompts.text import TextInput
from terminal.screen.display import Display

__all__ = ["ask_new_game"]

_WAIT: Final = 0.5  # seconds between two drawings while nobody presses a key


def ask_new_game(display: Display, lobby: Lobby) -> tuple[str, NewGame] | None:
    """Ask for the game if there are several, the hero's name if the visitor may choose it, and the role.

    The other options are random.
    Returns the id of the engine and the options; None if a prompt was cancelled.
    """
    games = sorted(engines(), key=lambda game: (game != DEFAULT_GAME, game))
    game = _pick(display, lobby, "Which game?", games)
    if game is None:
        return None
    name = lobby.visitor.hero or _ask_name(display, lobby)
    if name is None:
        return None
    roles = list(engine_named(game).roles)
    role = _pick(display, lobby, "Who are you?", ["any", *roles] if roles[1:] else roles)
    return None if role is None else (game, random_options(game, name, None if role == "any" else role))


def _ask_name(display: Display, lobby: Lobby) -> str | None:
    """The hero's name; None if the prompt was cancelled."""
    name = TextInput(AskText("What is your name?"), usual=default_name())
    answer = _ask(display, lobby, name)
    if not isinstance(answer, TextAnswer) or answer.blob.decode() in (b"\x1b\0", b"\0"):
        return None
    return name.text


def _pick(display: Display, lobby: Lobby, question: str, words: Sequence[str]) -> str | None:
    """The word that was picked, without a question if there is only one; None if the prompt was cancelled."""
    if len(words) == 1:
        return words[0]
    choices = tuple(Choice(number, word) for number, word in enumerate(words, 1))
    picked = _ask(display, lobby, MenuInput(AskMenu(question, choices, 1)))
    return words[picked.ids[0] - 1] if isinstance(picked, MenuAnswer) and picked.ids else None


def _ask(display: Display, lobby: Lobby, prompt: PromptInput) -> Line:
    """Show a prompt over the lobby, and return the answer."""
    while True:
        screen = draw_lobby(lobby, *display.size)
        draw_prompt(screen, prompt)
        display.draw(screen)
        for key in display.keys(_WAIT):
            answer = prompt.press(key)
            if answer is not None:
                return answer
