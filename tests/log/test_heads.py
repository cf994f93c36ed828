"""How saves begin is the same whichever way one came to them, and whatever is wrong with the lines before."""

from pathlib import Path
from random import Random

import pytest

from nhlog.errors import Damaged, Unsupported
from nhlog.log.columns import SAVES, next_head
from nhlog.log.file import LogBytes
from nhlog.log.heads import Heads
from nhlog.log.log import Log
from tests.builders import Game, played
from tests.doses import dose
from tests.logs import SAMPLE_LOGS, body_lines

SIZE = 6144


def one_by_one(data: bytes) -> list[bytes]:
    """How each save begins, by its line and the save before it alone."""
    found, head = [], b""
    for line in body_lines(data):
        if line[:1] and line[0] in SAVES:
            try:
                head = next_head(line, head, SIZE)
            except (Damaged, Unsupported):
                head = b""
            found.append(head)
    return found


def damaged(path: Path) -> bytes:
    """A log one of whose lines in a hundred is another one."""
    lines, chance = path.read_bytes().split(b"\n"), Random(path.name)
    for number in range(3, len(lines) - 1, 100):  # a case: one damaged line between many sound ones
        lines[number] = chance.choice([b"", b"*", b"~", b"~AAAA", b"~$9$eJwDAAAAAAE=", b"*00000000 $9$", b"search"])
    return b"\n".join(lines)


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_heads_of_real_logs_and_of_damaged_ones(path: Path) -> None:
    for data in (path.read_bytes(), damaged(path)):
        log, expected = Log(LogBytes(path.name, data)), one_by_one(data)
        heads = Heads(log.columns, SIZE)
        for number, head in enumerate(expected):
            heads.come_to(number)
            assert heads.head == head
        heads = Heads(log.columns, SIZE)
        heads.come_to(len(expected) - 1)
        assert heads.head == expected[-1]


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_what_is_passed_has_the_bytes_that_were_watched(path: Path) -> None:
    for data in (path.read_bytes(), damaged(path)):
        log, expected = Log(LogBytes(path.name, data)), one_by_one(data)
        chance = Random(path.name)
        heads = Heads(log.columns, SIZE)
        for _ in range(dose("log.saves")):
            start = chance.randrange(len(expected) - 1)
            heads.stand(start, expected[start])
            watched = sorted(chance.randrange(600) for _ in range(2 * chance.randrange(1, 4)))
            until = chance.randrange(start + 1, len(expected))
            heads.go_on(until, watched)
            assert start < heads.number <= until
            assert heads.head == expected[heads.number]
            edges = iter(watched)
            for begin, end in zip(edges, edges, strict=True):
                for passed in expected[start + 1 : heads.number]:
                    assert passed[begin:end] == expected[start][begin:end]


def test_heads_of_a_log_that_grows() -> None:
    game = played(50, backup_every=8)
    whole, expected = bytes(game.data), one_by_one(bytes(game.data))
    source = LogBytes("game", whole[: game.backups[2]])
    log = Log(source)
    heads = Heads(log.columns, SIZE)
    heads.come_to(len(log.columns.save_lines) - 1)
    source._data = whole
    log.refresh()
    for number in range(heads.number, len(expected)):
        heads.come_to(number)
        assert heads.head == expected[number]


def test_before_the_first_save_there_is_no_head() -> None:
    heads = Heads(Log(LogBytes("game", bytes(Game(begin=False).data))).columns, SIZE)
    assert (heads.number, heads.head) == (-1, b"")
