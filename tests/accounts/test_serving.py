"""The service at its socket, as a process: who is heard, for how long, and what sessions make of its answers."""

import os
import pwd
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.players.asking import LONGEST, Refused, Register, Welcome, ask, give_code, redeem, socket_of
from tests.corpus import ROOT
from tests.players.some_keys import KEY
from tests.starter import Started
from tests.terminal.pty import NHLOG
from tests.waiting import eventually

DATA = " ".join(KEY.split()[:2])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """The store of a service that runs."""
    for made in ("etc/nhlog", "kept", "players"):
        (tmp_path / made).mkdir(parents=True)
    store = tmp_path / "kept" / "accounts.db"
    (tmp_path / "etc" / "nhlog" / "config.toml").write_text(
        f'players = "{tmp_path}/players"\n[accounts]\nstore = "{store}"\nregistration = "open"\n'
    )
    with serving(tmp_path):
        yield store


@contextmanager
def serving(folder: Path) -> Iterator[Started]:
    """A scope in which a service answers."""
    environment = {**os.environ, "XDG_CONFIG_DIRS": str(folder / "etc"), "PYTHONPATH": str(ROOT)}
    with Started([*NHLOG, "accounts", "serve"], env=environment, stderr=subprocess.PIPE, text=True) as service:
        while service.poll() is None and not connects(folder / "kept" / "accounts.socket"):
            os.sched_yield()
        try:
            yield service
        finally:
            service.kill()


def connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asked:
        return asked.connect_ex(str(path)) == 0


def test_a_session_is_answered(store: Path) -> None:
    assert ask(store, Welcome(key=DATA)) == {"registration": "open"}
    assert ask(store, Register(name="ann", key=DATA)) == {"player": "ann"}
    with pytest.raises(Refused, match="already belongs to ann"):
        ask(store, Register(name="eve", key=DATA))


def test_a_code_is_redeemed_once(store: Path) -> None:
    ask(store, Register(name="ann", key=DATA))
    code, until = give_code(store, "ann")
    assert until > 1_700_000_000
    assert redeem(store, code, "192.0.2.7") == "ann"
    with pytest.raises(Refused, match="this code is wrong, was used, or is too old"):
        redeem(store, code, "192.0.2.7")


def test_only_one_service_runs(store: Path) -> None:
    folder = store.parents[1]
    environment = {**os.environ, "XDG_CONFIG_DIRS": str(folder / "etc"), "PYTHONPATH": str(ROOT)}
    with Started([*NHLOG, "accounts", "serve"], env=environment, stderr=subprocess.PIPE, text=True) as second:
        assert second.wait() == 1
        assert "the service runs already" in second.stderr.read()
    assert ask(store, Welcome()) == {"registration": "open"}


def test_a_line_that_is_too_long_and_one_that_never_ends_are_not_answered(store: Path) -> None:
    with socket.socket(socket.AF_UNIX) as long, socket.socket(socket.AF_UNIX) as slow:
        for one in (slow, long):
            one.connect(str(socket_of(store)))
        slow.sendall(b'{"do": "wel')
        try:
            long.sendall(b"x" * 3 * LONGEST)
            assert long.recv(100) == b""
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert ask(store, Welcome()) == {"registration": "open"}  # nobody waits for them
        assert slow.recv(100) == b""


def test_more_than_so_many_at_once_are_not_heard(store: Path) -> None:
    with ExitStack() as stack:

        def is_crowded() -> bool:
            """Whether one more is not heard; on a busy machine those that say nothing may be sent away before."""
            idle = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(64)]
            for one in idle:
                one.connect(str(socket_of(store)))
            try:
                ask(store, Welcome())
            except NhlogError as error:
                return "does not answer" in str(error)
            finally:
                for one in idle:
                    one.close()
            return False

        assert eventually(is_crowded)
        while True:  # until the service has noticed
            try:
                assert ask(store, Welcome()) == {"registration": "open"}
                break
            except NhlogError:
                os.sched_yield()


@pytest.mark.skipif(os.geteuid() != 0, reason="another user is asked for by root alone")
def test_nobody_else_is_heard(store: Path) -> None:
    for above in (store.parent, *store.parents[1:-2]):
        above.chmod(0o755)
    code = f"import socket; s = socket.socket(socket.AF_UNIX); s.connect({str(socket_of(store))!r})\n"
    code += 's.sendall(b\'{"do": "welcome"}\\n\'); print(s.recv(100))'
    nobody = pwd.getpwnam("nobody")
    done = subprocess.run(
        ["/usr/bin/env", "python3", "-I", "-c", code],
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "b''\n" or "Error: [Errno 104]" in done.stderr or "Error: [Errno 32]" in done.stderr


def test_without_a_service_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(NhlogError, match="the service of accounts does not answer: no such file or directory"):
        ask(tmp_path / "accounts.db", Welcome())
