"""Putting a game away: every step is done once, whoever dies where, and nothing that is there is lost."""

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from nhlog.beside.mail import Mailbox, mail_file, send
from nhlog.config import Config
from nhlog.errors import NhlogError
from nhlog.files import Fate, atomic
from nhlog.log.file import LogFile
from nhlog.players import Players
from nhlog.scores.filing import is_due, put_away
from nhlog.scores.xlogfile import read_entries
from terminal.ending.dumplog import dumplog_of
from terminal.play.finished import due_games, file_away
from tests.builders import Game, played
from tests.corpus import SAMPLES
from tests.processes import as_oneself, as_user

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="other users are made by root alone")
STEPS = ("link", "rename", "unlink", "write", "fsync")
"""What the system is asked for on the way: a process dies at each."""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "games").mkdir()
    return Config(games=tmp_path / "games", finished=tmp_path / "finished")


@pytest.fixture
def path(config: Config) -> Path:
    return Path(shutil.copy(SAMPLES / "died2.nhgame", config.games))


def over(path: Path, turns: int = 3) -> Path:
    return Path(played(turns).over().write(path))


def away(path: Path, config: Config) -> Path:
    return Path(put_away(str(path), config.finished, lambda replay: "the dumplog\n"))


def entries(config: Config) -> list[dict[str, str]]:
    found = [*read_entries(str(config.finished / "xlogfile"))]
    assert all(isinstance(entry, dict) for entry in found)
    return found


def test_a_game_goes_with_its_line_and_its_dumplog(path: Path, config: Config) -> None:
    before, mode = path.read_bytes(), path.stat().st_mode
    assert due_games(config) == [str(path)]
    target = config.finished / path.name
    assert file_away(str(path), config) == f"{path.name} is over and lies in {target}"
    assert (target.read_bytes(), target.stat().st_mode) == (before, mode)
    assert os.listdir(config.games) == due_games(config) == []
    [entry] = entries(config)
    assert entry["dumplog"] == "died2.txt"
    assert [*entry.items()][:8] == [
        ("version", "4.3.0"),
        ("points", "13037"),
        ("deathdnum", "0"),
        ("deathlev", "2"),
        ("maxlvl", "2"),
        ("hp", "1"),
        ("maxhp", "16"),
        ("deaths", "1"),
    ]
    dumplog = (config.finished / "died2.txt").read_text()
    for told in ("Dies2 the human Valkyrie", "killed by a sewer rat; 449 turns", "$190 S:13037", "190 gold pieces"):
        assert told in dumplog


def test_the_mail_of_its_player_goes_with_it(path: Path, config: Config) -> None:
    Path(mail_file(str(path))).touch()
    send(str(path), "bob", "well played")
    (letter,) = Mailbox(str(away(path, config)), 0).letters()
    assert letter.text == "well played"
    assert os.listdir(config.games) == []


def test_finished_games_of_all_players_are_due(config: Config, tmp_path: Path) -> None:
    ann = Players(tmp_path / "players").folder("ann")
    ann.path.parent.mkdir()
    ann.make()
    game = str(over(ann.games / "one.nhgame"))
    assert due_games(config) == []
    assert due_games(replace(config, players=ann.path.parent)) == [game]


def test_a_log_that_a_program_wrote_stands_in_the_scores_as_its_player_s_and_as_that_program_s(
    config: Config, tmp_path: Path
) -> None:
    ann = Players(tmp_path / "players").folder("ann")
    ann.path.parent.mkdir()
    ann.make()
    settled = replace(config, players=ann.path.parent)
    over(ann.log_folder("four") / "one.nhgame")
    for game in due_games(settled):
        assert "lies in" in file_away(game, settled)
    assert [(entry["name"], entry["engine"]) for entry in entries(config)] == [("ann", "four")]


def test_dumplogs_are_made_of_every_game_that_can_be_looked_at(config: Config) -> None:
    shutil.copy(SAMPLES / "delve.nhgame", config.games)
    strange = played(3)
    strange.over(b"killed by \x9b31m").write(config.games / "strange.nhgame")
    for game in due_games(config):
        assert "lies in" in file_away(game, config)
    dumplog = (config.finished / "delve.txt").read_text()
    for told in ("You are worth 616 points.", "a blessed +0 mace", "fights southwest", "The cinder mote bursts"):
        assert told in dumplog
    told = (config.finished / "strange.txt").read_text()
    assert told.isprintable() or set(told) - set("\n") <= set(filter(str.isprintable, told))
    assert {entry["death"] for entry in entries(config)} == {"killed by a cinder mote", "killed by _31m"}
    assert "points" not in next(entry for entry in entries(config) if "_" in entry["death"])


@pytest.mark.parametrize("other_file_system", [False, True])
def test_whoever_dies_at_any_step_loses_nothing_and_the_next_ends_the_work(
    config: Config, other_file_system: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if other_file_system:
        monkeypatch.setattr(os, "rename", refusing_to_leave(os.rename, config.games))
    turns = count(1)
    for step in STEPS:
        for number in range(1, 9):
            path = over(config.games / f"{step}{number}.nhgame", next(turns))  # no two end at one moment
            before = path.read_bytes()
            if as_oneself(lambda path=path, step=step, number=number: dying(path, config, step, number)) == "done":
                assert not path.exists()
                break
            kept = [file for file in (path, config.finished / path.name) if file.exists()]
            assert kept
            assert {file.read_bytes() for file in kept} == {before}
            if path.exists():
                away(path, config)
            assert not path.exists()
            assert (config.finished / path.name).read_bytes() == before
            assert (config.finished / f"{step}{number}.txt").read_text() == "the dumplog\n"
        else:
            pytest.fail(f"more than eight times {step}")
    logs = sorted(file.stem for file in config.finished.glob("*.nhgame"))
    assert sorted(entry["dumplog"] for entry in entries(config)) == [f"{log}.txt" for log in logs]
    assert sorted(file.stem for file in config.finished.glob("*.txt")) == logs


def dying(path: Path, config: Config, step: str, number: int) -> str:
    """Put the game away, and die just before that step is done for that time."""
    left, doing = iter(range(number - 1, -1, -1)), getattr(os, step)

    def die(*arguments: object, **named: object) -> object:
        if next(left) == 0:
            os._exit(9)
        return doing(*arguments, **named)

    setattr(os, step, die)
    away(path, config)
    setattr(os, step, doing)  # what it says is written, too
    return "done"


def refusing_to_leave(rename: Callable, folder: Path) -> Callable:
    """What the system answers for a name on another file system."""

    def refuse(source: str, target: str, **named: object) -> None:
        if str(source).startswith(str(folder)):
            raise OSError(18, "Invalid cross-device link")
        rename(source, target, **named)

    return refuse


def test_a_copy_to_another_file_system_is_as_old_as_the_game(
    path: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "rename", refusing_to_leave(os.rename, config.games))
    path.chmod(0o640)
    before = path.stat()
    after = away(path, config).stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_uid) == (before.st_mode, before.st_mtime_ns, before.st_uid)
    assert after.st_ino != before.st_ino


def test_a_copy_that_fails_halfway_keeps_no_lock(path: Path, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(name: str, parts: Iterable[bytes], *_: object) -> None:
        next(iter(parts))
        if name.endswith(".nhgame"):
            raise OSError(28, "No space left on device", name)

    monkeypatch.setattr(os, "rename", refusing_to_leave(os.rename, config.games))
    monkeypatch.setattr(atomic, "create", full)
    assert file_away(str(path), config).endswith("died2.nhgame: no space left on device")
    with LogFile(str(path), writable=True) as file, file.writing():
        assert file.size() == path.stat().st_size


@pytest.mark.parametrize("taken", ["nhgame", "txt", "folder", "link", "pipe"])
def test_a_name_that_is_taken_stays_anothers(path: Path, config: Config, taken: str) -> None:
    config.finished.mkdir()
    other = config.finished / f"died2.{'txt' if taken == 'txt' else 'nhgame'}"
    match taken:
        case "folder":
            other.mkdir()
        case "link":
            other.symlink_to(path)
        case "pipe":
            os.mkfifo(other)
        case _:
            other.write_text("another")
    before = other.lstat()
    assert away(path, config) == config.finished / "died2-2.nhgame"
    assert other.lstat() == before
    assert entries(config)[0]["dumplog"] == "died2-2.txt"


def test_a_game_that_ends_twice_has_two_lines(path: Path, config: Config) -> None:
    target = away(path, config)
    back = Game()
    assert back.play(4).over(b"killed by a jackal")
    target.rename(path)
    away(path, config)
    assert len(entries(config)) == 1  # it is the same end
    back.write(path)
    away(path, config)
    assert [entry["death"] for entry in entries(config)] == ["killed by a sewer rat", "killed by a jackal"]


def test_who_comes_second_leaves_nothing(path: Path, config: Config) -> None:
    """The game is opened, then another process is quicker."""

    def draw(replay: object) -> str:
        as_oneself(lambda: str(away(path, config)))
        return "the same, or not\n"

    with pytest.raises(NhlogError, match=f"the file was moved to {config.finished / path.name}"):
        put_away(str(path), config.finished, draw)
    assert sorted(os.listdir(config.finished)) == ["died2.nhgame", "died2.txt", "xlogfile"]
    assert len(entries(config)) == 1


def test_what_goes_on_or_is_no_file_of_a_game_stays(config: Config) -> None:
    played(2).write(config.games / "live.nhgame")
    over(config.games / "torn.nhgame").open("ab").write(b"sear")
    (config.games / "link.nhgame").symlink_to(over(config.games.parent / "elsewhere.nhgame"))
    os.mkfifo(config.games / "pipe.nhgame")
    (config.games / "rubbish.nhgame").write_bytes(b"NHGAME what")
    assert due_games(config) == []
    assert not is_due(str(config.games / "gone.nhgame"))
    for name in ("live", "torn", "link", "pipe", "rubbish", "gone"):
        assert "lies in" not in file_away(str(config.games / f"{name}.nhgame"), config)
    assert not config.finished.exists()


def test_without_a_folder_for_them_finished_games_stay(path: Path, config: Config) -> None:
    assert due_games(Config(games=config.games)) == []


def test_who_watches_is_told_where_the_game_is(path: Path, config: Config) -> None:
    open_there = LogFile(str(path))
    with open_there as log:
        said = as_oneself(lambda: str(away_without_our_claim(path, config)))
        assert said == str(config.finished / path.name)
        assert (log.fate, log.fate_told) == (Fate.MOVED, f"the file was moved to {said}")


def away_without_our_claim(path: Path, config: Config) -> Path:
    return away(path, config)


@as_root
def test_another_players_folder_and_xlogfile_are_not_used(path: Path, config: Config) -> None:
    config.finished.mkdir()
    os.chown(config.finished, 60_001, -1)
    os.chown(config.games, 60_002, -1)
    with pytest.raises(NhlogError, match="belongs to another player"):
        away(path, config)
    os.chown(config.finished, 0, -1)
    (config.finished / "xlogfile").touch()
    os.chown(config.finished / "xlogfile", 60_001, -1)
    with pytest.raises(NhlogError, match="the xlogfile belongs to another player"):
        away(path, config)
    assert path.exists()
    assert os.listdir(config.finished) == ["xlogfile"]


@as_root
def test_games_of_others_are_not_a_players_to_put_away(path: Path, config: Config) -> None:
    for folder in (config.games.parent, *config.games.parents):
        folder.chmod(folder.stat().st_mode | 0o055)
    os.chown(path, 60_001, -1)
    assert as_user(60_002, lambda: repr(is_due(str(path)))) == "False"
    assert as_user(60_001, lambda: repr(is_due(str(path)))) == "True"
    assert is_due(str(path))
    assert "so the game stays there" in as_user(60_001, lambda: file_away(str(path), config))
    assert "lies in" in file_away(str(path), config)
    assert (config.finished / path.name).stat().st_uid == 60_001
    assert entries(config)[0]["uid"] == "60001"


def test_the_dumplog_is_the_same_whenever_it_is_made(path: Path) -> None:
    from nhlog.scores.entry import open_ended

    dumplogs = set()
    for _ in range(2):
        replay = open_ended(str(path))
        dumplogs.add(dumplog_of(replay))
        replay.close()
    assert len(dumplogs) == 1


def test_cron_is_told_by_the_exit_code_that_a_game_could_not_be_put_away(
    path: Path, config: Config, nhlog: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = config.games.parent / "nhlog" / "config.toml"
    settings.parent.mkdir()
    settings.write_text(f'games = "{config.games}"\nfinished = "{config.finished}"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config.games.parent))
    config.finished.write_text("not a folder")
    done = nhlog("ls", config.games, "--put-away")
    assert (done.code, done.err) == (1, f"nhlog: {config.finished}: file exists\n")
    assert path.exists()
    config.finished.unlink()
    assert nhlog("ls", config.games, "--put-away").code == 0
