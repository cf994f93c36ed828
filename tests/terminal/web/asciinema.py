"""asciinema's own player, from npm, on a page of another site."""

import base64
import functools
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PLAYER = "asciinema-player@3.17.0"
DIGEST = "JbjNJmA2TLIeYNaOEja+kVSzXadKoqpIzVVmfBGNj2DmdtE/vExBCnkE8NYEcpaQcDvUYg8Ltt0urT80frACmw=="
SCRIPT, STYLE = "asciinema-player.min.js", "asciinema-player.css"
PAGE = f"""<!doctype html>
<link rel="stylesheet" href="{STYLE}"><div id="here"></div><script src="{SCRIPT}"></script>"""

CREATE = """([source, options]) => {
    window.player = AsciinemaPlayer.create(source, document.getElementById("here"), options);
    window.ended = false;
    player.addEventListener("ended", () => ended = true);
}"""
"""Has the page play a source."""
SHOWS = """expected => {
    const rows = [...document.querySelectorAll(".ap-line")].map(row => row.textContent.trimEnd());
    return JSON.stringify(rows) == JSON.stringify(expected);
}"""
"""Whether it shows these rows."""


@contextmanager
def another_site(folder: Path, fetched: Path) -> Iterator[str]:
    """The address of a page in a folder, for which the player is fetched once, to another folder; it has its digest."""
    packed = fetched / f"{PLAYER.replace('@', '-')}.tgz"
    if not packed.exists():
        fetch(packed)
    assert base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode() == DIGEST
    (folder / "index.html").write_text(PAGE)
    with tarfile.open(packed) as files:
        for name in (SCRIPT, STYLE):
            found = files.extractfile(f"package/dist/bundle/{name}")
            assert found is not None
            (folder / name).write_bytes(found.read())
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *told: object) -> None:
        pass


def fetch(packed: Path) -> None:
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("there is no npm to fetch asciinema's player with")
    with tempfile.TemporaryDirectory(dir=packed.parent) as folder:
        done = subprocess.run([npm, "pack", PLAYER], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
            pytest.skip(f"npm cannot fetch {PLAYER}: {''.join(said[:1])}")
        (Path(folder) / packed.name).replace(packed)  # whole, whoever else fetches it
