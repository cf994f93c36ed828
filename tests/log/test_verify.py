"""Every breach of the rules is named once, where it is, with what was expected; nothing sound is accused."""

import base64
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog import kernels
from nhlog.errors import Damaged, NhlogError
from nhlog.kernels import COMPILED
from nhlog.log import verify as verifying
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.verify import Finding, Report, verify
from nhlog.log.wire.blob import Blob
from nhlog.mdiff.reference import encode
from tests.builders import Game, binary_save, every_kind, played
from tests.corpus import corpus
from tests.doses import seeded, spread
from tests.kernels.builds import BUILDS, build
from tests.logs import KILLED, NETHACK4_SAMPLES, SAMPLE_LOGS, TRUTHS


def report_of(data: bytes) -> Report:
    *findings, report = verify(Log(LogBytes("game", data)))
    assert isinstance(report, Report)
    assert report.findings == findings
    return report


def faults(game: Game, tail: bytes = b"") -> list[tuple[int, str]]:
    return [(fault.offset, fault.what) for fault in report_of(bytes(game.data) + tail).faults]


def notes(game: Game) -> list[tuple[int, str]]:
    report = report_of(bytes(game.data))
    assert not report.faults
    return [(note.offset, note.what) for note in report.findings]


@pytest.mark.parametrize("game", [Game(), every_kind(), played(40, backup_every=7, zone=-3600)])
def test_a_sound_log_has_no_findings(game: Game) -> None:
    report = report_of(bytes(game.data))
    assert report.findings == []
    assert (report.lines, report.saves) == (len(game.lines), len(game.saves))
    assert (report.sound_lines, report.sound_saves) == (report.lines, report.saves)
    assert report.sound_bytes == report.size == len(game.data)


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_the_samples_are_sound(path: Path) -> None:
    report = report_of(path.read_bytes())
    assert report.faults == []
    assert (report.sound_lines, report.sound_saves) == (report.lines, report.saves)


@pytest.mark.parametrize("name", TRUTHS)
def test_every_log_of_the_real_engine_is_sound(name: str) -> None:
    data = corpus("nethack4", f"{name}.nhgame").read_bytes()
    report = report_of(data)
    assert [fault for fault in report.faults if fault.what != "partial last line"] == []
    assert (len(report.faults) == 1) == (not data.endswith(b"\n"))


@pytest.mark.parametrize("name", KILLED)
def test_a_killed_writer_leaves_one_fault_or_none(name: str) -> None:
    data = corpus("nethack4", "kill9", f"{name}.nhgame").read_bytes()
    found = report_of(data).faults
    end = data.rindex(b"\n") + 1
    partial = Finding(end, "partial last line", "a newline", f"{len(data) - end} bytes without one")
    assert found == ([] if end == len(data) else [partial])


def test_fiqhacks_saves_are_sound() -> None:
    report = report_of(corpus("nethack4", "fiqhack1.nhgame").read_bytes())
    assert (report.findings, report.unsupported) == ([], "")
    assert report.sound_saves == report.saves == 377


# faults


@pytest.mark.parametrize("line", [b"", b"Zap", b"+1F", b"P1,2", b"D99", b"Kx", b"Y", b"M5,", b"O:", b"Qq", b"search  "])
def test_a_line_that_breaks_the_grammar_is_one_fault(line: bytes) -> None:
    game = played(2)
    game.line(line)
    at = game.offsets[-1]
    game.tick()
    game.play(2)
    [fault] = report_of(bytes(game.data)).faults
    assert fault.offset == at
    log = Log(LogBytes("game", bytes(game.data)))
    with pytest.raises(Damaged) as error:
        log.line(log.columns.offsets.index(at))
    assert error.value.offset == at, "what a client tells of it"
    assert fault.expected is not None
    assert fault.found is not None
    assert report_of(bytes(game.data)).sound_bytes == at


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"YQ", "bad base64: "),
        (b"$x$YQ==", "bad compression prefix"),
        (b"$9$eJwDAAAAAAE=", "wrong inflated length"),
        (b"$99999999999$YQ==", "inflated length out of bounds"),
        (b"$5$bm90IHpsaWI=", "bad zlib stream: "),
        (b"#5#YQ==", "bad LZ4 block"),
    ],
)
@pytest.mark.parametrize("kind", [b"L", b"B", b"name T"])
def test_a_payload_that_does_not_decode_is_one_fault(kind: bytes, text: bytes, what: str) -> None:
    game = played(1)
    game.line(kind + text)
    at = game.offsets[-1]
    game.tick()
    [(offset, found)] = faults(game)
    assert offset == at
    assert found.startswith(what)


def broken_diff(wrong: Callable[[Game], bytes]) -> tuple[Game, int]:
    """A game with one diff that is not as it should be, and with a backup further on."""
    game = played(10)
    game.input(b"search")
    game.turn += 1
    at = len(game.data)
    payload = wrong(game)
    save = binary_save(game.turn, game.clock)
    game.saves.append(save)
    game.save_offsets.append(at)
    game.line(b"~" + Blob.of(payload).text)
    game.play(5)
    game.input(b"search")
    game.turn += 1
    game.backup()
    game.play(3)
    return game, at


def wrong_checksum(game: Game) -> bytes:
    base, new = bytearray(game.saves[-1]), bytearray(binary_save(game.turn, game.clock))
    base[-1] ^= 0x80
    new[-1] ^= 0x80
    return encode(bytes(base), bytes(new))


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (wrong_checksum, "save has the wrong CRC-32"),
        (lambda game: b"\x01\x43\xff", "diff"),
        (lambda game: encode(b"x" * 500, b"x" * 500), ""),
    ],
)
def test_a_broken_diff_is_one_fault_and_its_reach_a_note(wrong: Callable[[Game], bytes], what: str) -> None:
    game, at = broken_diff(wrong)
    report = report_of(bytes(game.data))
    [fault] = report.faults
    assert (fault.offset, report.sound_bytes) == (at, at)
    assert what in fault.what
    [note] = [finding for finding in report.findings if not finding.fault]
    assert note == Finding(
        at, "6 saves cannot be rebuilt", found=f"until the backup at offset {game.backups[1]}", fault=False
    )
    assert report.sound_saves == report.saves - 6
    assert report.sound_lines == report.lines - 1


@pytest.mark.parametrize("path", NETHACK4_SAMPLES, ids=lambda path: path.stem)
def test_for_a_save_that_is_lost_the_reader_says_the_offset_that_is_the_fault(path: Path) -> None:
    """A diff may go through and only make another save: a reader that goes on meets the damage later than it stands."""
    sound = path.read_bytes()
    columns = Log(LogBytes(path.name, sound)).columns
    places = [columns.offsets[line] for line in columns.save_lines]
    for at in spread([at for at in places if sound[at : at + 1] == b"~"]):
        data = bytearray(sound)
        middle = (at + sound.index(b"\n", at)) // 2
        data[middle] = ord("A" if data[middle] != ord("A") else "B")
        log = Log(LogBytes(path.name, bytes(data)))
        chain = [number for number in log.columns.backups if places[number] > at]
        lost = why_lost(log, (chain[0] if chain else len(places)) - 1)
        faults = [fault.offset for fault in report_of(bytes(data)).faults]
        assert lost is None or lost == faults[0]


def why_lost(log: Log, number: int) -> int | None:
    """The offset of what keeps a save from being rebuilt; None if it can be."""
    try:
        log.save(number)
    except Damaged as error:
        return error.offset
    return None


def test_a_broken_diff_with_no_backup_after_it_reaches_to_the_end() -> None:
    game = played(3)
    game.line(b"~" + Blob.of(b"\x01\x43\xff").text)
    game.input(b"search")
    game.line(b"~" + Blob.of(b"\x01\x43\xff").text)
    report = report_of(bytes(game.data))
    assert [finding.what for finding in report.findings if not finding.fault] == ["2 saves cannot be rebuilt"]
    assert report.findings[-1].found == "until no later backup"


def test_a_broken_backup_is_a_fault_and_the_next_one_mends_the_chain() -> None:
    game = played(20, backup_every=8)
    second = game.offsets.index(game.backups[1])
    data = bytearray(game.data)
    data[game.backups[1] + 60] = ord("!")
    report = report_of(bytes(data))
    assert [fault.offset for fault in report.faults] == [game.backups[1]]
    lost = [offset for offset in game.save_offsets if game.backups[1] <= offset < game.backups[2]]
    assert report.sound_saves == len(game.saves) - len(lost)
    assert second < len(game.lines)


@pytest.mark.parametrize("pointer", [b"00000000", b"ffffffff", b"00000001"])
def test_a_wrong_pointer_to_the_previous_backup_is_a_fault(pointer: bytes) -> None:
    game = played(20, backup_every=8)
    at = game.backups[2]
    data = bytearray(game.data)
    data[at + 1 : at + 9] = pointer
    [fault] = report_of(bytes(data)).faults
    assert (fault.offset, fault.what) == (at, "wrong pointer to the previous backup")
    assert (fault.expected, fault.found) == (f"{game.backups[1]:08x}", pointer.decode())


def test_the_body_begins_with_a_backup() -> None:
    game = Game(begin=False)
    game.input(b"search")
    assert (game.length, "the body does not begin with a save backup") in faults(game)


def test_a_log_without_a_body_cannot_be_played() -> None:
    [fault] = report_of(bytes(Game(begin=False).data)).faults
    assert fault.offset == len(Game(begin=False).data)
    assert "save backup" in fault.what


def test_nothing_follows_the_end_of_the_game() -> None:
    game = played(2).over()
    at = len(game.data)
    game.line(b"search")
    assert faults(game) == [(at, "a line after the game was over")]


def test_a_partial_last_line_is_a_fault_where_it_begins() -> None:
    game = played(2)
    assert faults(game, b"sear") == [(len(game.data), "partial last line")]


# notes


def test_a_stale_hint_is_a_note() -> None:
    game = played(20, backup_every=8)
    for hint in (b"00000000", b"%08x" % game.backups[1]):
        game.data[game.backups[0] + 1 : game.backups[0] + 9] = hint
        assert notes(game) == [(game.backups[0], "stale hint at the latest backup")]


def test_a_missing_time_line_is_a_note() -> None:
    game = Game()
    game.line(b"search")
    at = len(game.data)
    game.input(b"search")
    assert notes(game) == [(at, "no time line after an input")]


def test_bones_and_score_lookups_may_come_between_an_input_and_its_time() -> None:
    game = Game()
    game.line(b"move D9")
    game.line(b"B!")
    game.tick()
    assert notes(game) == []


def test_the_end_of_a_command_that_readers_ignore_is_a_note() -> None:
    game = Game()
    game.input(b"move D4x")
    assert notes(game) == [(game.offsets[1], "readers ignore the end of this command line")]


def test_a_clock_that_is_not_the_saves_is_a_note() -> None:
    game = Game()
    game.line(b"search")
    game.line(b"+5")  # behind the builder's back
    game.diff()
    assert notes(game) == [(game.offsets[-1], "the save's clock is not the log's")]


def test_a_turn_counter_that_falls_is_a_note() -> None:
    game = played(5)
    game.input(b"search")
    game.turn = 2
    game.diff()
    assert notes(game) == [(game.offsets[-1], "the turn counter falls")]


@pytest.mark.parametrize("over", [False, True])
def test_a_header_and_a_last_line_that_disagree_are_a_note(over: bool) -> None:
    game = played(2)
    if over:
        game.line(b"Q")
    else:
        game.status(b"done")
    assert notes(game) == [(len(game.data), "header and last line disagree")]


# hostile payloads


def test_a_bomb_in_a_save_line_is_a_fault_in_a_moment() -> None:
    bomb = base64.b64encode(zlib.compress(bytes(64 << 20), 9))
    game = played(2)
    game.line(b"*%08x $1000$" % game.backups[0] + bomb)
    at = game.offsets[-1]
    assert [fault for fault in faults(game) if fault[0] == at] == [(at, "wrong inflated length")]


@pytest.mark.parametrize("game", [every_kind(), played(20, backup_every=7)], ids=["every kind", "ordinary"])
def test_what_is_passed_over_is_what_has_no_findings(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any byte changed, or taken out, each line is told of as where all are looked at one by one."""
    random, told = seeded(3), 0
    builds = [build("log_sound", kind) for kind in BUILDS if kind == "plain" or COMPILED]
    ways = [{"COMPILED": True, "log_sound": kernel} for kernel in builds]
    ways += [{"COMPILED": False}, {"COMPILED": False, "_ORDINARY": re.compile(b"(?!)")}]
    for place in spread(range(len(game.data))):
        for other in (bytes([random.choice(b"\n +aQD0~*")]), b""):
            data = bytes(game.data[:place]) + other + bytes(game.data[place + 1 :])
            found = []
            for way in ways:
                for name, value in way.items():
                    monkeypatch.setattr(kernels if name == "log_sound" else verifying, name, value)
                try:
                    found.append(report_of(data))
                except NhlogError as error:
                    found.append(str(error))
                monkeypatch.undo()
            assert all(report == found[-1] for report in found)
            told += isinstance(found[0], Report) and bool(found[0].findings)
    assert told
