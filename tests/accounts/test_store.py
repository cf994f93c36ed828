"""The store of accounts: each act is done whole or not at all, and a name or a key is one player's."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.accounts.codes import BadCode, digest_of, new_code
from nhlog.accounts.schema import STEPS
from nhlog.accounts.store import Account, Store, Taken
from nhlog.errors import Damaged, LockNotObtained, NhlogError, Unsupported, Usage
from nhlog.players.keys import KeyLine, parse_key
from tests.corpus import ROOT
from tests.players.some_keys import ECDSA, KEY
from tests.starter import Started

ANNS, OTHER = parse_key(KEY), parse_key(ECDSA)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "accounts.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path, make=True) as store:
        yield store


def test_a_key_is_its_owners(store: Store, path: Path) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    store.add(KeyLine("guest", OTHER, spectator=True), 6)
    assert (store.owner_of(ANNS), store.owner_of(OTHER)) == (
        KeyLine("ann", ANNS),
        KeyLine("guest", OTHER, spectator=True),
    )
    with Store(path) as again:
        assert again.keys == [KeyLine("ann", ANNS), KeyLine("guest", OTHER, spectator=True)]
        assert again.accounts == [Account("ann", False, False, 5), Account("guest", True, False, 6)]


def test_others_cannot_read_the_store(store: Store, path: Path) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    assert [stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()] == [0o600]


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (KeyLine("bob", ANNS), "already belongs to ann"),
        (KeyLine("Ann", OTHER), "Ann is too similar to ann"),
        (KeyLine("ann", OTHER, spectator=True), "ann plays"),
        (KeyLine("../ann", OTHER), "bad player name"),
        (KeyLine("a\x1b[2J", OTHER), "bad player name"),
        (KeyLine("bones", OTHER), "bad player name"),
    ],
)
def test_a_key_and_a_name_are_one_players(store: Store, new: KeyLine, why: str) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    with pytest.raises((Taken, Usage), match=why) as refused:
        store.add(new, 6)
    assert str(refused.value).isprintable()
    assert [account.name for account in store.accounts] == ["ann"]


def test_a_removed_player_is_let_in_by_nothing_and_the_name_is_not_free(store: Store) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    store.give_password("ann", "kept")
    store.keep_code("ann", digest_of("aaaa-bbbb-cccc-dddd"), 100, 5)
    store.remove("ann")
    assert (store.owner_of(ANNS), store.password_of("ann")) == (None, None)
    assert store.take_code(digest_of("aaaa-bbbb-cccc-dddd"), 6) is None
    with pytest.raises(Taken, match="ann is taken"), store.change():
        store.register("ann", 7)
    with pytest.raises(Usage, match="ann has no key"):
        store.remove("ann")
    store.add(KeyLine("ann", OTHER), 8)
    assert store.owner_of(OTHER) == KeyLine("ann", OTHER)


def test_a_code_is_one_players_once_and_for_its_time(store: Store) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    code = new_code()
    store.keep_code("ann", digest_of(code), 100, 5)
    typed = code.replace("-", " ").upper()
    assert [store.take_code(digest_of(typed), 99), store.take_code(digest_of(code), 99)] == ["ann", None]
    store.keep_code("ann", digest_of(code), 100, 5)
    assert store.take_code(digest_of(code), 100) is None


def test_of_two_codes_of_a_player_the_later_one_holds(store: Store) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    codes = [digest_of(new_code()) for _ in range(2)]
    for code in codes:
        store.keep_code("ann", code, 100, 5)
    assert [store.take_code(code, 6) for code in codes] == [None, "ann"]


@pytest.mark.parametrize("text", ["", "aaaa-bbbb-cccc", "aaaa-bbbb-cccc-dddo", "a" * 10_000, "\0" * 16])
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(BadCode):
        digest_of(text)


def test_an_invitation_is_used_up(store: Store) -> None:
    code = digest_of(new_code())
    store.invite(code, 2, 100, 5)
    assert [store.use_invitation(code, now) for now in (100, 6, 7, 8)] == [False, True, True, False]


def test_what_is_undone_was_never_there(store: Store) -> None:
    store.add(KeyLine("bob", ANNS), 5)

    def register() -> None:
        with store.change():
            store.register("ann", 5)
            store.give_key("ann", ANNS, 5)

    with pytest.raises(Taken, match="belongs to bob"):
        register()
    assert [account.name for account in store.accounts] == ["bob"]


REGISTER = """
import sys
from pathlib import Path
from nhlog.accounts.store import Store, Taken
with Store(Path(sys.argv[1])) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        with store.change():
            store.register("ann", int(sys.argv[2]))
    except Taken:
        print("taken")
    else:
        print("mine")
"""


def test_of_several_processes_that_register_a_name_at_once_one_has_it(store: Store, path: Path) -> None:
    def process(number: int) -> Started:
        command = [sys.executable, "-c", REGISTER, str(path), str(number)]
        pipe = subprocess.PIPE
        return Started(command, stdin=pipe, stdout=pipe, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})

    processes = [process(number) for number in range(4)]
    for one in processes:
        assert one.stdout.readline() == "ready\n"
    for one in processes:
        one.stdin.write("\n")
        one.stdin.flush()
    said = [one.communicate()[0].strip() for one in processes]
    assert sorted(said) == ["mine", "taken", "taken", "taken"]
    assert store.accounts == [Account("ann", False, False, said.index("mine"))]


def test_one_changes_the_store_at_a_time(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.accounts.store._PATIENCE", 0.0)
    with Store(path) as other, store.change(), pytest.raises(LockNotObtained, match="somebody else is changing"):
        other.add(KeyLine("ann", ANNS), 5)


def test_a_copy_is_a_store(store: Store, tmp_path: Path) -> None:
    store.add(KeyLine("ann", ANNS), 5)
    copy = tmp_path / "copy.db"
    copy.write_bytes(store.copy())
    store.add(KeyLine("ann", OTHER), 6)
    with Store(copy) as again:
        assert again.keys == [KeyLine("ann", ANNS)]


def test_a_file_that_is_made_has_every_step(path: Path) -> None:
    path.touch()
    Store(path).__exit__()
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
    database.close()


def test_the_store_of_a_later_version_is_left_alone(store: Store, path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(Unsupported, match="a later version"):
        Store(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_left_alone(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE players (score INTEGER)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(Damaged, match="another program's database"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 500])
def test_a_damaged_file_is_one_line(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(Damaged) as refused:
        Store(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert str(refused.value).isprintable()


def test_what_is_no_file_is_not_waited_for(path: Path) -> None:
    with pytest.raises(NhlogError, match="no such file"):
        Store(path)
    os.mkfifo(path)
    with pytest.raises(Damaged, match="not a regular file"):
        Store(path)
