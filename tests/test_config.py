"""Settings: defaults, choices, and clear words for what cannot be meant."""

import os
import re
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path

import pytest

from nhlog.cache import cache_folder
from nhlog.config import Choice, Config, config_path, read_config, read_system_config
from nhlog.config.values import count
from nhlog.errors import Usage
from nhlog.log import Durability, NotifyMethod
from terminal.commands.watch import command as watch
from tests.corpus import ROOT


def test_a_message_of_the_day_is_a_line_that_can_be_shown(tmp_path: Path) -> None:
    system = tmp_path / "system.toml"
    system.write_text('motd = "Be kind."')
    assert read_system_config(system).motd == "Be kind."
    system.write_text('motd = "\\u001b[2J"')
    with pytest.raises(Usage, match="bad value for motd: expected a text of characters that can be shown"):
        read_system_config(system)


def test_without_a_file_everything_is_as_usual(tmp_path: Path) -> None:
    assert read_config(tmp_path / "none.toml") == Config(Durability.NONE, None)


def test_settings_are_the_words_of_their_choices(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('durability = "saves"\nnotify = "events"\n')
    assert read_config(path) == Config(Durability.SAVES, NotifyMethod.EVENTS)


def test_folders_are_paths_and_home_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    path = tmp_path / "config.toml"
    path.write_text('games = "~/games"\nrecordings = ["/srv/a", "b"]\nmaps = ["/maps"]\n')
    config = read_config(path)
    assert config.games == Path("/home/ann/games")
    assert config.recordings == (Path("/srv/a"), Path("b"))
    assert config.maps == (Path("/maps"),)


def test_a_user_without_a_home_has_no_settings_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 61_999)  # whom the system does not know: a unit's DynamicUser
    assert not config_path().is_relative_to(Path.cwd())
    assert not Path(cache_folder()).is_relative_to(Path.cwd())
    system = tmp_path / "system.toml"
    assert read_config(system=system) == Config(games=Path("/nonexistent/nhlog/games"))
    system.write_text('games = "~/games"')
    with pytest.raises(Usage, match="bad value for games"):
        read_config(system=system)


def test_finished_games_go_to_another_folder_than_games(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'games = "{tmp_path}/a"\nfinished = "{tmp_path}/b"\n')
    assert read_config(path).finished == tmp_path / "b"
    path.write_text(f'games = "{tmp_path}/a"\nfinished = "{tmp_path}/b/../a"\n')
    with pytest.raises(Usage, match="another folder than games"):
        read_config(path)


def test_a_users_file_comes_over_the_systems(tmp_path: Path) -> None:
    system, own = tmp_path / "system.toml", tmp_path / "own.toml"
    system.write_text('durability = "saves"\ngames = "/var/games"\n')
    own.write_text('durability = "lines"\n')
    config = read_config(own, system)
    assert (config.durability, config.games) == (Durability.LINES, Path("/var/games"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file that users cannot write")
@pytest.mark.parametrize(("mode", "named"), [(0o644, ("ann",)), (0o664, ()), (0o646, ())])
def test_administrators_are_named_where_users_cannot_write(tmp_path: Path, mode: int, named: tuple[str, ...]) -> None:
    system = tmp_path / "system.toml"
    system.write_text('administrators = ["ann"]\n')
    system.chmod(mode)
    tmp_path.chmod(0o755)
    assert read_config(tmp_path / "none.toml", system).administrators == named


def test_nobody_names_themselves_administrator(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('administrators = ["me"]\n')
    with pytest.raises(Usage, match="system's file"):
        read_config(own, tmp_path / "none.toml")


@pytest.mark.parametrize(("value", "minutes"), [("30", 30), ("0.5", 0.5)])
def test_the_time_without_a_key_is_a_number_of_minutes(tmp_path: Path, value: str, minutes: float) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"idle_minutes = {value}\n")
    assert read_config(path).idle_minutes == minutes


@pytest.mark.parametrize(
    ("value", "size"),
    [("700", 700), ("'700'", 700), ("'3K'", 3 << 10), ("'3M'", 3 << 20), ("'3G'", 3 << 30), ("'3T'", 3 << 40)],
)
def test_an_amount_is_a_number_of_bytes_or_has_a_unit(tmp_path: Path, value: str, size: int) -> None:
    system = tmp_path / "system.toml"
    system.write_text(f"quota_bytes = {value}\n")
    assert read_config(tmp_path / "none.toml", system).quota_bytes == size


@pytest.mark.parametrize(("value", "good"), [(1, True), ((1 << 63) - 1, True), (0, False), (1 << 63, False)])
def test_a_count_is_above_0_and_has_no_more_than_63_bits(value: int, good: bool) -> None:
    with nullcontext() if good else pytest.raises(TypeError):
        assert count(value) == value


def test_it_is_looked_for_where_the_user_keeps_such_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_path() == tmp_path / "nhlog" / "config.toml"


BAD_STREAMS = ("'NHLOG.*'", "'a b'", "''", '"NHLOG\\n"', "7")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("durabilty = 'saves'", "line 1: no such setting: durabilty: expected durability or notify or games"),
        (
            "maps = [\n'a',\n]\n\ndurability = 'often'",
            "line 5: bad value for durability: expected 'none' or 'saves' or 'lines', found 'often'",
        ),
        ("notify = []", "bad value for notify"),
        ("notify = ", "not TOML"),
        ("games = 3", "bad value for games: expected a folder's name, found 3"),
        *((f"idle_minutes = {value}", "a number above 0") for value in ("0", "-1", "inf", "nan", "true", "'30'")),
        ("maps = '/maps'", "bad value for maps: expected a list"),
        ("recordings = [1]", "bad value for recordings"),
        ("keys = 3", "line 1: bad value for keys: expected a table"),
        ("[keys]\nplay = ['S']", "line 2: bad value for keys.play: expected a table"),
        ("[keys.play]\n\n# leave\nleave = [1]", "line 4: bad value for leave: expected a list of keys"),
        ("[keys.play]\nleave = ['S',\n ''\n]", "line 2: bad value for leave"),
        *((f"[relay]\nstream = {name}", "line 2: bad value for stream: expected a stream") for name in BAD_STREAMS),
    ],
)
def test_what_cannot_be_meant_is_said(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(Usage, match=reason) as error:
        read_config(path)
    assert error.value.file == str(path)
    assert error.value.exit_code == 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(Usage, match="cannot be read: is a directory"):
        read_config(tmp_path / "config.toml", tmp_path / "none.toml")


def test_the_documents_list_every_setting() -> None:
    table = (ROOT / "docs" / "config.md").read_text().partition("## Environment variables")[0]
    settings = [field.name for field in fields(Config) if field.name != "programs"]  # which stand in `games`
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == settings


def test_keys_are_chosen_for_everybody_and_by_each_user(tmp_path: Path) -> None:
    system, own = tmp_path / "system.toml", tmp_path / "own.toml"
    system.write_text('[keys.play]\nleave = ["S", "Q"]\nhelp = "F1"\n')
    own.write_text('maps = []\n\n[keys]\nplay.leave = [\n  "F10",\n]\n')
    assert read_config(own, system).keys == (
        Choice("play", "leave", ("F10",), str(own), 4),
        Choice("play", "help", ("F1",), str(system), 3),
    )


def test_what_concerns_pages_stands_in_a_table(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[web]\nviewers = 10\nproxies = ["127.0.0.1", "10.0.0.0/8"]\nnames = ["Games.example.org"]\n')
    web = read_config(path).web
    assert (web.viewers, [*map(str, web.proxies)], web.names) == (
        10,
        ["127.0.0.1/32", "10.0.0.0/8"],
        ("games.example.org",),
    )
    path.write_text('[web]\nproxies = ["nobody"]\n')
    with pytest.raises(Usage, match="line 2: bad value for proxies: expected a list of addresses"):
        read_config(path)


@pytest.mark.parametrize("text", [f"maps = {'[' * 3000}{']' * 3000}", f"{'a.' * 50_000}a = 1", f"[{'a.' * 3000}a]"])
def test_what_is_nested_too_deeply_is_refused_as_any_other_mistake(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(Usage, match="not TOML"):
        read_config(path, tmp_path / "none.toml")


def test_methods_have_the_names_that_watch_has_and_those_of_earlier_files_hold(tmp_path: Path) -> None:
    [option] = [option for option in watch.params if option.name == "notify"]
    assert [*option.type.choices] == [*NotifyMethod]
    path = tmp_path / "config.toml"
    for word, method in (("lock monitor", NotifyMethod.MONITOR), ("file events", NotifyMethod.EVENTS)):
        path.write_text(f'notify = "{word}"\n')
        assert read_config(path, tmp_path / "none.toml").notify is method
