"""The saves of a log, by what one has."""

from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.formats.nhgame.open import open_log
from nhlog.timeline import NoSuchPosition, Position
from tests.builders import played


@pytest.fixture
def path(tmp_path: Path) -> str:
    game = played(12, backup_every=5)
    game.write(tmp_path / "game.nhgame")
    return str(tmp_path / "game.nhgame")


def test_a_save_is_had_by_its_number_or_a_position(path: str) -> None:
    saves = played(12, backup_every=5).saves
    with open_log(path) as log:
        assert [log.save(number) for number in range(len(saves))] == saves
        assert log.save("start") == saves[0]
        assert log.save("end") == saves[-1]
        turn = log.columns.save_turns[6]
        assert log.save(f"turn:{turn}") == log.save(Position("turn", turn)) == saves[6]
        assert log.save(f"offset:{log.columns.offsets[log.columns.save_lines[3]]}") == saves[3]
        assert log.save("marker:backup 2") == saves[log.columns.backups[1]]


def test_what_is_no_position_of_the_log_is_refused(path: str) -> None:
    with open_log(path) as log:
        with pytest.raises(Usage):
            log.save("tomorrow")
        with pytest.raises(NoSuchPosition):
            log.save("tick:7")
