"""Games that were begun by earlier versions go on by the rules of those, byte for byte."""

from contextlib import closing

import pytest

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.perception import describe
from nhlog.engines.delve.world.state import RULES
from nhlog.engines.delve.world.terrain import LOCKED
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.savehead import HEAD_SIZE
from nhlog.session.session import Session
from tests.corpus import SAMPLES
from tests.engines.delve.arena import HERE, Arena, ground

OLD = SAMPLES / "delve.nhgame"  # of version 1.000.000


def test_a_log_of_the_first_version_is_still_what_its_commands_make() -> None:
    with closing(LogFile(OLD)) as source:
        log = Log(source)
        game = Session(log, ENGINE)
        for save in range(1, len(log.columns.save_lines)):
            game.seek(log.columns.save_lines[save])
            assert (game.following.check(), game.following.desync, game.following.frozen) == ("", "", "")
        assert ENGINE.load(log.save(0)[HEAD_SIZE:]).world.rules == 1


def test_a_game_keeps_its_rules() -> None:
    for rules in range(1, RULES + 1):
        arena = Arena()
        arena.world.rules = rules
        assert ENGINE.load(arena.game.save()).world.rules == rules


@pytest.mark.parametrize(("rules", "known_as"), [(1, "a closed door"), (2, "a locked door")])
def test_a_door_that_was_tried_is_known_as_locked_by_the_newer_rules_alone(rules: int, known_as: str) -> None:
    arena = Arena()
    arena.world.rules = rules
    ground(arena, 1, LOCKED)
    arena.towards("move")
    arena.do("search")
    assert describe(arena.game, HERE + 1) == known_as
