"""Asking for a game to play: which one, a hero's name and role, its world, over the lobby; and playing a program."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from nhlog.config import Config, GameProgram
from nhlog.engines import engine_named, engines, lacking
from nhlog.engines.prompts import AskMenu, AskText, Choice
from nhlog.engines.protocol import NewGame, TellsWorlds
from nhlog.errors import NhlogError, Usage
from nhlog.log.wire.lines import Line, MenuAnswer, TextAnswer
from nhlog.players import PlayerFolder, Players
from nhlog.players.maintenance import check_open
from nhlog.players.mutes import Author
from nhlog.players.names import BONES, PROGRAMS
from nhlog.players.notices import Notices
from terminal.hosting.editing import edit_options
from terminal.hosting.places import is_saved
from terminal.hosting.playing import play_program
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.model import Lobby
from terminal.lobby.visitors import Visitor
from terminal.messages.others import OFF, FromOthers
from terminal.play.new_game import DEFAULT_GAME, default_name, random_options
from terminal.prompts.drawing import draw_prompt
from terminal.prompts.inputs import PromptInput
from terminal.prompts.menus import MenuInput
from terminal.prompts.text import TextInput
from terminal.screen.display import Display, Lender
from terminal.settings.kept import read_settings
from terminal.settings.own_options import own_options

__all__ = ["ask_hero", "ask_text", "ask_which", "begin_program", "edit", "go_on", "labelled", "play", "play_named"]

_FIRST: Final = ("nethack", DEFAULT_GAME)  # games that most want to play
_TYPED: Final = Choice(-1, "that of a seed", letter="s")
_WAIT: Final = 0.5  # seconds between two drawings while nobody presses a key


def ask_which(display: Display, lobby: Lobby, programs: Sequence[GameProgram]) -> str | GameProgram | None:
    """Ask for the game to be played, if there are several for which nothing is missing here.

    Returns the id of an engine, or a program; None if the prompt was cancelled.  A program that the configuration names
    like an engine is meant to be played in its place.
    """
    programs = [program for program in programs if program.new_games or _goes_on(program, lobby)]
    games = [game for game in {*engines()} - {program.name for program in programs} if not lacking(game)]
    games.sort(key=lambda game: (_FIRST.index(game) if game in _FIRST else len(_FIRST), game))
    picked = _pick(display, lobby, "Which game?", [*games, *(labelled(game, lobby) for game in programs)])
    if picked is None:
        return None
    return games[picked] if picked < len(games) else programs[picked - len(games)]


def ask_hero(display: Display, lobby: Lobby, config: Config, game: str) -> tuple[NewGame, str] | None:
    """Ask for the hero's name if the visitor may choose it, and the role; the rest the visitor's own options tell, or
    it is random, as is the world if no seed is chosen.  Returns the new game's options, and what there is to say about
    the visitor's.

    `game` is the id of an engine.  None if a prompt was cancelled.
    """
    own = own_options(game, lobby.contents.visitor.folder)
    name = lobby.contents.visitor.hero or _ask_name(display, lobby, own.hero.get("name") or default_name())
    if name is None:
        return None
    roles = list(engine_named(game).roles)
    usual = own.hero.get("role")
    words = [*([usual] if usual else []), *(["any"] if roles[1:] else []), *(role for role in roles if role != usual)]
    asked = _ask_role(display, lobby, words, dict(_worlds(config, game, name)))
    if asked is None:
        return None
    picked, seed = asked
    role = "" if words[picked] == "any" else words[picked]
    return random_options(game, name, {**own.hero, "role": role}, seed=seed, own_options=own.text), own.said


def _worlds(config: Config, game: str, name: str) -> Iterator[tuple[str, int]]:
    """What the tournaments ask for that go on and admit this hero's game: the names and the seeds of worlds.

    None for a game that cannot tell its world when it ended: no tournament would count it.
    """
    if not config.tournaments or not isinstance(engine_named(game), TellsWorlds):
        return
    from nhlog.scores.tournament import read_tournament

    now = time.time_ns() // 1000
    for rules in config.tournaments:
        with suppress(NhlogError):  # no player can do anything about it; `nhlog serve` refuses such a file
            tournament = read_tournament(str(rules))
            if tournament.admits(name, game, now, now):
                for seed in filter(str.isdecimal, tournament.seeds):
                    yield f"that of seed {seed}: {tournament.title}", int(seed)


def _ask_role(
    display: Display, lobby: Lobby, roles: Sequence[str], worlds: Mapping[str, int]
) -> tuple[int, int | None] | None:
    """The index of the role, without a question if there is only one, and the seed that was chosen, None for any
    world; None if the prompt was cancelled.

    Who chooses a world is asked for the role again: nobody else has one more question.
    """
    if len(roles) == 1:
        return 0, None
    rows = (*_rows(roles), Choice(0, "In which world?"), *_rows(worlds, after=len(roles)), _TYPED)
    seeds, seed = [*worlds.values()], None
    while True:
        question = "Who are you?" if seed is None else f"Who are you, in the world of seed {seed}?"
        picked = _picked(display, lobby, question, rows)
        if picked is None:
            return None
        if picked == _TYPED.id:
            seed = _ask_seed(display, lobby)
        elif picked > len(roles):
            seed = seeds[picked - len(roles) - 1]
        else:
            return picked - 1, seed


def _ask_seed(display: Display, lobby: Lobby) -> int | None:
    """The seed that is typed; None if the prompt was cancelled."""
    question = "Which seed?"
    while (typed := ask_text(display, lobby, question)) is not None:
        if typed.isdecimal():
            return int(typed)
        question = f"A seed is written in digits, and {typed} is not. Which seed?"
    return None


def _ask_name(display: Display, lobby: Lobby, usual: str) -> str | None:
    """The hero's name; None if the prompt was cancelled."""
    return ask_text(display, lobby, "What is your name?", usual)


def ask_text(display: Display, lobby: Lobby, question: str, usual: str = "") -> str | None:
    """A line of text; None if the prompt was cancelled, or nothing was typed."""
    prompt = TextInput(AskText(question), usual=usual)
    answer = _ask(display, lobby, prompt)
    if not isinstance(answer, TextAnswer) or answer.blob.decode() in (b"\x1b\0", b"\0"):
        return None
    return prompt.text


def _pick(display: Display, lobby: Lobby, question: str, words: Sequence[str]) -> int | None:
    """The index of what was picked, without a question if there is only one; None if the prompt was cancelled."""
    if len(words) == 1:
        return 0
    picked = _picked(display, lobby, question, _rows(words))
    return None if picked is None else picked - 1


def _rows(words: Iterable[str], after: int = 0) -> tuple[Choice, ...]:
    """Rows of a menu, whose ids follow `after`."""
    return tuple(Choice(number, word) for number, word in enumerate(words, after + 1))


def _picked(display: Display, lobby: Lobby, question: str, rows: tuple[Choice, ...]) -> int | None:
    """The id of the row that was picked; None if the prompt was cancelled."""
    answer = _ask(display, lobby, MenuInput(AskMenu(question, rows, 1)))
    return answer.ids[0] if isinstance(answer, MenuAnswer) and answer.ids else None


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


def labelled(game: GameProgram, lobby: Lobby) -> str:
    """The game's title, and whether there is one to go on with."""
    goes_on = _goes_on(game, lobby)
    return f"{game.title} ({goes_on})" if goes_on else game.title


def _goes_on(game: GameProgram, lobby: Lobby) -> str:
    """Whether there is a game to go on with, in a word; empty if there is none."""
    folder = lobby.contents.visitor.folder
    if game.name in lobby.contents.running.values():
        return "running"
    return "saved" if folder is not None and is_saved(game, folder) else ""


def go_on(display: Display, lobby: Lobby, config: Config, name: str) -> str:
    """Go on with a program, and return what there is to say; raises :class:`Usage` if it is no game any more."""
    if name not in lobby.contents.running.values():
        check_open(config.door)
    return begin_program(display, lobby, config, _named(config, name))


def _named(config: Config, name: str) -> GameProgram:
    for game in config.programs:
        if game.name == name:
            return game
    raise Usage(f"config.toml no longer has the game {name}")


def begin_program(display: Display, lobby: Lobby, config: Config, game: GameProgram) -> str:
    """Play the game, and return what there is to say; where a lobby is left for that, it is done (see `left`)."""
    if not lobby.is_left:
        return play(display, lobby.contents.visitor, config, game)
    lobby.program, lobby.done = game.name, True
    return ""


def play_named(display: Lender, visitor: Visitor, config: Config, name: str) -> str:
    """Play the program of this name; likewise."""
    return play(display, visitor, config, _named(config, name))


def play(display: Lender, visitor: Visitor, config: Config, game: GameProgram) -> str:
    """Play the game, and return what there is to say; raises as :func:`play_program`."""
    recordings = visitor.recordings(config.games)
    wants = read_settings().wants

    def hears(recording: str | None) -> FromOthers:
        notices = Notices(config.door)
        author = Author(_folder(visitor).name, config.door)
        others = FromOthers(
            recording,
            time.time_ns() // 1000,
            mail=config.mail,
            talk=config.talk,
            notices=notices,
            say=partial(author.say, recording) if recording is not None and wants.talk != OFF else None,
        )
        others.wants = wants
        return others

    return play_program(
        display,
        game,
        _folder(visitor),
        recordings,
        _everywhere(config),
        finished=config.finished,
        bones=None if config.players is None else config.players / BONES / PROGRAMS / game.name,
        most_common=config.quota_common,
        hears=hears,
        idle_minutes=config.idle_minutes,
    )


def edit(display: Display, lobby: Lobby, config: Config) -> str:
    """Let the visitor edit the options of a game, and return what there is to say; raises as :func:`edit_options`."""
    games = [game for game in config.programs if game.rcfile is not None]
    if not games:
        return "no game here has an options file"
    picked = _pick(display, lobby, "Edit the options of which game?", [game.title for game in games])
    return "" if picked is None else edit_options(display, games[picked], _folder(lobby.contents.visitor))


def _folder(visitor: Visitor) -> PlayerFolder:
    assert visitor.folder is not None, "only who plays programs is asked for one"
    return visitor.folder


def _everywhere(config: Config) -> list[Path]:
    """The folders of the recordings of all who play."""
    if config.players is None:
        return [config.games]
    return [folder.recordings for folder in Players(config.players).all]
