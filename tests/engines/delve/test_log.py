"""Played through a session, a game is a NetHack 4.3 log like any other, and each of its saves can be played on."""

import random
from itertools import count
from pathlib import Path

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Command
from nhlog.savehead import HEAD_SIZE
from nhlog.session import Session, new_game
from nhlog.testing.players import RandomPlayer

INPUTS = 400


def played(path: str, number: int) -> Log:
    """The log of a random game of so many inputs at most."""
    player = RandomPlayer(ENGINE, number)
    moments = count(1_700_000_000_000_000, 100_000)
    log = new_game(path, ENGINE, player.options(number % 3), now=lambda: next(moments)).log
    log.source.close()
    log = Log(LogFile(path, writable=True))
    session = Session(log, ENGINE, writer=Writer(log))
    session.seek(None)
    session.command(Command("welcome"))
    for _ in range(INPUTS):
        if session.following.over:
            break
        if session.prompt is not None:
            session.answer(player.answer(session.prompt))
        else:
            session.command(player.command(session.game))
    return log


@pytest.mark.parametrize("number", [7, 3, 8])
def test_the_log_of_a_random_game_is_sound_and_every_save_in_it_loads(number: int, tmp_path: Path) -> None:
    log = played(str(tmp_path / "game.nhgame"), number)
    assert [found for found in verify(log) if isinstance(found, Finding)] == []
    player = RandomPlayer(ENGINE, number)
    saves = [log.save(index) for index in range(len(log.columns.save_lines))]
    assert len(saves) > 20
    for save in random.Random(number).sample(saves, 12):
        game = ENGINE.load(save[HEAD_SIZE:])
        assert game.save() == save[HEAD_SIZE:]
        for _ in range(20):
            player.perform(game, player.command(game))
    log.source.close()
