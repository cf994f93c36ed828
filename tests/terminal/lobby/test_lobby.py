"""The lobby: which games there are, in which section, who is on them, and what a key wants."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.beside.mail import Mailbox, mail_file
from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.files import File, stamp_of
from nhlog.files.processes import locks_on
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command
from nhlog.replay import Status
from nhlog.session import Session, new_game
from nhlog.testing.fakes import FakeDisplay
from terminal.lobby.drawing import draw_lobby, picture_in_view, rows_in_view
from terminal.lobby.folders import Folders
from terminal.lobby.loop import write_to_player
from terminal.lobby.model import LOBBY_KEYS, FilterText, Lobby
from terminal.lobby.people import People
from terminal.lobby.reading.jobs import answer
from terminal.lobby.rows import FINISHED, FOLDERS, OTHERS, RECORDINGS, SORTS, UNREADABLE, YOURS, Row
from terminal.lobby.visitors import Spectator, User
from terminal.play.new_game import new_file
from tests.corpus import ROOT, SAMPLES
from tests.processes import Child
from tests.terminal.lobby.drawn import CASES, FOLDER, drawn

SITTING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.log.file import LogFile
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod
file = LogFile(path, writable=arguments[0] == "play")
changes = Changes(file, NotifyMethod.MONITOR)
say("here")
wait()
"""


RECORDING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.files import lock_whole
lock_whole(os.open(path, os.O_RDWR), path)
say("here")
wait()
"""


def begin(path: Path, name: str) -> None:
    options = NewGame(name, "Wizard", "human", "female", "neutral", 0, 1)
    new_game(str(path), engine_named("delve"), options).log.source.close()


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with a game of ours, two of the samples, and what is no game."""
    folder = tmp_path / "games"
    folder.mkdir()
    begin(folder / "ann.nhgame", "Ann")
    for name in ("died2.nhgame", "scripted1.nhgame"):
        shutil.copy(SAMPLES / name, folder)
    (folder / "broken.nhgame").write_bytes(b"NHGAME what")
    (folder / "notes.txt").write_text("no game")
    return folder


@pytest.fixture
def lobby(games: Path) -> Lobby:
    lobby = Lobby(Folders((games, games / "not there")), User(os.getuid()))
    while lobby.look():
        pass
    return lobby


def read(lobby: Lobby, rows: Sequence[Row]) -> list[str]:
    """Have what is wanted of these rows read; the names of the files."""
    jobs = lobby.wanted(rows)
    for job in jobs:
        lobby.contents.take(job, answer(job))
    return [os.path.basename(job.file) for job in jobs]


def shown(lobby: Lobby, width: int = 100, height: int = 26) -> str:
    return "\n".join(draw_lobby(lobby, width, height).text())


def test_each_game_is_in_its_section(lobby: Lobby) -> None:
    assert [(row.title.split(",")[0], row.section) for row in lobby.contents.rows] == [
        ("Ann", YOURS),
        ("Scripty", OTHERS),
        ("Dies2", FINISHED),
        ("broken.nhgame", UNREADABLE),
    ]
    assert list(lobby.contents.broken) == [f for f in lobby.contents.broken if f.endswith("broken.nhgame")] != []
    assert "broken.nhgame" in shown(lobby)


def test_what_is_over_is_known_to_its_owner_and_to_root(games: Path) -> None:
    for user, ended in ((os.getuid(), ["died2.nhgame"]), (os.getuid() + 1, []), (0, ["died2.nhgame"])):
        lobby = Lobby(Folders((games,)), User(user))
        lobby.look()
        assert [Path(file).name for file in lobby.contents.ended] == ended


def test_games_of_another_user_are_watched_not_played(games: Path) -> None:
    lobby = Lobby(Folders((games,)), User(os.getuid() + 1))
    lobby.look()
    assert YOURS not in {row.section for row in lobby.contents.rows}


def test_other_recordings_have_a_section_of_their_own(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "arena.butter", tmp_path)
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    assert [row.section for row in lobby.contents.rows] == [RECORDINGS]
    lobby.press("enter")
    assert lobby.wants == "replay"


def test_a_recording_without_a_title_has_its_name_and_one_that_goes_on_is_live(tmp_path: Path) -> None:
    (tmp_path / "shell.cast").write_text('{"version":2,"width":80,"height":24}\n[2, "o", "hello"]\n[3, "o", "wo')
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    assert "shell.cast" in shown(lobby)  # before it was read
    read(lobby, lobby.contents.rows)
    assert "shell.cast" in shown(lobby)
    assert "0:02, live" in shown(lobby)
    for _ in SORTS:
        lobby.press("s")
        assert [row.title for row in lobby.contents.rows] == ["shell.cast"]


@pytest.mark.parametrize(
    ("moves", "key", "wants"),
    [
        ("", "enter", "play"),
        ("", "w", "watch"),
        ("", "r", "replay"),
        ("", "n", "new"),
        ("j", "enter", "watch"),
        ("jj", "enter", "replay"),
    ],
)
def test_a_key_wants_what_makes_sense_for_the_row(lobby: Lobby, moves: str, key: str, wants: str) -> None:
    for move in moves:
        lobby.press(move)
    lobby.press(key)
    assert lobby.wants == wants


def test_typing_filters_and_escape_shows_all(lobby: Lobby) -> None:
    for key in "/dies":
        lobby.press(key)
    assert [row.title.split(",")[0] for row in lobby.contents.rows] == ["Dies2"]
    assert "with 'dies'" in shown(lobby)
    lobby.press("enter")
    lobby.press("enter")
    assert lobby.wants == "replay"
    for key in ("/", "z", "z"):
        lobby.press(key)
    assert "No game matches 'zz'" in shown(lobby)
    lobby.press("escape")
    assert len(lobby.contents.rows) == 4


def test_the_cursor_moves_while_the_filter_is_typed(lobby: Lobby) -> None:
    lobby.press("/")
    places = []
    for key in ("down", "down", "up", "up", "up"):
        lobby.press(key)
        places.append(lobby.index)
    assert (places, lobby.opened.find(FilterText).text) == ([1, 2, 1, 0, 0], "")


def test_the_key_that_leaves_the_help_does_nothing_else(lobby: Lobby) -> None:
    lobby.press("?")
    lobby.press("q")
    assert (lobby.opened.top, lobby.done, lobby.message) == (None, False, "")


def test_escape_takes_the_filter_off_before_it_leaves(lobby: Lobby) -> None:
    for key in ("/", "d", "i", "e", "s", "enter"):
        lobby.press(key)
    lobby.press("escape")
    assert (len(lobby.contents.rows), lobby.done) == (4, False)
    lobby.press("escape")
    assert lobby.done


def test_a_filter_finds_what_only_the_whole_file_tells(tmp_path: Path) -> None:
    for number in range(15):
        shutil.copy(SAMPLES / "nethack.cast", tmp_path / f"{number}.cast")
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    for key in "/dwarvish":
        lobby.press(key)
    assert "15 more to read" in shown(lobby)
    while read(lobby, ()):
        pass
    assert "15 recordings with 'dwarvish'" in shown(lobby)


def test_where_there_is_no_room_for_folders_files_have_their_names(lobby: Lobby, games: Path) -> None:
    (games / "league").mkdir()
    for name in ("coverage.map", "coverage.teehistorian"):
        shutil.copy(SAMPLES / name, games / "league")
    both = Lobby(Folders((games, games / "league")), User(os.getuid()))
    both.look()
    assert "league/coverage.map" in shown(both, 260)
    assert " coverage.map" in shown(both, 100)
    assert " coverage.tee" in shown(both, 100)


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_it_did(name: str) -> None:
    keys, size = CASES[name]
    assert "\n".join(drawn(keys, *size)) + "\n" == (FOLDER / f"{name}.txt").read_text()


def test_every_screen_that_is_kept_is_drawn() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


def test_orders_are_cycled(lobby: Lobby, games: Path) -> None:
    begin(games / "zoe.nhgame", "Zoe")
    lobby.look()
    assert [row.title[:3] for row in lobby.contents.rows][:2] == ["Zoe", "Ann"]
    lobby.press("s")
    lobby.press("s")
    assert lobby.message == "sorted by player"
    assert [row.title[:3] for row in lobby.contents.rows][:2] == ["Ann", "Zoe"]


def test_what_changes_is_read_again_and_what_is_gone_goes(lobby: Lobby, games: Path) -> None:
    with LogFile(str(games / "ann.nhgame"), writable=True) as file:
        log = Log(file)
        session = Session(log, engine_named("delve"), writer=Writer(log))
        session.command(Command("welcome"))
        session.command(Command("search"))
    (games / "died2.nhgame").unlink()
    (games / "broken.nhgame").unlink()
    lobby.look()
    read(lobby, lobby.contents.rows)
    assert [row.listing.turn for row in lobby.contents.rows] == [2, 91]
    assert lobby.contents.broken == {}


def test_the_cursor_stays_on_its_game(lobby: Lobby, games: Path) -> None:
    lobby.press("j")
    chosen = lobby.chosen.file
    begin(games / "zoe.nhgame", "Zoe")
    lobby.look()
    assert lobby.chosen.file == chosen


def test_it_tells_who_plays_and_who_watches(lobby: Lobby, games: Path) -> None:
    path = str(games / "ann.nhgame")
    with Child(SITTING, path, "play") as player, Child(SITTING, path, "watch") as watcher:
        assert [player.hear(), watcher.hear()] == ["here", "here"]
        lobby.contents.count(lobby.contents.rows)
        assert (lobby.contents.people[path].players, lobby.contents.people[path].watchers) == (1, 1)
        assert re.search(r"Ann, .* playing .* 1\b", shown(lobby))
        lobby.watch_any()
        assert (lobby.wants, lobby.chosen.file) == ("watch", path)
    lobby.contents.count(lobby.contents.rows)
    assert lobby.contents.people[path].players == 0


def test_a_program_that_is_recorded_is_a_game_with_its_player_and_its_watchers(tmp_path: Path) -> None:
    path = str(shutil.copy(SAMPLES / "nethack.cast", tmp_path))
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    lobby.contents.count(lobby.contents.rows)
    assert lobby.chosen.section == RECORDINGS
    with Child(RECORDING, path) as recorder, File(path) as watcher:
        watcher.mark()
        assert recorder.hear() == "here"
        lobby.contents.count(lobby.contents.rows)
        assert lobby.contents.people[path] == People(1, 1)
        assert lobby.chosen.section == OTHERS
        read(lobby, lobby.contents.rows)
        assert "NetHack" in shown(lobby)
        assert "playing" in shown(lobby)
        assert "80x24" in shown(lobby, 180)
        lobby.press("enter")
        assert lobby.wants == "watch"
    lobby.contents.count(lobby.contents.rows)
    assert (lobby.contents.people[path], lobby.chosen.section) == (People(0, 0), RECORDINGS)


@contextmanager
def recorded(folder: Path, events: str = "") -> Iterator[tuple[Lobby, str]]:
    """A lobby in which somebody's program is recorded that has printed this, and the recording's path."""
    path = folder / "ann.crawl.2026-11-27.020221.cast"
    path.write_text('{"version":2,"width":80,"height":24}\n' + events)
    lobby = Lobby(Folders((folder,)), Spectator())
    with Child(RECORDING, str(path)) as recorder:
        assert recorder.hear() == "here"
        lobby.look()
        lobby.contents.count(lobby.contents.rows)
        read(lobby, lobby.contents.rows)
        yield lobby, str(path)


def test_a_program_that_has_said_nothing_yet_is_played_and_not_unreadable(tmp_path: Path) -> None:
    with recorded(tmp_path) as (lobby, path):
        assert (lobby.chosen.section, lobby.contents.broken) == (OTHERS, {})
        assert re.search(r"ann +crawl .*playing", shown(lobby))
    lobby.contents.count(lobby.contents.rows)
    read(lobby, lobby.contents.rows)
    assert (lobby.chosen.section, [*lobby.contents.broken]) == (UNREADABLE, [path])


def test_a_recording_whose_recorder_was_killed_has_ended(tmp_path: Path) -> None:
    with recorded(tmp_path, '[2, "o", "hello"]\n') as (lobby, path):
        assert lobby.chosen.listing.status is Status.LIVE
    lobby.contents.count([])  # whoever is not looked at
    assert path not in lobby.contents.people
    read(lobby, lobby.contents.rows)
    assert lobby.chosen.listing.status is Status.FINISHED
    assert ("0:02" in shown(lobby), "live" in shown(lobby)) == (True, False)


def test_of_a_recording_that_goes_on_what_is_known_stays_until_it_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "shell.cast"
    path.write_text('{"version":2,"width":80,"height":24,"title":"Ann plays"}\n[2, "o", "hello"]\n[3, "o", "wo')
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    (job,) = lobby.wanted(lobby.contents.rows)
    known = answer(job)
    with open(path, "a") as file:
        file.write('rld"]\n[9, "o", "a')
    lobby.look()
    lobby.contents.take(job, known)
    assert ("Ann plays" in shown(lobby), "0:02, live" in shown(lobby), lobby.chosen.whole) == (True, True, False)
    with open(path, "a") as file:
        file.write("nd")
    lobby.look()
    assert "Ann plays" in shown(lobby)
    read(lobby, lobby.contents.rows)
    assert "0:03, live" in shown(lobby)


def test_any_game_is_a_busy_one_if_there_is_one(lobby: Lobby, games: Path) -> None:
    quiet, busy = str(games / "ann.nhgame"), str(games / "scripted1.nhgame")
    os.utime(quiet, (1, 1))
    os.utime(busy)
    lobby.look()
    with Child(RECORDING, quiet) as one:
        one.hear()
        lobby.press("*")
        assert (lobby.wants, lobby.chosen.file) == ("watch", quiet)
        with Child(RECORDING, busy) as other:
            other.hear()
            for _ in range(5):
                lobby.press("*")
                assert lobby.chosen.file == busy
    lobby.wants = ""
    lobby.press("*")
    assert (lobby.wants, lobby.message) == ("", "nobody is playing")


def test_orders_go_by_watchers_too_and_the_selection_stays(lobby: Lobby, games: Path) -> None:
    begin(games / "zoe.nhgame", "Zoe")
    lobby.look()
    lobby.choose(str(games / "zoe.nhgame"))
    lobby.contents.sort = "watchers"
    with File(str(games / "ann.nhgame")) as watched:
        watched.mark()
        lobby.contents.count(())
        assert [row.title[:3] for row in lobby.contents.rows][:2] == ["Ann", "Zoe"]
    with File(str(games / "zoe.nhgame")) as watched:
        watched.mark()
        lobby.contents.count(())
        assert [row.title[:3] for row in lobby.contents.rows][:2] == ["Zoe", "Ann"]
    assert lobby.chosen.title.startswith("Zoe")


def test_in_the_order_of_places_those_without_one_come_last(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "nethack.cast", tmp_path)
    (tmp_path / "a.cast").write_text('{"version":2,"width":80,"height":24}\n[2, "o", "hello"]\n')
    lobby = Lobby(Folders((tmp_path,)), User(os.getuid()))
    lobby.look()
    read(lobby, lobby.contents.rows)
    lobby.contents.sort = "place"
    assert [(row.name, bool(row.place)) for row in lobby.contents.rows] == [("nethack.cast", True), ("a.cast", False)]


def test_a_line_is_written_to_the_player_of_a_game(lobby: Lobby, games: Path) -> None:
    path = str(games / "ann.nhgame")
    Path(mail_file(path)).touch()
    lobby.press("M")
    assert (lobby.wants, lobby.chosen.file) == ("write", path)
    display = FakeDisplay([*"hello", "enter"])
    assert write_to_player(display, lobby, Config(), lobby.chosen) == "sent: hello"
    assert any("To Ann, human Wizard: hell" in row for row in display.screens[-1].text())
    (letter,) = Mailbox(path, 0).letters()
    assert (letter.sender, letter.text) == (lobby.contents.visitor.writes_as, "hello")
    os.unlink(mail_file(path))
    for script, config, told in (
        (["escape"], Config(), ""),
        ([], Config(mail=False), "writing to players is turned off here"),
    ):
        assert write_to_player(FakeDisplay(script), lobby, config, lobby.chosen) == told


def test_a_line_that_comes_too_early_is_sent_again_and_its_writer_is_there_meanwhile(lobby: Lobby, games: Path) -> None:
    path = str(games / "ann.nhgame")
    lobby.press("M")
    assert write_to_player(FakeDisplay(["a", "enter"]), lobby, Config(), lobby.chosen) == "sending: a"
    assert write_to_player(FakeDisplay(["b", "enter"]), lobby, Config(), lobby.chosen) == "sending: b"
    assert locks_on(stamp_of(path).identity).marks
    box = Mailbox(path, 0)
    box.tend(takes=True, watched=True)
    assert [lobby.outbox.send_again(now) for now in (1.0, 1.1, 2.0, 3.0)] == ["sent: a", "", "sent: b", ""]
    assert [letter.text for letter in box.letters()] == ["a", "b"]
    assert not locks_on(stamp_of(path).identity).marks


def test_a_line_that_nobody_takes_is_given_up(lobby: Lobby, games: Path) -> None:
    lobby.press("M")
    write_to_player(FakeDisplay(["a", "enter"]), lobby, Config(), lobby.chosen)
    told = [lobby.outbox.send_again(float(second)) for second in range(1, 25)]
    assert [*dict.fromkeys(told)] == ["sending: a", "the player does not accept mail now", ""]
    assert not locks_on(stamp_of(str(games / "ann.nhgame")).identity).marks


def test_who_has_no_name_or_plays_nothing_gets_no_line(games: Path, lobby: Lobby) -> None:
    lobby.press("G")
    lobby.press("M")
    assert (lobby.wants, lobby.message) == ("", "nobody is playing this")
    spectator = Lobby(Folders((games,)), Spectator())
    spectator.look()
    spectator.press("M")
    assert (spectator.wants, spectator.message) == ("", "you can only watch here: writing needs a player's key")


def test_the_options_are_in_the_lobby_too(lobby: Lobby) -> None:
    lobby.press("O")
    assert "lines that watchers write to you" in shown(lobby)
    lobby.press("q")
    assert (lobby.opened.top, lobby.done) == (None, False)


def test_an_empty_lobby_says_what_to_do(tmp_path: Path) -> None:
    lobby = Lobby(Folders((tmp_path,)), User(0))
    lobby.look()
    assert "There are no games yet." in shown(lobby)
    for key in ("enter", "w", "r", "j"):
        lobby.press(key)
        assert lobby.wants == ""
    lobby.press("*")
    assert lobby.message == "nobody is playing"


def test_help_has_every_key(lobby: Lobby) -> None:
    lobby.press("?")
    told = shown(lobby)
    assert all(key.does in told for key in LOBBY_KEYS)
    lobby.press("q")
    assert not lobby.done
    lobby.press("q")
    assert lobby.done


@pytest.mark.parametrize("size", [(1, 1), (29, 7), (30, 7), (40, 10), (80, 24), (200, 60)])
def test_every_size_can_be_drawn(lobby: Lobby, size: tuple[int, int]) -> None:
    screen = draw_lobby(lobby, *size)
    assert (screen.width, screen.height) == size
    assert len(rows_in_view(lobby, size[1])) <= max(size[1], 0)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Ann", "Ann"),
        ("../../etc/passwd", "etc_passwd"),
        ("a\nb\0c", "a_b_c"),
        ("日本", "nobody"),
        ("x" * 99, "x" * 31),
    ],
)
def test_file_names_of_players_are_safe(tmp_path: Path, name: str, safe: str) -> None:
    first = new_file(tmp_path / "games", name)
    Path(first).touch()
    second = new_file(tmp_path / "games", name)
    assert Path(first).parent == Path(second).parent == tmp_path / "games"
    assert first != second
    assert Path(first).name.startswith(f"{safe}-2")


def test_a_file_that_was_read_while_it_was_half_written_is_read_again(lobby: Lobby, games: Path) -> None:
    begin(games / "zoe.nhgame", "Zoe")
    whole = (games / "zoe.nhgame").read_bytes()
    (games / "zoe.nhgame").write_bytes(whole[:40])
    lobby.look()
    assert str(games / "zoe.nhgame") in lobby.contents.broken
    (games / "zoe.nhgame").write_bytes(whole)
    lobby.look()
    assert str(games / "zoe.nhgame") not in lobby.contents.broken
    assert "Zoe" in shown(lobby)


def test_a_game_that_is_damaged_later_is_a_row_that_says_so(lobby: Lobby, games: Path) -> None:
    (games / "ann.nhgame").write_bytes(b"NHGAME what else")
    lobby.look()
    told = [(row.title[:3], row.section) for row in lobby.contents.rows]
    assert told == [("Scr", OTHERS), ("Die", FINISHED), ("ann", UNREADABLE), ("bro", UNREADABLE)]
    assert str(games / "ann.nhgame") in lobby.contents.broken


def test_odd_names_pipes_and_folders_that_go_away_do_no_harm(games: Path) -> None:
    os.mkfifo(games / "pipe.nhgame")
    (games / "folder.nhgame").mkdir()
    (games / "loop.nhgame").symlink_to(games / "loop.nhgame")
    shutil.copy(SAMPLES / "died2.nhgame", os.fsencode(games) + b"/caf\xe9.nhgame")
    with open(os.fsencode(games) + b"/bad\xe9.nhgame", "wb") as file:
        file.write(b"NHGAME")
    (games / "broken.nhgame").unlink()
    lobby = Lobby(Folders((games,)), User(os.getuid()))
    while lobby.look():
        pass
    assert [row.section for row in lobby.contents.rows].count(UNREADABLE) == 2
    assert len(lobby.contents.rows) == 6
    for width in (40, 80):
        shown(lobby, width, 12).encode()
    shutil.rmtree(games)
    lobby.look()
    assert len(lobby.contents.rows) == 0
    assert "There are no games yet." in shown(lobby)


def test_rows_are_sorted_again_only_when_something_changed(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    shown(lobby)
    monkeypatch.setitem(SORTS, lobby.contents.sort, None)  # nothing is sorted again as long as nothing changed
    lobby.look()
    lobby.press("j")
    assert "Scripty" in shown(lobby)


def copies(folder: Path, count: int) -> Path:
    """So many finished games of 449 turns, in a folder."""
    folder.mkdir()
    for number in range(count):
        shutil.copy(SAMPLES / "died2.nhgame", folder / f"{number:03}.nhgame")
    return folder


@contextmanager
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the games that are opened meanwhile."""
    found: list[str] = []
    real = os.open

    def count(path: str, *arguments: object, **options: object) -> int:
        if path.endswith(".nhgame"):
            found.append(os.path.basename(path))
        return real(path, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", count)
        yield found


def test_each_file_is_glanced_at_once_and_only_what_is_in_view_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = Lobby(Folders((copies(tmp_path / "games", 120),)), User(os.getuid()))
    with opened(monkeypatch) as files:
        while lobby.look():
            pass
        assert len(files) == len(lobby.contents.rows) == 120
        view = rows_in_view(lobby, 24)
        assert read(lobby, view)
        assert files[120:] == [os.path.basename(row.file) for row in view]
        assert not read(lobby, rows_in_view(lobby, 24))
        assert not lobby.look()
        (tmp_path / "games" / "007.nhgame").touch()
        lobby.look()
        lobby.look()
        assert files[120 + len(view) :] == ["007.nhgame"]


def test_the_first_screen_of_a_hundred_games_is_right_and_none_of_them_waits_for_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "terminal.lobby.contents.AT_ONCE", 60
    )  # seconds of the processor, as others use its caches, too
    lobby = Lobby(Folders((copies(tmp_path / "games", 100),)), User(os.getuid()))
    lobby.look()
    before = shown(lobby, 120, 110)
    assert ("…" in before, before.count(" 449 "), {row.turn for row in lobby.contents.rows}) == (False, 0, {""})
    view = rows_in_view(lobby, 110)
    lobby.contents.read_near(view)
    assert len(view) == shown(lobby, 120, 110).count(" 449 ") == 100
    assert lobby.wanted(rows_in_view(lobby, 110)) == []


def test_what_an_earlier_lobby_read_is_known_until_it_changes(games: Path) -> None:
    def found() -> Lobby:
        lobby = Lobby(Folders((games,)), User(os.getuid()))
        while lobby.look():
            pass
        return lobby

    earlier = found()
    read(earlier, [row for row in earlier.contents.rows if row.section != UNREADABLE])
    earlier.contents.store()
    known = {row.name: row for row in earlier.contents.rows}
    with (games / "scripted1.nhgame").open("ab") as file:
        file.write(b"search\n")
    later = {row.name: row for row in found().contents.rows}
    assert later.keys() == known.keys()
    assert {name for name, row in later.items() if not row.whole} == {"scripted1.nhgame"}
    assert {name for name, row in later.items() if row == known[name]} == {*known} - {"scripted1.nhgame"}


def test_what_takes_long_to_read_is_left_to_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = Lobby(Folders((copies(tmp_path / "games", 2),)), User(os.getuid()))
    lobby.look()
    monkeypatch.setattr("nhlog.formats.nhgame.listing._NEAR", 100)
    lobby.contents.read_near(lobby.contents.rows)
    assert len(lobby.wanted(lobby.contents.rows)) == 2
    assert {row.turn for row in lobby.contents.rows} == {""}


def test_while_files_wait_it_says_how_many(tmp_path: Path) -> None:
    lobby = Lobby(Folders((copies(tmp_path / "games", 120),)), User(os.getuid()))
    assert lobby.look()
    assert "100 games, 20 more to read" in shown(lobby)
    assert not lobby.look()
    assert "120 games" in shown(lobby)
    assert "more to read" not in shown(lobby)


def test_an_order_that_a_glance_does_not_tell_is_read_for_little_by_little(tmp_path: Path) -> None:
    lobby = Lobby(Folders((copies(tmp_path / "games", 30),)), User(os.getuid()))
    lobby.look()
    assert {row.turn for row in lobby.contents.rows} == {""}  # of a finished game the header does not tell
    lobby.press("s")
    waiting = []
    while read(lobby, ()):
        waiting.append(lobby.contents.waiting)
    assert waiting == [20, 10, 0]
    assert {row.listing.turn for row in lobby.contents.rows} == {449}


def test_a_row_that_comes_later_stands_where_sorting_would_put_it(lobby: Lobby, games: Path) -> None:
    for sort in SORTS:
        for name in ("zoe", "bob"):
            (games / f"{name}.nhgame").unlink(missing_ok=True)
            begin(games / f"{name}.nhgame", name)
        lobby.contents.sort = sort
        lobby.look()
        fresh = Lobby(Folders((games,)), User(os.getuid()))
        fresh.contents.sort = sort
        fresh.look()
        assert [row.file for row in lobby.contents.rows] == [row.file for row in fresh.contents.rows]


def test_the_rows_in_view_are_those_around_the_chosen_one(lobby: Lobby) -> None:
    """Whatever the height, each line of the list is a row or the name of a section, and the chosen row is there."""
    for height in range(7, 16):
        for index, row in enumerate(lobby.contents.rows):
            lobby.choose(row.file)
            view = rows_in_view(lobby, height)
            at = lobby.contents.rows.place(view[0].file)
            assert at is not None
            assert view == lobby.contents.rows[at : at + len(view)]
            assert row in view
            assert f"▶ {row.title[:9]}" in shown(lobby, 100, height), (height, index)


def test_the_order_is_turned_round_within_each_section(lobby: Lobby, games: Path) -> None:
    for name in ("bob", "zoe"):
        begin(games / f"{name}.nhgame", name.title())
    lobby.look()
    before = [(row.section, row.file) for row in lobby.contents.rows]
    lobby.press("j")
    chosen = lobby.chosen
    lobby.press("S")
    after = [(row.section, row.file) for row in lobby.contents.rows]
    assert [file for section, file in after if section == YOURS] == [
        file for section, file in reversed(before) if section == YOURS
    ]
    assert [section for section, _ in after] == [section for section, _ in before]
    assert lobby.chosen is chosen
    assert all(lobby.contents.rows.place(row.file) == index for index, row in enumerate(lobby.contents.rows))


def test_the_cursor_goes_with_a_game_that_is_put_away(games: Path, tmp_path: Path) -> None:
    finished = tmp_path / "finished"
    finished.mkdir()
    shutil.copy(SAMPLES / "nethack.cast", games)
    lobby = Lobby(Folders((games, finished)), User(os.getuid()))
    lobby.look()
    for file, moved in (
        (games / "died2.nhgame", finished / "died2.nhgame"),
        (games / "nethack.cast", games / "nethack.cast.zst"),
    ):
        lobby.choose(str(file))
        file.rename(moved)
        lobby.look()
        assert lobby.chosen.file == str(moved)


def test_where_the_chosen_one_goes_away_the_next_is_chosen(lobby: Lobby, games: Path) -> None:
    lobby.press("j")
    assert lobby.chosen.title.startswith("Scripty")
    (games / "scripted1.nhgame").unlink()
    lobby.look()
    assert lobby.chosen.title.startswith("Dies2")
    begin(games / "zoe.nhgame", "Zoe")
    lobby.look()
    assert lobby.chosen.title.startswith("Dies2")


def test_folders_can_be_walked_into_and_recordings_are_told_apart(games: Path) -> None:
    (games / "league").mkdir()
    (games / ".hidden").mkdir()
    shutil.copy(SAMPLES / "died2.nhgame", games / "league")
    lobby = Lobby(Folders((games,)), User(os.getuid()))
    lobby.look()
    assert [row.title for row in lobby.contents.rows if row.section == FOLDERS] == ["league"]
    lobby.choose(str(games / "league"))
    lobby.press("enter")
    assert lobby.wants == "walk"
    both = Lobby(Folders((games, games / "league")), User(os.getuid()))
    both.look()
    told = shown(both, 260)
    assert "games/died2.nhgame" in told
    assert "league/died2.nhgame" in told


def test_at_every_width_the_status_is_there_and_no_hint_is_cut(lobby: Lobby) -> None:
    for width in range(40, 200):
        *_, last = told = draw_lobby(lobby, width, 24).text()
        assert any("killed by a" in row for row in told)
        assert last.endswith("? keys  q leave")
    assert any("killed by a sewer rat" in row for row in draw_lobby(lobby, 180, 24).text())


def test_details_of_the_chosen_one_stand_beside_a_wide_list(lobby: Lobby) -> None:
    lobby.press("j")
    lobby.press("j")
    size = picture_in_view(144, 40)
    assert picture_in_view(143, 40) is None
    assert "its last screen is being read" in shown(lobby, 144, 40)
    for job in lobby.wanted(lobby.contents.rows, size):
        lobby.contents.take(job, answer(job))
    assert lobby.wanted(lobby.contents.rows, size) == []
    told = shown(lobby, 144, 40)
    assert "turn     449" in told
    assert "HP:[    1 / 16   ]" in told
    assert "turn     449" not in shown(lobby, 119, 40)
    lobby.press("j")
    assert "the header is cut short" in shown(lobby, 144, 40)


def test_what_was_read_of_a_file_that_changed_since_does_not_count(lobby: Lobby, games: Path) -> None:
    (job,) = lobby.wanted([row for row in lobby.contents.rows if row.title.startswith("Dies2")])
    with open(games / "died2.nhgame", "ab") as file:
        file.write(b"#")
    lobby.look()
    lobby.contents.take(job, answer(job))
    (row,) = (row for row in lobby.contents.rows if row.file == job.file)
    assert not row.whole
    assert [again.file for again in lobby.wanted([row])] == [job.file]
