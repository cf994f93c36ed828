"""The options of the game that is played: rows of the menu, and commands of the log."""

from collections.abc import Callable, Mapping
from functools import partial

from nhlog.engines.protocol import HasOptions, option_command
from nhlog.log.wire.lines import Command
from nhlog.session import Session
from terminal.settings.menu import Setting

__all__ = ["game_options", "option_of", "usual_options"]


def game_options(session: Session, choose: Callable[[str, str], None]) -> list[Setting]:
    """The options of a game that goes on, if it has any; `choose` gives the one of that name a value."""
    engine = session.engine
    if not isinstance(engine, HasOptions) or session.following.over or session.following.desync:
        return []
    group = f"This game of {engine.name}, and those to come"
    return [
        Setting(group, name, option.does, option.values, partial(option_of, session, name), partial(choose, name))
        for option in engine.options
        if (name := option.name)
    ]


def option_of(session: Session, name: str) -> str:
    """The value of an option of the game; empty if its record has none."""
    return str(session.game.record().get("options", {}).get(name, ""))


def usual_options(session: Session, usual: Mapping[str, str]) -> list[Command]:
    """The commands that set the options of a new game to those that its player usually has."""
    engine = session.engine
    if not isinstance(engine, HasOptions) or len(session.log) > 1:
        return []
    known = {option.name: option.values for option in engine.options}
    return [
        option_command(name, value)
        for name, value in usual.items()
        if value in known.get(name, ()) and value != option_of(session, name)
    ]
