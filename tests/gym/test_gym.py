"""NLE's environments with a log: what an agent sees and earns is NLE's, and the log is a game like any other."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from nhlog.engines.nethack.engine import NetHack
from nhlog.errors import Unsupported, Usage
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Command
from nhlog.savehead import HEAD_SIZE
from tests.corpus import SAMPLES
from tests.doses import dose
from tests.engines.nethack.games import Player, begin
from tests.engines.nethack.installed import needs_nethack

pytestmark = [needs_nethack, pytest.mark.filterwarnings("ignore")]

SEEDS = (5, 6, False, 7)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """NLE's own environment, with which ours is compared, asks for the local time."""
    monkeypatch.setenv("TZ", "UTC0")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """NLE ignores signals without Python's knowing, and so would all that later tests start."""
    yield
    for number in (signal.SIGHUP, signal.SIGXCPU):
        signal.signal(number, signal.getsignal(number))


def tasks() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import nle.env.tasks as found
    return found


def score() -> Any:
    return tasks().NetHackScore


def challenge() -> Any:
    return tasks().NetHackChallenge


def seeded(env: Any, *seeds: Any) -> Any:
    """The environment, with seeds for its next game, also where it refuses them."""
    core = env.unwrapped.nethack
    type(core).set_initial_seeds(core, *(seeds or SEEDS))
    return env


def logged(folder: Path, task: Any, **options: Any) -> Any:
    from nhlog.gym import LoggedNetHack

    return LoggedNetHack(task, str(folder), **options)


def same(one: Any, other: Any) -> bool:
    """Whether two answers of an environment are the same, with all that is seen."""
    (seen, *rest), (also, *others) = one, other
    return seen.keys() == also.keys() and all((seen[key] == also[key]).all() for key in seen) and rest == others


def acts(env: Any, seed: int = 1) -> Iterator[int]:
    """Actions at random, of those after which a game comes along: escape is tried often."""
    dice, codes = random.Random(seed), [int(action) for action in env.unwrapped.actions]
    escape = codes.index(27) if 27 in codes else codes.index(13)
    walks = [at for at, code in enumerate(codes) if chr(code) in "hjklyubnHJKLYUBN><s,"]
    while True:
        draw = dice.random()
        yield escape if draw < 0.15 else dice.choice(walks) if draw < 0.8 else dice.randrange(len(codes))


def begun_together(task: Any, folder: Path, **options: Any) -> tuple[Any, Any, Any]:
    """NLE's environment and ours, begun in the same second, and what both have seen."""
    while True:
        theirs, second = seeded(task(**options)), int(time.time())
        first = theirs.reset()
        if int(time.time()) == second:
            ours = seeded(logged(folder, task, clock=partial(float, second), **options))
            begun = ours.reset()
            assert same(begun, first)
            return theirs, ours, begun
        theirs.close()


@pytest.mark.parametrize("task", [score, challenge])
def test_an_agent_sees_and_earns_what_it_does_in_nle_s_own(tmp_path: Path, task: Callable[[], Any]) -> None:
    theirs, ours, _ = begun_together(task(), tmp_path, max_episode_steps=dose("gym.steps"))
    for act in acts(ours):
        one, other = theirs.step(act), ours.step(act)
        assert same(one, other)
        if one[2] or one[3]:
            break
    ours.close()


def test_its_log_is_sound_and_told_as_a_machine_tells_it(tmp_path: Path) -> None:
    env = seeded(logged(tmp_path, challenge(), every=40, max_episode_steps=400))
    env.reset()
    for act in acts(env):
        if any(env.step(act)[2:4]):
            break
    path = env.log
    env.close()
    engine = NetHack()
    with LogFile(path) as file:
        log = Log(file)
        assert [found for found in verify(log) if isinstance(found, Finding)] == []
        assert log.header.finished
        assert (log.header.player, log.header.mode_word) == ("Agent", "normal")
        assert log.header.role in {role[:3] for role in engine.roles}
        saves = len(log.columns.save_lines)
        assert saves > 5
        commands = [line for at in range(len(log)) if isinstance(line := log.line(at), Command)]
        first = log.save(0)[HEAD_SIZE:]
        for number in (0, 1, saves // 2, saves - 2, saves - 1):
            engine.recall(first, commands, log.save(number)[HEAD_SIZE:])  # which compares all that is seen
        assert engine.load(log.save(saves - 1)[HEAD_SIZE:]).ending
    engine.machines.end()


def test_it_is_watched_while_it_goes_on_and_played_on_by_a_person(tmp_path: Path) -> None:
    env = seeded(logged(tmp_path, challenge(), every=10))
    env.reset()
    for act in islice(acts(env), 35):
        env.step(act)
    env.flush()
    watched = subprocess.run(
        [sys.executable, "-m", "terminal.cli", "state", env.log, "--json"], capture_output=True, check=True
    )
    told = json.loads(watched.stdout)
    assert told["keys"] == env.keys >= 35
    assert told["screen"] == [bytes(row).replace(b"\0", b" ").decode("latin-1") for row in env.observation["tty_chars"]]
    path = env.log
    env.close()
    with Player(Path(path)) as player:
        player.press("\x1b\x1b10s")
        assert player.session.game.record()["keys"] == told["keys"] + 5


@pytest.mark.parametrize("task", [score, challenge])
def test_a_branch_goes_on_as_the_one_that_it_was_copied_of(tmp_path: Path, task: Callable[[], Any]) -> None:
    env = seeded(logged(tmp_path, task(), max_episode_steps=170))
    env.reset(seed=3)
    moves = [*islice(acts(env), 200)]
    for act in moves[:60]:
        env.step(act)
    twin = env.branch()
    assert twin.log != env.log
    rest = [env.step(act) for act in moves[60:100]]
    again = env.branch()
    for at, act in enumerate(moves[60:100]):
        answer = twin.step(act)
        assert answer[1:] == rest[at][1:]
    for act in moves[100:]:
        one, other, third = env.step(act), twin.step(act), again.step(act)
        assert same(one, other)
        assert same(one, third)
        if one[2] or one[3]:
            break
    assert len({env.log, twin.log, again.log}) == 3
    for made in (env, twin, again):
        made.close()


def test_any_place_of_a_log_is_come_to_and_gone_on_from(tmp_path: Path) -> None:
    from nhlog.gym import restore

    env = seeded(logged(tmp_path, challenge(), every=25))
    env.reset()
    moves, seen = [*islice(acts(env), 120)], []
    for act in moves:
        seen.append((env.keys, {key: value.copy() for key, value in env.step(act)[0].items()}))
    path = env.log
    env.close()
    before = Path(path).read_bytes()
    for at in (0, 7, 60, 118):
        keys, _ = seen[at]
        with closing(restore(path, keys + 1, challenge(), str(tmp_path))) as back:
            assert back.keys == keys + 1
            assert all((back.observation[key] == value).all() for key, value in seen[at][1].items())
            found = back.step(moves[at + 1])[0]
            assert all((found[key] == value).all() for key, value in seen[at + 1][1].items())
    assert Path(path).read_bytes() == before


def test_an_agent_goes_on_where_a_person_stood(tmp_path: Path) -> None:
    from nhlog.gym import restore

    path = tmp_path / "ann.nhgame"
    begin(path)
    with Player(path) as player:
        player.press("\r20s")
        screen = player.screen
        turn = player.session.game.turn
        player.press("llll")
    with closing(restore(str(path), f"turn:{turn}", folder=str(tmp_path))) as env:
        assert [bytes(row).replace(b"\0", b" ").decode("latin-1") for row in env.observation["tty_chars"]] == screen
        env.step(0)


def test_what_cannot_be_made_again_is_refused(tmp_path: Path) -> None:
    from nhlog.gym import restore

    for options in ({"spawn_monsters": False}, {"fix_moon_phase": True}, {"save_ttyrec_every": 1}):
        with pytest.raises(Usage):
            logged(tmp_path, score(), **options)
    with closing(logged(tmp_path, score())) as env:
        with pytest.raises(Usage, match="no episode"):
            _ = env.log
        with pytest.raises(Usage, match="seeds anew"):
            env.unwrapped.seed(1, 2, True)
        env.reset()
        with pytest.raises(Usage):
            env.unwrapped.nethack.set_current_seeds(1, 2)
        with pytest.raises(Usage):
            env.reset(options={"wizkit_items": []})
    game = tmp_path / "ann.nhgame"
    begin(game)
    for step, told in ((1, "not so many keys"), (-1, "not so many keys"), ("turn:9", "no such turn")):
        with pytest.raises(Usage, match=told):
            restore(str(game), step, folder=str(tmp_path))
    with pytest.raises(Unsupported, match="not a game of NetHack"):
        restore(str(SAMPLES / "scripted1.nhgame"), 0, folder=str(tmp_path))
    assert [path.name for path in tmp_path.iterdir() if "nle" not in path.name] == ["ann.nhgame"]


def test_seeds_are_used_once_as_by_nle(tmp_path: Path) -> None:
    with closing(seeded(logged(tmp_path, score()))) as env:
        env.reset()
        assert env.unwrapped.nethack.get_current_seeds() == SEEDS
        env.reset()
        assert env.unwrapped.nethack.get_current_seeds() != SEEDS


def test_episodes_leave_neither_folders_nor_descriptors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    with closing(logged(tmp_path / "games", score())) as env:
        env.reset()
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            env.reset()
            assert len(os.listdir("/proc/self/fd")) == before
        assert sum(b"memfd:nhlog-nethack" in line for line in Path("/proc/self/maps").read_bytes().split(b"\n")) <= 8
    assert os.listdir(tmp_path / "temp") == []
    assert len(os.listdir(tmp_path / "games")) == 6
