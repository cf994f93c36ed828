"""asciinema's own player, in a real browser and on another site's page, shows what our terminals show."""

import base64
import functools
import hashlib
import re
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from terminal.web.recordings import identified
from tests.corpus import SAMPLES, corpus
from tests.terminal.web.site import PATIENCE, Served, serving

CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    pytest.skip("there is no chromium to show the player (apt-get install chromium)", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright to drive a browser with")
Browser, Page = sync_api.Browser, sync_api.Page

QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PLAYER = "asciinema-player@3.17.0"
DIGEST = "JbjNJmA2TLIeYNaOEja+kVSzXadKoqpIzVVmfBGNj2DmdtE/vExBCnkE8NYEcpaQcDvUYg8Ltt0urT80frACmw=="
BLOCKS = re.compile("[\u2580-\u259f]")
PAGE = """<!doctype html><div id="here"></div><script src="asciinema-player.min.js"></script>"""
CREATE = """([source, options]) => {
    window.player = AsciinemaPlayer.create(source, document.getElementById("here"), options);
    window.ended = false;
    player.addEventListener("ended", () => ended = true);
}"""
SHOWS = """expected => {
    const rows = [...document.querySelectorAll(".ap-line")].map(row => row.textContent.trimEnd());
    return JSON.stringify(rows) == JSON.stringify(expected);
}"""


@pytest.fixture(scope="module")
def elsewhere(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of another site, which has a page with the player, from npm by its digest, fetched once."""
    assert pytestconfig.cache is not None
    packed = pytestconfig.cache.mkdir("asciinema-player") / f"{PLAYER.replace('@', '-')}.tgz"
    if not packed.exists():
        fetch(packed.parent)
    assert base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() == DIGEST
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "index.html").write_text(PAGE)
    with tarfile.open(packed) as files:
        script = files.extractfile("package/dist/bundle/asciinema-player.min.js")
        assert script is not None
        (folder / "asciinema-player.min.js").write_bytes(script.read())
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *told: object) -> None:
        pass


def fetch(folder: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("there is no npm to fetch asciinema's player with")
    done = subprocess.run([npm, "pack", PLAYER], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot fetch {PLAYER}: {(done.stderr.splitlines() or ['?'])[0]}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recordings")
    shutil.copy(corpus("nethack4", "done-quit.nhgame"), folder / "game.nhgame")
    (folder / "live.cast").touch()
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
        yield browser
        browser.close()


@pytest.fixture
def playing(browser: Browser, elsewhere: str) -> Iterator[Callable[..., Page]]:
    """Opens a page elsewhere with the player of this source."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(elsewhere)

    def playing(source: object, **options: object) -> Page:
        page.evaluate(CREATE, [source, options])
        return page

    yield playing
    page.close()


def shown_by(path: Path) -> list[str]:
    """The rows of a recorded terminal at its end; blocks and shades are no text in the player, which draws them."""
    with closing(open_recording(str(path))) as replay:
        replay.seek(replay.timeline.last)
        return [BLOCKS.sub(" ", row).rstrip() for row in replay.state.grid.text()]


def test_a_live_stream_is_shown_as_it_is_written_and_ends(
    served: Served, folder: Path, playing: Callable[..., Page]
) -> None:
    *lines, end = (SAMPLES / "nethack.cast").read_bytes().splitlines(keepends=True)
    with (folder / "live.cast").open("wb", buffering=0) as file:
        file.write(b"".join(lines[:40]))
        address = f"ws://127.0.0.1:{served.port}/ws/live/{identified(str(folder / 'live.cast'))}"
        page = playing({"driver": "websocket", "url": address}, autoPlay=True)
        page.wait_for_function(SHOWS, arg=shown_by(folder / "live.cast"))
        file.write(b"".join(lines[40:]))
        page.wait_for_function(SHOWS, arg=shown_by(folder / "live.cast"))
        assert not page.evaluate("ended")
        file.write(end)
    page.wait_for_function("ended")
    page.get_by_text("Stream ended").wait_for()


def test_the_cast_of_a_game_is_played_from_any_page(
    served: Served, folder: Path, playing: Callable[..., Page], tmp_path: Path
) -> None:
    path = f"/recordings/{identified(str(folder / 'game.nhgame'))}.cast"
    cast = tmp_path / "some.cast"
    cast.write_bytes(served.get(path).body)
    page = playing(f"http://127.0.0.1:{served.port}{path}")
    page.evaluate("player.play().then(() => player.seek('100%'))")
    page.wait_for_function(SHOWS, arg=shown_by(cast))
