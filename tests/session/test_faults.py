"""Engines with faults: whatever one raises or answers, its games stand still and say why, and nobody falls with it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from nhlog.engines.guarded import EngineFailed
from nhlog.errors import Damaged, Usage
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Command
from nhlog.session import NotNow, Session, last_loadable, new_game
from nhlog.session.replay import GameReplay
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.views import view_of
from tests.session.test_session import MOVE
from tests.session.toy import STATE, TOY, Toy, ToyGame, options

LAST = 3  # the last turn before the fault


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this")


def raising(error: BaseException) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


def answering(value: object) -> Callable[[], Any]:
    return lambda: value


FAULTS = {
    "ValueError": raising(ValueError("wrong\nvalue")),
    "KeyError": raising(KeyError("x")),
    "RecursionError": raising(RecursionError()),
    "StopIteration": raising(StopIteration()),
    "SystemExit": raising(SystemExit(0)),
    "Unspeakable": raising(Unspeakable()),
    "object": answering(object()),
}
ASKED = ("turn", "here", "incomplete", "state", "ending", "bones")
PLACES = (*ASKED, "save", "load", "run", "the run", "a prompt")


class FaultyGame(ToyGame):
    """Fails in one place, after turn `LAST`."""

    def __init__(self, game: ToyGame, place: str, fault: Callable[[], Any]) -> None:
        super().__init__(game.turn, game.total, game.spoiled, game.ending)
        self.place, self.fault = place, fault

    def __getattribute__(self, name: str) -> Any:
        get = super().__getattribute__
        if name in ASKED and get("place") == name and get("__dict__")["turn"] > LAST:
            return get("fault")()
        return get(name)

    def save(self) -> bytes:
        if self.place == "save" and self.turn > LAST:
            return self.fault()
        return super().save()

    def at_once(self, command: Command) -> tuple[str, ...] | None:
        if self.place == "at_once" and self.turn > LAST:
            return self.fault()
        return super().at_once(command)

    def run(self, command: Command) -> Iterator[Any]:
        due = self.turn == LAST and command.name == "move"
        if due and self.place == "run":
            return self.fault()
        return self._run(command, due)

    def _run(self, command: Command, due: bool) -> Iterator[Any]:
        yield from super().run(command)
        if due and self.place == "the run":
            self.fault()
            raise ValueError("an object does nothing")
        if due and self.place == "a prompt":
            yield self.fault()


class FaultyToy(Toy):
    def __init__(self, place: str, fault: Callable[[], Any]) -> None:
        self.place, self.fault = place, fault

    def new(self, options: Any) -> FaultyGame:
        return FaultyGame(super().new(options), self.place, self.fault)

    def load(self, save: bytes) -> FaultyGame:
        game = super().load(save)
        if self.place == "load" and game.turn > LAST:
            return self.fault()
        return FaultyGame(game, self.place, self.fault)


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = str(tmp_path / "toy.nhgame")
    new_game(file, TOY, options()).log.source.close()
    return file


@pytest.fixture
def opened() -> Iterator[Callable[..., Session]]:
    with ExitStack() as stack:

        def open_it(path: str, engine: Toy) -> Session:
            log = Log(stack.enter_context(LogFile(path, writable=True)))
            return Session(log, engine, writer=Writer(log))

        yield open_it


def faults(log: Log) -> list[Finding]:
    return [found for found in verify(log) if isinstance(found, Finding) and found.fault]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("place", PLACES)
def test_a_game_whose_engine_fails_stands_still_and_goes_on_with_a_better_one(
    opened: Callable[..., Session], path: str, place: str, fault: Callable[[], Any]
) -> None:
    faulty = FaultyToy(place, fault)
    session = opened(path, faulty)
    for _ in range(LAST - 1):
        session.command(MOVE)
    frozen = session.game.save()
    with suppress(NotNow):
        session.command(MOVE)
    for _ in range(2):
        assert session.following.desync.startswith("toy failed: ")
        assert "\n" not in session.following.desync
        assert (session.game.turn, session.game.save()) == (LAST, frozen)
        assert session.game.here == TOY.load(frozen).here
        with pytest.raises(NotNow, match="cannot continue: toy failed"):
            session.command(MOVE)
        session.describe()
        assert faults(session.log) == []
        session.log.source.close()
        session = opened(path, faulty)  # and so it is for whoever comes later
        with suppress(NotNow):
            session.settle()
    session.log.source.close()
    better = opened(path, TOY)
    assert better.following.desync == better.following.diverged == ""
    assert better.game.turn == LAST + 1
    better.command(MOVE)
    assert faults(better.log) == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("place", PLACES)
def test_one_who_watches_a_better_engine_sees_the_game_as_far_as_theirs_goes_and_why(
    opened: Callable[..., Session], path: str, place: str, fault: Callable[[], Any]
) -> None:
    beginning = Path(path).read_bytes()
    player = opened(path, TOY)
    for _ in range(LAST + 1):
        player.command(MOVE)
    player.log.source.close()
    lines = Path(path).read_bytes().removeprefix(beginning).splitlines(keepends=True)
    Path(path).write_bytes(beginning)
    session = opened(path, FaultyToy(place, fault))
    replay = GameReplay(session, LogReplay(session.log))
    kept = []  # states whose saves are made when the game goes on
    told = set()
    for line in lines:
        with open(path, "ab") as file:
            file.write(line)
        replay.refresh()
        replay.to_end()
        kept.append(replay.state)
        told.add(replay.state.fault)
    at_the_end = replay.state
    healed = place in ("run", "the run", "a prompt")  # by the next save
    assert at_the_end.turn == (LAST + 2 if healed or place == "save" else LAST)
    assert bool(at_the_end.fault) != (healed or place == "save")
    assert any(fault.startswith("toy failed: ") for fault in told) or place == "save"
    assert all(state.save for state in kept) or place == "save"
    for step in reversed(range(replay.timeline.last + 1)):
        replay.seek(step)
        assert replay.state.turn >= 1
    assert (replay.state.turn, replay.state.fault) == (1, "")


@pytest.mark.parametrize("place", PLACES)
def test_one_who_plays_is_told_and_offered_the_way_back(opened: Callable[..., Session], path: str, place: str) -> None:
    session = opened(path, FaultyToy(place, FAULTS["KeyError"]))
    controller = PlayController(GameReplay(session, LogReplay(session.log)), view_of("no such game"))
    controller.enter()
    for _ in range(LAST - 1):
        session.command(MOVE)
    with suppress(NotNow):
        session.command(MOVE)
    controller.refresh()
    controller.advance()
    shown = draw_game(controller, 120, 25).text()
    assert "This game cannot continue. r goes back" in shown[0]
    assert "toy failed: KeyError: 'x'" in " ".join(" ".join(shown[:2]).split())
    for key in "ry":
        controller.press(key)
    assert session.following.desync == ""
    assert session.game.turn == LAST
    assert faults(session.log) == []
    found = last_loadable(session.log, session.engine, 99)
    assert (found.turn, found.lost) == (LAST, 0)


def test_a_way_back_can_lead_over_saves_that_the_engine_does_not_load(opened, path: str) -> None:
    player = opened(path, TOY)
    for _ in range(20):
        player.command(MOVE)
    player.log.source.close()
    session = opened(path, FaultyToy("load", FAULTS["ValueError"]))
    assert (session.game.turn, session.following.desync) == (LAST, "toy failed: ValueError: wrong value")
    found = last_loadable(session.log, session.engine, 99)
    assert (found.turn, found.lost) == (LAST, 18)
    carry_out(session.log.source, plan_rewind(session.log, found.line), keep=False)
    session.refresh()
    assert session.following.desync == ""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_game_that_cannot_begin_leaves_no_file(tmp_path: Path, fault: Callable[[], Any]) -> None:
    class Still(Toy):
        def new(self, options: Any) -> Any:
            return fault()

    with pytest.raises(EngineFailed, match="toy failed: "):
        new_game(str(tmp_path / "x"), Still(), options())
    assert list(tmp_path.iterdir()) == []


def test_what_an_engine_may_raise_stays_what_it_is(tmp_path: Path, opened, path: str) -> None:
    class Choosy(Toy):
        def new(self, options: Any) -> Any:
            raise Usage("no such role")

        def load(self, save: bytes) -> Any:
            raise Damaged("cut short", offset=7)

    with pytest.raises(Usage, match=r"^no such role$"):
        new_game(str(tmp_path / "x"), Choosy(), options())
    assert opened(path, Choosy()).following.desync == "offset 7: cut short"


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_record_that_cannot_be_made_is_an_error_of_ours(opened, path: str, fault: Callable[[], Any]) -> None:
    class Silent(ToyGame):
        def record(self) -> Any:
            return fault()

    class SilentToy(Toy):
        def load(self, save: bytes) -> Any:
            game = super().load(save)
            return Silent(game.turn, game.total, game.spoiled)

    with pytest.raises(EngineFailed):
        opened(path, SilentToy()).game.record()


@pytest.mark.parametrize("words", ["killed by Ωmega", "two\nlines", "a\0nul", "\ud800", "x" * 500])
def test_whatever_words_an_engine_has_for_the_end_the_log_is_sound(opened, path: str, words: str) -> None:
    class Wordy(ToyGame):
        ending = property(lambda self: words if self.turn > 1 else "", lambda self, value: None)
        state = property(lambda self: words)

        def save(self) -> bytes:
            return STATE.pack(self.turn, self.total, self.spoiled)

    class WordyToy(Toy):
        def new(self, options: Any) -> Any:
            return Wordy(1, 5, 0)

        def load(self, save: bytes) -> Any:
            game = super().load(save)
            return Wordy(game.turn, game.total, game.spoiled)

    session = opened(path, WordyToy())
    session.command(MOVE)
    assert session.following.over
    assert session.log.header.finished
    assert faults(session.log) == []
    assert [note for note in verify(session.log) if isinstance(note, Finding)] == []
