"""Tournaments in chosen worlds: which games count, and what is said of those that do not tell their world."""

import shutil
from pathlib import Path

import pytest

from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.formats.nhgame.open import open_replay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command, YesNoAnswer
from nhlog.nethack4.save.save import Save
from nhlog.scores.filing import put_away
from nhlog.session import new_game
from nhlog.session.session import Session
from tests.builders import Game
from tests.corpus import DATA, SAMPLES

RULES = """
title = "One world"
begin = 2020-01-01T00:00:00Z
end = 2100-01-01T00:00:00Z
seeds = [{}]

[[trophies]]
title = "T"
count = true
"""
NOTHING_SAYS = "not counted, as nothing says from which seed their worlds are: "
CRAWL = (
    "v=0.28.0:vlong=0.28.0:lv=0.1:vsavrv=Git::0.28.0:vsav=34.239:name=Ann:race=Minotaur:cls=Fighter:char=MiFi:xl=1:"
    "sk=Shields:sklev=3:title=Shield-Bearer:place=D::1:br=D:lvl=1:absdepth=1:hp=19:mhp=19:mmhp=19:mp=0:mmp=0:bmmp=0:"
    "str=20:int=5:dex=9:ac=6:ev=9:sh=4:start=20261028154941S:dur=12:turn=0:aut=0:kills=0:gold=0:goldfound=0:goldspent=0:"
    "scrollsused=0:potionsused=0:sc=0:ktyp=quitting:dam=-9999:sdam=0:tdam=0:end=20261028154959S:"
    "map=dpeg_arrival_boxes_within_box:seed=42\n"
)
"""A line of `logfile-seeded`, of a game that was begun by ``crawl -seed 42``."""
TYPED = b"AAAAbbbb0000++//"


class WithSeed(Game):
    """A log of NetHack 4 with a real save, of a game whose player typed a seed."""

    def _save(self, offset: int) -> bytes:
        with_died = open_replay(str(SAMPLES / "died2.nhgame"))
        with_died.seek(with_died.timeline.last)
        save = bytearray(with_died.state.save)
        with_died.close()
        after = save.index(Save.parse(bytes(save)).flags.class_order)
        save[after - len(TYPED) : after] = TYPED
        self.saves.append(bytes(save))
        self.save_offsets.append(offset)
        return bytes(save)


def quitted(path: Path, role: str, seed: int) -> Path:
    """A game of delve that its player began in this world, and left at once."""
    engine = engine_named("delve")
    options = NewGame(path.stem, role, "human", "female", "neutral", 3, seed)
    new_game(str(path), engine, options).log.source.close()
    with LogFile(str(path), writable=True) as file:
        log = Log(file)
        session = Session(log, engine, writer=Writer(log))
        session.command(Command("quit"))
        session.answer(YesNoAnswer("y"))
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games that were put away: of delve, of NetHack 4 and 3.6."""
    place = tmp_path_factory.mktemp("worlds")
    games = place / "games"
    games.mkdir()
    typed = WithSeed().over()
    typed.data = typed.data.replace(b" 0 1 QW5u", b" 0 3 QW5u")
    for path in (
        quitted(games / "Ivy.nhgame", "Valkyrie", 42),
        quitted(games / "Joe.nhgame", "Wizard", 42),
        quitted(games / "Kim.nhgame", "Valkyrie", 43),
        Path(shutil.copy(SAMPLES / "died2.nhgame", games)),
        Path(shutil.copy(DATA / "nethack36" / "died.nhgame", games)),
        Path(typed.write(games / "typed.nhgame")),
    ):
        put_away(str(path), place / "finished", lambda replay: "")
    return place / "finished"


def board(nhlog, place: Path, seeds: str, rules: Path) -> tuple[list[str], str]:
    rules.write_text(RULES.format(seeds))
    done = nhlog("tournament", rules, place, "--json")
    return [record["player"] for record in done.records], done.err


@pytest.mark.parametrize(
    ("seeds", "players"),
    [
        ("42", ["Ivy", "Joe"]),
        ('"42", 43', ["Ivy", "Joe", "Kim"]),
        ("41", []),
        (f'"{TYPED.decode()}"', ["Ann"]),
        ('"AAAA"', []),
        ("", ["Ann", "Dies2", "Ivy", "Joe", "Kim"]),
    ],
)
def test_games_in_the_worlds_of_these_seeds_count(
    nhlog, finished: Path, tmp_path: Path, seeds: str, players: list[str]
) -> None:
    counted, said = board(nhlog, finished, seeds, tmp_path / "rules.toml")
    assert (sorted(counted), said) == (players, "")


def test_of_a_program_its_xlogfile_says_it(nhlog, tmp_path: Path) -> None:
    (tmp_path / "xlogfile").write_text(CRAWL)
    assert board(nhlog, tmp_path, "42", tmp_path / "rules.toml") == (["Ann"], "")
    assert board(nhlog, tmp_path, "43", tmp_path / "rules.toml") == ([], "")
    assert nhlog("scores", tmp_path, "--json").records[0]["seed"] == "42"


def test_games_of_which_nothing_says_it_are_counted_apart(nhlog, finished: Path, tmp_path: Path) -> None:
    times = "starttime=1700000000:endtime=1700000060"
    lines = (f"version=3.6.7:name=Ann:{times}\n", f"version=3.6.7:name=Ben:engine=nethack3:{times}\n")
    (tmp_path / "xlogfile").write_text("".join(lines))
    said = f"{NOTHING_SAYS}2 (games without a name, nethack3)\n"
    assert board(nhlog, tmp_path, "42", tmp_path / "rules.toml") == ([], said)
    assert board(nhlog, tmp_path, "", tmp_path / "rules.toml") == (["Ann", "Ben"], "")


@pytest.mark.parametrize("seeds", ["-1", "true", "1.5", '""', "[1]", "18446744073709551616"])
def test_what_is_no_seed_is_refused(nhlog, tmp_path: Path, seeds: str) -> None:
    (tmp_path / "rules.toml").write_text(RULES.format(seeds))
    done = nhlog("tournament", tmp_path / "rules.toml", tmp_path)
    assert done.code == 2
    assert "bad seeds" in done.err


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000])
def test_a_number_that_python_would_not_print_is_refused(nhlog, tmp_path: Path, number: str) -> None:
    (tmp_path / "rules.toml").write_text(RULES.format(number))
    done = nhlog("tournament", tmp_path / "rules.toml", tmp_path)
    assert done.code == 2
    assert "not TOML" in done.err
