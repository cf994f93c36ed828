"""Requests that no page makes, and processes that die: the server goes on, and reads nothing but recordings."""

import os
import random
import signal
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from nhlog.files.processes import state_of
from scripts.measures.processes import descendants
from tests.corpus import SAMPLES
from tests.terminal.web.site import Served, serving
from tests.waiting import PATIENCE

SECRET = "nobody may read this"
OPENING = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of recordings with one that is damaged, one that is no recording, and links that lead out of it."""
    folder = tmp_path_factory.mktemp("places")
    (folder / "games").mkdir()
    (folder / "secret.cast").write_text(f'{{"version": 2, "width": 80, "height": 24}}\n[0, "o", "{SECRET}"]\n')
    (folder / "secret").write_text(SECRET)
    (folder / "games" / "game.nhgame").write_bytes((SAMPLES / "died2.nhgame").read_bytes())
    (folder / "games" / "other.nhgame").write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
    (folder / "games" / "broken.nhgame").write_bytes(random.Random(1).randbytes(5000))
    (folder / "games" / "link.cast").symlink_to(folder / "secret.cast")
    (folder / "games" / "secret.txt").write_text(SECRET)
    return folder


@pytest.fixture(scope="module")
def served(places: Path) -> Iterator[Served]:
    cache = places / "cache"
    settings = places / "config" / "nhlog"
    settings.mkdir(parents=True)
    (settings / "config.toml").write_text("[web]\nviewers_of_address = 400\nlooking_back = 2\n")
    with serving(places / "games", XDG_CACHE_HOME=str(cache), XDG_CONFIG_HOME=str(settings.parent)) as served:
        yield served
        assert served.process.poll() is None
    assert served.process.returncode == 0  # of SIGTERM
    assert not cache.exists()  # neither this nor anything else was written
    assert sorted(path.name for path in (places / "games").iterdir()) == [
        "broken.nhgame",
        "game.nhgame",
        "link.cast",
        "other.nhgame",
        "secret.txt",
    ]


def said_to(served: Served, request: bytes) -> bytes:
    """All that is answered to these bytes, until the server has nothing more to say."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        answer = b""
        try:
            connection.sendall(request)
            with suppress(OSError):  # it may have hung up already
                connection.shutdown(socket.SHUT_WR)
            while data := connection.recv(1 << 16):
                answer += data
        except ConnectionError:
            pass  # it does not listen to its end
        return answer


PATHS = [
    "/../secret",
    "/static/../../secret",
    "/static/%2e%2e/%2e%2e/secret",
    "/static/..%2f..%2fsecret",
    "/static//etc/passwd",
    "/static/lobby.js%00.html",
    "/r/../games/secret.txt",
    "/r/%2e%2e%2fsecret",
    "/r/{place}",
    "/r//",
    "/recordings/../secret.cast",
    "/recordings/%2e%2e%2fsecret.cast",
    "/recordings/link.cast",
    "/recordings/secret.cast",
    "/ws/view/../../secret",
    "/ws/view/%2e%2e",
    "http://[/",
    "//[/",
    "*",
    "\\..\\secret",
    "/\x01\x7f",
    "/" + "a" * 60_000,
    "/r/" + "%" * 1000,
    "/?" + "&".join("a=b" for _ in range(2000)),
]
REQUESTS = [
    *(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" for path in PATHS),
    *(OPENING.format(path=path) for path in PATHS),
    *(
        f"{verb} / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        for verb in ("PUT", "DELETE", "TRACE", "CONNECT", "\0", "A" * 9999)
    ),
    "POST /r/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\nx",
    "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + "".join(f"X-{n}: y\r\n" for n in range(500)) + "\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "y" * 200_000 + "\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: " + "1," * 5000 + "\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: [\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET /\r\n\r\n",
    "\r\n\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]


def test_no_request_reads_another_file_or_ends_the_server(served: Served, places: Path) -> None:
    place = str(places / "secret").replace("/", "%2f")
    for request in REQUESTS:
        answer = said_to(served, request.replace("{place}", place).encode("latin-1"))
        assert SECRET.encode() not in answer
        assert b"root:" not in answer
        assert not answer.startswith(b"HTTP/1.1 5"), request[:200]
    assert served.get("/").status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_all_methods_but_two_are_refused(served: Served, method: str) -> None:
    assert served.get("/", method).status == 405


def test_a_link_that_leads_out_of_the_folder_is_no_recording(served: Served) -> None:
    titles = {row["title"] for row in served.rows().values()}
    assert titles == {"broken.nhgame", "Dies2, human Valkyrie", "Scripty, human Wizard"}


FRAMES = {
    "not masked": b"\x81\x01x",
    "reserved bits": b"\xf1\x81\0\0\0\0x",
    "an unknown opcode": b"\x83\x81\0\0\0\0x",
    "too large": b"\x81\xff" + struct.pack("!Q", 1 << 62) + b"\0\0\0\0",
    "a little too large": b"\x81\xfe" + struct.pack("!H", 1025) + b"\0\0\0\0" + b"x" * 1025,
    "no UTF-8": b"\x81\x82\0\0\0\0\xff\xfe",
    "a long ping": b"\x89\xfe\x01\x00\0\0\0\0" + b"x" * 256,
    "a rest of nothing": b"\x80\x81\0\0\0\0x",
    "a close that is none": b"\x88\x81\0\0\0\0x",
    "rubbish": random.Random(7).randbytes(3000),
    "pings without end": b"\x89\x80\0\0\0\0" * 20_000,
    "messages without end": b"\x81\x82\0\0\0\0{}" * 20_000,
}
WISHES = [
    "",
    "[]",
    '{"a": ' + "[" * 1000,
    "nonsense",
    '{"key": 5}',
    '{"key": ""}',
    '{"key": "go abc"}',
    '{"key": "row /etc/passwd"}',
    '{"key": "\\u0000"}',
    '{"key": "#"}',
    '{"step": -1}',
    '{"step": 1e300}',
    '{"step": 99999999999999999999999}',
    '{"seek": "marker:' + "x" * 900 + '"}',
    '{"seek": "99999999999999999999"}',
    '{"click": [-1, -1]}',
    '{"click": [99999999999, 0]}',
    '{"click": [1]}',
    '{"size": "1x1"}',
    '{"size": null}',
    '{"search": "("}',
    '{"search": "' + "(a*)*" * 100 + 'b"}',
    "[" * 1000,
    '{"a":' * 170,
]


def test_broken_frames_close_their_own_connection(served: Served) -> None:
    address = f"/ws/view/{served.rows()['Scripty']['id']}"
    with served.page(address) as other:
        other.until("full")
        for frame in FRAMES.values():
            assert b"101 Switching" in said_to(served, OPENING.format(path=address).encode() + frame)
        other.send(key="g")
        other.stands("turn 1")


def test_messages_that_mean_nothing_are_passed_over(served: Served) -> None:
    with served.page(f"/ws/view/{served.rows()['Dies2']['id']}?at=nonsense") as page:
        page.until("full")
        for wish in WISHES:
            page.socket.send(wish)
        page.send(size="80x24")
        page.send(seek="turn:241")
        page.stands("turn 241")


def test_other_sites_pages_may_not_look(served: Served) -> None:
    asked = OPENING.format(path="/ws/lobby").replace("Upgrade: w", "Origin: https://evil.example\r\nUpgrade: w")
    assert said_to(served, asked.encode()).startswith(b"HTTP/1.1 403")
    own = asked.replace("https://evil.example", "http://127.0.0.1")
    assert said_to(served, own.encode()).startswith(b"HTTP/1.1 101")
    assert served.get("/", headers={"Host": "evil.example"}).status == 421


def test_a_recording_that_cannot_be_read_says_why(served: Served) -> None:
    with served.page(f"/ws/view/{served.rows()['broken.nhgame']['id']}") as page:
        assert page.until("error")["text"]
        with pytest.raises(ConnectionClosed) as closed:
            page.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_who_looks_back_when_all_places_are_taken_is_told_so(served: Served) -> None:
    address = f"/ws/view/{served.rows()['Dies2']['id']}"
    with served.page(address) as one, served.page(address) as two, served.page(address) as three:
        for page in (one, two):
            page.until("full")
            page.send(key="G")
            page.stands("turn 449")
        three.until("full")
        three.send(key="G")
        assert "look back" in three.until("busy")["text"]
        assert three.state["step"] == 0


def test_another_file_of_the_same_name_is_shown_in_place_of_the_one_before(served: Served, places: Path) -> None:
    file = places / "games" / "other.nhgame"
    with served.page(f"/ws/view/{served.rows()['Scripty']['id']}") as page:
        page.stands("turn 91")
        new = places / "new"
        new.write_bytes((SAMPLES / "delve.nhgame").read_bytes())
        new.replace(file)
        page.shows("Brisk")


def readers(served: Served) -> set[int]:
    """All processes that the server has begun."""
    return {*descendants(served.process.pid)}


def test_when_all_that_reads_is_killed_pages_are_told_and_may_come_again(served: Served) -> None:
    address = f"/ws/view/{served.rows()['Dies2']['id']}"
    with served.page(address) as page:
        page.until("full")
        killed = readers(served)
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert page.until("error")["text"] == "its reader broke down"
        with pytest.raises(ConnectionClosed):
            page.next()
    while any(map(runs, killed)):  # until the test takes too long
        time.sleep(0.01)
    with served.page(address) as page:
        page.until("full")


def runs(pid: int) -> bool:
    """Whether a process has not ended yet: one that is killed still answers until it has."""
    return state_of(pid) not in ("", "Z")


def test_a_signal_ends_the_server_and_all_that_it_began(places: Path) -> None:
    with serving(places / "games") as served:
        with served.page(f"/ws/view/{served.rows()['Dies2']['id']}") as page:
            page.until("full")
            begun = readers(served)
            served.process.send_signal(signal.SIGINT)
            with pytest.raises(ConnectionClosed) as closed:
                page.until("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert served.process.wait(PATIENCE) == 0
        assert served.process.stderr is not None
        assert served.process.stderr.read() == ""
    for pid in begun:
        while Path(f"/proc/{pid}").exists():  # until the test takes too long
            time.sleep(0.01)
