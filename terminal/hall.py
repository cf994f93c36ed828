"""The loop of the lobby: from it one sits down at a game, and to it one comes back."""

import random
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.prompts import AskMenu, AskText, Choice
from nhlog.engines.protocol import NewGame
from nhlog.errors import NhlogError, Unsupported
from nhlog.files import CannotOpen
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.file import LogFile
from nhlog.log.lines import MenuAnswer, TextAnswer
from nhlog.log.notify import Changes
from nhlog.session.replay import GameReplay
from terminal.asking import Asking, Menu, Text
from terminal.client import Display, watch
from terminal.ghost import Ghost
from terminal.lobby import Lobby
from terminal.opening import ENGINE, begin, default_name, open_seat, open_viewed
from terminal.player import Player
from terminal.table import play
from terminal.views.lobby import draw_lobby, rows_in_view
from terminal.views.seat import draw_menu

__all__ = ["chance", "sit_down", "visit", "watch_file"]

REFRESH: Final = 1 / 2  # seconds between two looks at the folders
COUNT: Final = 2.0  # seconds between two looks at who is on the games
WORLDS: Final = 1 << 32  # seeds to choose from when none is asked for


def visit(display: Display, lobby: Lobby, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
    """Stay in the lobby until the person has had enough."""
    due = clock()
    while not lobby.done:
        more = lobby.look()
        if clock() >= due:
            lobby.count(rows_in_view(lobby, display.size[1]))
            due = clock() + COUNT
        display.draw(draw_lobby(lobby, *display.size))
        for key in display.keys(0 if more else REFRESH):
            lobby.press(key)
        if lobby.wants:
            wants, lobby.wants = lobby.wants, ""
            _go(display, lobby, config, wants)
            due = clock()


def _go(display: Display, lobby: Lobby, config: Config, wants: str) -> None:
    """Do what was chosen; what cannot be done is told in the lobby."""
    row = lobby.chosen
    try:
        if wants == "new":
            options = _ask_new_game(display, lobby)
            if options is None:
                return
            file = begin(options, config)
            lobby.look()
            lobby.choose(file)
            sit_down(display, file, config)
        elif row is not None and wants == "play":
            sit_down(display, row.file, config)
        elif row is not None and wants == "watch":
            watch_file(display, row.file, config)
        elif row is not None:
            with closing(Player(open_viewed(row.file))) as player:
                watch(display, player)
    except (NhlogError, OSError) as error:
        lobby.message = str(error)


def sit_down(display: Display, file: str, config: Config, ghost: Ghost | None = None) -> None:
    """Play the game in `file`: one that is over is shown again, one that cannot be written or played is watched.

    Raises :class:`NhlogError` for what cannot be shown either.
    """
    try:
        seat = open_seat(file, config)
    except (CannotOpen, Unsupported) as error:
        watch_file(display, file, config, f"you watch this game: {error.what}")
        return
    with closing(seat):
        if not seat.session.log.header.finished:
            seat.ghost = ghost
            with Changes(seat.source, config.notify) as changes:
                play(display, seat, changes=changes)
            return
    with closing(Player(open_viewed(file))) as player:
        player.message = "this game is over: it is shown from its start"
        watch(display, player)


def watch_file(display: Display, file: str, config: Config, message: str = "") -> None:
    """Follow a recording that others write, saying `message` first; raises :class:`NhlogError`."""
    replay = open_viewed(file)
    with closing(Player(replay)) as player:
        player.follow()
        player.message = message or player.message
        source = _source(replay)
        if source is None:
            watch(display, player)
            return
        with Changes(source, config.notify) as changes:
            watch(display, player, changes=changes)


def _source(replay: object) -> LogFile | None:
    """The file of a log, whose changes can be told; other recordings are looked at now and then."""
    lines = replay.lines if isinstance(replay, GameReplay) else replay
    source = lines.log.source if isinstance(lines, LogReplay) else None
    if source is not None and not isinstance(source, LogFile):
        raise Unsupported("only a log in a file can be watched", file=source.name)
    return source


def _ask_new_game(display: Display, lobby: Lobby) -> NewGame | None:
    """Ask for a name and a role; None if the person would rather not."""
    name = Text(AskText("What is your name?"))
    name.typed = default_name()
    answer = _ask(display, lobby, name)
    if not isinstance(answer, TextAnswer) or answer.blob.decode() in (b"\x1b\0", b"\0"):
        return None
    roles = list(engine_named(ENGINE).roles)
    choices = tuple(Choice(number, role) for number, role in enumerate(("any", *roles), 1))
    picked = _ask(display, lobby, Menu(AskMenu("Who are you?", choices, 1)))
    if not isinstance(picked, MenuAnswer) or not picked.ids:
        return None
    role = None if picked.ids[0] == 1 else roles[picked.ids[0] - 2]
    return chance(name.typed, role)


def _ask(display: Display, lobby: Lobby, asking: Asking) -> object:
    """The answer to a question that is asked over the lobby."""
    while True:
        screen = draw_lobby(lobby, *display.size)
        draw_menu(screen, asking)
        display.draw(screen)
        for key in display.keys(REFRESH):
            answer = asking.press(key)
            if answer is not None:
                return answer


def chance(name: str, role: str | None, mode: int = 0, seed: int | None = None) -> NewGame:
    """A new game of which what was not asked for is left to chance."""
    roles = engine_named(ENGINE).roles
    chosen = role or random.choice(list(roles))
    races, genders, alignments = roles[chosen]
    return NewGame(
        name,
        chosen,
        random.choice(races),
        random.choice(genders),
        random.choice(alignments),
        mode,
        random.randrange(WORLDS) if seed is None else seed,
    )
