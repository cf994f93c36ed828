"""Damaged and hostile logs: a clean report or a clean error, in a moment and in little memory; never anything else."""

import base64
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from nhlog.errors import NhlogError
from nhlog.formats.nhgame.open import PlacedLog
from nhlog.formats.nhgame.records import info_of, line_records, save_records
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import plan
from nhlog.formats.nhgame.stats import stats_records
from nhlog.log.file import LogBytes
from nhlog.log.recovery import plan_recovery
from nhlog.log.tail import read_tail
from nhlog.log.verify import Report, verify
from nhlog.log.wire.blob import MAX_DATA, Blob
from nhlog.mdiff.errors import MAX_COMMANDS
from nhlog.mdiff.table import BETA3, COPY, EOF_CRC32, ORDER, SEEK, encode
from nhlog.timeline import parse_position
from tests.builders import Game, every_kind, played
from tests.changed import replaced
from tests.corpus import ROOT, SAMPLES
from tests.doses import dose, seeded, spread
from tests.effort import within
from tests.processes import Child

MOMENT = 40  # million additions, each some 70 ms on a small machine: it takes 8 at most there, and 25 on a busy one
MEMORY = 256 << 20  # bytes


def look(data: bytes) -> None:
    """Everything that is ever asked of a log; an error of ours is an answer."""
    source = LogBytes("game", data)
    for act in (lambda: read_tail(source), lambda: plan_recovery(source)):
        answer(act)
    log = answer(lambda: PlacedLog(source))
    if log is None:
        return
    *_, report = verify(log)
    assert isinstance(report, Report)
    assert 0 <= report.sound_bytes <= report.size == len(data)
    assert 0 <= report.sound_lines <= report.lines
    assert 0 <= report.sound_saves <= report.saves
    for record in [info_of(log), *line_records(log), *save_records(log), *stats_records(log), report]:
        json.loads(msgspec.json.encode(record))
    replay = answer(lambda: LogReplay(log))
    if replay is None:
        return
    timeline = replay.timeline
    for step in range(timeline.last + 1):
        replay.seek(step)
        state = replay.state
        assert state.save or state.fault or state.save_offset >= 0
    events = list(replay.events(0, timeline.last))
    assert events[-1].step == timeline.last
    for where in ("start", "turn:2", "offset:300", "end"):
        answer(lambda where=where: plan(replay, parse_position(where)))
        answer(lambda where=where: log.save(where))
    assert replay.info.title


def answer(act: Callable[[], object]) -> object | None:
    """What comes of it; None where that is an error of ours, in one line."""
    try:
        return act()
    except NhlogError as raised:
        error = raised
    assert "\n" not in str(error)
    assert len(str(error)) < 1000
    assert error.exit_code in (1, 3, 4)
    return None


def look_quickly(data: bytes) -> None:
    with within(MOMENT, data):
        try:
            look(data)
        except Exception as error:  # so that the log at fault can be had again
            raise AssertionError(f"{type(error).__name__}: {error} for {data!r}") from error


SMALL = {"every kind": bytes(every_kind().data), "compressed": bytes(played(2, size=700).data)}
PARTS = 4


def test_the_small_logs_are_small_and_have_it_all() -> None:
    assert b"$700$" in SMALL["compressed"]
    assert all(len(data) < 2000 for data in SMALL.values())
    for data in SMALL.values():
        look_quickly(data)


@pytest.mark.parametrize("name", SMALL)
def test_every_beginning(name: str) -> None:
    for size in range(len(SMALL[name])):
        look_quickly(SMALL[name][:size])


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SMALL)
def test_every_changed_byte(name: str, part: int) -> None:
    data = SMALL[name]
    for at in range(part, len(data), PARTS):
        old = data[at]
        for new in {0, ord("\n"), old ^ 1, old ^ 0x80} - {old}:
            look_quickly(replaced(data, at, new))


@pytest.mark.parametrize("name", SMALL)
def test_every_missing_and_every_doubled_byte(name: str) -> None:
    data = SMALL[name]
    for at in range(len(data)):
        look_quickly(data[:at] + data[at + 1 :])
        look_quickly(data[: at + 1] + data[at : at + 1] + data[at + 1 :])


@pytest.mark.parametrize("name", SMALL)
def test_every_missing_and_every_doubled_line(name: str) -> None:
    lines = SMALL[name].splitlines(keepends=True)
    for at in range(len(lines)):
        look_quickly(b"".join(lines[:at] + lines[at + 1 :]))
        look_quickly(b"".join(lines[: at + 1] + lines[at:]))


@pytest.mark.parametrize("seed", range(dose("log.damage.seeds")))
def test_changed_bytes_and_beginnings_of_a_real_log(seed: int) -> None:
    data = (SAMPLES / "scripted1.nhgame").read_bytes()
    chance = seeded(seed)
    first = data.index(b"*")
    for _ in range(dose("log.damage.real")):
        at = chance.choice([chance.randrange(len(data)), chance.randrange(first), chance.randrange(14500, len(data))])
        look_quickly(replaced(data, at, chance.randrange(256)))
        look_quickly(data[: chance.randrange(len(data))])


@pytest.mark.parametrize("seed", range(dose("log.damage.orders")))
def test_lines_in_any_order(seed: int) -> None:
    lines = [*every_kind().lines, b"", b"\xff", b"~AUM=", b"*00000000 YQ=="]
    chance = seeded(seed)
    for _ in range(dose("log.damage.lines")):
        game = Game(begin=chance.random() < 0.5)
        for line in chance.choices(lines, k=chance.randrange(30)):
            game.line(line)
        look_quickly(bytes(game.data))


def test_noise_behind_a_header() -> None:
    header = bytes(Game(begin=False).data)
    chance = seeded(1)
    for size in spread(range(4000), "log.damage.noise"):
        look_quickly(header + chance.randbytes(size))
        look_quickly(header + bytes(chance.choices(b"*~+Q\nab0 $=A", k=size)))


# through the command line


def damaged() -> Iterator[bytes]:
    """Some of the above."""
    chance = seeded(7)
    for data in SMALL.values():
        for _ in range(dose("log.damage.verbs")):
            at = chance.randrange(len(data))
            yield replaced(data, at, chance.randrange(256))
            yield data[:at]


def test_every_verb_ends_with_a_message_and_an_exit_code(tmp_path: Path, capsys, monkeypatch) -> None:
    from terminal.cli import main

    monkeypatch.setenv("NHLOG_DEBUG", "1")  # what is no error of ours is raised
    path = tmp_path / "x.nhgame"
    verbs = [
        ["info"],
        ["dump"],
        ["dump", "--saves", "--json"],
        ["verify"],
        ["show", "--at", "50%"],
        ["show", "--at", "end"],
    ]
    more = [["search", path, "e"], ["recover", path, "--dry-run"], ["rewind", path, "--to", "50%", "--dry-run"]]
    for data in damaged():
        path.write_bytes(data)
        for arguments in [[*verb, path] for verb in verbs] + more:
            code = main([str(argument) for argument in arguments])
            out, err = capsys.readouterr()
            assert code in (0, 1, 3, 4), (arguments, data)
            assert err.count("\n") == (0 if code in (0, 3) and out else err.count("\n") and 1), (arguments, data)
            assert all(char.isprintable() or char == "\n" for char in out + err)
        assert path.read_bytes() == data


# hostile on purpose


def bomb(size: int, claim: int | None = None) -> bytes:
    """A blob of so many zeros."""
    return b"$%d$" % (size if claim is None else claim) + base64.b64encode(zlib.compress(bytes(size), 9))


def with_line(*lines: bytes) -> bytes:
    game = played(2)
    for line in lines:
        game.input(b"search")
        game.line(line)
    return bytes(game.data)


def diff_of(commands: bytes) -> bytes:
    return b"~" + Blob.of(commands).text


def copies(size: int, times: int) -> bytes:
    """A diff that copies the first `size` bytes of its base so many times."""
    diff, order = bytearray(BETA3), ORDER
    for _ in range(times):
        for command in (COPY, SEEK):
            code, order = encode(order, command, size, 0)
            diff += code
    checksum = zlib.crc32(bytes(size * times)) if size * times <= 2 * MAX_DATA else 0  # nobody comes so far
    code, _ = encode(order, EOF_CRC32, 0, checksum)
    return bytes(diff + code)


HOSTILE = {
    "a claim of 99999999999": lambda: with_line(b"*00000095 $99999999999$" + base64.b64encode(zlib.compress(b"x"))),
    "a claim beyond the bound": lambda: with_line(b"*00000095 " + bomb(MAX_DATA + 1)),
    "a bomb that claims little": lambda: with_line(b"*00000095 " + bomb(MAX_DATA, 100), b"~" + bomb(MAX_DATA, 100)),
    "a bomb for a backup": lambda: with_line(b"*00000095 " + bomb(MAX_DATA)),
    "a bomb for a diff": lambda: with_line(b"~" + bomb(MAX_DATA)),
    "a bomb for a text": lambda: with_line(b"L" + bomb(MAX_DATA), b"name T" + bomb(MAX_DATA)),
    "a bomb for bones": lambda: with_line(b"B" + bomb(MAX_DATA)),
    "many bombs": lambda: with_line(*[b"B" + bomb(4 << 20)] * 25),
    "a diff that asks for gigabytes": lambda: with_line(b"*00000095 " + bomb(8 << 20), diff_of(copies(8 << 20, 1000))),
    "a diff that asks for all it may": lambda: with_line(b"*00000095 " + bomb(8 << 20), diff_of(copies(8 << 20, 4))),
    "saves as large as may be": lambda: with_line(b"*00000095 " + bomb(MAX_DATA), *[diff_of(copies(MAX_DATA, 1))] * 3),
    "a diff of a million commands": lambda: with_line(diff_of(copies(1, 1 << 19))),
    "a diff of as many commands as may be": lambda: with_line(diff_of(copies(1, MAX_COMMANDS // 2 - 1))),
    "diffs of long numbers": lambda: with_line(*[diff_of(b"\x01\x43" + bytes((byte,)) * 5000) for byte in range(256)]),
    "an endless line": lambda: with_line() + b"x" * (8 << 20),
    "ten thousand empty lines": lambda: with_line() + b"\n" * 10_000,
    "a name of all spaces": lambda: with_line() + b"a " * 100_000 + b"\n",
    "a menu of everything": lambda: with_line(b"M" + b":".join(b"%x" % number for number in range(100_000))),
}

PROGRAM = f"""
sys.path.insert(0, {str(ROOT)!r})
import contextlib, io, resource
import nhlog.formats.nhgame, nhlog.formats.nhgame.records, nhlog.formats.nhgame.stats, nhlog.log.verify
import terminal.commands.show
from terminal.cli import main
from tests.effort import within
os.environ["NHLOG_DEBUG"] = "1"
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
for verb in (
    ["verify"], ["info"], ["dump"], ["dump", "--saves"], ["stats"], ["show", "--at", "end", "--size", "80x24"]
):
    out, err = io.StringIO(), io.StringIO()
    with within({MOMENT}, verb), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*verb, path])
    say(f"{{' '.join(verb)}}|{{code}}|{{err.getvalue().count(chr(10))}}")
with open("/proc/self/status") as status:  # getrusage tells of our parent's memory as well
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
say(f"memory|{{int(peak) << 10}}")
"""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_logs_take_a_moment_and_little_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.nhgame"
    path.write_bytes(HOSTILE[name]())
    with Child(PROGRAM, str(path)) as child:
        *verbs, last = [line.split("|") for line in child.stdout.read().splitlines()]
    assert last[0] == "memory", "it died"
    assert len(verbs) == 6
    for verb, code, messages in verbs:
        assert int(code) in (0, 3, 4), verb
        assert int(messages) <= 1, verb
    assert int(last[1]) < MEMORY
    assert sys.getsizeof(path.read_bytes()) < 50 << 20
