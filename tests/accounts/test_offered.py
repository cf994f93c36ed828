"""What sshd is answered about a key: one line, or none."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.accounts.offered import line_for, main
from nhlog.accounts.store import Store
from nhlog.errors import Usage
from nhlog.players.keys import KeyLine, parse_key, parse_line
from tests.players.some_keys import ECDSA, FINGERPRINT, KEY

NHLOG = "/usr/local/bin/nhlog"
KIND, DATA, *_ = KEY.split()


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    path = tmp_path / "accounts.db"
    with Store(path, make=True) as store:
        store.add(KeyLine("ann", parse_key(ECDSA)), 5)
        yield path


def settle(path: Path, registration: str) -> None:
    config = path.parent / "etc" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[accounts]\nstore = "{path}"\nregistration = "{registration}"\n')


def asked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["/opt/nhlog/bin/nhlog-keys", *words])
    monkeypatch.setattr(sys, "executable", "/opt/nhlog/bin/python")
    code = main()
    return code, *capsys.readouterr()


def test_a_key_that_is_known_runs_the_lobby_of_its_owner(path: Path) -> None:
    line = line_for(path, parse_key(ECDSA), NHLOG)
    assert parse_line(line) == KeyLine("ann", parse_key(ECDSA))


@pytest.mark.parametrize("registration", ["open", "invited"])
def test_one_that_is_not_known_registers_its_owner(path: Path, registration: str) -> None:
    settle(path, registration)
    line = line_for(path, parse_key(KEY), NHLOG)
    assert line == f'restrict,pty,command="{NHLOG} accounts register {KIND} {DATA}" {KIND} {DATA}'


def test_one_that_is_not_known_is_let_in_by_nothing_where_registration_is_closed(path: Path) -> None:
    assert line_for(path, parse_key(KEY), NHLOG) == ""
    settle(path, "closed")
    assert line_for(path, parse_key(KEY), NHLOG) == ""


def test_who_was_removed_is_a_stranger(path: Path) -> None:
    with Store(path) as store:
        store.remove("ann")
    assert line_for(path, parse_key(ECDSA), NHLOG) == ""


def test_sshd_is_answered(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = asked(capsys, monkeypatch, str(path), *ECDSA.split()[:2])
    assert (code, err) == (0, "")
    assert out.startswith('restrict,pty,command="/opt/nhlog/bin/nhlog lobby --player ann --key SHA256:')


@pytest.mark.parametrize(
    "words",
    [
        (),
        (KIND,),
        (KIND, ""),
        (KIND, f'{DATA}" command="sh'),
        (KIND, f"{DATA}\nssh-rsa {DATA}"),
        ('command="sh" ssh-ed25519', DATA),
        (f"restrict\n{KIND}", DATA),
        (KIND, DATA[:-4]),
        (KIND, DATA + "$(sh)"),
        ("ssh-rsa", DATA),
        (KIND, "A" * 100_000),
        (KIND, DATA, "more"),
    ],
)
def test_hostile_words_are_answered_by_no_line(
    path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(path, "open")
    code, out, err = asked(capsys, monkeypatch, str(path), *words)
    assert (code, out, err.count("\n")) == (2 if len(words) == 2 else 1, "", 1)
    assert err[:-1].isprintable()


def test_without_a_store_nobody_is_let_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(capsys, monkeypatch, str(tmp_path / "gone"), KIND, DATA)[:2] == (1, "")


def test_a_program_whose_path_a_shell_would_change_is_refused(path: Path) -> None:
    settle(path, "open")
    for key in (KEY, ECDSA):
        with pytest.raises(Usage, match="such a path"):
            line_for(path, parse_key(key), "/opt/a b/nhlog")


def test_what_sshd_waits_for_imports_little(path: Path) -> None:
    probe = "import sys, nhlog.accounts.offered; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "dataclasses", "inspect", "json", "tomllib", "msgspec", "hashlib", "nhlog.files"} & {*told}


def test_the_lobby_is_told_which_key_it_was(path: Path) -> None:
    with Store(path) as store:
        store.add(KeyLine("ann", parse_key(KEY)), 6)
    assert f"lobby --player ann --key {FINGERPRINT}" in line_for(path, parse_key(KEY), NHLOG)
