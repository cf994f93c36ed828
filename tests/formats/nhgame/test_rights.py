"""Who may cut lines off a game, by its mode, its owner and the system's config; and who can."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.formats.nhgame import rights
from nhlog.formats.nhgame.rights import NotAllowed, check_right
from nhlog.log.file import LogFile
from nhlog.log.wire.header import MODES
from terminal.cli import main
from tests.builders import played
from tests.processes import as_oneself, as_user

ANN, BOB, GROUP = 60_001, 60_002, 60_010  # users that nobody is
OPEN = ("explore", "wizard")
CLOSED = ("normal", "set seed")

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="other users are made by root alone")

Named = Callable[..., None]


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Named:
    """Has the system's config name these administrators."""

    def name(*administrators: object) -> None:
        config = Config(administrators=tuple(map(str, administrators)))
        monkeypatch.setattr(rights, "read_config", lambda: config)

    name()
    return name


@pytest.fixture
def asked_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Has another user be the one who asks, who can write all the same."""
    return lambda user: monkeypatch.setattr(os, "getuid", lambda: user)


def game(path: Path, mode: str) -> str:
    data = played(12).data.replace(b" 0 1 ", b" 0 %d " % MODES.index(mode), 1)
    path.write_bytes(data)
    return str(path)


def refusal(path: str, **options: bool) -> str:
    """Why the user may not; empty if they may."""
    with LogFile(path) as file:
        try:
            check_right(file, **options)
        except NotAllowed as error:
            return error.message
    return ""


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("mode", OPEN)
@pytest.mark.parametrize("administrators", [(), ("the boss",)])
def test_an_open_game_is_its_owners(
    tmp_path: Path, named: Named, administrators: tuple[str, ...], mode: str, force: bool
) -> None:
    named(*administrators)
    assert refusal(game(tmp_path / "game", mode), force=force) == ""


@pytest.mark.parametrize("mode", CLOSED)
def test_any_other_game_is_its_owners_by_force_where_nobody_is_administrator(
    tmp_path: Path, named: Named, mode: str
) -> None:
    path = game(tmp_path / "game", mode)
    assert "--force" in refusal(path)
    assert refusal(path, force=True) == ""


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("mode", CLOSED)
def test_on_a_server_force_makes_nobody_an_administrator(
    tmp_path: Path, named: Named, asked_by: Callable[[int], None], mode: str, force: bool
) -> None:
    path = game(tmp_path / "game", mode)
    named("eve", "the boss")
    assert refusal(path, force=force).endswith("and this is no explore or wizard game of theirs: ask eve or the boss")
    asked_by(ANN)
    assert refusal(path, force=force).startswith(f"{ANN} is no administrator")


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_a_game_is_not_anybody_elses_but_an_administrators(
    tmp_path: Path, named: Named, asked_by: Callable[[int], None], mode: str, force: bool
) -> None:
    path = game(tmp_path / "game", mode)
    owner = Path(path).owner()
    asked_by(ANN)
    assert refusal(path, force=force) == f"the game is {owner}'s, and there are no administrators; ask {owner}"
    named("the boss")
    assert refusal(path, force=force).endswith(": ask the boss")
    named("the boss", ANN)
    assert refusal(path, force=force) == ""


@pytest.mark.parametrize("mode", MODES)
def test_players_who_share_an_account_own_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    path = game(tmp_path / "game", mode)
    monkeypatch.setattr(rights, "read_config", lambda: Config(players=tmp_path))
    assert "there are no administrators" in refusal(path, force=True)
    monkeypatch.setattr(rights, "read_config", lambda: Config(players=tmp_path, administrators=("the boss",)))
    assert refusal(path, force=True).endswith("ask the boss")


def test_nobody_becomes_administrator_by_their_environment(
    tmp_path: Path, named: Named, monkeypatch: pytest.MonkeyPatch
) -> None:
    named("the boss")
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME", "SUDO_USER"):
        monkeypatch.setenv(variable, "the boss")
    assert refusal(game(tmp_path / "game", "normal")).endswith("ask the boss")


@as_root
def test_root_is_administrator_where_the_config_says_so(tmp_path: Path, named: Named) -> None:
    path = game(tmp_path / "game", "normal")
    os.chown(path, BOB, BOB)
    named(ANN)
    assert refusal(path).startswith("root is no administrator")
    named(ANN, "root")
    assert refusal(path) == ""


# who can


@pytest.fixture
def bobs(named: Named) -> Iterator[str]:
    """A normal game of Bob's where all can come to, on a server whose administrator Ann is."""
    named(ANN)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        path = game(Path(folder) / "game.nhgame", "normal")
        os.chown(path, BOB, GROUP)
        os.chmod(path, 0o644)
        yield path


@as_root
def test_an_administrator_who_cannot_write_is_told_the_ways(bobs: str) -> None:
    told = as_user(ANN, lambda: refusal(bobs), groups=(GROUP,))
    way = f"sudo -u {BOB} nhlog rewind does it, or write permission for the game's group (docs/server.md)"
    assert told == f"{ANN} cannot write to this game: {way}"


@as_root
def test_an_owner_who_cannot_write_is_told_to_change_that(bobs: str) -> None:
    game(Path(bobs), "wizard")
    os.chmod(bobs, 0o444)
    assert as_user(BOB, lambda: refusal(bobs)) == "your game is write-protected; use chmod u+w"


@as_root
def test_a_group_that_may_write_is_a_way(bobs: str) -> None:
    os.chmod(bobs, 0o664)
    assert as_user(ANN, lambda: refusal(bobs), groups=(GROUP,)) == ""
    assert as_user(ANN, lambda: refusal(bobs)).startswith(f"{ANN} cannot write")


@as_root
@pytest.mark.parametrize(("asks", "code"), [(ANN, 0), (BOB, 1)])
def test_the_owners_rights_are_a_way_as_long_as_the_system_knows_who_asks(
    bobs: str, monkeypatch: pytest.MonkeyPatch, asks: int, code: int
) -> None:
    """What `sudo -u` does with `stay_setuid`: Ann asks, and Bob's permissions write."""
    for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, "/nonexistent")
    size = os.path.getsize(bobs)
    main(["rewind", bobs, "--to", "turn:8", "--dry-run"])  # imports what Bob may not be able to read

    def rewind() -> str:
        os.setgroups([])
        os.setresgid(BOB, BOB, BOB)
        os.setresuid(asks, BOB, BOB)
        return str(main(["rewind", bobs, "--to", "turn:8", "--yes"]))

    assert as_oneself(rewind) == str(code)
    assert (os.path.getsize(bobs) < size) == (code == 0)
    kept = Path(f"{bobs}.cut-00000002")
    assert kept.exists() == (code == 0)
    assert code or kept.stat().st_uid == BOB
