"""Programs that are played as games: what their tables mean, and what is refused before anything is run."""

import os
import re
import tomllib
from pathlib import Path

import pytest

from nhlog.config import Config, GameProgram, OnDisconnect, Sandbox, Walls, programs, read_config, read_system_config
from nhlog.config.presets import PRESETS
from nhlog.errors import Usage
from nhlog.vt import Size
from tests.corpus import ROOT

ALL = """
[games]
folder = "/var/games/nhlog"

[games.nethack]
command = ["/usr/games/nethack", "-u", "{player}"]
title = "NetHack 3.6"
record = "ttyrec"
size = "80x24"
env = { NETHACKOPTIONS = "@{home}/.nethackrc" }
cwd = "here"
rcfile = ".nethackrc"
idle_limit = 30
max_players = 8
save_files = ["save/*"]
on_disconnect = "keep"
sandbox = "none"
network = true
memory = "64M"
processes = 4
cpu_minutes = 0.5

[games.rogue]
command = ["rogue"]
"""


def read(tmp_path: Path, text: str) -> Config:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return read_config(path, tmp_path / "none.toml")


def test_a_game_is_all_that_its_table_says(tmp_path: Path) -> None:
    config = read(tmp_path, ALL)
    assert config.games == Path("/var/games/nhlog")
    assert config.programs == (
        GameProgram(
            name="nethack",
            command=("/usr/games/nethack", "-u", "{player}"),
            title="NetHack 3.6",
            record="ttyrec",
            size=Size(80, 24),
            env={"NETHACKOPTIONS": "@{home}/.nethackrc"},
            cwd=Path("here"),
            rcfile=".nethackrc",
            idle_limit=30,
            max_players=8,
            save_files=("save/*",),
            on_disconnect=OnDisconnect.KEEP,
            walls=Walls(sandbox=Sandbox.NONE, network=True, memory=64 << 20, processes=4, cpu_minutes=0.5),
        ),
        GameProgram(name="rogue", command=("rogue",), title="rogue"),
    )


def test_a_program_is_told_whose_it_is(tmp_path: Path) -> None:
    nethack = read(tmp_path, ALL).programs[0].for_player("ann", Path("/players/ann/home"))
    assert nethack.command == ("/usr/games/nethack", "-u", "ann")
    assert nethack.env == {"NETHACKOPTIONS": "@/players/ann/home/.nethackrc"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("games.a.title = 'A'", "line 1: no command for the game a"),
        ("[games.a]\ncommand = 'nethack'", "line 2: bad value for command: expected a list of texts"),
        ("[games.a]\ncommand = []", "bad value for command"),
        ("[games.a]\ncommand = ['']", "bad value for command"),
        ('[games.a]\ncommand = ["a\\u0000b"]', "bad value for command"),
        ("[games]\na = 3", "line 2: bad value for games.a: expected a table, found 3"),
        ("games = ['/games']", "line 1: bad value for games: expected a folder's name"),
        ("[games]\nfolder = 3", "line 2: bad value for folder: expected a folder's name, found 3"),
        ("[games.'../a']\ncommand = ['a']", "bad name for a game: expected a letter, then at most 19 letters"),
        ("[games.a]\ncommand = ['a']\ncomand = ['b']", "line 3: no such setting: comand: expected command or title"),
        *(
            (f"[games.a]\ncommand = ['a']\n{setting}", f"line 3: bad value for {setting.split()[0]}: expected")
            for setting in (
                'title = "A\\u001b[31m"',
                "record = 'gif'",
                "size = '80'",
                "size = '80x100000'",
                "env = { 'A=B' = 'c' }",
                "env = { A = 3 }",
                "rcfile = '/etc/passwd'",
                "rcfile = 'a/../../b'",
                "save_files = ['../*']",
                "readable = ['srv']",
                "readable = ['/']",
                "own_folders = ['/srv/../etc']",
                "idle_limit = 0",
                "max_players = true",
                "max_players = 1.5",
                "on_disconnect = 'stay'",
                "sandbox = 'jail'",
                "network = 'no'",
                "memory = '12 MB'",
                "memory = '999999999999T'",
                "processes = 0",
                "preset = 'nethack2'",
                "repair = 'recover'",
                "scores = ['*/xlogfile']",
                "scores = ['../xlogfile']",
                "scores = ['/etc/passwd']",
            )
        ),
    ],
)
def test_what_cannot_be_meant_is_said(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(Usage, match=re.escape(reason)):
        read(tmp_path, text)


def test_a_users_games_come_beside_the_systems_and_are_only_that_users(tmp_path: Path) -> None:
    system, own = tmp_path / "system.toml", tmp_path / "own.toml"
    system.write_text("[games.a]\ncommand = ['a']\n[games.b]\ncommand = ['b']\n")
    own.write_text("[games.b]\ncommand = ['mine']\n[games.c]\ncommand = ['c']\n")
    assert [game.command for game in read_config(own, system).programs] == [("a",), ("mine",), ("c",)]
    assert [game.command for game in read_system_config(system).programs] == [("a",), ("b",)]


@pytest.mark.parametrize(
    "said", ["players = '/players'", "quota_games = 3", "quota_bytes = '1G'", "quota_common = '1G'"]
)
def test_who_plays_is_settled_by_the_system_alone(tmp_path: Path, said: str) -> None:
    with pytest.raises(Usage, match=r"line 1: .* can only be set in the system's file"):
        read(tmp_path, said)


@pytest.mark.parametrize("said", ["players = '/players'", "[games.a]\ncommand = ['a']"])
@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_nobody_runs_what_strangers_could_have_written(tmp_path: Path, said: str, mode: int) -> None:
    system = tmp_path / "system.toml"
    system.write_text(said)
    assert read_system_config(system) != Config()
    system.chmod(mode)
    with pytest.raises(Usage, match=r"line 1: .* is not trusted"):
        read_system_config(system)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_system_file_of_another_user_names_no_games(tmp_path: Path) -> None:
    system = tmp_path / "system.toml"
    system.write_text("[games.a]\ncommand = ['a']")
    os.chown(system, 65534, -1)
    with pytest.raises(Usage, match="a is not trusted"):
        read_system_config(system)


def test_the_document_lists_every_setting_of_a_game() -> None:
    table = (ROOT / "docs" / "games.md").read_text()
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == [*programs._READERS]


def test_the_document_has_the_tables_that_presets_stand_for() -> None:
    document = (ROOT / "docs" / "games.md").read_text()
    [tables] = re.findall(r"^## Presets\n.*?```\n(.*?)```", document, re.MULTILINE | re.DOTALL)
    names = re.findall(r'preset = "(\w+)"', tables)
    assert dict(zip(names, tomllib.loads(tables)["games"].values(), strict=True)) == PRESETS


def test_a_preset_is_a_table_and_what_the_game_s_own_has_comes_before_it(tmp_path: Path) -> None:
    whole, own = read(
        tmp_path, "[games.a]\npreset = 'nethack3'\n[games.b]\npreset = 'nethack3'\nrepair = ['x']"
    ).programs
    assert whole.command == own.command == ("/usr/games/nethack", "-u", "{player}")
    assert (whole.walls.own_folders, whole.walls.memory) == ((Path("/var/games/nethack"),), 256 << 20)
    assert (whole.around.repair[0], own.around.repair) == ("/usr/lib/games/nethack/recover", ("x",))
    assert whole.around.bones == own.around.bones == ("/var/games/nethack/bon[A-Z]*",)
