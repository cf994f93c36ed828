"""Firefox, driven by the protocol of WebDriver BiDi, which it speaks itself.

Playwright drives Chromium for the other tests. It has a Firefox of its own making, which Debian does not have; that of
Debian lacks commands that playwright sends to any browser (1.65: `emulation.setMediaFeaturesOverride`).
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.waiting import PATIENCE

__all__ = ["FirefoxPage", "opened_in_firefox"]

QUIET = """
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("nimbus.rollouts.enabled", false);
user_pref("toolkit.telemetry.enabled", false);
"""
LISTENING = "WebDriver BiDi listening on "
NAMED = {"Enter": "\ue007", "Escape": "\ue00c", "PageUp": "\ue00e", "ArrowRight": "\ue014", "Tab": "\ue004"}
"""Keys that are no characters, as WebDriver has them."""
LOOK = """new Promise((found, lost) => {
    const end = Date.now() + %d;
    const look = () => {
        let value = null;
        try { value = (() => (%s))(); } catch {}
        if (value) found(String(value));
        else if (Date.now() > end) lost(new Error("this never came: " + document.body.innerText));
        else setTimeout(look, 20);
    };
    look();
})"""


class FirefoxPage:
    """The only page of a Firefox; `wrong` is what the page's scripts complained about."""

    def __init__(self, socket: ClientConnection) -> None:
        self.wrong: list[str] = []
        self._socket = socket
        self._count = 0
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def go(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def leave(self) -> None:
        """Open nothing: who stays would look for a server that is gone."""
        self.go("about:blank")

    def resize(self, width: int, height: int) -> None:
        """Give the page so many pixels."""
        self._ask("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def press(self, *keys: str) -> None:
        """Press keys, one after the other: characters, or names as in `NAMED`."""
        moves = [{"type": kind, "value": NAMED.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": moves})

    def click(self, selector: str) -> None:
        """Click on what a selector of CSS finds first, as soon as it is there."""
        place = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        self.waits(f"{place}.width")
        x, y = (
            round(float(self.waits(f"{place}.{near} + {place}.{size} / 2")))
            for near, size in (("x", "width"), ("y", "height"))
        )
        moves = [{"type": "pointerMove", "x": x, "y": y}, *({"type": f"pointer{way}", "button": 0} for way in UP_DOWN)]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def waits(self, expression: str) -> str:
        """Wait until an expression in the page is true; its value, as text."""
        found = self._ask(
            "script.evaluate",
            expression=LOOK % (PATIENCE * 1000, expression),
            target={"context": self._context},
            awaitPromise=True,
        )
        assert found["type"] == "success", f"{expression}: {found['exceptionDetails']['text']}"
        return str(found["result"]["value"])

    def shows(self, text: str, selector: str = "#screen") -> None:
        """Wait until there is this text in it; spaces that keep words together are spaces."""
        there = f"document.querySelector({json.dumps(selector)}).textContent"
        self.waits(rf"{there}.replace(/\s/g, ' ').includes({json.dumps(text)})")

    def _act(self, source: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._context, actions=[source])

    def _ask(self, method: str, **params: Any) -> Any:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=2 * PATIENCE))
            if answer.get("id") == self._count:
                assert answer["type"] == "success", answer
                return answer["result"]
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.wrong.append(answer["params"]["text"])


UP_DOWN = ("Down", "Up")


@contextmanager
def opened_in_firefox(profile: Path) -> Iterator[FirefoxPage]:
    """A page of a Firefox with a new profile in an empty folder; skips where there is none."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if not firefox:
        pytest.skip("there is no Firefox to open pages with (apt-get install firefox-esr)")
    command = [firefox, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    (profile / "user.js").write_text(QUIET)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            line = next(line for line in process.stderr if line.startswith(LISTENING))
            address = line.removeprefix(LISTENING).strip()
            with connect(f"{address}/session", open_timeout=PATIENCE, max_size=None) as socket:
                yield FirefoxPage(socket)
        finally:
            process.terminate()
            process.stderr.read()
