"""What people get wrong, verb by verb: the exit code, and the line that helps.

Also what found nothing, and positions outside a recording: they are no errors, and are said.
"""

import shlex
import shutil
from pathlib import Path

import pytest

from terminal.cli import VERBS
from tests.corpus import SAMPLES

GAME, MAP, TEES, ARENA, RUN, CAST = (
    "died2.nhgame",
    "dm1.map",
    "coverage.teehistorian",
    "arena.butter",
    "run.replay",
    "nethack.cast",
)
NONE = "none of the recordings that nhlog opens: NetHack 4 log, "
OPENERS = (
    *(f"{verb} {{}}" for verb in ("info", "show", "state", "events", "stats", "dump", "verify", "recover")),
    *("meta {} get", "search {} x", "rewind {} --to 1", "convert {} x.cast", "compact {} -o x"),
)

MISTAKES = [
    ("reply x", 2, "There is no verb 'reply'. Did you mean replay or relay or webplay?"),
    ("Stats x", 2, "Did you mean stats"),
    ("xyzzy", 2, "There is no verb 'xyzzy'. `nhlog --help` lists the verbs."),
    (GAME, 2, f"Did you mean nhlog replay {GAME}?"),
    ("nosuch.nhgame", 2, "There is neither a file nor a verb 'nosuch.nhgame'."),
    (f"events {GAME} --at 3", 2, "Error: No such option '--at'."),
    ("folder", 2, "Did you mean nhlog ls folder?"),
    ("help reply", 2, "Did you mean replay"),
    ("ls --srot", 2, "'--sort'"),
    (f"info {GAME} --jsn", 2, "Did you mean '--json'?"),
    ("ls --sort age", 2, "'age' is not one of 'changed'"),
    ("ls gone", 1, "gone: no such file or directory"),
    (f"ls {GAME}", 1, f"{GAME}: not a directory"),
    ("info", 2, "Missing argument 'FILE...'"),
    ("info folder", 4, "folder: a folder, none of the recordings"),
    ("info nothing", 3, "nothing: an empty file: expected a recording"),
    ("info empty", 3, "empty: an empty folder; nothing has been recorded yet"),
    ("show gone", 1, "gone: no such file or directory"),
    (f"show {GAME} --at nowhere", 2, "not a position: 'nowhere'"),
    (f"show {MAP} --at turn:5", 1, "this recording does not count by turn: expected step:N 1:30 50% start or end"),
    (f"show {GAME} --size 80", 2, "not a terminal size: expected COLUMNSxROWS"),
    (f"state {GAME} --at marker:deth", 1, "no marker 'deth' here: expected one of backup 1, session 1"),
    (f"state {GAME} --ghost {RUN}", 2, "--ghost does not apply to a NetHack 4 log"),
    (f"events {MAP} --size 80x24", 2, "--size does not apply to a Teeworlds map"),
    (f"stats {MAP}", 4, "there is no `nhlog stats` for a Teeworlds map"),
    ("archive gone memory://x", 1, "gone: no such file or directory"),
    (f"archive {GAME} nowhere", 2, "not an address of an archive: expected s3://BUCKET/FOLDER or file:///FOLDER"),
    ("ls file:///gone/2026", 1, "file:///gone/2026: no such folder"),
    ("info file:///gone/a.nhgame", 1, "file:///gone/a.nhgame: no such folder"),
    (f"restore {GAME}", 1, f"{GAME}: no archived game at this address"),
    ("scores gone", 1, "gone: no such file or directory"),
    ("tournament gone", 1, "gone: no such file or directory"),
    ("migrate gone", 2, "players is not set in the system's config.toml"),
    ("webplay", 2, "this is not a server: players is not set in the system's config.toml"),
    ("bones gone", 1, "gone: no such file or directory"),
    (f"search {GAME}", 2, "Missing argument 'PATTERN'"),
    (f"search {GAME} '('", 2, "not a regular expression: missing )"),
    (f"dump {GAME} -o x", 2, "these are records, which are printed: -o and --force are for what is dumped as bytes"),
    (f"dump {MAP} --item grass", 2, "not an item of a map: expected TYPE:NUMBER, where TYPE is version, info, image"),
    (f"dump {MAP} --item image:99", 2, "there is no image:99: expected image:0 to image:6"),
    (f"dump {MAP} --item sound:0", 2, "the map has no sound"),
    (f"dump {MAP} --item image:2 -o x.png", 4, "the map only names the image 'bg_cloud3'"),
    (f"dump {MAP} --item layer:2 -o x", 2, "these are records, which are printed"),
    (f"dump {MAP} --data 99", 3, "no data item 99: expected 0 to 20"),
    (f"dump {MAP} --data 1 --item image:1", 2, "--item and --data exclude each other"),
    (f"dump {GAME} --data 1", 2, "--data does not apply to a NetHack 4 log"),
    (f"dump {CAST} --every 10s", 2, "--screens"),
    (f"dump {CAST} --first -1", 2, "--first: '-1' is not a whole number from 0 on"),
    (f"compact {RUN} -o x --level 23", 2, "--level: '23' is not a whole number from 1 to 22"),
    (f"convert {MAP} x.map --version 2", 2, "--version: '2' is none of 3, 4"),
    (f"recover {MAP} -o x", 4, "there is no `nhlog recover -o` for a Teeworlds map"),
    (f"plot {MAP} hp", 4, "there are no plots of a Teeworlds map"),
    (f"plot {GAME} hit-points", 2, "no plot 'hit-points' of this recording: expected hp"),
    ("record out.txt -- ls", 2, "a program can only be recorded into a .cast or .ttyrec"),
    (f"record {CAST} --headless -- ls", 2, "the file exists: --append continues it, --force replaces it"),
    (f"compact {MAP} -o x", 4, "there is no `nhlog compact` for a Teeworlds map"),
    (f"compact {RUN}", 2, "Missing option '-o' / '--output'"),
    (f"meta {RUN} gett", 2, "'gett' is not one of 'get', 'set', 'merge'"),
    (f"meta {MAP} get", 4, "there is no `nhlog meta` for a Teeworlds map"),
    (f"meta {RUN} set key", 2, "meta takes get [KEY], set KEY VALUE or merge FILE"),
    (f"convert {GAME}", 2, "Missing argument 'TARGET'"),
    (f"convert {RUN} {RUN}", 1, "the file exists"),
    (f"convert {GAME} x.nhgame --player ann", 2, "--player does not apply to a NetHack 4 log"),
    (f"recover {MAP}", 4, "there is no `nhlog recover` for a Teeworlds map"),
    (f"rewind {GAME}", 2, "Missing option '--to'"),
    (f"rewind {MAP} --to 1", 4, "there is no `nhlog rewind` for a Teeworlds map"),
    ("cuts --older-than soon", 2, "'soon' is not an age: 30d, 12h, 2w"),
    ("broadcast hello", 2, "authorized_keys is not set in the system's config.toml"),
    ("maintenance off", 2, "authorized_keys and players are not set in the system's config.toml"),
    ("who", 2, "this is not a server: players is not set in the system's config.toml"),
    ("accounts serve", 2, "store is not set in [accounts] of the system's config.toml"),
    ("players add ann ann.pub", 2, "authorized_keys is not set in the system's config.toml"),
    ("lobby --player ann", 2, "it needs a terminal: ssh -t"),
    ("lobby --player ann folder", 2, "choose one: --player NAME, --spectator or DIR"),
    ("tidy", 2, "nothing to do: expected --pack-after AGE, --remove-after AGE or --over-quota"),
    ("serve gone", 2, "gone: no such file or directory"),
    ("talk gone", 1, "gone: no such file or directory"),
    (f"talk {GAME} --remove 7", 2, "nothing is said there"),
    ("watchers gone", 1, "gone: no such file or directory"),
    (f"watchers {MAP} --free", 2, "--free works for logs only"),
    (f"diff {MAP} {RUN}", 2, f"only recordings of one format can be compared: {MAP} is a Teeworlds map, and {RUN}"),
    (f"diff {MAP} notes.md", 2, "one is a recording and the other is not: expected two recordings, or two saves"),
    (f"diff {MAP} {MAP} -o x", 2, "-o, --force, --reference and --explain are for saves"),
    ("diff gone gone", 1, "gone: no such file or directory"),
    ("patch gone", 2, "Missing argument 'DIFF'"),
    (f"replay {GAME}", 2, "not a terminal: `nhlog show FILE --at POSITION` prints a screen"),
    ("replay empty", 2, "empty: no recordings here: expected files with the endings of NetHack 4 log"),
    (f"watch {GAME} --notify phone", 2, "'phone' is not one of 'monitor', 'events', 'polling'"),
    ("play --mode hard", 2, "'hard' is not one of 'normal', 'explore', 'wizard'"),
    ("relay nothing --to http://hub", 2, "not the address of a NATS server: expected nats://HOST"),
    ("mirror nats://hub/x", 2, "not the address of a relayed game: expected nats://HOST/PLAYER/GAME"),
    ("lobby --color red", 2, "'red' is not one of 'auto', 'always', 'never'"),
    (f"info {GAME} --log-file {GAME}", 2, f"{GAME}: --log-file needs another file: this is a recording"),
    ("doctor x", 2, "unexpected extra argument (x)"),
    ("samples notes.md", 1, "notes.md: not a directory"),
    ("completion tcsh", 2, "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
    *((verb.format("notes.md"), 4, f"notes.md: a Markdown file, {NONE}") for verb in OPENERS),
]

NOTHING = [
    ("ls empty", 0, "empty: no recordings here"),
    ("ls one --player nobody", 0, "none of the recordings here is like that"),
    (f"search {GAME} xyzzy", 1, f"{GAME}: nothing found that matches xyzzy"),
    ("verify empty", 0, "there are no recordings"),
    ("cuts empty", 0, "nothing that was cut off is kept here"),
    ("bones empty", 0, "no bones lie there"),
    ("scores empty", 0, "no such game has ended yet"),
    (f"talk {GAME}", 0, f"{GAME}: nothing was said"),
    (f"watchers {MAP}", 0, f"{MAP}: no process has it open"),
    (f"dump {TEES} --kind nonsense", 0, f"{TEES}: no such records in it"),
]

OUTSIDE = [
    (f"state {GAME} --at turn:9999", "turn 9999 is after the end: turn 449 is taken"),
    (f"state {GAME} --at turn:0", "turn 0 is before the start: turn 1 is taken"),
    (f"show {RUN} --at 1:00:00", "1:00:00 is after the end: 0:40 is taken"),
    (f"search {GAME} kick --last 9999", "turn 9999 is after the end: turn 449 is taken"),
    (f"convert {TEES} x.teehistorian --last 1:00:00", "1:00:00 is after the end: 0:33 is taken"),
    (f"dump {GAME} --save-at turn:9999 -o x.save", "turn 9999 is after the end: turn 449 is taken"),
    (f"rewind {GAME} --to turn:9999 --dry-run", "turn 9999 is after the end: turn 449 is taken"),
    (f"rewind {RUN} --to '-9999 ticks' --dry-run", "tick -9194 is before the start: tick 0 is taken"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mistakes")
    for name in (GAME, MAP, TEES, ARENA, RUN, CAST):
        shutil.copy(SAMPLES / name, folder)
    (folder / "notes.md").write_text("# Notes\n")
    (folder / "nothing").touch()
    (folder / "empty").mkdir()
    (folder / "folder").mkdir()
    (folder / "folder" / "notes.md").touch()
    (folder / "one").mkdir()
    shutil.copy(SAMPLES / GAME, folder / "one")
    return folder


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


@pytest.mark.parametrize(("line", "code", "told"), MISTAKES, ids=[line for line, _, _ in MISTAKES])
def test_a_mistake_is_told_and_nothing_is_done(nhlog, folder: Path, line: str, code: int, told: str) -> None:
    before = sorted(folder.iterdir())
    done = nhlog(*shlex.split(line))
    assert told in done.err
    assert (done.code, done.out) == (code, "")
    assert "\\t" not in done.err
    assert sorted(folder.iterdir()) == before


def test_every_verb_has_its_mistakes() -> None:
    told = {shlex.split(line)[0] for line, _, _ in (*MISTAKES, *NOTHING)}
    assert set(VERBS) - told == set()


@pytest.mark.parametrize(("line", "code", "told"), NOTHING, ids=[line for line, _, _ in NOTHING])
def test_what_finds_nothing_says_so_beside_its_output(nhlog, line: str, code: int, told: str) -> None:
    done = nhlog(*shlex.split(line))
    assert (done.code, done.out, done.err) == (code, "", f"{told}\n")


def test_before_the_first_game_there_are_no_scores(nhlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = nhlog("scores")
    assert (done.code, done.out, done.err) == (0, "", "no such game has ended yet\n")


@pytest.mark.parametrize(("line", "told"), OUTSIDE, ids=[line for line, _ in OUTSIDE])
def test_a_position_outside_is_said_to_be(nhlog, folder: Path, line: str, told: str) -> None:
    done = nhlog(*shlex.split(line))
    for made in folder.glob("x.*"):
        made.unlink()
    assert (done.code, done.err) == (0, f"nhlog: {told}\n")


def test_markers_are_listed(nhlog) -> None:
    listed = nhlog("state", GAME, "--at", "marker:").out.splitlines()
    assert listed[0].split() == ["marker", "kind", "turn", "time"]
    assert listed[-1].split() == [*["killed", "by", "a", "sewer", "rat", "death"], "449", "0:03"]
    assert nhlog("show", GAME, "--at", "marker:").out.splitlines() == listed
    assert [record["kind"] for record in nhlog("show", GAME, "--at", "marker:", "--json").records][-1] == "death"
    done = nhlog("rewind", GAME, "--to", "marker:", "--dry-run")
    assert done.code == 1
    assert "which marker?: expected one of backup 1, session 1" in done.err


def test_a_line_of_an_error_has_an_end(nhlog) -> None:
    done = nhlog("info", "x" * 5_000 + ".nhgame")
    assert (done.code, done.err[-40:]) == (1, "x.nhgame: file name too long\n"[-40:].rjust(40, "x"))
    assert len(done.err) < 1100
