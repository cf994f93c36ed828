"""Who may do what: the server of docs/scale.md, as it stands there, and what it tells whom it does not let in."""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nhlog.config import Relay, read_config
from nhlog.errors import RemoteUnreachable, Usage
from nhlog.relay.connection import NotPermitted, connected
from nhlog.relay.copy import Copy
from nhlog.relay.login import options_of
from nhlog.relay.receiving import receive
from nhlog.relay.relaying import relay
from nhlog.relay.wire import ANNOUNCEMENTS, Game
from tests.relay.documented import documented, make_certificates
from tests.relay.made import copied
from tests.relay.server import NatsServer, nats_server, needs_nats_server
from tests.terminal.pty import NHLOG

pytestmark = [
    needs_nats_server,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl"),
]

MOST = 30.0  # seconds for what takes a few hundredths
GAME = Game("north", "Dies2", "died2.nhgame")
CERTIFICATE = {"tls_ca": "ca.pem", "tls_cert": "north.pem", "tls_key": "north.key"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hub")
    make_certificates(made)
    return made


@pytest.fixture(scope="module")
def hub(folder: Path) -> Iterator[NatsServer]:
    with nats_server(folder, documented("# /etc/nats/hub.conf", folder)) as started:
        yield started


def login(folder: Path, user: str, password: str, **more: str) -> dict[str, Any]:
    options = {"user": user, "password": password, **more}
    return options_of(Relay(options=options, authority=folder / "ca.pem"))


def north(folder: Path, **more: str) -> dict[str, Any]:
    return login(folder, "north", "secret of north", inbox_prefix="_INBOX_north", **more)


def spectator(folder: Path) -> dict[str, Any]:
    return login(folder, "spectator", "for all")


def of_authority(file: Path, **more: Path) -> dict[str, Any]:
    return options_of(Relay(authority=file, **more))


def stranger(folder: Path) -> Path:
    """An authority that nobody knows, which is its own certificate, too; its key lies beside it."""
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=games"
    shell(f"{command} -keyout stranger.key -out stranger.pem", folder)
    return folder / "stranger.pem"


def shell(commands: str, folder: Path) -> None:
    subprocess.run(["sh", "-ec", commands], check=True, capture_output=True, cwd=folder)


def address(server: NatsServer) -> str:
    return f"tls://localhost:{server.port}"


async def at_most(work: Any) -> Any:
    async with asyncio.timeout(MOST):
        return await work


async def reach(url: str, options: dict[str, Any]) -> None:
    async with connected(url, options):
        pass


def test_a_relay_sends_its_games_and_spectators_receive_them(hub: NatsServer, folder: Path, tmp_path: Path) -> None:
    async def play() -> None:
        await relay([path], address(hub), north(folder), "north", None, lambda told: None)
        async with connected(address(hub), spectator(folder)) as connection:
            with closing(Copy(str(tmp_path / "copy.nhgame"))) as copy:
                await receive(connection, GAME, copy, lambda told: None)
            heard = await anext(connection.messages(ANNOUNCEMENTS, 1))
            assert heard.subject == GAME.announcement

    path = copied(tmp_path, GAME.name)
    asyncio.run(at_most(play()))
    assert (tmp_path / "copy.nhgame").read_bytes() == Path(path).read_bytes()


def test_a_relay_that_sends_games_of_another_server_ends(hub: NatsServer, folder: Path, tmp_path: Path) -> None:
    copied(tmp_path)
    for what in (tmp_path, tmp_path / "scripted1.nhgame"):
        with pytest.raises(NotPermitted, match=r'not permitted: publish to "nhlog\.south') as caught:
            asyncio.run(at_most(relay([str(what)], address(hub), north(folder), "south", None, lambda told: None)))
        assert caught.value.exit_code == 7


def test_a_relay_whose_inbox_is_not_its_own_ends(hub: NatsServer, folder: Path, tmp_path: Path) -> None:
    options = login(folder, "north", "secret of north")
    with pytest.raises(NotPermitted, match="not permitted: subscription to"):
        asyncio.run(at_most(relay([copied(tmp_path)], address(hub), options, "north", None, lambda told: None)))


@pytest.mark.parametrize("subject", ["nhlog.north.a.b", "$JS.API.STREAM.DELETE.NHLOG", "$JS.API.STREAM.PURGE.NHLOG"])
def test_spectators_change_nothing(hub: NatsServer, folder: Path, subject: str) -> None:
    async def change() -> None:
        async with connected(address(hub), spectator(folder)) as connection:
            await connection.publish(subject, b"", {})

    with pytest.raises(NotPermitted, match="not permitted: publish to"):
        asyncio.run(at_most(change()))


def test_who_is_not_let_in_is_told_why(hub: NatsServer, folder: Path, tmp_path: Path) -> None:
    unknown = "not trusted: unable to get local issuer"
    refused = (
        ("Authorization Violation", address(hub), login(folder, "north", "guessed")),
        (unknown, address(hub), {}),
        (unknown, address(hub), of_authority(stranger(tmp_path))),
        ("Hostname mismatch", address(hub), north(folder, tls_hostname="elsewhere.example")),
    )
    for why, url, options in refused:
        with pytest.raises(RemoteUnreachable, match=why):
            asyncio.run(at_most(reach(url, options)))


def test_a_server_that_wants_certificates_lets_in_whom_its_authority_has_signed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It closes the connection of others without a word."""
    shell(documented("# a certificate of the relay", folder), folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "nhlog").mkdir()
    settings = "".join(f'{name} = "{folder}/{file}"\n' for name, file in CERTIFICATE.items())
    (tmp_path / "nhlog" / "config.toml").write_text(f"[relay]\n{settings}")
    path = stranger(tmp_path)
    with nats_server(tmp_path, certified(folder, f', ca_file: "{folder}/ca.pem", verify: true')) as server:
        asyncio.run(at_most(reach(address(server), options_of(read_config().relay))))
        for refused in ({}, {"certificate": path, "key": path.with_suffix(".key")}):
            with pytest.raises(RemoteUnreachable, match="must be a certificate that the server") as caught:
                asyncio.run(at_most(reach(address(server), of_authority(folder / "ca.pem", **refused))))
            assert caught.value.exit_code == 7


def test_a_server_whose_certificate_has_expired_is_not_trusted(folder: Path, tmp_path: Path) -> None:
    asked = "openssl req -new -key hub.key -subj /CN=hub -addext subjectAltName=DNS:localhost"
    shell(f"{asked} | openssl x509 -req -CA ca.pem -CAkey ca.key -days -1 -copy_extensions copy -out old.pem", folder)
    with (
        nats_server(tmp_path, certified(folder, "", "old.pem")) as server,
        pytest.raises(RemoteUnreachable, match="the server's certificate is not trusted: certificate has expired"),
    ):
        asyncio.run(at_most(reach(address(server), of_authority(folder / "ca.pem"))))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"authority": "ca.key"}, "/ca.key: tls_ca of .relay. is a file of another kind"),
        ({"certificate": "none.pem"}, "/none.pem: tls_cert of .relay. cannot be read: "),
        (
            {"certificate": "ca.pem", "key": "hub.pem"},
            "/hub.pem: tls_key of .relay. is a file of another kind",
        ),
        ({"certificate": "ca.pem", "key": "hub.key"}, "certificates of .relay. cannot be used: .*MISMATCH"),
        ({"key": "hub.key"}, "tls_key of .relay. needs a certificate"),
    ],
)
def test_a_file_that_is_no_certificate_or_key_is_named_before(folder: Path, files: dict[str, str], why: str) -> None:
    with pytest.raises(Usage, match=why):
        options_of(Relay(**{name: folder / file for name, file in files.items()}))


def certified(folder: Path, more: str, certificate: str = "hub.pem") -> str:
    """The configuration of a server with a certificate, where everybody may do everything."""
    return (
        f'listen: "127.0.0.1:-1"\ntls {{ cert_file: "{folder}/{certificate}", key_file: "{folder}/hub.key"{more} }}\n'
    )


def test_the_program_tells_it_in_one_line(hub: NatsServer, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "nhlog").mkdir()
    settings = f'[relay]\nuser = "north"\npassword = "guessed"\ntls_ca = "{folder}/ca.pem"\n'
    (tmp_path / "nhlog" / "config.toml").write_text(settings)
    command = [*NHLOG, "relay", copied(tmp_path), "--to", address(hub)]
    done = subprocess.run(command, capture_output=True, text=True, env={"XDG_CONFIG_HOME": str(tmp_path)}, check=False)
    assert done.returncode == 7
    assert done.stderr == f"nhlog: {address(hub)}: cannot connect: 'Authorization Violation'\n"


def test_nothing_is_said_to_a_server_without_the_encryption_that_is_asked_for(tmp_path: Path) -> None:
    with nats_server(tmp_path) as server:
        for url, options in ((address(server), {}), (server.url, {"tls_hostname": "hub"})):
            with pytest.raises(RemoteUnreachable, match="has no TLS"):
                asyncio.run(at_most(reach(url, options)))


def test_who_is_not_let_in_any_more_is_told_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server forgets a relay: some versions of nats-py then give up, others try again."""

    async def play(server: NatsServer, settings: str) -> str:
        async with connected(server.url, {"user": "north", "password": "x"}) as connection:
            await connection.make_stream()
            monkeypatch.setattr("nhlog.relay.connection._PATIENCE", 0.5)
            server.configure(settings.replace("north", "south"))
            server.reload()
            while True:
                try:
                    await connection.sequences()
                except (RemoteUnreachable, NotPermitted) as error:
                    if "authorization violation" in error.message.lower():
                        return error.message

    settings = (
        f'listen: "127.0.0.1:-1"\njetstream {{ store_dir: "{tmp_path}" }}\n'
        "authorization { users: [ { user: north, password: x } ] }\n"
    )
    with nats_server(tmp_path, settings) as server:
        assert asyncio.run(at_most(play(server, settings)))
