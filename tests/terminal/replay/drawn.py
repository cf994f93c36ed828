"""The screens that the tests compare with, kept as text in `drawn/`.

After a change of looks: ``python -m tests.terminal.replay.drawn`` draws them anew; read the difference before
committing it.
"""

from collections.abc import Iterator
from pathlib import Path

from nhlog.formats.nhgame.state import Entry, LogState, StoredSave
from nhlog.replay import Status
from nhlog.screen import Screen
from nhlog.testing.fakes import FakeRecording, Happening
from nhlog.timeline import MICROSECONDS, Marker
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.drawing.menu import draw_menu
from terminal.replay.menu import Menu
from terminal.replay.player import Player
from terminal.views import view_of

__all__ = ["CASES", "FOLDER", "HOSTILE", "FakeLog", "drawn_frame"]

FOLDER = Path(__file__).with_name("drawn")
START = 1_711_713_590 * MICROSECONDS  # 2024-03-29 11:59:50 UTC
BACKUPS = range(2, 10_000, 30)
HOSTILE = "\x1b]0;owned\x07\x1b[2J\r\n\u202e世界é\x00"


class FakeLog(FakeRecording):
    """A recording that looks like a NetHack 4 log: three lines for each happening, the last of them a save."""

    def __init__(self, happenings: list[Happening], title: str = "Tou the human Healer", fault: str = "") -> None:
        super().__init__(
            happenings,
            width=3,
            start=START,
            keyframes=range(2, 3 * len(happenings), 30),
            markers=[Marker(step, "backup", f"backup {n}") for n, step in enumerate(BACKUPS, 1)],
            title=title,
            status=Status.LIVE,
            metadata={"mode": "normal", "state": "Exp:1, 4 turns, on Dungeons:1"},
        )
        self._fault = fault

    def events(self, first: int, last: int) -> Iterator[Entry]:
        for event in super().events(first, last):
            row = event.step // 3
            turn, backup = self.timeline.at("turn", event.step), row % 10 == 0
            yield Entry(
                step=event.step,
                text=event.text,
                source=f"raw {row}",
                first=event.step - 2,
                turn=turn,
                utc=START + self.timeline.time(event.step),
                place=f"Dungeons:{1 + row // 20}",
                save="backup" if backup else "diff",
                save_bytes=39_532 if backup else 20 + row,
            )

    @property
    def state(self) -> LogState:  # type: ignore[override]
        number, text = super().state
        return LogState(
            step=number,
            offset=110 + 40 * number,
            kind=("command", "time", "diff")[number % 3],
            text=text,
            turn=self.timeline.at("turn", number),
            place="Dungeons:1",
            utc=START + self.timeline.time(number),
            zone=3600,
            save_offset=110 + 40 * (number - number % 3),
            saved=StoredSave(b"" if self._fault else bytes(39_071)),
            fault=self._fault,
        )


def ledger(**options: str) -> FakeLog:
    """Sixty rows; a long pause and a night are among them."""
    words = ["moves east", "kicks; direction: west", "wishes; text: '2 blessed scrolls of genocide'", "searches"]
    waits = {0: 0.0, 7: 754.0, 31: 50_000.0}
    return FakeLog([Happening(words[n % 4], waits.get(n, 1.5), 1 + n * 3 // 2) for n in range(60)], **options)


def events() -> FakeRecording:
    """A recording of a format that nobody knows."""
    return FakeRecording(
        [Happening(f"something {n}", 2, 50 * n) for n in range(40)], unit="tick", metadata={"map": "dm1"}
    )


def drawn_frame(replay: FakeRecording, keys: str, width: int, height: int) -> Screen:
    """The frame after these keys."""
    recording_id = "nhgame" if isinstance(replay, FakeLog) else "fake"
    controls = Controls(Player(replay), view_of(recording_id))
    for key in keys:
        controls.press(key)
    return draw_frame(controls, width, height)


def menu(width: int, height: int) -> Screen:
    """A list of three, of which one is read, one is not yet, and one cannot be."""
    listed = Menu(["/games/one.nhgame", "/games/two.nhgame", "/nowhere/three.nhgame"])
    listed.known["/games/one.nhgame"] = ledger().info
    listed.read("/nowhere/three.nhgame")
    listed.move(1)
    return draw_menu(listed, width, height)


CASES = {
    "ledger-80x24": lambda: drawn_frame(ledger(), "50%G", 80, 24),
    "ledger-200x60": lambda: drawn_frame(ledger(), "12Gm14G", 200, 60),
    "ledger-40x10": lambda: drawn_frame(ledger(), "G", 40, 10),
    "ledger-idle-100x30": lambda: drawn_frame(ledger(), "45G F", 100, 30),
    "ledger-no-details-80x24": lambda: drawn_frame(ledger(), "o r t l}", 80, 24),
    "ledger-ascii-80x24": lambda: drawn_frame(ledger(), "50%G ", 80, 24).ascii(),
    "ledger-fault-120x20": lambda: drawn_frame(ledger(fault="CRC: expected 1, found 2"), "", 120, 20),
    "ledger-hostile-80x24": lambda: drawn_frame(
        FakeLog([Happening(HOSTILE)] * 9, title=HOSTILE), f"/{HOSTILE}", 80, 24
    ),
    "search-80x24": lambda: drawn_frame(ledger(), "/wish", 80, 24),
    "number-80x24": lambda: drawn_frame(ledger(), "1:2", 80, 24),
    "events-80x24": lambda: drawn_frame(events(), "...", 80, 24),
    "events-120x20": lambda: drawn_frame(events(), "...", 120, 20),
    "one-event-80x24": lambda: drawn_frame(FakeLog([Happening("the game begins")]), ".", 80, 24),
    "help-80x24": lambda: drawn_frame(ledger(), "h", 80, 24),
    "help-40x10": lambda: drawn_frame(ledger(), "h", 40, 10),
    "too-small-20x5": lambda: drawn_frame(ledger(), "", 20, 5),
    "too-small-1x1": lambda: drawn_frame(ledger(), "", 1, 1),
    "menu-120x10": lambda: menu(120, 10),
    "menu-40x6": lambda: menu(40, 6),
    "menu-3x3": lambda: menu(3, 3),
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in CASES.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(draw().text()) + "\n")
