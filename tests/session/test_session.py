"""A session: what is read makes the game, what is written is read first, and nobody's input counts twice."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from nhlog.engines.prompts import AskDirection, AskPosition, AskYesNo
from nhlog.errors import Damaged
from nhlog.log.append import GameIsOver, InputDropped, Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    Argument,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)
from nhlog.session import NotNow, Session, last_loadable, new_game
from nhlog.session.bones import BonesFolder
from tests.session.toy import PROMPTS, TOY, NewerToy, Toy, options

MOVE = Command("move", (Argument("D", 4),))
ANSWERS: tuple[Line, ...] = (
    PositionAnswer((7, 8, ".")),
    DirectionAnswer(2),
    KeyAnswer(97, 2),
    KeyAnswer(98),
    YesNoAnswer("y"),
    MenuAnswer((1, 2)),
    ObjectMenuAnswer(((1, 2),)),
    TextAnswer(Blob.of(b"rock\0")),
)


def ticking() -> Callable[[], int]:
    """A clock that is a tenth of a second later whenever it is asked."""
    moments = count(1_700_000_000_000_000, 100_000)
    return lambda: next(moments)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A new game's log, open nowhere."""
    file = str(tmp_path / "toy.nhgame")
    new_game(file, TOY, options(), now=ticking()).log.source.close()
    return file


@pytest.fixture
def opened() -> Iterator[Callable[..., Session]]:
    """Opens sessions, and closes their logs at the end."""
    with ExitStack() as stack:

        def open_it(path: str, *, play: bool = True, engine: Toy = TOY, bones: BonesFolder | None = None) -> Session:
            log = Log(stack.enter_context(LogFile(path, writable=play)))
            return Session(log, engine, writer=Writer(log) if play else None, bones=bones, now=ticking())

        yield open_it


def text(session: Session, first: int = 0) -> list[str]:
    """The log's lines; saves by their kind alone, times as a plus sign."""
    raw = [session.log.raw(number).data.decode() for number in range(first, len(session.log))]
    return [line[0] if line[0] in "*~+" else line for line in raw]


def invariants(session: Session) -> None:
    """Those of log spec section 9: backup <= bsave <= gamestate < end."""
    columns, at = session.log.columns, session.following.at
    save = columns.save_at(at - 1)
    backup, bsave = columns.backup_offset(columns.backup_at(save)), columns.offsets[columns.save_lines[save]]
    assert backup <= bsave <= columns.offsets[at - 1] < columns.after(at - 1)
    assert columns.after(at - 1) == session.log.end or session.target is not None


def faults(session: Session) -> list[Finding]:
    return [found for found in verify(session.log) if isinstance(found, Finding)]


# playing


def test_a_command_is_a_line_a_time_and_a_save(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("welcome"))
    session.command(MOVE)
    assert text(session) == ["*", "welcome", "+", "~", "move D4", "+", "~"]
    assert session.game.turn == 2
    invariants(session)
    assert faults(session) == []


def test_each_answer_is_a_line_and_a_time_and_the_save_comes_after_the_last(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("ask"))
    for prompt, answer in zip(PROMPTS, ANSWERS, strict=True):
        assert session.prompt == prompt
        session.answer(answer)
    assert session.prompt is None
    answers = [part for answer in ANSWERS for part in (answer.format().decode(), "+")]
    assert text(session) == ["*", "ask", "+", *answers, "~"]
    assert faults(session) == []


def test_the_game_does_not_change_before_the_answer_is_in_the_log(opened, path: str) -> None:
    session = opened(path)
    before = session.following.gamestate.save()
    session.command(Command("die"))
    assert isinstance(session.prompt, AskYesNo)
    assert session.following.gamestate.game.turn == 1
    with pytest.raises(NotNow):
        session.answer(DirectionAnswer(1))
    with pytest.raises(NotNow):
        session.command(MOVE)
    assert text(session) == ["*", "die", "+"]
    assert session.following.gamestate.game.save() == before[36:]


def test_a_long_command_goes_on_by_repeat_and_is_saved_when_it_is_done(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("search", (Argument("L", 3),)))
    assert session.game.incomplete
    session.command(Command("repeat"))
    session.command(Command("repeat"))
    assert not session.game.incomplete
    assert text(session) == ["*", "search L3", "+", "repeat", "+", "repeat", "+", "~"]


def test_another_command_interrupts_a_long_one(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("search", (Argument("L", 9),)))
    session.command(MOVE)
    assert text(session) == ["*", "search L9", "+", "interrupt", "+", "~", "move D4", "+", "~"]
    assert faults(session) == []


def test_the_end_of_the_game_is_saved_marked_and_final(opened, path: str, tmp_path: Path) -> None:
    bones = BonesFolder(tmp_path, "toy")
    session = opened(path, bones=bones)
    session.command(Command("die"))
    session.answer(YesNoAnswer("y"))
    assert text(session)[-2:] == ["~", "Q"]
    assert session.following.over
    assert session.log.header.finished
    assert session.log.header.state == "died of boredom"
    assert bones.take("Toy:1") is not None
    assert faults(session) == []
    with pytest.raises(GameIsOver):
        session.command(MOVE)


def test_bones_are_looked_for_by_the_player_and_found_in_the_log_by_others(opened, path: str, tmp_path: Path) -> None:
    bones = BonesFolder(tmp_path, "toy")
    bones.leave("Toy:1", b"ghost")
    session = opened(path, bones=bones)
    for _ in range(2):
        session.command(Command("descend"))
    assert text(session) == ["*", "descend", "+", "BZ2hvc3Q=", "~", "descend", "+", "B!", "~"]
    assert faults(session) == []


# following


def test_whoever_reads_the_log_has_the_same_game_at_each_line(opened, path: str) -> None:
    player = opened(path)
    for command in (MOVE, Command("ask")):
        player.command(command)
    for answer in ANSWERS:
        player.answer(answer)
    player.command(Command("search", (Argument("L", 2),)))
    player.command(Command("repeat"))
    final = player.following.gamestate.save()
    player.log.source.close()
    watcher = opened(path, play=False)
    assert watcher.following.gamestate.save() == final
    seen = []
    for line in range(len(watcher.log)):
        watcher.seek(line)
        invariants(watcher)
        seen.append((watcher.game.save(), watcher.prompt, watcher.following.gamestate.clock))
    for line in reversed(range(len(watcher.log))):
        watcher.seek(line)
        assert (watcher.game.save(), watcher.prompt, watcher.following.gamestate.clock) == seen[line]
    assert sum(prompt is not None for _, prompt, _ in seen) == 2 * len(PROMPTS)
    assert watcher.following.diverged == ""


def test_a_watcher_cannot_write_nor_can_one_who_looks_back(opened, path: str) -> None:
    player = opened(path)
    player.command(MOVE)
    player.seek(0)
    assert player.game.turn == 1
    with pytest.raises(NotNow, match="not the end"):
        player.command(MOVE)
    player.seek(None)
    assert player.game.turn == 2
    player.command(MOVE)
    player.log.source.close()
    with pytest.raises(NotNow, match="watch"):
        opened(path, play=False).command(MOVE)


def test_one_who_comes_in_the_middle_of_a_turn_goes_on_with_it(opened, path: str) -> None:
    dead = opened(path)
    dead.command(Command("ask"))
    dead.answer(ANSWERS[0])
    dead.log.source.close()
    heir = opened(path)
    assert isinstance(heir.prompt, AskDirection)
    for answer in ANSWERS[1:]:
        heir.answer(answer)
    assert text(heir)[-1] == "~"
    assert faults(heir) == []


@pytest.mark.parametrize("lines", [[b"move D4"], [b"move D4", b"+5"], [b"descend", b"+5"], [b"die", b"+5", b"Yy"]])
def test_what_a_dead_player_left_undone_is_done_by_the_next(opened, path: str, lines: list[bytes]) -> None:
    with open(path, "ab") as file:
        file.writelines(line + b"\n" for line in lines)
    session = opened(path)
    session.settle()
    assert text(session)[-1] in "~Q"
    assert session.following.over == (b"Yy" in lines)
    assert faults(session) == []


def test_a_partial_line_is_cut_off_and_the_input_is_used(opened, path: str) -> None:
    session = opened(path)
    with open(path, "ab") as file:
        file.write(b"mov")
    session.command(MOVE)
    assert session.log.header.identification.recovery_count == 2
    assert session.recoveries == 0, "nothing was taken back"
    assert text(session) == ["*", "move D4", "+", "~"]


# two on one log


def other_writes(session: Session, *lines: Line) -> None:
    """What another process does to the log, without the locks that ours has."""
    with open(session.log.source.name, "ab") as file:
        file.writelines(line.format() + b"\n" for line in lines)


def test_input_is_dropped_if_somebody_was_quicker(opened, path: str) -> None:
    session = opened(path)
    other_writes(session, Command("ask"))
    with pytest.raises(InputDropped):
        session.command(MOVE)
    assert text(session) == ["*", "ask"]
    assert isinstance(session.prompt, AskPosition)
    session.answer(ANSWERS[0])
    assert text(session) == ["*", "ask", "+", "P7,8.", "+"]


def test_a_prompt_that_another_answers_is_closed(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("ask"))
    other_writes(session, ANSWERS[0])
    assert session.refresh()
    assert isinstance(session.prompt, AskDirection)


def test_after_a_rewind_the_game_is_what_is_left(opened, path: str) -> None:
    session = opened(path)
    for _ in range(4):
        session.command(MOVE)
    line = session.log.columns.save_lines[2]
    cut = plan_rewind(session.log, line)
    carry_out(session.log.source, cut, keep=False)
    with pytest.raises(InputDropped):
        session.command(MOVE)
    assert (session.recoveries, session.game.turn) == (1, 3)
    session.command(MOVE)
    assert session.game.turn == 4
    invariants(session)


# desync


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([b"fly D4"], "no command fly"),
        ([b"Yy"], "not asked"),
        ([b"ask", b"+5", b"Yy"], "another question"),
        ([b"ask", b"+5", b"move D4"], "where an answer was due"),
        ([b"panic", b"+5"], "toy failed: RuntimeError"),
        ([b"ask", b"P1,2"], "offset"),
    ],
)
def test_lines_that_do_not_fit_freeze_the_game_until_the_next_save(opened, path, lines, reason: str) -> None:
    session = opened(path)
    session.command(MOVE)
    frozen = session.following.gamestate.save()
    clock = session.following.gamestate.clock
    with open(path, "ab") as file:
        file.writelines(line + b"\n" for line in [*lines, b"+a"])
    session.refresh()
    assert reason in session.following.desync
    assert session.game.save() == frozen[36:]
    assert session.following.gamestate.clock > clock
    assert session.prompt is None
    with pytest.raises(NotNow, match="cannot continue"):
        session.command(MOVE)
    found = last_loadable(session.log, TOY, 99)
    assert (found.turn, found.lost) == (2, 0)
    carry_out(session.log.source, plan_rewind(session.log, found.line), keep=False)
    session.refresh()
    session.command(MOVE)
    assert session.game.turn == 3


def test_an_engine_that_does_not_save_what_it_loads_writes_nothing(opened, path: str) -> None:
    session = opened(path)
    session.command(Command("spoil"))
    assert text(session) == ["*", "spoil", "+"]
    assert "does not save exactly what it loads" in session.following.desync
    assert session.game.turn == 1


def test_the_last_loadable_save_is_found_and_what_comes_after_is_counted(opened, path: str) -> None:
    player = opened(path)
    for _ in range(20):
        player.command(MOVE)
    player.log.source.close()
    newer = opened(path, engine=NewerToy())
    assert newer.game.turn == 5
    assert "not of this version" in newer.following.desync
    tried: list[int] = []
    save = newer.log.save

    def counted(number: int) -> bytes:
        tried.append(number)
        return save(number)

    newer.log.save = counted
    found = last_loadable(newer.log, newer.engine, 99)
    assert (found.turn, found.lost, found.save) == (5, 16, 4)
    assert len(tried) <= 5  # of 21 saves
    newer.seek(found.line)
    assert newer.following.desync == ""


def test_a_replay_goes_on_at_the_next_save_when_the_engine_makes_another_game(opened, path: str) -> None:
    session = opened(path)
    session.command(MOVE)
    other = bytearray(session.following.gamestate.save())
    other[40] ^= 1
    writer = Writer(session.log)
    writer.append(MOVE)
    writer.save(bytes(other), "")
    session.refresh()
    assert "a different game" in session.following.diverged
    assert session.following.gamestate.save() == bytes(other)


def test_no_save_at_all_is_told(opened, path: str) -> None:
    class NoToy(Toy):
        name = "notoy"

    session = opened(path, engine=NoToy())
    assert "not a save of notoy" in session.following.desync
    with pytest.raises(Damaged):
        _ = session.game
