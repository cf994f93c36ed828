"""Whether games may begin on a server: not while there is maintenance, nor where the file that tells cannot be read."""

from pathlib import Path

import pytest

from nhlog.errors import Damaged, Usage
from nhlog.players.maintenance import Maintenance, UnderMaintenance, announced, check_open, end_maintenance

NEW_DISKS = Maintenance(1_800_000_000, "new disks")


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "authorized_keys"


def test_no_game_begins_until_it_is_ended(keys: Path) -> None:
    check_open(keys)
    NEW_DISKS.begin(keys)
    with pytest.raises(UnderMaintenance, match="no new games: maintenance from 2027-01-15 08:00 UTC: new disks"):
        check_open(keys)
    assert announced(keys) == str(NEW_DISKS)
    end_maintenance(keys)
    check_open(keys)
    assert announced(keys) == ""


def test_another_gives_way_to_it(keys: Path) -> None:
    NEW_DISKS.begin(keys)
    Maintenance(1_800_000_060, "").begin(keys)
    assert announced(keys) == "maintenance from 2027-01-15 08:01 UTC"


def test_what_there_is_none_of_cannot_be_ended(keys: Path) -> None:
    with pytest.raises(Usage, match="there is no maintenance"):
        end_maintenance(keys)


@pytest.mark.parametrize(
    "line",
    ["", "no JSON", "[]", '{"time": "1", "reason": ""}', '{"time": 1e99, "reason": ""}', '{"time": 1}', "[" * 9999],
)
def test_where_the_file_says_nothing_no_game_begins_and_it_can_be_ended(keys: Path, line: str) -> None:
    keys.with_name("maintenance").write_text(f"{line}\n")
    with pytest.raises(Damaged, match="not a time of maintenance"):
        check_open(keys)
    assert "not a time of maintenance" in announced(keys)
    end_maintenance(keys)
    check_open(keys)


def test_where_there_is_no_server_games_begin() -> None:
    check_open(None)
