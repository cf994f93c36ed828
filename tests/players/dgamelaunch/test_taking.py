"""The players of dgamelaunch, taken over from files that they may have made anything of."""

import os
import sqlite3
from pathlib import Path
from stat import S_ISREG
from tempfile import TemporaryDirectory

import pytest

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.players import Players
from nhlog.players.dgamelaunch.logins import Login, list_of, logins_in
from nhlog.players.dgamelaunch.settings import Settings, parse_settings
from nhlog.players.dgamelaunch.taking import Ours, Outcome, take_over

CONF = """
# a comment = "with" { signs }
chroot_path = "{root}"
dglroot = "/dgldir/"
passwd = "/dgldir/dgamelaunch.db"
maxusers = 64000
banner = "/dgl-banner"
commands[login] = mkdir "%ruserdata/%N", chdir "/"
menu["mainmenu_anon"] { bannerfile = "x" commands["l"] = ask_login }
DEFINE {
  game_path = "/nh367/nethack"
  game_name = "NetHack 3.6.7"
  short_name = "NH367"
  game_args = "/nh367/nethack", "-u", "%n"
  rc_fmt = "%ruserdata/%N/%n/%n.nh367rc"
  ttyrecdir = "%ruserdata/%N/%n/%s/ttyrec/"
}
DEFINE { game_name = "Other" }
"""
NETHACK = Ours("nethack", ".nethackrc")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A server of dgamelaunch, in which Ann is as one should be, and Ben is not."""
    root = tmp_path / "chroot"
    for name in ("Ann", "Ben"):
        home = root / "dgldir/userdata" / name[0] / name
        (home / "NH367/ttyrec").mkdir(parents=True)
        (home / f"{name}.nh367rc").write_text(f"OPTIONS=name:{name}\n")
        (home / "NH367/ttyrec/2010-02-25.22:01:32.ttyrec").write_bytes(b"recorded")
        (home / "NH367/ttyrec/notes.txt").write_bytes(b"passed over")
    (root / "dgldir/dgamelaunch.db").write_text(
        "Ann:ann@example.org:xyhash:\nBen::xyhash:\nrubbish\n../x::h:\nann::h:\n"
    )
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "players").mkdir()
    return root


def settled(root: Path) -> Settings:
    return parse_settings(CONF.replace("{root}", str(root)))


def taken(root: Path, *, dry_run: bool = False, saves: str | None = None, players: Path | None = None) -> list[Outcome]:
    settings = settled(root)
    logins = logins_in(list_of(settings))
    games = {"NH367": NETHACK._replace(saves=saves)}
    return [*take_over(settings, logins, Players(players or root.parent / "players"), games, dry_run=dry_run)]


def test_the_settings_say_where_things_are(root: Path) -> None:
    settings = settled(root)
    assert (settings.root, settings.lists) == (str(root), ("dgldir/dgamelaunch.db",))
    game, other = settings.games
    assert settings.rcfile(game, "Ann") == "dgldir/userdata/A/Ann/Ann.nh367rc"
    assert settings.ttyrecs(game, "Ann") == "dgldir/userdata/A/Ann/NH367/ttyrec"
    assert (other.short_name, settings.rcfile(other, "Ann")) == ("Other", None)


def test_a_list_that_no_setting_names_is_where_dgamelaunch_has_it(tmp_path: Path) -> None:
    settings = parse_settings(f'chroot_path = "{tmp_path}/"')
    with pytest.raises(NhlogError, match="no list of players of dgamelaunch"):
        list_of(settings)
    (tmp_path / "dgldir").mkdir()
    for name in ("dgldir/dgamelaunch.db", "dgl-login"):
        (tmp_path / name).touch()
        assert list_of(settings) == str(tmp_path / name)


@pytest.mark.parametrize("text", ['passwd = "/a/../../b"', 'passwd = "/%z"'])
def test_settings_that_lead_nowhere_are_refused(text: str) -> None:
    with pytest.raises(Usage):
        parse_settings(text)


def test_a_player_is_taken_over_with_options_and_recordings(root: Path) -> None:
    found = taken(root)
    folder = root.parent / "players" / "Ann"
    assert (folder / "home/.nethackrc").read_text() == "OPTIONS=name:Ann\n"
    assert (folder / "recordings/Ann.nethack.2010-02-25.220132.ttyrec").read_bytes() == b"recorded"
    assert [outcome.why for outcome in found if outcome.player == "Ann" and not outcome.target] == [
        "a hash of crypt(3): the player needs a key",
        "ann@example.org",
        "it is no game here: name one with --game",
    ]
    assert [outcome.player for outcome in found if outcome.what == "player" and outcome.why] == ["../x", "ann"]
    assert [outcome.what for outcome in found if not outcome.player] == [
        "bones of NH367",
        "saved games of NH367",
        "line of the list",
    ]
    assert sum(outcome.what == "line of the list" for outcome in found) == 1
    again = taken(root)
    assert [outcome for outcome in again if outcome.target] == []


def test_a_dry_run_says_the_same_and_does_nothing(root: Path) -> None:
    said = taken(root, dry_run=True)
    assert [*(root.parent / "players").iterdir()] == []
    assert taken(root) == said


def test_saved_games_wait_under_the_names_that_the_game_has_for_this_servers_user(root: Path) -> None:
    saves = root / "var/save"
    saves.mkdir(parents=True)
    for name in ("5Ann.gz", "5Annie.gz", "5.Ann", "Ann.cs", "5Ben", "Ann.cs~", "notes"):
        (saves / name).write_bytes(name.encode())
    (saves / "6Ben").symlink_to(root.parent / "secret")
    os.mkfifo(saves / "7Ben")
    found = taken(root, saves="var/save")
    user = os.geteuid()
    for player, names in (("Ann", [f"{user}Ann.gz", f"{user}.Ann", "Ann.cs"]), ("Ben", [f"{user}Ben"])):
        place = root.parent / "players" / player / "brought/nethack"
        assert sorted(path.name for path in place.iterdir()) == sorted(names)
        assert [path.stat().st_mode & 0o777 for path in (place, place.parent)] == [0o700] * 2
    assert (root.parent / f"players/Ann/brought/nethack/{user}Ann.gz").read_bytes() == b"5Ann.gz"
    left = {os.path.basename(one.what): one.why for one in found if one.player == "Ben" and one.why}
    assert "symbolic link" in left["6Ben"]
    assert "FIFO" in left["7Ben"]


@pytest.mark.skipif(os.geteuid() != 0, reason="files are given away by root alone")
def test_all_of_it_belongs_to_the_account_and_keeps_its_age(root: Path) -> None:
    (root / "save").mkdir()
    (root / "save/5Ann").write_bytes(b"saved")
    for path in root.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    with TemporaryDirectory(dir="/tmp") as players:  # pytest's own folders are out of the account's reach
        os.chown(players, 4711, 4712)
        before = len(os.listdir("/proc/self/fd"))
        found = taken(root, saves="save", players=Path(players))
        assert len(os.listdir("/proc/self/fd")) == before
        assert [one.why for one in found if one.what == "save/5Ann"] == [""]
        made = {path: path.stat() for path in Path(players, "Ann").rglob("*")}
    assert {(status.st_uid, status.st_gid) for status in made.values()} == {(4711, 4712)}
    files = {path.name: status for path, status in made.items() if S_ISREG(status.st_mode)}
    assert {name: status.st_mode & 0o777 for name, status in files.items()} == {
        ".nethackrc": 0o600,
        "Ann.nethack.2010-02-25.220132.ttyrec": 0o644,
        "4711Ann": 0o600,
    }
    assert {status.st_mtime for status in files.values()} == {1_000_000_000}


@pytest.mark.parametrize("path", ["missing", "dgldir/dgamelaunch.db", "link"])
def test_a_folder_of_saved_games_that_has_none_is_told_once(root: Path, path: str) -> None:
    (root / "link").symlink_to(root / "dgldir")
    found = taken(root, saves=path)
    assert [bool(one.why) for one in found if one.what == "saved games of NH367"] == [True]
    assert any(one.target.endswith(".nethackrc") for one in found)


def test_links_pipes_and_other_names_are_left(root: Path) -> None:
    home = root / "dgldir/userdata/B/Ben"
    (home / "Ben.nh367rc").unlink()
    (home / "Ben.nh367rc").symlink_to(root.parent / "secret")
    recordings = home / "NH367/ttyrec"
    os.mkfifo(recordings / "2010-02-26.22:01:32.ttyrec")
    os.link(root.parent / "secret", recordings / "2010-02-27.22:01:32.ttyrec")
    (recordings / "2010-02-28.22:01:32.ttyrec").touch()
    os.truncate(recordings / "2010-02-28.22:01:32.ttyrec", 1 << 40)
    left = {os.path.basename(one.what): one.why for one in taken(root) if one.player == "Ben" and one.why}
    assert "symbolic link" in left["Ben.nh367rc"]
    assert "FIFO" in left["2010-02-26.22:01:32.ttyrec"]
    assert "other names" in left["2010-02-27.22:01:32.ttyrec"]
    assert "too large" in left["2010-02-28.22:01:32.ttyrec"]
    folder = root.parent / "players/Ben"
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["Ben.nethack.2010-02-25.220132.ttyrec"]


def test_a_folder_that_is_a_link_is_left(root: Path) -> None:
    home = root / "dgldir/userdata/B/Ben"
    home.rename(root.parent / "elsewhere")
    home.symlink_to(root.parent / "elsewhere")
    assert [one.target for one in taken(root) if one.player == "Ben" and one.target] == [
        str(root.parent / "players/Ben")
    ]


def test_players_in_a_table_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "list.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE dglusers (id integer, username text, email text, env text, password text)")
        database.execute("INSERT INTO dglusers VALUES (1, 'Ann', 'ann@example.org', '', 'hash')")
    database.close()
    assert [*logins_in(str(path))] == [Login("Ann", "ann@example.org")]
    path.write_bytes(b"SQLite format 3\0 and rubbish")
    with pytest.raises(NhlogError, match="no list of players"):
        [*logins_in(str(path))]


def test_a_line_that_is_no_player_is_told_with_its_offset(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(b"Ann:::\n\xff\n")
    ann, wrong = logins_in(str(tmp_path / "list"))
    assert ann == Login("Ann", "")
    assert isinstance(wrong, Damaged)
    assert wrong.offset == 7
