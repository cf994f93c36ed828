"""Live streams and casts of the server: what players are sent, and what asciinema's own shows of it, on any page."""

import re
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosedOK, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from nhlog.formats import open_recording
from nhlog.formats.asciicast.wire.alis import END, MAGIC
from nhlog.vt import USUAL_SIZE
from terminal.streamed import cast_of
from tests.corpus import SAMPLES, corpus
from tests.terminal.watcher import Watcher
from tests.terminal.web.asciinema import CREATE, SHOWS, another_site
from tests.terminal.web.site import Served, serving
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

BLOCKS = re.compile("[\u2580-\u259f]")
HEADER = b'{"version": 2, "width": 80, "height": 24, "title": "a program"}\n[0, "o", "begun "]\n'
OFFERED: Any = ["v1.alis", "v2.asciicast", "v3.asciicast", "raw"]  # by the player, in this order


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recordings")
    shutil.copy(corpus("nethack4", "done-quit.nhgame"), folder / "game.nhgame")
    return folder


@pytest.fixture(scope="module")
def recorded(folder: Path) -> Iterator[Callable[[str], FileIO]]:
    """Recordings that are being written, by their names."""
    files = {name: FileIO(folder / f"{name}.cast", "w") for name in ("live", "busy", "other", "shown")}
    for file in files.values():
        file.write(HEADER)
    (folder / "empty.cast").touch()
    line = b'[1, "o", "%s"]\n' % (b"x" * 1_000_000)
    (folder / "large.cast").write_bytes(HEADER + 4 * line)
    yield files.__getitem__
    for file in files.values():
        file.close()


@pytest.fixture(scope="module")
def served(folder: Path, recorded: object) -> Iterator[Served]:
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="module")
def ids(served: Served) -> dict[str, str]:
    return {name: row["id"] for name, row in served.rows().items()}


@contextmanager
def watching(served: Served, identity: str, room: int | None = None, **asked: Any) -> Iterator[ClientConnection]:
    """A player's WebSocket; `room` is what its system keeps of what it has not read."""
    plain = socket.socket()
    if room:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    plain.connect(("127.0.0.1", served.port))
    asked = {"subprotocols": OFFERED, "max_queue": 1} | asked
    with connect(f"ws://127.0.0.1:{served.port}/ws/live/{identity}", sock=plain, max_size=None, **asked) as player:
        yield player


def next_of(player: ClientConnection) -> bytes:
    message = player.recv(timeout=PATIENCE)
    assert isinstance(message, bytes)
    return message


def until(player: ClientConnection, watcher: Watcher, text: str) -> None:
    """Watch until the screen has this text on it."""
    while text not in "".join(watcher.grid.text()):
        watcher.take([next_of(player)])


def test_all_who_watch_are_sent_the_screen_what_follows_and_the_end(
    served: Served, ids: dict[str, str], recorded: Callable[[str], FileIO]
) -> None:
    with watching(served, ids["live.cast"]) as early:
        assert early.subprotocol == "v1.alis"
        assert next_of(early) == MAGIC
        one = Watcher(next_of(early))
        assert one.grid.text()[0] == "begun"
        recorded("live").write(b'[1.5, "o", "more "]\n')
        until(early, one, "more")
        with watching(served, ids["live.cast"]) as late:
            assert next_of(late) == MAGIC
            other = Watcher(next_of(late))
            assert other.grid == one.grid
            recorded("live").write(b'[2.5, "o", "the end"]\n[2.5, "x", "0"]\n')
            for player, watcher in ((early, one), (late, other)):
                until(player, watcher, "the end")
                assert (watcher.time, watcher.begun) == (2_500_000, 1)
                assert [next_of(player)[:1], next_of(player)] == [b"x", END]
                with pytest.raises(ConnectionClosedOK):  # code 1000
                    next_of(player)


def test_who_does_not_read_is_sent_the_screen_when_they_do(
    served: Served, ids: dict[str, str], recorded: Callable[[str], FileIO]
) -> None:
    with watching(served, ids["busy.cast"], room=4096) as slow, watching(served, ids["busy.cast"]) as quick:
        assert next_of(slow) == next_of(quick) == MAGIC
        late, newest = Watcher(next_of(slow)), Watcher(next_of(quick))
        for number in range(20):
            recorded("busy").write(b'[%d, "o", "%s\\rno. %d"]\n' % (number, b"\\u001b[m" * 10_000, number))
            until(quick, newest, f"no. {number}")
        until(slow, late, "no. 19")
        assert (late.grid, late.time) == (newest.grid, newest.time)
        assert late.begun > 1
        assert len(late.events) < len(newest.events) == 20


def test_a_finished_game_is_its_last_screen(served: Served, ids: dict[str, str]) -> None:
    with watching(served, f"{ids['Quitter']}?size=120x40") as player:
        assert next_of(player) == MAGIC
        watcher = Watcher(next_of(player))
    assert watcher.terminal.size == (120, 40)
    assert "finished" in watcher.grid.text()[0]


@pytest.mark.parametrize(
    ("name", "offered", "status"), [("Quitter", None, 400), ("Quitter", ["v2.asciicast"], 400), ("", OFFERED, 404)]
)
def test_another_protocol_and_what_is_no_recording_are_refused(
    name: str, offered: Any, status: int, served: Served, ids: dict[str, str]
) -> None:
    with pytest.raises(InvalidStatus) as refused, watching(served, ids.get(name, "../x"), subprotocols=offered):
        pass
    assert refused.value.response.status_code == status


def test_a_cast_is_all_of_a_recording_for_any_page(served: Served, ids: dict[str, str], folder: Path) -> None:
    answer = served.get(f"/recordings/{ids['Quitter']}.cast")
    assert answer.body == b"".join(cast_of(str(folder / "game.nhgame"), USUAL_SIZE))
    head = served.get(f"/recordings/{ids['Quitter']}.cast", "HEAD")
    for told in (answer, head):
        assert (told.status, told.headers["content-type"]) == (200, "application/x-asciicast")
        assert told.headers["access-control-allow-origin"] == "*"
    assert head.body == b""


def test_the_cast_of_what_is_being_written_is_what_there_is(served: Served, ids: dict[str, str]) -> None:
    lines = served.get(f"/recordings/{ids['other.cast']}.cast").body.splitlines()
    assert lines == [b'{"version":2,"width":80,"height":24,"title":"a program"}', b'[0.000000, "o", "begun "]']


def test_there_are_casts_of_recordings_alone(served: Served, ids: dict[str, str]) -> None:
    for name in ("AAAAAAAAAAAA", "game", "../game", "..%2fgame", f"{ids['Quitter']}.cast"):
        assert served.get(f"/recordings/{name}.cast").status == 404
    assert served.get(f"/recordings/{ids['empty.cast']}.cast").status == 404
    assert served.get(f"/recordings/{ids['Quitter']}.cast", "POST").status == 405


@contextmanager
def asking(served: Served, path: str) -> Iterator[None]:
    """Somebody who asks for it and takes little more than the beginning of the answer."""
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.connect(("127.0.0.1", served.port))
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert plain.recv(12) == b"HTTP/1.1 200"
        yield


def test_a_few_casts_are_made_for_one_address_at_a_time_and_who_leaves_has_ended_theirs(
    served: Served, ids: dict[str, str]
) -> None:
    path = f"/recordings/{ids['large.cast']}.cast"
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(asking(served, path))
        answer = served.get(path)
        assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    while (answer := served.get(path)).status == 503:
        pass
    assert len(answer.body) > 4_000_000


@pytest.fixture
def playing(
    request: pytest.FixtureRequest, pytestconfig: pytest.Config, tmp_path: Path
) -> "Iterator[Callable[..., Page]]":
    """Opens a page of another site with asciinema's player of a source."""
    assert pytestconfig.cache is not None
    with another_site(tmp_path, pytestconfig.cache.mkdir("asciinema-player")) as address:
        page = request.getfixturevalue("browser").new_page()  # not before there is something to show
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(address)

        def playing(source: object, **options: object) -> "Page":
            page.evaluate(CREATE, [source, options])
            return page

        yield playing
        page.close()


def shown_by(path: Path) -> list[str]:
    """The rows of a recorded terminal at its end; blocks and shades are no text in the player, which draws them."""
    with closing(open_recording(str(path))) as replay:
        replay.seek(replay.timeline.last)
        return [BLOCKS.sub(" ", row).rstrip() for row in replay.state.grid.text()]


def test_asciinema_s_player_shows_a_live_stream_to_its_last_screen_and_that_it_ended(
    served: Served,
    folder: Path,
    ids: dict[str, str],
    recorded: Callable[[str], FileIO],
    playing: "Callable[..., Page]",
) -> None:
    _, *lines = (SAMPLES / "nethack.cast").read_bytes().splitlines(keepends=True)
    write, path = recorded("shown").write, folder / "shown.cast"
    write(b"".join(lines[:40]))
    address = f"ws://127.0.0.1:{served.port}/ws/live/{ids['shown.cast']}"
    page = playing({"driver": "websocket", "url": address}, autoPlay=True)
    page.wait_for_function(SHOWS, arg=shown_by(path))
    write(b"".join(lines[40:]))
    page.wait_for_function(SHOWS, arg=shown_by(path))
    page.wait_for_function("ended")
    page.get_by_text("Stream ended").wait_for()


def test_asciinema_s_player_plays_the_cast_of_a_game(
    served: Served, ids: dict[str, str], playing: "Callable[..., Page]", tmp_path: Path
) -> None:
    path = f"/recordings/{ids['Quitter']}.cast"
    cast = tmp_path / "some.cast"
    cast.write_bytes(served.get(path).body)
    page = playing(f"http://127.0.0.1:{served.port}{path}")
    page.evaluate("player.play().then(() => player.seek('100%'))")
    page.wait_for_function(SHOWS, arg=shown_by(cast))
