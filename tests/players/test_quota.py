"""How much a player may have."""

import os
from pathlib import Path

import pytest

from nhlog.players import OverQuota, PlayerFolder, Players, Quota, check_quota
from nhlog.players.quota import excess

MEGABYTE = 1 << 20


@pytest.fixture
def ada(tmp_path: Path) -> PlayerFolder:
    folder = Players(tmp_path).folder("ada")
    folder.make()
    return folder


def test_games_and_recordings_are_counted_and_not_what_lies_beside_them(ada: PlayerFolder) -> None:
    for name in ("a.nhgame", "a.nhgame.cut-00000001", ".nhlog-draft"):
        (ada.games / name).touch()
    (ada.recordings / "b.cast").touch()
    check_quota(ada, Quota(games=3))
    with pytest.raises(OverQuota, match="ada has all the games and recordings that are allowed: 2"):
        check_quota(ada, Quota(games=2))
    assert excess(ada, Quota(games=1)) == (2, 0)


def test_only_what_is_named_after_a_whole_name_and_a_dot_lies_beside_it(ada: PlayerFolder) -> None:
    for name in ("a", "ab", "ab.mail"):
        (ada.games / name).touch()
    assert excess(ada, Quota(games=1)) == (2, 0)


def test_what_lies_beside_a_game_is_not_counted_whatever_other_names_there_are(ada: PlayerFolder) -> None:
    for name in ("a.nhgame", "a.nhgame-old", "a.nhgame.cut-00000001"):
        (ada.games / name).touch()
    assert excess(ada, Quota(games=1)) == (2, 0)


def test_bytes_are_counted_wherever_they_are(ada: PlayerFolder) -> None:
    (ada.home / "save").mkdir()
    (ada.home / "save" / "large").write_bytes(bytes(MEGABYTE))
    check_quota(ada, Quota(size=2 * MEGABYTE))
    with pytest.raises(OverQuota, match=r"ada has 1\.0 MB"):
        check_quota(ada, Quota(size=1_000_000))


def test_a_file_without_content_is_not_free(ada: PlayerFolder) -> None:
    for number in range(100):
        (ada.home / str(number)).touch()
    with pytest.raises(OverQuota):
        check_quota(ada, Quota(size=400_000))


def test_a_sparse_file_counts_for_what_it_takes(ada: PlayerFolder) -> None:
    with (ada.home / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    check_quota(ada, Quota(size=MEGABYTE))


def test_what_is_elsewhere_does_not_count(ada: PlayerFolder, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "large").write_bytes(bytes(MEGABYTE))
    (ada.home / "link").symlink_to(other)
    check_quota(ada, Quota(size=MEGABYTE))


def test_nothing_is_hidden_in_folders_that_lie_too_deep_to_be_looked_into(ada: PlayerFolder) -> None:
    fd = os.open(ada.home, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=fd)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)
    with pytest.raises(OverQuota):
        check_quota(ada, Quota(size=1 << 40))


def test_without_a_quota_there_is_no_limit(ada: PlayerFolder) -> None:
    check_quota(ada, Quota())
