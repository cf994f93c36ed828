"""A browser for each file of tests of pages."""

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


@pytest.fixture
def new_page(browser: "Browser") -> "Iterator[Callable[..., Page]]":
    """Makes an empty page of so many pixels, with cookies of its own; no page says that anything is wrong with it."""
    contexts, wrong = [], []

    def new_page(width: int, height: int, **options: object) -> "Page":
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: wrong.append(error))
        page.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        return page

    yield new_page
    for context in contexts:
        context.close()
    assert wrong == []
