"""The kernel that finds the diffs among lines, on both builds: all that they hold, each as it is decoded alone."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from nhlog.errors import Damaged
from nhlog.log.columns import RULES
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.log.wire.blob import BadBlob, Blob
from tests.builders import played
from tests.doses import dose
from tests.kernels.builds import BUILDS, build
from tests.logs import SAMPLE_LOGS

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
