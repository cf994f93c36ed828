"""The process that emulates, by what goes through its socket: however that is cut, whatever fails, and how it ends."""

import socket
import sys
from collections.abc import Iterable

import pytest

from nhlog.emulator.emulated import Emulated
from nhlog.emulator.wire import ANSWER, COMMAND, SIZE, WORKER, Command, Outcome
from tests.doses import dose
from tests.starter import Started

Answers = list[tuple[Outcome, bytes]]
NEW = SIZE.pack(20, 4)


def command(kind: Command, number: int, body: bytes = b"") -> bytes:
    return COMMAND.pack(kind, number, len(body)) + body


def run(pieces: Iterable[bytes]) -> tuple[bytes, int]:
    """What it answers to these pieces, after which its user is gone, and its exit code.

    Its socket keeps apart what was sent apart: each piece comes to it alone.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            process = Started([sys.executable, "-m", WORKER], stdin=theirs)
        try:
            for piece in pieces:
                ours.send(piece)
            ours.shutdown(socket.SHUT_WR)
            told = b"".join(iter(lambda: ours.recv(1 << 20), b""))
            return told, process.wait()
        finally:
            process.kill()
            process.wait()


def answers(*pieces: bytes) -> Answers:
    told, code = run(pieces)
    assert code == 0
    found, at = [], 0
    while at < len(told):
        outcome, _, size = ANSWER.unpack_from(told, at)
        at += ANSWER.size
        found.append((Outcome(outcome), told[at : at + size]))
        at += size
    return found


def spent(*pieces: bytes) -> list[int]:
    """The nanoseconds that are told with the answers, which have to be empty."""
    told, _ = run(pieces)
    return [nanoseconds for _, nanoseconds, _ in ANSWER.iter_unpack(told)]


def everything() -> bytes:
    """Each command, and one whose body is empty behind one that is answered."""
    other = Emulated(20, 4)
    other.feed(b"restored")
    snapshot = other.snapshot()
    assert snapshot is not None
    return b"".join(
        (
            command(Command.NEW, 1, NEW),
            command(Command.FEED, 1, "one é 漢\x1b[31m".encode()),
            command(Command.LOOK, 1),
            command(Command.RESIZE, 1, SIZE.pack(7, 3)),
            command(Command.SIZE_OF, 1),
            command(Command.RESTORE, 2, snapshot),
            command(Command.FEED, 2, b" and fed\x1b]0;unfini"),
            command(Command.TEXTS, 2, b"\1and"),
            command(Command.UNFINISHED, 2),
            command(Command.STATE, 1),
            command(Command.SNAPSHOT, 1),
            command(Command.FREE, 2),
            command(Command.SPENT, 1),
        )
    )


def test_commands_are_done_however_they_are_cut() -> None:
    sent = everything()
    whole = answers(sent)
    assert [outcome for outcome, _ in whole] == [Outcome.DONE] * 8
    assert (whole[1][1], whole[2][1], whole[4][1]) == (SIZE.pack(7, 3), b"", b"\x1b]0;unfini")
    assert b"restored and fed" in whole[3][1]
    assert b"\x1b[0m\x1b[38;5;1m" in whole[5][1], "the style to write with"
    for size in (1, COMMAND.size - 1, COMMAND.size, COMMAND.size + 1):
        assert answers(*(sent[at : at + size] for at in range(0, len(sent), size))) == whole, size


@pytest.mark.parametrize("size", [0, 1, COMMAND.size, COMMAND.size + 1, COMMAND.size + 99])
def test_it_ends_when_its_user_is_gone_in_the_middle_of_a_command_too(size: int) -> None:
    begun = command(Command.FEED, 1, bytes(100))[:size]
    assert answers(command(Command.NEW, 1, NEW), *[begun] * bool(begun)) == []


def test_what_failed_first_is_told_once_and_others_go_on() -> None:
    found = answers(
        command(Command.NEW, 1, SIZE.pack(0, 0)),
        command(Command.FEED, 1, b"lost"),
        command(Command.NEW, 2, NEW),
        command(Command.FEED, 2, b"other"),
        command(Command.SPENT, 1),
        command(Command.SPENT, 1),
        command(Command.NEW, 1, NEW),
        command(Command.FEED, 1, b"again"),
        *(command(Command.TEXTS, number, b"\1") for number in (1, 2)),
        command(Command.RESTORE, 3, b"no snapshot"),
        command(Command.SIZE_OF, 2),
    )
    assert [outcome for outcome, _ in found] == [Outcome.FAILED, *[Outcome.DONE] * 3, Outcome.FAILED, Outcome.DONE]
    assert found[0][1].startswith(b"code "), "the emulator's own, not that there is no such terminal"
    assert (b"again" in found[2][1], b"other" in found[3][1]) == (True, True)


def test_terminals_that_are_freed_or_replaced_take_no_memory() -> None:
    """Two hundred of this size are more than it may have."""
    large = SIZE.pack(1000, 500)
    freed = (command(Command.NEW, 1, large) + command(Command.FREE, 1) for _ in range(dose("vt.freed")))
    replaced = (command(Command.NEW, 2, large) for _ in range(dose("vt.freed")))
    last = command(Command.NEW, 3, large), *(command(Command.SIZE_OF, number) for number in (2, 3))
    assert answers(*freed, *replaced, *last) == [(Outcome.DONE, large)] * 2


def test_each_terminal_took_the_time_that_it_took() -> None:
    much = b"".join(b"\x1b[%d;%dHmuch " % (at % 4 + 1, at % 15 + 1) for at in range(50_000))
    pieces = range(0, len(much), 1 << 14)  # a case: cut as its user cuts it
    feeding = (command(Command.FEED, 1, much[at : at + (1 << 14)]) for at in pieces)
    first, other, same, after = spent(
        command(Command.NEW, 1, NEW),
        command(Command.NEW, 2, NEW),
        *feeding,
        *(command(Command.SPENT, number) for number in (1, 2, 1)),
        command(Command.FREE, 1),
        command(Command.NEW, 1, NEW),
        command(Command.SPENT, 1),
    )
    assert max(other, after) < first / 2 < first <= same < 2 * first
