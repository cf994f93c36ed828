"""A player's own options: what NetHack may have of them is in the game's beginning, and so in the log."""

from pathlib import Path

import pytest

from nhlog.engines.nethack.bindings import BINDINGS, code_of
from nhlog.engines.nethack.engine import NetHack
from nhlog.engines.nethack.options import check_options, number_pad, read_options
from nhlog.engines.nethack.past import start_of
from nhlog.engines.nethack.save import read_save
from nhlog.engines.nethack.seen import characters_of
from nhlog.engines.protocol import NewGame
from nhlog.errors import Unsupported, Usage
from tests.engines.nethack.games import Player, begin
from tests.engines.nethack.installed import needs_nethack

FILE = r"""
# mine
OPTIONS = autopickup, pickup_types:$?!/ , fruit:lime
OPTIONS=role:wiz,race:elf,\
   catname:Tom
options=fruit:kiwi
OPTIONS=windowtype:curses,!bones,mail
MENUCOLOR="blessed"=green
SAVEDIR=/tmp
"""


def begun(own_options: str) -> NewGame:
    return NewGame("Ann", "Valkyrie", "human", "female", "neutral", 0, 5, own_options=own_options)


def test_a_file_is_read_as_nethack_reads_it() -> None:
    found = read_options(FILE)
    assert found.hero == {"role": "wiz", "race": "elf"}
    assert found.words == ["fruit:kiwi", "catname:Tom", "autopickup", "pickup_types:$?!/", "fruit:lime"]
    assert found.statements == ['MENUCOLOR="blessed"=green']


def test_what_is_left_out_is_told_with_its_line() -> None:
    assert read_options(FILE).faults == [
        "line 7: no option that a game in a log can have: windowtype",
        "line 9: no statement that a game in a log can have: SAVEDIR",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "WIZKIT=/etc/passwd",
        "HACKDIR=/tmp",
        "OPTIONS=windowtype:x",
        "OPTIONS=name",
        "OPTIONS=fruit:a\\b",
        "OPTIONS=fruit:é",
        "MENUCOLOR=\x1b[31m",
        "OPT=time",
        "[section]",
        "CHOOSE=a,b",
        "rubbish",
        "=",
    ],
)
def test_nothing_that_names_a_file_or_is_no_statement_is_taken(line: str) -> None:
    found = read_options(line)
    assert found.faults
    assert (found.words, found.statements) == ([], [])


def test_of_each_option_the_player_s_is_the_one_that_counts_but_for_what_no_log_has() -> None:
    words = start_of(begun("OPTIONS=!time,bones,autopickup,name:Eve,!color")).options.decode().split(",")
    assert {"!time", "autopickup", "!color", "name:Ann", "nobones"} <= {*words}
    assert not {"time", "!autopickup", "color", "bones", "name:Eve"} & {*words}


def test_too_many_options_are_refused_before_there_is_a_game() -> None:
    with pytest.raises(Usage, match="too many options"):
        start_of(begun('MENUCOLOR="blessed"=green\n' * 1000))


def test_options_of_a_log_are_checked_before_nethack_reads_them() -> None:
    text = start_of(begun(FILE)).options.decode()
    assert check_options(text) == text
    for bad in (f"{text}\nWIZKIT=x", f"{text}\nfoo", f"windowtype:x,{text}", f"{text}\n"):
        with pytest.raises(Unsupported):
            check_options(bad)


@pytest.mark.parametrize(
    ("options", "pad"),
    [
        ("", 0),
        ("time,number_pad", 1),
        ("!number_pad", 0),
        ("number_pad:2", 2),
        ("number_pad:-1", -1),
        ("number_pad:0,x", 0),
        ("nonumber_pad", 0),
        ("number_pad:9", 0),
    ],
)
def test_the_number_pad_is_known(options: str, pad: int) -> None:
    assert number_pad(options) == pad


@pytest.mark.parametrize(
    ("pad", "keys"), [(0, "hjklyubnHL"), (1, "42867913\xb4\xb6"), (3, "48261379\xb4\xb6"), (-1, "hjklzubnHL")]
)
def test_arrows_walk_whatever_keys_nethack_has_for_it(pad: int, keys: str) -> None:
    commands = {binding.key: binding.command for binding in BINDINGS}
    names = ("left", "down", "up", "right", "home", "page-up", "end", "page-down", "shift-left", "shift-right")
    assert "".join(chr(code_of(commands[name], pad) or 0) for name in names) == keys


@needs_nethack
def test_alt_is_nethack_s_meta(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    begin(path)
    pray = {binding.key: binding.command for binding in BINDINGS}["alt-p"]
    with Player(path) as player:
        player.press("\r")
        player.session.command(pray)
        assert player.session.game.record()["message"].startswith("Are you sure you want to pray?")


def test_lines_are_drawn_as_the_set_of_symbols_has_them() -> None:
    assert "\xf1\xf8a".translate(characters_of(b"symset:DECgraphics")) == "─│a"
    assert "\xc4\xb3a".translate(characters_of(b"time,symset:IBMgraphics")) == "─│a"


@needs_nethack
def test_a_game_is_played_on_with_the_options_that_its_log_has(tmp_path: Path) -> None:
    """Which are those of its beginning, whatever the player's file says by then."""
    path = tmp_path / "game.nhgame"
    many = "".join(f'MENUCOLOR="thing {number}"=green\n' for number in range(100))
    begin(path, begun(f'OPTIONS=number_pad:1,symset:DECgraphics,menucolors\nMENUCOLOR="food ration"=red\n{many}'))
    left = {binding.key: binding.command for binding in BINDINGS}["left"]
    with Player(path) as player:
        player.press("\r")
        _, x, y = player.session.game.here
        player.session.command(left)
        assert player.session.game.here[1:] == (x - 1, y)
        assert "│" in "".join(player.screen)
        player.press("i")
        (row,) = [at for at, text in enumerate(player.screen) if "food ration" in text]
        assert 1 in player.session.game.inner.seen.rows[row][1]  # type: ignore[attr-defined]  # red
        last = player.save
    assert len(read_save(last).start.options) > 1024
    with Player(path) as player:
        assert player.save == last
        player.session.command(left)
        assert not player.session.following.diverged


@needs_nethack
def test_the_hero_of_a_file_is_told_in_whole_words() -> None:
    engine = NetHack()
    told = engine.read_own_options("OPTIONS=role:Sam,gender:random,align:law,name:Jiro-Sam-Hum\nROLE=tourist")
    assert told.hero == {"name": "Jiro", "role": "Tourist", "alignment": "lawful"}
    assert engine.read_own_options("\0\xff" * 50 + "=").faults
