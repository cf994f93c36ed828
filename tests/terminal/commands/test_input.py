"""Input that cannot be used: one line naming the file and the reason, and the right exit code."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nhlog.log.locks import keeper
from tests.builders import played
from tests.corpus import ROOT
from tests.processes import Child, holding

READERS = [
    ["info"],
    ["info", "--json"],
    ["verify"],
    ["verify", "--json"],
    ["dump"],
    ["dump", "--json"],
    ["dump", "--saves"],
    ["dump", "--save-at", "end"],
]
WITH_MORE = [["search", "{}", "x"], ["show", "{}"], ["recover", "{}", "--dry-run"], ["rewind", "{}", "--to", "start"]]
WRITERS = [["recover", "{}"], ["rewind", "{}", "--to", "turn:2", "--yes"]]
ALL = [[*verb, "{}"] for verb in READERS] + WITH_MORE + WRITERS


def missing(path: Path) -> None:
    del path


def directory(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)


def empty(path: Path) -> None:
    path.touch()


def not_a_log(path: Path) -> None:
    path.write_bytes(b"GIF89a" * 100)


def zeros(path: Path) -> None:
    path.write_bytes(bytes(4096))


def half_a_header(path: Path) -> None:
    path.write_bytes(played(1).data[:100])


def loop(path: Path) -> None:
    path.symlink_to(path.name)


BAD = {
    missing: (1, "no such file or directory"),
    directory: (1, "not a regular file but a directory"),
    fifo: (1, "not a regular file but a FIFO"),
    loop: (1, "too many levels of symbolic links"),
    empty: (3, "offset 0: empty file: expected a NetHack 4 log"),
    not_a_log: (4, "a GIF picture, not a NetHack 4 log"),
    zeros: (4, "offset 0: not a NetHack 4 log: expected NHGAME, found b'\\x00"),
    half_a_header: (3, "offset 100: the header is cut short: expected three lines"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("make", BAD, ids=lambda make: make.__name__)
@pytest.mark.parametrize("verb", ALL, ids=" ".join)
def test_one_line_names_the_file_and_the_reason(nhlog, tmp_path: Path, verb: list[str], make) -> None:
    path = tmp_path / "x.nhgame"
    make(path)
    code, reason = BAD[make]
    done = nhlog(*(argument.format(path) for argument in verb))
    assert done.code == code
    assert done.out == ""
    assert done.err.startswith(f"nhlog: {path}: {reason}")
    assert done.err.count("\n") == 1


@pytest.mark.timeout(20)
@pytest.mark.parametrize("verb", [["info", "{}"], ["dump", "{}"], ["search", "{}", "x"], *WRITERS], ids=" ".join)
def test_a_file_of_gigabytes_without_a_newline_is_refused_in_a_moment(nhlog, tmp_path: Path, verb: list[str]) -> None:
    path = tmp_path / "x.nhgame"
    path.write_bytes(played(1).data)
    os.truncate(path, 5 << 30)
    done = nhlog(*(argument.format(path) for argument in verb))
    assert done.code == 3
    assert re.match(rf"nhlog: {path}: offset \d+: line too long: expected at most ", done.err)
    assert (done.out, done.err.count("\n")) == ("", 1)
    assert path.stat().st_size == 5 << 30


@pytest.mark.parametrize("verb", ALL, ids=" ".join)
def test_a_log_that_another_process_writes_without_end_is_busy(
    nhlog, tmp_path: Path, verb: list[str], monkeypatch
) -> None:
    monkeypatch.setattr("nhlog.log.reading.PATIENCE", 0.02)
    path = played(5).write(tmp_path / "x.nhgame")
    before = Path(path).read_bytes()
    with holding(path, "LOCK_EX") as other:
        done = nhlog(*(argument.format(path) for argument in verb))
        assert done.code == 5
        assert done.out == ""
        assert done.err.startswith(f"nhlog: {path}: busy: it is being written or rewound, for 0.02 s, ")
        assert f": found write lock of process {other.pid} " in done.err
        assert done.err.count("\n") == 1
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("verb", WRITERS, ids=" ".join)
def test_a_log_that_another_process_reads_is_not_cut(nhlog, tmp_path: Path, verb: list[str], monkeypatch) -> None:
    monkeypatch.setattr(keeper, "PATIENCE", 0.02)
    path = tmp_path / "x.nhgame"
    path.write_bytes(played(5).data + b"sear")
    with holding(str(path), "LOCK_SH"):
        done = nhlog(*(argument.format(path) for argument in verb))
    assert done.code == 5
    assert "no write lock" in done.err
    assert path.read_bytes() == played(5).data + b"sear"
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(
    ("mode", "verb", "refused"),
    [
        (0o000, "info", "permission denied"),
        (0o444, "info", ""),
        (0o444, "recover", "the game is root's, and there are no administrators; ask root"),
        (0o444, "recover --dry-run", ""),
    ],
)
def test_permissions_are_the_systems(tmp_path: Path, mode: int, verb: str, refused: str) -> None:
    path = Path("/tmp") / f"nhlog-{os.getpid()}-{tmp_path.name}.nhgame"  # tmp_path itself is root's alone
    path.write_bytes(played(2).data + (b"" if verb == "info" else b"sear"))
    own = shutil.copy(path, tmp_path)
    path.chmod(mode)
    program = f"""
sys.path.insert(0, {str(ROOT)!r})
import contextlib, io
from terminal.cli import main
os.environ.update(dict.fromkeys(("XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME"), "/nonexistent"))

def run(name):
    errors = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        code = main({verb.split()!r} + [name])
    return f"{{code}} {{errors.getvalue()}}"

for name in arguments:
    run(name)  # so that nothing is left to import, which others may not read
os.setuid(65534)
say(run(path))
"""
    try:
        with Child(program, str(path), own, str(tmp_path / "missing")) as child:
            assert child.hear() == (f"1 nhlog: {path}: {refused}" if refused else "0")
    finally:
        path.unlink()


# several files, and standard input


def test_of_several_files_the_good_ones_are_told_and_the_worst_decides(nhlog, tmp_path: Path) -> None:
    good = played(3).write(tmp_path / "good.nhgame")
    (tmp_path / "bad.nhgame").write_bytes(b"GIF89a")
    done = nhlog("info", "--json", good, tmp_path / "bad.nhgame", tmp_path / "none.nhgame", good)
    assert done.code == 4
    assert [record["file"] for record in done.records] == [good, good]
    assert [line.split(": ")[1] for line in done.err.splitlines()] == [
        str(tmp_path / "bad.nhgame"),
        str(tmp_path / "none.nhgame"),
    ]


@pytest.mark.parametrize(
    "verb",
    [
        ["info", "-"],
        ["info", "--json", "-"],
        ["dump", "-"],
        ["dump", "--json", "--saves", "-"],
        ["verify", "-"],
        ["search", "-", "search"],
    ],
    ids=" ".join,
)
def test_a_log_from_standard_input_is_told_as_from_a_file(nhlog, tmp_path: Path, verb: list[str]) -> None:
    path = played(6, backup_every=4).write(tmp_path / "x.nhgame")
    from_file = nhlog(*(path if argument == "-" else argument for argument in verb))
    piped = nhlog(*verb, stdin=Path(path).read_bytes())
    assert piped.code == from_file.code == 0
    assert piped.out == from_file.out.replace(path, "-")
    assert piped.out


def test_a_log_through_a_real_pipe(tmp_path: Path) -> None:
    data = bytes(played(6).data)
    for verb in (["info"], ["dump", "--saves"], ["verify"]):
        done = subprocess.run(
            [sys.executable, "-m", "terminal.cli", *verb, "-"], input=data, capture_output=True, cwd=ROOT, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout


@pytest.mark.parametrize("verb", [["info", "-"], ["verify", "-"], ["dump", "-"], ["search", "-", "x"]], ids=" ".join)
def test_what_is_wrong_with_standard_input_is_told_of_it(nhlog, verb: list[str]) -> None:
    for data, code, reason in ((b"", 3, "empty file"), (b"PK\3\4", 4, "not a NetHack 4 log"), (b"NHG", 3, "")):
        done = nhlog(*verb, stdin=data)
        assert done.code == code
        assert done.err.startswith(f"nhlog: standard input: offset {len(data) if code == 3 else 0}: {reason}")


def test_recover_and_rewind_need_a_file(nhlog) -> None:
    for verb in (["recover", "-"], ["rewind", "-", "--to", "start"]):
        done = nhlog(*verb, stdin=bytes(played(2).data))
        assert done.code != 0
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["a b.nhgame", "-x.nhgame", "ü\n.nhgame", "\udcff\x1b[2J.nhgame"])
def test_a_file_may_have_any_name(nhlog, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played(2).write(Path(name))
    for verb in (["info"], ["verify"], ["info", "--json"], ["verify", "--json"]):
        done = nhlog(*verb, "--", name)
        assert done.code == 0
        assert "\x1b" not in done.out
        if "--json" in verb:
            assert [record["file"].encode("utf-8", "surrogatepass") for record in done.records] == [
                name.encode("utf-8", "surrogatepass")
            ]
    (Path(name)).write_bytes(b"?")
    assert nhlog("info", "--", name).err.count("\n") == 1
