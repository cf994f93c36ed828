"""Files on web servers: what is given is what was asked for, and every request ends, whatever the server does."""

import os
import signal
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError

import pytest

from nhlog.errors import RemoteUnreachable, Unsupported, Usage
from nhlog.remote import NotThere, address, open_address
from nhlog.remote.web import _Lines
from tests.corpus import ROOT
from tests.remote.hostile import Answer, Hostile, drip, dropped, endless, ranged, reset, sent, silent

HEAD = b"HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-9/100\r\nContent-Length: 10\r\n\r\n"
CHUNKED = b"HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-9/100\r\nTransfer-Encoding: chunked\r\n\r\n"
GOOD = sent(HEAD + b"0123456789")
MOST_TOLD = 400  # characters of a message, but for the address


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_PAUSE", 0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_PATIENCE", 0.2)


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def unreachable(server: Hostile, what: str, *, size: int = 10, offset: int = 0, requests: int = 1) -> None:
    """That a range cannot be had, is told in one line, and was asked for so many times."""
    with pytest.raises(RemoteUnreachable, match=what) as error:
        open_address(server.address).pread(size, offset)
    assert (error.value.exit_code, error.value.file) == (7, server.address)
    assert len(str(error.value)) < MOST_TOLD
    assert len(server.asked) == requests


def test_a_range_is_one_request() -> None:
    with Hostile(GOOD) as server:
        assert open_address(server.address + "a").pread(10, 0) == b"0123456789"
        [asked] = server.asked
        assert asked.startswith("GET /a HTTP/1.1\r\n")
        assert "Range: bytes=0-9\r\n" in asked


def test_nothing_is_asked_for_no_bytes() -> None:
    with Hostile(GOOD) as server:
        assert open_address(server.address).pread(0, 5) == b""
        assert server.asked == []


# what breaks off

BROKEN = {
    "before the answer": dropped(b""),
    "in the status line": dropped(b"HTTP/1.1 20"),
    "in the headers": dropped(b"HTTP/1.1 206 Partial\r\nContent-Ra"),
    "before the body": dropped(HEAD),
    "in the body": dropped(HEAD + b"01234"),
    "in the body of an answer that is no range": dropped(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n01234"),
    "in a chunk": dropped(CHUNKED + b"a\r\n01234"),
    "between chunks": dropped(CHUNKED + b"5\r\n01234\r\n"),
    "at an end too early": dropped(CHUNKED + b"5\r\n01234\r\n0\r\n\r\n"),
    "by a reset": reset(HEAD + b"01234"),
    "by a reset before the answer": reset(b""),
    "with an error": sent(b"HTTP/1.1 500 No\r\n\r\n"),
    "for so many who ask": sent(b"HTTP/1.1 429 Later\r\n\r\n"),
    "with what is not HTTP": sent(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "with no status": sent(b"HTTP/1.1 abc\r\n\r\n"),
    "with an impossible status": sent(b"HTTP/1.1 -5 x\r\n\r\n"),
    "with a long line": sent(b"HTTP/1.1 " + b"9" * 100_000),
    "with a long header": sent(b"HTTP/1.1 206 Partial\r\nX: " + b"9" * 100_000),
    "with too many headers": sent(b"HTTP/1.1 206 Partial\r\n" + b"X: y\r\n" * 1000),
    "with chunks of no length": sent(CHUNKED + b"\x1b[2J\r\n0123456789"),
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_an_answer_that_breaks_off_is_asked_for_again(answer: Answer) -> None:
    with Hostile(answer, answer, GOOD) as server:
        assert open_address(server.address).pread(10, 0) == b"0123456789"
        assert len(server.asked) == 3
    with Hostile(answer) as server:
        unreachable(server, "no proper answer: .", requests=3)


# what is not what was asked for

LIES = {
    "another place": ranged(b"0123456789", "bytes 10-19/100"),
    "one byte on": ranged(b"0123456789", "bytes 1-10/100"),
    "too few": ranged(b"012345678", "bytes 0-8/100"),
    "all but the first byte": ranged(b"123456789", "bytes 1-9/100"),
    "the whole of a longer file": ranged(b"0123456789ab", "bytes 0-11/12"),
    "too many": ranged(b"0123456789a", "bytes 0-10/100"),
    "backwards": ranged(b"", "bytes 0--1/100"),
    "the end before the beginning": ranged(b"", "bytes 9-0/100"),
    "behind the end": ranged(b"0123456789", "bytes 0-9/5"),
    "no length": ranged(b"0123456789", "bytes 0-9"),
    "another unit": ranged(b"0123456789", "lines 0-9/100"),
    "no numbers": ranged(b"0123456789", "bytes \xc2\xb2-\xc2\xb3/9"),
    "absurd numbers": ranged(b"0123456789", f"bytes 0-{'9' * 5000}/{'9' * 5001}"),
    "control characters": ranged(b"0123456789", "\x1b]0;x\x07"),
    "no range": b"HTTP/1.1 206 Partial\r\nContent-Length: 10\r\n\r\n0123456789",
    "parts": b"HTTP/1.1 206 Partial\r\nContent-Type: multipart/byteranges; boundary=x\r\n\r\n--x\r\n",
    "two lengths": ranged(b"0123456789", "bytes 0-9/100", length=11),
    "an end that is none": b"HTTP/1.1 416 No\r\nContent-Range: bytes */100\r\n\r\n",
}


@pytest.mark.parametrize("answer", LIES.values(), ids=LIES)
def test_another_range_than_was_asked_for_is_refused(answer: bytes) -> None:
    with Hostile(sent(answer)) as server:
        unreachable(server, "not what was asked for: expected bytes 0 to 9", requests=3)


def test_a_range_may_be_shorter_only_at_the_end_of_the_file() -> None:
    with Hostile(sent(ranged(b"01234", "bytes 95-99/100"))) as server:
        assert open_address(server.address).pread(10, 95) == b"01234"
    with Hostile(sent(ranged(b"01234", "bytes 95-99/*"))) as server:
        assert open_address(server.address).pread(10, 95) == b"01234"
    for told in (b"", b"Content-Range: bytes */100\r\n"):
        with Hostile(sent(b"HTTP/1.1 416 No\r\n" + told + b"\r\n")) as server:
            assert open_address(server.address).pread(10, 100) == b""


@pytest.mark.parametrize("length", ["-1", "ten", "9" * 19, "9" * 5000, "1e3", "\xb2", "0x10", "5, 5"])
def test_a_length_that_no_file_has_is_refused(length: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode("latin-1")
    with Hostile(sent(head + b"0123456789")) as server:
        unreachable(server, "a length that no file has", requests=3)
        with pytest.raises(RemoteUnreachable, match="a length that no file has"):
            open_address(server.address).size()


def test_a_huge_length_takes_no_memory() -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {10**18 - 1}\r\n\r\n".encode()
    with Hostile(sent(head + b"0123456789")) as server:
        assert open_address(server.address).size() == 10**18 - 1
        tracemalloc.start()
        assert open_address(server.address).pread(10, 0) == b"0123456789"
        with pytest.raises(RemoteUnreachable, match="after 10 of 16777216 bytes"):
            open_address(server.address).pread(16 << 20, 0)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
        b"HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-9/100\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n",
    ],
)
def test_of_an_endless_answer_no_more_is_taken_than_was_asked_for(head: bytes) -> None:
    with Hostile(endless(head, b"0" * 65536)) as server:
        tracemalloc.start()
        assert open_address(server.address).pread(10, 0) == b"0000000000"
        server.wait_until_left()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4 << 20


def test_a_chunk_of_less_than_nothing_is_not_all_there_is() -> None:
    """For `http.client.HTTPResponse.read` it is."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"
    with Hostile(endless(head, b"0" * 65536)) as server:
        tracemalloc.start()
        unreachable(server, "no proper answer", requests=3)
        server.wait_until_left()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4 << 20


# redirects


def moved(place: str, status: int = 302) -> Answer:
    return sent(f"HTTP/1.1 {status} Moved\r\nLocation: {place}\r\n\r\n".encode())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed_with_the_same_question(status: int) -> None:
    with Hostile(moved("/ünd/b?c#d", status), GOOD) as server:
        assert open_address(server.address + "a").pread(10, 0) == b"0123456789"
        assert [asked.split(" ")[1] for asked in server.asked] == ["/a", "/%C3%BCnd/b?c"]
        assert all("Range: bytes=0-9\r\n" in asked for asked in server.asked)


def test_redirects_end() -> None:
    with Hostile(moved("/again")) as server:
        unreachable(server, "too many redirects", requests=6)


@pytest.mark.parametrize("place", ["file:///etc/passwd", "https://127.0.0.1/", "ftp://127.0.0.1/", "data:,0123456789"])
def test_no_redirect_leads_to_another_scheme(place: str) -> None:
    with Hostile(moved(place)) as server:
        unreachable(server, "another scheme.*" + place[:8])


@pytest.mark.parametrize("place", ["http://[::1/", "http://h:99999/", "http://a\x1bb/", "http://u@h/"])
def test_a_redirect_to_nowhere_is_refused(place: str) -> None:
    with Hostile(moved(place)) as server:
        unreachable(server, "redirected to an invalid address")


def test_the_body_of_a_redirect_is_not_read() -> None:
    with Hostile(endless(b"HTTP/1.1 302 Moved\r\nLocation: /b\r\n\r\n", b"0" * 65536), GOOD) as server:
        assert open_address(server.address).pread(10, 0) == b"0123456789"
        server.wait_until_left()


# refusals


@pytest.mark.parametrize("status", [204, 300, 304, 400, 401, 403, 405, 418])
def test_a_refusal_is_told_at_once(status: int) -> None:
    with Hostile(sent(f"HTTP/1.1 {status} {'No' * 500}\r\n\r\n".encode())) as server:
        unreachable(server, f"refuses the request: found {status} NoNo")


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_not_there_is_told(status: int) -> None:
    with Hostile(sent(f"HTTP/1.1 {status} No\r\n\r\n".encode())) as server:
        for act in (lambda file: file.pread(1, 0), lambda file: file.size(), lambda file: file.version()):
            with pytest.raises(NotThere) as error:
                act(open_address(server.address + "a"))
            assert error.value.file == server.address + "a"


def test_a_server_without_ranges_gives_the_beginning() -> None:
    with Hostile(sent(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n0123")) as server:
        assert open_address(server.address).pread(10, 0) == b"0123"
        with pytest.raises(Unsupported, match="ranges"):
            open_address(server.address).pread(10, 1)


# what never ends

ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "nothing": (b"", b""),
    "status line": (b"", b"H"),
    "headers": (b"HTTP/1.1 206 Partial\r\n", b"X"),
    "promises": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "body": (HEAD[:-2] + b"\r\n", b""),
    "chunks": (CHUNKED, b"1"),
    "trailers": (CHUNKED + b"0\r\n", b"X: y\r\n"),
}


@pytest.mark.parametrize(("first", "again"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.usefixtures("impatient")
def test_a_slow_answer_has_a_deadline_and_is_cut_off_then(first: bytes, again: bytes, stop: threading.Event) -> None:
    answer = drip(first, lambda: repeat(again), stop) if again else _held(first)
    with Hostile(answer) as server:
        with pytest.raises(RemoteUnreachable, match=r"no answer within 0\.2 s"):
            open_address(server.address).pread(10, 0)
        server.wait_until_left()


def _held(first: bytes) -> Answer:
    def answer(connection, head: str) -> None:
        connection.sendall(first)
        silent(connection, head)

    return answer


def test_a_connection_that_is_made_after_the_others_were_cut_is_cut_too() -> None:
    lines = _Lines()
    lines.cut()
    with Hostile(GOOD) as server, pytest.raises((ConnectionError, URLError)):
        lines.answer(server.address, {"Range": "bytes=0-9"})


@pytest.mark.timeout(10)
def test_the_time_for_an_answer_is_that_of_all_attempts(monkeypatch: pytest.MonkeyPatch, stop: threading.Event) -> None:
    """The clock leaps behind the deadline between the first attempt and the second, for which a week would be left."""
    moments = chain([0.0, 0.0], repeat(1e6))
    monkeypatch.setattr(address, "time", SimpleNamespace(monotonic=lambda: next(moments), sleep=lambda _: None))
    monkeypatch.setattr(address, "_PATIENCE", 6e5)
    acts = iter([OSError("broken"), None])

    def act() -> None:
        if error := next(acts):
            raise error
        stop.wait()

    with pytest.raises(RemoteUnreachable, match=r"x: no answer within 6e\+05 s"):
        address.ask(act, "x")


def test_what_is_large_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_PATIENCE", 0)
    monkeypatch.setattr(address, "_SLOWEST", 1)
    with Hostile(GOOD) as server:
        assert open_address(server.address).pread(10, 0) == b"0123456789"


def test_an_interrupt_ends_it() -> None:
    """While it waits: the server lets go of nothing before the process is gone."""
    with Hostile(silent) as server:
        command = [sys.executable, "-m", "terminal.cli", "info", server.address + "a.replay"]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, env=os.environ) as process:
            server.wait_until_asked()
            process.send_signal(signal.SIGINT)
            assert (process.wait(), process.stderr.read()) == (130, b"")
        server.wait_until_left()
        assert len(server.asked) == 1


def test_a_request_takes_nobodys_signals() -> None:
    """Its thread blocks them all: those of a log's handshake go to who waits for them."""
    seen: list[set[int]] = []

    def answer(connection, head: str) -> None:
        [thread] = [thread for thread in threading.enumerate() if thread.name == "nhlog remote"]
        status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
        mask = int(status.partition("SigBlk:")[2].split()[0], 16)
        seen.append({number for number in range(1, 65) if mask >> number - 1 & 1})
        GOOD(connection, head)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with Hostile(answer) as server:
        open_address(server.address).pread(10, 0)
    assert seen[0] | {signal.SIGKILL, signal.SIGSTOP, 32, 33} == set(range(1, 65))
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


# addresses


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ("http://", "no host"),
        ("http:///a.replay", "no host"),
        ("http://?a.replay", "no host"),
        ("http://a b/", "no host"),
        ("http://h\\x/", "no host"),
        ("http://[::1/a", "Invalid IPv6"),
        ("http://h:65536/", "Port out of range"),
        ("http://h:one/", "Port"),
        ("http://h:-1/", "Port"),
        ("http://ü..b/", "idna"),
        (f"http://{'a' * 64}/", "idna"),
        ("http://h/\n", "control character"),
        ("http://h/\r\nX: y", "control character"),
        ("http://h/\0", "control character"),
        ("http://u:p@h/", "user"),
        ("http://h/\ud800", "surrogates"),
        ("http://h℀/", "netloc|invalid|idna"),
    ],
)
def test_a_malformed_address_is_wrong_usage(given: str, what: str) -> None:
    with pytest.raises(Usage, match=what) as error:
        open_address(given)
    assert error.value.file == given


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("naïve ghost.replay", "/na%C3%AFve%20ghost.replay"),
        ("a%20b.replay", "/a%20b.replay"),
        ("\udcff.replay", "/%FF.replay"),
        ("a?b=ü c#d", "/a?b=%C3%BC%20c"),
        ("\u202e\u200b", "/%E2%80%AE%E2%80%8B"),
    ],
)
def test_an_address_is_sent_in_ascii(path: str, asked: str) -> None:
    with Hostile(GOOD) as server:
        assert open_address(server.address.replace("http", "HTTP") + path).pread(10, 0) == b"0123456789"
        assert server.asked[0].split("\r\n")[0] == f"GET {asked} HTTP/1.1"


def test_a_folder_has_files_with_names() -> None:
    with Hostile(GOOD) as server:
        folder = open_address(server.address + "run/")
        assert folder.pread(10, 0, "segment-000.dat") == b"0123456789"
        assert server.asked[0].startswith("GET /run/segment-000.dat ")


def test_what_the_server_says_of_a_file() -> None:
    head = b'HTTP/1.1 200 OK\r\nETag: "%d"\r\nContent-Length: 7\r\n\r\n'
    with Hostile(sent(head % 1), sent(head % 1), sent(head % 1), sent(head % 2)) as server:
        file = open_address(server.address)
        assert (file.size(), file.stamp()) == (7, None)
        assert file.version() == file.version() != file.version()
        file.close()


def test_nobody_there_is_unreachable() -> None:
    with Hostile(GOOD) as server:
        pass
    with pytest.raises(RemoteUnreachable, match="refused"):
        open_address(server.address).pread(1, 0)


# the verbs

VERBS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "info": lambda file: ("info", file),
    "verify": lambda file: ("verify", file, "--json"),
    "show": lambda file: ("show", file, "--at", "end"),
    "events": lambda file: ("events", file),
    "dump": lambda file: ("dump", file),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
@pytest.mark.parametrize("answer", [BROKEN["in the body"], sent(LIES["another place"])], ids=["broken", "lie"])
def test_what_cannot_be_reached_is_not_damaged(nhlog, verb: Callable[[str], tuple[str, ...]], answer: Answer) -> None:
    with Hostile(answer) as server:
        done = nhlog(*verb(server.address + "a.replay"))
    assert (done.code, done.out) == (7, "")
    assert done.err.startswith(f"nhlog: {server.address}a.replay: ")
    assert done.err.count("\n") == 1
