"""A recording that is shown from late on, and goes over to a file with all of it: nobody loses the place."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nhlog.relay.following import Following
from nhlog.relay.snapshots import snapshot_of
from nhlog.relay.sources import LogSource
from nhlog.replay import Replay
from nhlog.testing.fakes import FakeDisplay
from terminal.followed import Followed, Version
from terminal.replay.motion import Motion
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.replay.waiting import show_file
from tests.builders import Game, played
from tests.relay.made import append, send
from tests.waiting import PATIENCE


class Coming(Followed):
    """A game of which the end is there, and later all of it."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.game, self.folder = game, folder
        for name in ("short", "all"):
            (folder / name).mkdir()
        self.whole = game.write(folder / "all" / "game.nhgame")
        with closing(LogSource(self.whole)) as source:
            following = Following(source)
            send(following, [])
            message = snapshot_of(source.file, following.course, 1 << 20)
            assert message is not None
        short = folder / "short" / "game.nhgame"
        short.write_bytes(message.body)
        self.before = message.offset - len(message.body)
        super().__init__("")
        self.short = str(short)
        self.tell("fetched: 12%")
        self.was_taken = False

    def tell(self, words: str) -> None:
        self._version = Version(self.short, self.before, words)

    def come(self) -> None:
        self._version = Version(self.whole)

    def taken(self) -> None:
        self.was_taken = True


class Shown(FakeDisplay):
    """A display whose script may ask for the player that is shown."""

    def __init__(self, coming: Coming, script: Callable[["Shown"], Iterator[str]]) -> None:
        super().__init__(script(self))
        self.coming = coming
        self.players: list[Player] = []

    def listen(self, changes: object) -> None:
        """It asks from time to time."""

    def run(self) -> None:
        def shown(path: str, replay: Replay[Any]) -> Player:
            self.players.append(Player(replay))
            return self.players[-1]

        show_file(self, self.coming, open_viewed, shown, self.clock)  # type: ignore[arg-type]

    @property
    def player(self) -> Player:
        return self.players[-1]

    @property
    def row(self) -> str:
        """What is told beside the title, or in the last row."""
        return "\n".join(self.screens[-1].text())

    def until_taken(self) -> Iterator[str]:
        """Press nothing until all of it is shown."""
        until = time.monotonic() + PATIENCE
        self.coming.come()
        while not self.coming.was_taken:
            assert time.monotonic() < until
            time.sleep(0.001)
            yield ""


@pytest.fixture
def coming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Coming:
    monkeypatch.setenv("NHLOG_DEBUG", "1")  # what fails in a script is no fault of a format
    return Coming(tmp_path, played(70, backup_every=20))


def place(player: Player) -> tuple[int, str, int]:
    """Turn, line and time at which one stands."""
    [event] = player.replay.events(player.step, player.step) or [None]
    return player.timeline.at("turn", player.step), event.source, player.time


def test_one_stays_at_the_place_and_can_then_go_to_the_start(coming: Coming) -> None:
    def script(shown: Shown) -> Iterator[str]:
        yield from ("down", ".", ".")
        before, behind = place(shown.player), shown.player.timeline.last - shown.player.step
        yield from shown.until_taken()
        assert place(shown.player) == before
        assert shown.player.timeline.last - shown.player.step == behind
        assert shown.player.motion is Motion.PAUSED
        assert "all of it is here" in shown.player.message
        yield "g"
        assert shown.player.timeline.at("turn", shown.player.step) == 1
        assert shown.player.message == "this is the start"
        yield "q"

    Shown(coming, script).run()


def test_at_the_start_of_what_is_here_one_is_told_what_comes(coming: Coming) -> None:
    def script(shown: Shown) -> Iterator[str]:
        yield "g"
        assert "this is the start of what was received: fetched: 12%" in shown.row
        coming.tell("fetched: 34%")
        yield from ("l", "")
        assert "fetched: 34%" in shown.row
        yield "q"

    Shown(coming, script).run()


def test_who_follows_goes_on_to_follow_and_what_was_set_stays(coming: Coming) -> None:
    def script(shown: Shown) -> Iterator[str]:
        yield ","
        shown.player.add_marker()
        shown.player.tempo.play_at(4)
        noted, speed = shown.player.timeline.at("turn", shown.player.step), shown.player.tempo.speed
        yield from ("l", "F")  # idle gaps otherwise
        append(coming.whole, "kick", "D4")
        yield from shown.until_taken()
        player = shown.player
        assert (player.motion, player.step, player.tempo.speed) == (Motion.FOLLOWING, player.timeline.last, speed)
        turns = [player.timeline.at("turn", marker.step) for marker in player.markers if marker.kind == "note"]
        assert turns == [noted]
        append(coming.whole, "search")
        yield from ("", "")
        assert player.step == player.timeline.last
        assert player.behind == 0
        yield from ("l", "q")

    Shown(coming, script).run()


def test_a_file_that_cannot_be_opened_changes_nothing(coming: Coming) -> None:
    def script(shown: Shown) -> Iterator[str]:
        data = Path(coming.whole).read_bytes()
        Path(coming.whole).write_bytes(b"NHGAME")
        coming.come()
        until = time.monotonic() + PATIENCE
        while "being read" not in shown.row:
            assert time.monotonic() < until
            yield ""
        yield from [""] * 20
        assert len(shown.players) == 1
        Path(coming.whole).write_bytes(data)
        yield from shown.until_taken()
        assert len(shown.players) == 2
        yield "q"

    Shown(coming, script).run()
