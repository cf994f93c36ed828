"""Who else is on a game: told by what each is here for, in the same words to all, beside what the game itself says."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines.delve import ENGINE
from nhlog.log.file import LogFile
from nhlog.session import new_game
from terminal.play.company import Company
from terminal.play.drawing import draw_game
from terminal.play.open import open_game
from tests.corpus import ROOT
from tests.processes import Child, as_user
from tests.sharing.parties import needs_handshake
from tests.terminal.play.drawn import ANN

pytestmark = needs_handshake
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")

BEN, CARL, DORA = 61001, 61002, 61003  # no names: the system calls them by their numbers

HERE = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.log.file import LogFile
from nhlog.log import NotifyMethod
from nhlog.log.notify import Changes
user, role = int(arguments[0]), arguments[1]
if user != os.getuid():
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    ctypes.CDLL(None).prctl(4, 1)  # PR_SET_DUMPABLE: else the system calls it root's, as that began it
file = LogFile(path, writable=role == "plays")
changes = Changes(file, NotifyMethod.POLLING)  # needs no module that another user may not read
say("here")
wait()
"""
"""Somebody who plays or watches, as the client does."""

FOREIGN = """
fd = os.open(path, os.O_RDWR)
os.setgroups([])
os.setgid(int(arguments[0]))
os.setuid(int(arguments[0]))
ctypes.CDLL(None).prctl(4, 1)
fcntl.lockf(fd, fcntl.LOCK_SH)
say("here")
wait()
"""
"""Another program that rests in a lock, as NetHack 4 does whether it plays or watches."""


@pytest.fixture
def path() -> Iterator[str]:
    """A game that everybody may write, in a folder that everybody may enter."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = str(Path(folder, "game.nhgame"))
        new_game(path, ENGINE, ANN).log.source.close()
        os.chmod(path, 0o666)
        yield path


def told(path: str, user: int) -> str:
    """What this user's client says of the others, and whom it names for something that was done."""

    def look() -> str:
        with LogFile(path, writable=True) as file:
            company = Company(file)
            company.look(1.0)
            return f"{company.words}; {company.names()}"

    return as_user(user, look)


@as_root
def test_who_only_watches_is_never_named_as_one_who_acts(path: str) -> None:
    with Child(HERE, path, str(BEN), "watches") as ben:
        assert ben.hear() == "here"
        assert told(path, DORA) == "1 watching; somebody"
        with Child(HERE, path, str(CARL), "plays") as carl:
            assert carl.hear() == "here"
            assert told(path, DORA) == f"with {CARL}, 1 watching; {CARL}"


@as_root
def test_all_are_told_the_players_in_the_same_order_whoever_came_first(path: str) -> None:
    for first, second in ((BEN, CARL), (CARL, BEN)):
        with Child(HERE, path, str(first), "plays") as one:
            assert one.hear() == "here"
            with Child(HERE, path, str(second), "plays") as other:
                assert other.hear() == "here"
                assert told(path, DORA) == f"with {BEN} and {CARL}; {BEN} or {CARL}"
                assert told(path, CARL) == f"with {BEN} and your other terminal; {BEN} or your other terminal"


@as_root
def test_a_program_that_does_not_tell_what_it_is_here_for_is_counted_and_not_named(path: str) -> None:
    with Child(FOREIGN, path, str(BEN)) as foreign:
        assert foreign.hear() == "here"
        assert told(path, DORA) == "1 more here; somebody"


def test_in_80_columns_nothing_of_the_status_is_covered(path: str) -> None:
    with closing(open_game(path, Config())) as controller, ExitStack() as stack:
        controller.enter()
        controller.press("s")
        alone = draw_game(controller, 80, 24).text()
        for role in ("watches", "plays"):
            assert stack.enter_context(Child(HERE, path, str(os.getuid()), role)).hear() == "here"
        controller.wait(1.0)
        rows = draw_game(controller, 80, 24).text()
        assert all(after.startswith(before.rstrip()) for before, after in zip(alone[1:], rows[1:], strict=True))
        assert " T:2" in rows[-1]
        assert "with your other terminal, 1 watching" in "\n".join(rows)
        controller.seat.company.did = "your other terminal: " + "walks far away " * 9
        rows = draw_game(controller, 80, 24).text()
        assert all(after.startswith(before.rstrip()) for before, after in zip(alone[-2:], rows[-2:], strict=True))
