"""`nhlog tidy`: what is due by its age, or by its player's quota."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from nhlog.players import PlayerFolder, Players

DAY = 86400
CAST = b'{"version": 2, "width": 80, "height": 24}\n'


@pytest.fixture
def ada(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayerFolder:
    """A player of a server, with recordings of five days; the last of them is packed."""
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    folder = Players(tmp_path / "players").folder("ada")
    folder.path.parent.mkdir()
    folder.make()
    configure(tmp_path, folder.path.parent)
    for age in (1, 2, 3, 4):
        recording(folder.recordings / f"{age}.cast", age)
    recording(folder.recordings / "5.cast.zst", 5)
    recording(folder.games / "6.nhgame", 6)
    return folder


def configure(folder: Path, players: Path, *lines: str) -> None:
    config = folder / "etc" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("\n".join([f'players = "{players}"', *lines]))


def recording(path: Path, age: float) -> None:
    path.write_bytes(CAST)
    then = time.time() - age * DAY
    os.utime(path, (then, then))


def names(player: PlayerFolder) -> list[str]:
    return sorted(os.listdir(player.recordings))


def done(records: Sequence[dict]) -> dict[str, str]:
    return {Path(record["file"]).name: record["done"] for record in records}


def test_what_is_old_is_packed_and_what_is_older_removed(nhlog, ada: PlayerFolder) -> None:
    told = nhlog("tidy", "--pack-after", "2d", "--remove-after", "4d", "--yes", "--json")
    assert done(told.records) == {"5.cast.zst": "removed", "4.cast": "removed", "3.cast": "packed", "2.cast": "packed"}
    assert names(ada) == ["1.cast", "2.cast.zst", "3.cast.zst"]
    assert os.listdir(ada.games) == ["6.nhgame"]


def test_nothing_is_done_in_a_dry_run(nhlog, ada: PlayerFolder) -> None:
    before = names(ada)
    told = nhlog("tidy", "--pack-after", "2d", "--remove-after", "4d", "--dry-run")
    assert told.code == 0
    assert [line.split()[-2:] for line in told.out.splitlines()[1:]] == [["would", "remove"]] * 2 + [
        ["would", "pack"]
    ] * 2
    assert names(ada) == before


def test_before_something_is_removed_it_is_asked(nhlog, ada: PlayerFolder) -> None:
    before = names(ada)
    told = nhlog("tidy", "--remove-after", "4d", stdin=b"n\n")
    assert (told.code, names(ada)) == (1, before)
    assert "Remove these 2 recordings?" in told.err
    nhlog("tidy", "--remove-after", "4d", stdin=b"y\n")
    assert names(ada) == before[:3]


def test_who_is_over_quota_loses_the_oldest(nhlog, ada: PlayerFolder, tmp_path: Path) -> None:
    configure(tmp_path, ada.path.parent, "quota_games = 5")
    nhlog("tidy", "--over-quota", "--yes")
    assert names(ada) == ["1.cast", "2.cast", "3.cast"]  # and a log
    told = nhlog("tidy", "--over-quota", "--yes")
    assert (told.code, told.err) == (0, "no recording is old enough, or over a quota\n")


def test_nothing_is_removed_where_that_makes_no_room(nhlog, ada: PlayerFolder, tmp_path: Path) -> None:
    configure(tmp_path, ada.path.parent, "quota_bytes = '1M'")
    (ada.home / "save").write_bytes(bytes(1 << 20))
    before = names(ada)
    told = nhlog("tidy", "--over-quota", "--yes")
    assert (told.code, names(ada)) == (1, before)
    assert "would not make enough room" in told.err


def test_a_folder_is_named_by_hand(nhlog, ada: PlayerFolder, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    recording(other / "x.ttyrec", 9)
    (other / "link.cast").symlink_to(ada.recordings / "4.cast")
    told = nhlog("tidy", other, tmp_path / "missing", "--remove-after", "1d", "--yes", "--json")
    assert (told.code, done(told.records)) == (1, {"x.ttyrec": "removed"})
    assert told.err == f"nhlog: {tmp_path}/missing: no such file or directory\n"


def test_it_has_to_be_said_what_to_do(nhlog, ada: PlayerFolder) -> None:
    assert nhlog("tidy").code == 2
    assert "'soon' is not an age" in nhlog("tidy", "--pack-after", "soon").err
