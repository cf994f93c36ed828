"""What the documents say is what the program does: `docs/json.md` against every verb, and the README."""

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path

import pytest

from nhlog.archive.writing import Archived, archive
from nhlog.beside.talk import open_talk, say
from nhlog.engines.delve.wire import Bones, write_bones
from nhlog.files.processes import user_name
from nhlog.mdiff.reference import encode
from nhlog.players import KeyFile, Players
from nhlog.players.keys import KeyLine, parse_key
from nhlog.players.sessions import attending
from nhlog.remote.store import Store
from nhlog.session.bones import BonesFolder
from nhlog.timeline import parse_position
from terminal.cli import EPILOG, VERBS
from tests.builders import Game, every_kind, played
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES
from tests.players.some_keys import KEY
from tests.processes import holding
from tests.readme import DOCUMENTS, README, fresh
from tests.terminal.pty import NHLOG

VERBS_PAGE = ROOT / "docs" / "verbs.md"
CONTRACT = (ROOT / "docs" / "json.md").read_text()
OTHERS = [(ROOT / "docs" / f"{name}.md").read_text() for name in ("butter", "datafile", "hollowcube", "teehistorian")]
ARGUMENTS = "nhlog dump: arguments"
RUNS = {
    "nhlog info": "info --json whole odd torn bare",
    "nhlog ls": "ls --json .",
    "nhlog ls: unreadable": "ls --json broken",
    "nhlog search": "search --json whole .; search --json one .",
    "nhlog events": "events --json whole",
    "nhlog talk": "talk --json whole",
    "nhlog stats": "stats --json whole; stats --json real.nhgame; stats --json odd",
    "nhlog plot": "plot --json real2.nhgame; plot --json real2.nhgame hp",
    "nhlog scores": "scores --json --all-modes whole real2.nhgame",
    "nhlog tournament": "tournament --json rules.toml real2.nhgame",
    "nhlog bones": "bones --json .",
    "nhlog show": "show --json whole --at 50%",
    "nhlog state": "state --json real.nhgame --at end",
    "nhlog state: markers": "state --json real.nhgame --at marker:; show --json real.nhgame --at marker:",
    "nhlog dump": "dump --json whole; dump --json odd; dump --json torn",
    ARGUMENTS: "dump --json whole; dump --json odd",
    "nhlog dump --saves": "dump --saves --json whole; dump --saves --json odd",
    "nhlog dump --save-at": "dump --json whole --save-at start -o made",
    "nhlog verify": "verify --json whole odd torn",
    "nhlog verify: unreadable": "verify --json broken",
    "nhlog recover: unreadable": "recover --json broken --dry-run",
    "nhlog rewind: unreadable": "rewind --json broken --to start --dry-run",
    "nhlog recover": "recover --json torn --dry-run; recover --json torn; recover --json torn",
    "nhlog rewind": "rewind --json whole --to turn:2 --yes; rewind --json whole --to end --yes",
    "nhlog convert": "convert --json whole made.nhgame; convert --json odd made.nhgame --force",
    "nhlog cuts": "cuts --json kept --dry-run --put-back",
    "nhlog players": "players --json",
    "nhlog migrate": "migrate --json dgamelaunch.conf",
    "nhlog who": "who --json",
    "nhlog archive": "archive --json real2.nhgame memory://put",
    "nhlog restore": "restore --json memory://told/real2.nhgame -o restored",
    "nhlog doctor": "doctor --json",
    "nhlog tidy": "tidy --json old --pack-after 1d --dry-run",
    "nhlog watchers": "watchers --json read; watchers --json written",
    "nhlog diff": "diff --json 1.save 2.save -o made",
    "nhlog patch": "patch --json 1.save 2.diff -o made",
    "nhlog diff: recordings": "diff --json real.nhgame real2.nhgame",
    "nhlog diff --explain": "diff --json 1.save 2.save --explain",
    "nhlog patch --explain": "patch --json 1.save 2.diff --explain",
}
"""By record, the verbs that print it, run on the files of `folder`."""

FOLLOWED = "nhlog events --follow"  # whose records tests/streams has, beside a writer


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs and saves that make every verb say all that it can."""
    odd = played(2)
    for line in (b"move D99x", b"key K27", b"R!", b"?", b"~YQ=="):
        odd.line(line)
    games = {"whole": every_kind(), "odd": odd, "bare": Game(begin=False), "read": played(1), "written": played(1)}
    for name, game in games.items():
        game.write(tmp_path / name)
    (tmp_path / "torn").write_bytes(played(3).data + b"sear")
    (tmp_path / "real.nhgame").write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
    (tmp_path / "real2.nhgame").write_bytes((SAMPLES / "died2.nhgame").read_bytes())
    games["whole"].write(tmp_path / "unreal.nhgame")
    old, new = games["whole"].saves[:2]
    for name, data in (("1.save", old), ("2.save", new), ("2.diff", encode(old, new))):
        (tmp_path / name).write_bytes(data)
    kept = played(3)
    end = kept.offsets[kept.offsets.index(kept.save_offsets[1]) + 1]
    (tmp_path / "kept").write_bytes(kept.data[:end])
    (tmp_path / "kept.cut-00000002").write_bytes(kept.data[end:])
    open_talk(str(tmp_path / "whole"), takes=True, watched=True)
    say(str(tmp_path / "whole"), "ann", "hello")
    BonesFolder(tmp_path, "delve").leave("Delve:3", write_bones(Bones(3, "Ann", "killed by a newt", ())))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "x.cast").touch()
    os.utime(tmp_path / "old" / "x.cast", (0, 0))
    (tmp_path / "broken").mkdir()
    (tmp_path / "one").mkdir()
    games["whole"].write(tmp_path / "one" / "x.nhgame")
    (tmp_path / "broken" / "x.nhgame").write_bytes(b"NHGAME what")
    _have_players(tmp_path)
    (tmp_path / "dgamelaunch.conf").write_text(f'chroot_path = "{tmp_path}" passwd = "logins"')
    (tmp_path / "rules.toml").write_text(
        'title = "All"\nbegin = 2000-01-01T00:00:00Z\nend = 2100-01-01T00:00:00Z\n'
        '[[trophies]]\ntitle = "Points"\nmost = "points"\n'
    )
    (tmp_path / "logins").write_text("Ben:ben@example.org:hash:\n")
    with suppress(Archived):  # by another of these tests: memory is that of the process
        archive(str(tmp_path / "real2.nhgame"), Store("memory://told"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _have_players(folder: Path) -> None:
    """The configuration of a server to which one player has a key, and the player's folder."""
    config = folder / "etc" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True)
    ours = user_name(os.getuid())
    config.write_text(f'''
authorized_keys = "{folder}/etc/keys"
players = "{folder}/etc/players"
administrators = ["{ours}"]
''')
    KeyFile(folder / "etc" / "keys").add(KeyLine("ann", parse_key(KEY)), "/bin/nhlog")
    (folder / "etc" / "players").mkdir()
    Players(folder / "etc" / "players").folder("ann").make()


def printed(nhlog, line: list[str]) -> list[dict]:
    """The records that this command prints; the doctor needs a process without threads that take the signals."""
    if line[0] != "doctor":
        return nhlog(*line).records
    told = subprocess.run([*NHLOG, *line], stdout=subprocess.PIPE, text=True)
    return [json.loads(text) for text in told.stdout.splitlines()]


@pytest.mark.parametrize("title", RUNS)
def test_the_documented_keys_are_exactly_those_printed(nhlog, folder: Path, title: str) -> None:
    with ExitStack() as others:
        others.enter_context(holding(str(folder / "read"), "LOCK_SH"))
        others.enter_context(holding(str(folder / "written"), "LOCK_EX"))
        others.enter_context(attending(Players(folder / "etc" / "players").folder("ann")))
        records = [record for run in RUNS[title].split("; ") for record in printed(nhlog, shlex.split(run))]
    if title == ARGUMENTS:
        records = [argument for record in records for argument in record.get("arguments", ())]
    kinds = documented(CONTRACT)[title]
    common = kinds.get("", {})
    met: dict[str, set[str]] = {"": set()}
    for record in records:
        kind = record["kind"] if record.get("kind") in kinds else ""
        keys = seen(record, common | kinds[kind])
        met[""] |= keys & common.keys()
        met.setdefault(kind, set()).update(keys - common.keys())
    assert met == {"": set()} | {kind: set(keys) for kind, keys in kinds.items()}


def test_every_record_of_every_verb_is_documented_and_run() -> None:
    """Those of other recordings are in documents of their own, which the formats' own tests hold to the same."""
    assert sorted(documented(CONTRACT)) == sorted([*RUNS, FOLLOWED])
    others = {verb for document in OTHERS for title in documented(document) for verb in VERBS if verb in title.split()}
    talking = {verb for verb in VERBS if has_json(verb)}
    assert {title.split()[1].strip(":") for title in RUNS} | others == talking
    silent = re.findall("`(.+?)`", re.search("(.+) have no `--json`", CONTRACT)[1])
    assert sorted(silent) == sorted(VERBS.keys() - talking)


def has_json(verb: str) -> bool:
    command = import_module(f"terminal.commands.{verb}").command
    return any("--json" in parameter.opts for parameter in command.params)


# the README, and what else has examples


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_examples_and_tables_are_what_the_program_says(document: Path) -> None:
    text = document.read_text()
    assert text == fresh(text), "python -m tests.readme brings it up to date"


def test_the_pictures_are_what_the_program_shows(tmp_path: Path) -> None:
    """`scripts/pictures` draws them anew."""
    subprocess.run([sys.executable, ROOT / "scripts" / "pictures", tmp_path], check=True, timeout=60)
    pictures = ROOT / "docs" / "pictures"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in pictures.glob("*.svg"))
    assert [path.name for path in tmp_path.iterdir() if path.read_text() != (pictures / path.name).read_text()] == []


def test_every_picture_is_shown() -> None:
    documents = [README, *(ROOT / "docs").glob("*.md")]
    shown = {name for path in documents for name in re.findall(r"pictures/(\S+?\.svg)", path.read_text())}
    assert sorted(shown) == sorted(path.name for path in (ROOT / "docs" / "pictures").glob("*.svg"))


def test_every_verb_is_shown_or_explained() -> None:
    text = VERBS_PAGE.read_text()
    told = text.partition("<!-- end of verbs -->")[2] + README.read_text()
    assert [verb for verb in VERBS if not re.search(rf"nhlog {verb}\b", told)] == []


def test_the_exit_codes_are_those_of_the_help() -> None:
    table = re.findall(r"^\| (\d+) \| (.+) \|$", VERBS_PAGE.read_text(), re.MULTILINE)
    assert table == re.findall(r"^  (\d+) +(.+)$", EPILOG, re.MULTILINE)


def test_the_positions_are_positions() -> None:
    table = VERBS_PAGE.read_text().partition("## Positions")[2].partition("##")[0]
    forms = [form for row in re.findall(r"^\| (`.+?) \|", table, re.MULTILINE) for form in re.findall("`(.+?)`", row)]
    assert len(forms) > 10
    assert all(parse_position(form) for form in forms)
