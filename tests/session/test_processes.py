"""Real processes on one game: two who play it at once, and one who is killed at any instant."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.engines import engine_named
from nhlog.engines.protocol import Engine
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from nhlog.session import Session
from tests.corpus import ROOT
from tests.doses import dose
from tests.processes import Child
from tests.session.partner import begin
from tests.session.toy import TOY

PLAYER = f"""
sys.path.insert(0, {str(ROOT)!r})
import hashlib, random
from tests.session.partner import sit_down, turn
from tests.session.toy import TOY, options
from nhlog.engines import engine_named
engine = TOY if arguments[0] == "toy" else engine_named("delve")
names = tuple(sorted(set(engine.commands) - set("welcome repeat interrupt quit die panic spoil".split())))
engine.new(options())  # whatever it imports only then is there before anybody forks
"""

PARTNER = (
    PLAYER
    + """
seed, inputs = int(arguments[1]), int(arguments[2])
session, chance, given = sit_down(path, engine), random.Random(seed), []
say("ready")
wait()
while len(given) < inputs and not session.following.over:
    turn(session, chance, lambda line: given.append(line.format().decode("latin-1")), names)
say("done")
wait()
session.refresh()
while session.prompt is not None or session.game.incomplete or session.log.columns.kinds[-1] not in b"*~Q":
    turn(session, chance, lambda line: given.append(line.format().decode("latin-1")), names)
say(repr(given))
wait()
session.refresh()
say(hashlib.sha256(session.following.gamestate.save()).hexdigest())
"""
)

NURSERY = (
    PLAYER
    + """
import select, signal, time
from tests.session.partner import begin
chance = random.Random(7)
kills = int(arguments[1])
games = 0
over = True
for round in range(kills):
    if over:  # a game that is over is played no more
        games += 1
        begin(f"{path}.{games}", engine)
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        session = sit_down(f"{path}.{games}", engine)
        session.settle()
        os.write(theirs, b"*")  # sat down
        mine = random.Random(round)
        while turn(session, mine, lambda line: os.write(theirs, b"."), names):
            pass
        os.write(theirs, b"over")
        signal.pause()
    os.close(theirs)
    os.read(ours, 1)
    told = b""
    for _ in range(chance.randrange(4)):  # then it plays on a busy machine, too
        if select.select([ours], [], [], 1)[0]:
            told += os.read(ours, 1)
    time.sleep(chance.random() * 0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while data := os.read(ours, 65536):
        told += data
    os.close(ours)
    over = b"over" in told
    say(f"{games} {told.count(b'.')}")
"""
)


ENGINES: dict[str, Callable[[], Engine]] = {"toy": lambda: TOY, "delve": lambda: engine_named("delve")}


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "game.nhgame")


def inputs(log: Log) -> list[str]:
    """What persons gave: the lines that are no times, saves, bones or ends."""
    lines = [log.raw(number).data.decode("latin-1") for number in range(len(log))]
    return [line for line in lines if line[0] not in "*~+BQ"]


@pytest.mark.parametrize("name", ["toy", "delve"])
def test_two_players_end_with_the_same_game_and_no_input_counts_twice(path: str, name: str) -> None:
    count = dose(f"session.inputs.{name}")
    engine = ENGINES[name]()
    begin(path, engine)
    with Child(PARTNER, path, name, "1", str(count)) as one, Child(PARTNER, path, name, "2", str(count)) as two:
        assert [one.hear(), two.hear()] == ["ready", "ready"]
        for player in (one, two):
            player.tell()
        assert [one.hear(), two.hear()] == ["done", "done"]
        given: list[str] = []
        for player in (one, two):  # one after the other finishes what is half done
            player.tell()
            given += eval(player.hear())
        for player in (one, two):
            player.tell()
        assert one.hear() == two.hear() != ""
    with LogFile(path) as file:
        log = Log(file)
        assert [found for found in verify(log) if isinstance(found, Finding)] == []
        assert Counter(inputs(log)) == Counter(given)
        session = Session(log, engine)
        assert session.following.desync == session.following.diverged == ""
        session.seek(0)
        for number in range(1, len(log)):  # with the engine alone, from the first save on
            session.seek(number)
        assert session.following.diverged == ""


@pytest.mark.parametrize("name", ["toy", "delve"])
def test_a_player_killed_at_any_instant_loses_at_most_the_key_not_logged(path: str, name: str) -> None:
    engine, kills = ENGINES[name](), dose("kills.player")
    acknowledged, played = Counter[int](), Counter[int]()
    with Child(NURSERY, path, name, str(kills)) as nursery:
        for _ in range(kills):
            game, keys = map(int, nursery.hear().split())
            acknowledged[game] += keys
            played[game] += 1
    assert acknowledged.total() > kills  # they were games, as far as they went
    for game, times in played.items():
        with LogFile(f"{path}.{game}", writable=True) as file:
            log = Log(file)
            session = Session(log, engine, writer=Writer(log))
            session.settle()
            faults = [found for found in verify(log) if isinstance(found, Finding) and found.fault]
            assert faults == []
            assert acknowledged[game] <= len(inputs(log)) <= acknowledged[game] + times
            assert session.following.desync == session.following.diverged == ""
