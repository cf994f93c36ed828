"""A browser for each file of tests of pages."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.terminal.web.site import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium; what asks for it is skipped where that or playwright is missing.

    While it runs so does playwright's event loop, in which no test can run one of its own.
    """
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("there is no chromium to open pages with (apt-get install chromium)")
    sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright to drive a browser with")
    sync_api.expect.set_options(timeout=PATIENCE * 1000)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*QUIET])
        yield browser
        browser.close()
