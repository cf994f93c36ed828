"""A player at random, for processes of their own: every key that was acknowledged is told."""

import random
from collections.abc import Callable
from dataclasses import replace

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskText,
    AskYesNo,
    LookForBones,
    Prompt,
)
from nhlog.engines.protocol import Engine
from nhlog.errors import LockNotObtained, LogRecovered
from nhlog.log.append import GameIsOver, InputDropped, Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.header import MODES
from nhlog.log.wire.lines import (
    Argument,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)
from nhlog.session import NotNow, Session, new_game
from tests.session.toy import options

__all__ = ["answer_to", "begin", "command_of", "sit_down", "turn"]


def begin(path: str, engine: Engine) -> None:
    """A new game in `path`, in which a hero can live long."""
    new_game(path, engine, replace(options(), mode=MODES.index("explore"))).log.source.close()


def sit_down(path: str, engine: Engine) -> Session:
    """A session at the game in `path`, to be played by this process."""
    log = Log(LogFile(path, writable=True))
    return Session(log, engine, writer=Writer(log))


def turn(session: Session, chance: random.Random, told: Callable[[Line], None], names: tuple[str, ...]) -> bool:
    """Give one input, if nobody else is quicker; False once the game is over."""
    try:
        if session.following.over:
            return False
        if session.prompt is not None and not isinstance(session.prompt, LookForBones):
            line: Line = answer_to(session.prompt, chance)
            session.answer(line)
        elif session.game.incomplete:
            line = Command("repeat")
            session.command(line)
        else:
            line = command_of(session.engine, chance.choice(names), chance)
            if session.command(line) is not None:
                return True  # it took no time, and is not in the log
    except (InputDropped, LogRecovered, LockNotObtained, NotNow):
        session.refresh()
        return True
    except GameIsOver:
        return False
    told(line)
    return True


def command_of(engine: Engine, name: str, chance: random.Random) -> Command:
    """A command with arguments at random."""
    arguments = []
    for letter in engine.commands[name]:
        value: int | str | tuple[int, int] | Blob
        match letter:
            case "D":
                value = chance.randrange(11)
            case "L":
                value = chance.randrange(1, 9)
            case "P":
                value = (chance.randrange(79), chance.randrange(21))
            case "T":
                value = Blob.of(b"some text\0")
            case _:
                value = chance.choice("abcdefg")
        arguments.append(Argument(letter, value))
    return Command(name, tuple(arguments))


def answer_to(prompt: Prompt, chance: random.Random) -> Line:
    """An answer at random, sensible more often than not."""
    match prompt:
        case AskPosition():
            return PositionAnswer(chance.choice([None, (chance.randrange(79), chance.randrange(21), ".")]))
        case AskDirection():
            return DirectionAnswer(chance.randrange(-1, 11))
        case AskKey(_, keys, counted):
            key = ord(chance.choice([*keys, "\x1b", "z"]))
            return KeyAnswer(key, chance.choice([-1, 2]) if counted else None)
        case AskYesNo(_, keys, _):
            return YesNoAnswer(chance.choice([*keys, "\x1b"]))
        case AskMenu(_, choices, _):
            ids = [choice.id for choice in choices if choice.id]
            return MenuAnswer(chance.choice([None, tuple(ids[:1]), tuple(ids)]))
        case AskObjects(_, items, _):
            picked = tuple((item.id, chance.choice([-1, 1])) for item in items)
            return ObjectMenuAnswer(chance.choice([None, picked[:1], picked]))
        case AskText():
            return TextAnswer(Blob.of(chance.choice([b"rock\0", b"\0", b"\x1b\0"])))
        case _:
            raise AssertionError(f"a session answers {prompt} itself")
