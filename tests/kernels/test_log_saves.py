"""The kernel that finds the diffs among lines, on both builds: all that they hold, each as it is decoded alone."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from nhlog.errors import Damaged
from nhlog.log.columns import RULES, SAVES, next_head
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.wire.blob import BadBlob, Blob
from tests.builders import played
from tests.doses import dose
from tests.kernels.builds import BUILDS, build
from tests.logs import SAMPLE_LOGS, body_lines

ALL = 1 << 40
RULE_NAMES = ("decoded", "inflated", "checksum", "versions", "size", "most", "most_commands")


def diffs(kind: str, data: bytes, passed: int = 0, count: int = ALL, most: int = ALL) -> list[bytes]:
    kernel = build("log_saves", kind)
    rules = kernel.Rules(*(getattr(RULES, name) for name in RULE_NAMES))
    found: list[bytes] = kernel.diffs(data, passed, count, most, rules)
    return found


def one_by_one(data: bytes) -> list[bytes]:
    """What the lines of diffs hold, up to one that holds nothing, or what is left to others."""
    found: list[bytes] = []
    for line in data.split(b"\n"):
        if line.startswith(b"~"):
            try:
                diff = b"" if line.startswith(b"~#") else Blob(line[1:]).decode()
            except BadBlob:
                break
            if not diff:
                break
            found.append(diff)
    return found


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_the_diffs_of_real_logs(kind: str, path: Path) -> None:
    stretches = Log(LogBytes(path.name, path.read_bytes())).columns.stretches
    chance = Random(path.name)
    for number in range(len(stretches.firsts)):
        data = stretches.read(number)
        expected = one_by_one(data)
        assert diffs(kind, data) == expected
        if expected:
            passed, count = chance.randrange(len(expected)), chance.randrange(1, 9)
            assert diffs(kind, data, passed, count) == expected[passed : passed + count]
            size = len(expected[passed])
            assert diffs(kind, data, passed, most=size) == expected[passed : passed + 1]
            assert diffs(kind, data, passed, most=size + 1) == expected[passed : passed + 2]


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_those_from_one_save_to_another(path: Path) -> None:
    log = Log(LogBytes(path.name, path.read_bytes()))
    chance = Random(path.name)
    backups = [*log.columns.backups, len(log.columns.save_lines)]
    for backup, after in pairwise(backups):
        for _ in range(dose("log.saves") if after > backup + 1 else 0):
            first = chance.randrange(backup + 1, after)
            last = chance.randrange(first, after)
            found = log.columns.diffs(first, last)
            assert found == [log.payload(number) for number in range(first, first + len(found))]
            if len(found) <= last - first:
                with pytest.raises(Damaged):
                    log.payload(first + len(found))


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("bad", [b"~", b"~=", b"~$9$eJwDAAAAAAE=", b"~$8$", b"~#6#UGhlbGxv", b"~$99999999$YQ=="])
def test_they_end_before_one_that_is_damaged(kind: str, bad: bytes) -> None:
    lines = [line for line in played(9).data.split(b"\n") if line.startswith(b"~")]
    whole = one_by_one(b"\n".join(lines))
    data = b"\n".join((b"kX", *lines[:2], b"m", bad, *lines[2:], b""))
    assert diffs(kind, data) == whole[:2]
    assert diffs(kind, data, 2) == []
    assert diffs(kind, data, 3) == whole[2:]


def rules_of(kind: str):
    return build("log_saves", kind).Rules(*(getattr(RULES, name) for name in RULE_NAMES))


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_saves_are_followed_up_to_where_something_changes(kind: str, path: Path) -> None:
    """From any of them on, as line by line; what is no sound diff is left."""
    lines = body_lines(path.read_bytes())
    data, chance = b"".join(line + b"\n" for line in lines), Random(path.name)
    places = [place for place, line in places_of(lines) if line[:1] and line[0] in SAVES]
    heads_of = {size: heads(lines, size) for size in (36, 600, 6144)}
    for _ in range(dose("log.saves")):
        size, first, most = chance.choice([*heads_of]), chance.randrange(1, len(places)), chance.randrange(1, 40)
        before, following = heads_of[size][first - 1], heads_of[size][first:]
        edges = sorted(chance.randrange(size) for _ in range(2 * chance.randrange(3)))
        passed, changed = 0, False
        while passed < min(most, len(following)) and not changed and data[places[first + passed]] == ord("~"):
            watched = zip(edges[::2], edges[1::2], strict=True)
            changed = any(following[passed][begin:end] != before[begin:end] for begin, end in watched)
            passed += 1
        at = [*places, len(data)][first + passed]
        start = chance.choice([places[first], line_before(data, places[first])])
        found = build("log_saves", kind).follow(data, start, before, size, most, edges, rules_of(kind))
        assert found == (at, passed, following[passed - 1] if passed else before)


def places_of(lines: list[bytes]) -> list[tuple[int, bytes]]:
    found, at = [], 0
    for line in lines:
        found.append((at, line))
        at += len(line) + 1
    return found


def line_before(data: bytes, at: int) -> int:
    """Where the line before begins, if that is not one of a save."""
    before = data.rfind(b"\n", 0, max(at - 1, 0)) + 1
    return at if data[before] in SAVES else before


def heads(lines: list[bytes], size: int) -> list[bytes]:
    """How each save begins."""
    found, head = [], b""
    for line in lines:
        if line[:1] and line[0] in SAVES:
            head = next_head(line, head, size)
            found.append(head)
    return found


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("bad", [b"~", b"~=", b"~$9$eJwDAAAAAAE=", b"~#6#UGhlbGxv", b"*00000000 AAAA"])
def test_none_is_passed_that_is_no_sound_diff(kind: str, bad: bytes) -> None:
    game = played(9)
    lines = [line for line in game.data.split(b"\n") if line[:1] in (b"*", b"~")]
    head = game.saves[0][:600]
    data = b"\n".join((b"kX", *lines[1:3], b"m", bad, *lines[3:], b""))
    at, passed, found = build("log_saves", kind).follow(data, 0, head, 600, ALL, [], rules_of(kind))
    assert (data[at:].split(b"\n")[0], passed, found) == (bad, 2, game.saves[2][:600])
    assert build("log_saves", kind).follow(data, at, found, 600, ALL, [], rules_of(kind)) == (at, 0, found)


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("saves", [b"~0\n*0\n", b"*0\n~0\n", b"~\n", b"*\n"])
def test_the_next_save_is_found_however_far_it_is(kind: str, saves: bytes) -> None:
    kernel = build("log_saves", kind)
    for steps in (1, 2):
        for away in range(steps * kernel.STEP - 8, steps * kernel.STEP + 8):  # a case: around the end of a step
            data = b"m" * (away - 1) + b"\n" + saves
            assert kernel.next_save(data, 0) == away
            assert kernel.next_save(data, away) == away
    assert kernel.next_save(b"m\n" * kernel.STEP, 0) == 2 * kernel.STEP
