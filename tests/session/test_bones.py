"""Bones in a folder that is shared: what players leave is found once, and whatever else is put there does nothing."""

import os
import re
import resource
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, suppress
from pathlib import Path

import pytest

from nhlog.engines.prompts import LookForBones
from nhlog.log.wire.lines import YesNoAnswer
from nhlog.session.bones import MAX_BONES, BonesFolder
from tests.corpus import ROOT
from tests.processes import as_oneself, as_user

ANN, BOB = 60_001, 60_002  # users that nobody is
PLAYERS = 60_010  # and their group
LEVEL, FILE = "Delve:3", "Delve-3.bones"
SECRET = b"nobody's business"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="other users are made by root alone")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder of bones in a player's own folder of games."""
    BonesFolder(tmp_path, "delve").leave("Delve:9", b"")
    return tmp_path / "bones" / "delve"


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder of games as docs/server.md has it made, with the group's number for its name."""
    with tempfile.TemporaryDirectory() as outer:
        os.chmod(outer, 0o755)
        games = Path(outer) / "nhlog"
        accounts = server().partition("groupadd games-players\n")[2]
        commands = re.findall(r"^(?:mkdir|chown|chgrp|chmod) .*/var/games/nhlog.*$", accounts, re.MULTILINE)
        script = "\n".join(commands).replace("/var/games/nhlog", str(games)).replace("games-players", str(PLAYERS))
        subprocess.run(["sh", "-euc", f"umask 022\n{script}"], check=True)
        yield games


def server() -> str:
    return (ROOT / "docs" / "server.md").read_text()


def take(games: Path) -> Callable[[], str]:
    return lambda: repr(BonesFolder(games, "delve").take(LEVEL))


def leave(games: Path, bones: bytes = b"bones") -> Callable[[], str]:
    return lambda: repr(BonesFolder(games, "delve").leave(LEVEL, bones))


def in_turn(*acts: Callable[[], object]) -> Callable[[], str]:
    return lambda: repr([act() for act in acts][-1])


# one's own


def test_bones_are_found_once(tmp_path: Path) -> None:
    bones = BonesFolder(tmp_path, "delve")
    assert bones.take("A:1") is None
    bones.leave("A:1", b"first")
    bones.leave("A:1", b"second")
    assert [bones.take("A:1"), bones.take("A:1")] == [b"first", None]
    assert LookForBones("A:1").accepts(YesNoAnswer("y")) is False


def test_nothing_but_bones_stays_in_the_folder_and_names_lead_nowhere_else(own: Path) -> None:
    bones = BonesFolder(own.parents[1], "delve")
    bones.take("Delve:9")
    bones.leave("../../etc: x", b"safe")
    assert [file.name for file in own.iterdir()] == ["-etc-x.bones"]
    assert bones.take("../../etc: x") == b"safe"
    assert list(own.iterdir()) == []


def test_what_is_larger_than_any_bones_is_neither_left_nor_found(own: Path) -> None:
    bones = BonesFolder(own.parents[1], "delve")
    bones.leave(LEVEL, bytes(MAX_BONES + 1))
    assert not (own / FILE).exists()
    bones.leave(LEVEL, bytes(MAX_BONES))
    assert bones.take(LEVEL) == bytes(MAX_BONES)
    with (own / FILE).open("wb") as file:
        file.truncate(1 << 40)
    assert bones.take(LEVEL) is None


def test_bones_that_cannot_be_written_whole_leave_nothing(own: Path) -> None:
    def leave_large() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        BonesFolder(own.parents[1], "delve").leave(LEVEL, bytes(1000))
        BonesFolder(own.parents[1], "delve").leave("Delve:4", bytes(100))
        return "done"

    assert as_oneself(leave_large) == "done"
    assert sorted(file.name for file in own.iterdir()) == ["Delve-4.bones", "Delve-9.bones"]


def secret_link(own: Path) -> None:
    (own / "../../secret").write_bytes(SECRET)
    (own / FILE).symlink_to("../../secret")


def hard_link(own: Path) -> None:
    (own / "../../secret").write_bytes(SECRET)
    os.link(own / "../../secret", own / FILE)


def socket_file(own: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server, chdir(own):  # a socket's name is short
        server.bind(FILE)


PLANTED: dict[str, Callable[[Path], object]] = {
    "a link": secret_link,
    "a link to nothing": lambda own: (own / FILE).symlink_to("nowhere"),
    "a link to a device": lambda own: (own / FILE).symlink_to("/dev/zero"),
    "a second name": hard_link,
    "a FIFO": lambda own: os.mkfifo(own / FILE),
    "a folder": lambda own: (own / FILE).mkdir(),
    "a full folder": lambda own: (own / FILE / "x").mkdir(parents=True),
    "a socket": socket_file,
}


@pytest.mark.timeout(10)
@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED)
def test_what_is_no_file_of_its_own_is_no_bones_and_gives_way(own: Path, plant: Callable[[Path], object]) -> None:
    plant(own)
    bones = BonesFolder(own.parents[1], "delve")
    bones.leave(LEVEL, b"not over it")
    assert bones.take(LEVEL) is None
    bones.leave(LEVEL, b"bones")
    assert bones.take(LEVEL) == b"bones"


@pytest.mark.parametrize("name", ["bones", "bones/delve"])
def test_a_folder_that_is_a_link_is_not_used(tmp_path: Path, own: Path, name: str) -> None:
    (own / FILE).write_bytes(SECRET)
    folder = tmp_path / name
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    bones = BonesFolder(tmp_path, "delve")
    bones.leave("Delve:4", b"bones")
    assert bones.take(LEVEL) is None
    assert not list(tmp_path.rglob("Delve-4*"))


def test_no_folder_of_games_is_no_bones(tmp_path: Path) -> None:
    bones = BonesFolder(tmp_path / "gone", "delve")
    bones.leave(LEVEL, b"bones")
    assert bones.take(LEVEL) is None
    (tmp_path / "gone").write_bytes(b"")
    bones.leave(LEVEL, b"bones")
    assert bones.take(LEVEL) is None


# shared


@as_root
@pytest.mark.parametrize("umask", [0o022, 0o027])
def test_what_one_player_leaves_another_finds_once(shared: Path, umask: int) -> None:
    as_user(ANN, in_turn(lambda: os.umask(umask), leave(shared)), groups=(PLAYERS,))
    assert as_user(BOB, take(shared), groups=(PLAYERS,)) == "b'bones'"
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "None"
    assert os.listdir(shared / "bones/delve") == []


@as_root
def test_who_keeps_everything_to_themselves_leaves_nothing_and_blocks_nothing(shared: Path) -> None:
    as_user(ANN, in_turn(lambda: os.umask(0o077), leave(shared)), groups=(PLAYERS,))
    assert as_user(BOB, take(shared), groups=(PLAYERS,)) == "None"
    assert as_user(BOB, in_turn(leave(shared), take(shared)), groups=(PLAYERS,)).endswith("bones'\"")


@as_root
def test_a_guest_of_no_group_takes_and_leaves_nothing(shared: Path) -> None:
    as_user(ANN, leave(shared), groups=(PLAYERS,))
    assert as_user(BOB, take(shared)) == "None"
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "b'bones'"
    as_user(BOB, leave(shared))
    assert os.listdir(shared / "bones/delve") == []


def private(games: Path, permissions: int = 0o600) -> Path:
    """A file of Ann's that nobody else can read, but for her own group."""
    secret = games.parent / "secret"
    secret.write_bytes(SECRET)
    os.chown(secret, ANN, ANN)
    secret.chmod(permissions)
    return secret


@as_root
@pytest.mark.timeout(10)
@pytest.mark.parametrize("plant", [os.symlink, os.link, os.rename])
def test_nobody_gets_a_private_file_into_another_players_game(shared: Path, plant: Callable[..., None]) -> None:
    """Not even where the system lets them link to it, or move it."""
    plant(private(shared), shared / "bones/delve" / FILE)
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "None"


@as_root
@pytest.mark.parametrize("folder_permissions", [0o2775, 0o775, 0o777, 0o3777])
@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o660])
def test_what_not_all_can_read_who_may_leave_something_there_was_left_by_none_of_them(
    shared: Path, permissions: int, folder_permissions: int
) -> None:
    (shared / "bones/delve").chmod(folder_permissions)
    os.rename(private(shared, permissions), shared / "bones/delve" / FILE)
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "None"


@as_root
@pytest.mark.parametrize(("permissions", "found"), [(0o600, "None"), (0o640, "None"), (0o644, f"{SECRET!r}")])
def test_root_finds_in_a_players_own_folder_what_all_can_read(shared: Path, permissions: int, found: str) -> None:
    for name in ("", "bones", "bones/delve"):
        os.chown(shared / name, ANN, ANN)
        (shared / name).chmod(0o755)
    os.rename(private(shared, permissions), shared / "bones/delve" / FILE)
    assert take(shared)() == found


@as_root
def test_a_file_whose_owner_may_not_write_there_was_left_by_somebody_else(shared: Path) -> None:
    file = shared / "bones/delve" / FILE
    file.write_bytes(SECRET)
    os.chown(file, BOB, BOB)
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "None"


@as_root
def test_in_a_sticky_folder_one_finds_ones_own(shared: Path) -> None:
    (shared / "bones/delve").chmod(0o3775)
    as_user(ANN, leave(shared), groups=(PLAYERS,))
    assert as_user(BOB, take(shared), groups=(PLAYERS,)) == "None"
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "b'bones'"
    assert os.listdir(shared / "bones/delve") == []


@as_root
@pytest.mark.timeout(10)
@pytest.mark.parametrize("plant", [os.mkfifo, os.mkdir])
def test_in_a_sticky_folder_what_another_planted_stays_and_does_nothing(
    shared: Path, plant: Callable[[Path], None]
) -> None:
    folder = shared / "bones/delve"
    folder.chmod(0o3775)
    as_user(BOB, lambda: repr(plant(folder / FILE)), groups=(PLAYERS,))
    assert as_user(ANN, in_turn(leave(shared), take(shared)), groups=(PLAYERS,)) == "'None'"
    assert os.listdir(folder) == [FILE]


@as_root
def test_a_folder_that_another_player_made_is_not_used(shared: Path) -> None:
    """Where the administrator forgot to."""
    for name in ("bones/delve", "bones"):
        (shared / name).rmdir()

    def make() -> str:
        folder = shared / "bones/delve"
        folder.mkdir(parents=True)
        folder.parent.chmod(0o777)
        folder.chmod(0o777)
        (folder / FILE).write_bytes(b"bones")
        return ""

    assert as_user(BOB, make, groups=(PLAYERS,)) == ""
    as_user(ANN, lambda: repr(BonesFolder(shared, "delve").leave("Delve:4", b"bones")), groups=(PLAYERS,))
    assert as_user(ANN, take(shared), groups=(PLAYERS,)) == "None"
    assert os.listdir(shared / "bones/delve") == [FILE]


@as_root
def test_nobody_makes_the_folder_in_a_folder_of_games_of_somebody_else(shared: Path) -> None:
    for name in ("bones/delve", "bones"):
        (shared / name).rmdir()
    as_user(ANN, leave(shared), groups=(PLAYERS,))
    assert os.listdir(shared) == []


@as_root
def test_many_finders_have_it_once(shared: Path) -> None:
    """Each of two players takes what is there, again and again, while a third leaves it anew."""
    reading, writing = os.pipe()
    children = []
    for user in (ANN, BOB):
        child = os.fork()
        if not child:
            os.close(reading)
            with suppress(OSError):
                os.write(writing, as_user(user, _takes(shared), groups=(PLAYERS,)).encode())
            os._exit(0)
        children.append(child)
    os.close(writing)
    left = [b"%d;" % number for number in range(200)] + [b"end;", b"end;"]
    bones, file = BonesFolder(shared, "delve"), shared / "bones/delve" / FILE
    for one in left:
        bones.leave(LEVEL, one)
        while file.exists():
            os.sched_yield()
    with open(reading, "rb") as pipe:
        found = pipe.read()
    for child in children:
        os.waitpid(child, 0)
    assert sorted(found.split(b";")) == sorted(b"".join(left).split(b";"))


def _takes(games: Path) -> Callable[[], str]:
    def act() -> str:
        found, bones = b"", BonesFolder(games, "delve")
        while not found.endswith(b"end;"):
            found += bones.take(LEVEL) or b""
        return found.decode()

    return act
