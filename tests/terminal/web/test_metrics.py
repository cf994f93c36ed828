"""Numbers about a server, as Prometheus reads them."""

import re
import shutil
import socket
from contextlib import suppress
from pathlib import Path

from terminal.web.metrics import Metric, exposition
from tests.corpus import SAMPLES
from tests.terminal.web.site import serving
from tests.waiting import PATIENCE

LINE = re.compile(r'nhlog_[a-z_]+(?:\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"\})? [0-9.e+]+')


def test_a_metric_is_written_as_the_format_has_it() -> None:
    games = Metric("games", "gauge", "Games.", label="game", values={'a"b\\c\nd\x1b': 2, "delve": 3})
    assert exposition([Metric("sent_total", "counter", "Bytes.", 1 << 60), games]).decode() == (
        "# HELP nhlog_sent_total Bytes.\n"
        "# TYPE nhlog_sent_total counter\n"
        "nhlog_sent_total 1152921504606846976\n"
        "# HELP nhlog_games Games.\n"
        "# TYPE nhlog_games gauge\n"
        'nhlog_games{game="delve"} 3\n'
        'nhlog_games{game="a\\"b\\\\c\\\\nd\\\\x1b"} 2\n'
    )


def test_of_very_many_names_the_rest_is_one() -> None:
    values = {f"game{number:03}": 1.0 for number in range(1000)}
    lines = exposition([Metric("games", "gauge", "Games.", label="game", values=values)]).decode().splitlines()
    assert (len(lines), lines[-1]) == (53, 'nhlog_games{game="other"} 950.0')


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def asked(port: int, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        answer = b""
        with suppress(ConnectionError):  # it does not listen to its end
            connection.sendall(request)
            while data := connection.recv(1 << 16):
                answer += data
        return answer


def test_a_server_answers_on_a_port_of_its_own(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "died2.nhgame", tmp_path)
    port = free_port()
    with serving(tmp_path, "--metrics", str(port)) as served:
        served.rows()
        head, _, body = asked(port, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").partition(b"\r\n\r\n")
        assert b"Content-Type: text/plain; version=0.0.4" in head
        lines = body.decode().splitlines()
        assert "nhlog_recordings 1" in lines
        assert all(line.startswith("# ") or LINE.fullmatch(line) for line in lines)
        sent = next(line for line in lines if line.startswith("nhlog_sent_bytes_total"))
        assert int(sent.split()[1]) > 1000  # the list that was asked for
        assert asked(port, b"A" * 100_000) == b""  # is closed
        assert served.get("/metrics").status == 404
