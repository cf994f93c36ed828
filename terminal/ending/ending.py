"""The pages about a game that is over, and the keys that leaf through them."""

from typing import TYPE_CHECKING, ClassVar, Final

from nhlog.errors import NhlogError
from nhlog.scores.entry import Ended
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are
from terminal.views import View

if TYPE_CHECKING:
    from nhlog.scores.ranking import Ranking

__all__ = ["END", "ENDING_KEYS", "SCORE", "Ending"]

END, SCORE = "the end", "score"
"""The first and the last page; between them are panels of the view."""

DISCLOSED: Final = ("inventory", "attributes")
LEAF: Final = 10  # rows


class Ending:
    """The pages about the finished game of `replay`, which stands at its end, and the one of them that is shown.

    `keys` are its keys, `row` is the first row of the page, `helped` whether the keys are shown over it.  `ranking` is
    the list of scores as far as it was read, None before that began or where the log tells no score; `told` is what was
    said about the dump file, which `dump` writes (None for who does not play the game).  `wants_replay` and `done` are
    for the loop.
    """

    mode: ClassVar[str] = "ending"

    def __init__(self, replay: Ended, view: View, bound: Bound = as_they_are) -> None:
        self.replay = replay
        self.view = view
        self.keys = bound(ENDING_KEYS)
        self.pages = (END, *(name for name in DISCLOSED if name in view.panels), SCORE)
        self.number = 0
        self.row = 0
        self.helped = False
        self.told = ""
        self.ranking: Ranking | None = None
        self.ranked = False
        self.wants_replay = False
        self.done = False

    @property
    def page(self) -> str:
        """The name of the page that is shown."""
        return self.pages[self.number]

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if self.helped:
            self.helped = False
            key = about(key, "press")  # on a row of the keys
        if row := self.keys.of(key):
            row.act(self)

    def turn(self, count: int) -> None:
        """Show the page that is `count` further; the end is left by going on from the last one."""
        if self.number + count == len(self.pages):
            self.done = True
        self.number, self.row = min(max(self.number + count, 0), len(self.pages) - 1), 0

    def scroll(self, rows: int) -> None:
        """Show rows that are further down, or up if negative."""
        self.row = max(self.row + rows, 0)

    def write_dump(self) -> None:
        """Write the dump file, and tell of it on the last page."""
        from terminal.ending.dumplog import write_dumplog  # which few write by hand

        self.told = write_dumplog(self.replay)
        self.number, self.row = len(self.pages) - 1, 0

    def help(self) -> None:
        """Show the keys."""
        self.helped = True

    def watch_again(self) -> None:
        """Have the loop show the game from its start."""
        self.wants_replay = True

    def leave(self) -> None:
        """Leave the end."""
        self.done = True

    def work(self) -> bool:
        """Read a piece of the list of scores; returns False if all of it was read."""
        if self.ranked:
            return False
        try:
            self.ranking = self.ranking or _ranking(self.replay)
            self.ranked = not self.ranking.work()
        except NhlogError as error:
            self.told, self.ranked = self.told or str(error), True
        return True


def _ranking(replay: Ended) -> "Ranking":
    from nhlog.config import read_config
    from nhlog.scores.ranking import Ranking
    from nhlog.scores.table import score_of

    config = read_config()
    return Ranking(score_of(replay), [str(config.finished or config.games)])


ENDING_KEYS: Final[KeyTable[Ending]] = KeyTable(
    "ending",
    (
        Key("The end", (" ", "enter", "right"), "on", "next page", lambda end: end.turn(1)),
        Key("The end", ("left", "backspace"), "back", "previous page", lambda end: end.turn(-1)),
        Key("The end", ("down", "wheel-down"), "down", "scroll down", lambda end: end.scroll(1)),
        Key("The end", ("up", "wheel-up"), "up", "scroll up", lambda end: end.scroll(-1)),
        Key("The end", (">", "page-down"), "page-on", "ten rows down", lambda end: end.scroll(LEAF)),
        Key("The end", ("<", "page-up"), "page-back", "ten rows up", lambda end: end.scroll(-LEAF)),
        Key("The end", ("d",), "dump", "write a dump file", Ending.write_dump),
        Key("The end", ("R",), "watch-again", "replay the game", Ending.watch_again),
        Key("The end", ("?", "h"), "help", "list the keys", Ending.help),
        Key("The end", ("q", "escape"), "quit", "leave", Ending.leave),
    ),
)
