"""Any keys in any order, with others on the same log: nobody is stuck, nothing is lost untold, nothing counts twice."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Argument, Command, Line, Time
from nhlog.session import Session, new_game
from nhlog.session.replay import GameReplay
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.views import view_of
from tests.session.toy import options
from tests.terminal.play.test_controller import KeyedToy

KEYS = (
    *"hsatCxp_#?;LiRSryn29lu.~",
    *("enter", "escape", "backspace", "left", "down", "page-down", "ctrl-x", "é", "日"),
)
OTHERS: dict[str, tuple[Line, ...]] = {
    "other moves": (Command("move", (Argument("D", 3),)), Time(5)),
    "other enters": (Command("welcome"), Time(5)),
    "other asks": (Command("ask"), Time(5)),
    "other searches": (Command("search", (Argument("L", 4),)), Time(5)),
}
EVENTS = ("look", "time passes", "rewind", *OTHERS)


class Counted(Session):
    """A session that knows what it acknowledged."""

    given: list[bytes]

    def command(self, command: Command) -> tuple[str, ...] | None:
        told = super().command(command)
        self.given += [command.format()] if told is None else []
        return told

    def answer(self, line: Line) -> None:
        super().answer(line)
        self.given.append(line.format())


class Table:
    """A seat at a new toy, and what may befall it."""

    def __init__(self, folder: str) -> None:
        path = str(Path(folder) / "toy.nhgame")
        new_game(path, KeyedToy(), options()).log.source.close()
        self.file = LogFile(path, writable=True)
        log = Log(self.file)
        self.session = Counted(log, KeyedToy(), writer=Writer(log))
        self.session.given = []
        self.expected: list[bytes] = []
        self.controller = PlayController(GameReplay(self.session, LogReplay(log)), view_of("no such game"))
        self.done(self.controller.enter)

    def inputs(self) -> list[bytes]:
        log = self.session.log
        lines = [log.raw(number).data for number in range(len(log))]
        return [line for line in lines if line[:1] not in b"*~+BQ"]

    def done(self, act) -> None:
        """Do it, and look for what was acknowledged in the log, and for what is in the log without that."""
        recoveries = self.session.recoveries
        self.session.given.clear()
        act()
        self.controller.refresh()
        if self.session.recoveries == recoveries:
            added = self.inputs()[len(self.expected) :]
            told = [line for line in added if line != b"interrupt" or line in self.session.given]
            assert self.session.given == told[: len(self.session.given)]
            assert len(self.session.given) == len(told) or self.controller.seat.message or self.session.following.desync
        self.expected = self.inputs()

    def befall(self, event: str) -> None:
        log = self.session.log
        if event in OTHERS:
            with open(self.file.name, "rb+") as file:
                if file.read().endswith(b"\nQ\n"):
                    return  # others keep the rules, too: the game is over
                file.writelines(line.format() + b"\n" for line in OTHERS[event])
            self.expected += [line.format() for line in OTHERS[event] if not isinstance(line, Time)]
        elif event == "rewind":
            cut = plan_rewind(log, log.columns.save_lines[len(log.columns.save_lines) // 2])
            if cut is not None and log.size == self.file.size():
                carry_out(self.file, cut, keep=False)
        elif event == "look":
            self.done(self.controller.refresh)
        elif event == "time passes":
            self.done(self.controller.advance)
        else:
            self.done(lambda: self.controller.press(event))


@given(st.lists(st.sampled_from(KEYS + EVENTS), max_size=40))
def test_any_keys_and_any_others(events: list[str]) -> None:
    with TemporaryDirectory() as folder:
        table = Table(folder)
        try:
            for event in events:
                table.befall(event)
                for size in ((80, 24), (40, 12)):
                    draw_game(table.controller, *size)
            escape(table)
            if not table.session.following.desync and not table.session.following.over:
                before = len(table.session.log)
                table.befall("h")
                assert len(table.session.log) > before
            assert [found for found in verify(table.session.log) if isinstance(found, Finding) and found.fault] == []
        finally:
            table.file.close()


def escape(table: Table) -> None:
    """Whatever is open is closed by a few escapes, and S leaves then."""
    table.befall("look")
    for _ in range(12):
        table.befall("escape")
        table.controller.wants_replay = table.controller.done = False
    table.befall("S")
    assert table.controller.done
    table.controller.done = False
