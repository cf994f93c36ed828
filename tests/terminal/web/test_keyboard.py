"""The keyboard alone, in a real browser: Tab comes to all that can be pressed, where it is seen; Enter opens it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.corpus import SAMPLES
from tests.scores.test_table import line
from tests.terminal.pty import NHLOG, Pty
from tests.terminal.web.site import Served, serving

sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright to drive a browser with")
Page, expect = sync_api.Page, sync_api.expect

SIZES = [(1280, 600), (390, 600)]
PRESSABLE = "a[href], button, input, select, textarea, [tabindex]"
MARK = f"""() => [...document.querySelectorAll("{PRESSABLE}")].filter(one => one.checkVisibility()).map(
    (one, number) => {{ one.dataset.number = number; return one.textContent.trim(); }}
)"""
FOCUSED = """() => {
    const one = document.activeElement, style = getComputedStyle(one);
    if (!one.dataset.number) return null;
    const box = one.getClientRects()[0];
    const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
    const [width, height] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top];
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return {
        number: Number(one.dataset.number),
        is_seen: width > 10 && height > 10 && one.contains(above),
        is_outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    };
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings and games that ended: more than a window shows."""
    folder = tmp_path_factory.mktemp("games")
    for number in range(30):
        shutil.copy(SAMPLES / "delve.nhgame", folder / f"{number}.nhgame")
    (folder / "brisk.txt").write_text("Brisk died\n")
    games = [line("Brisk", number, engine="delve", dumplog="brisk.txt", endtime=1000 + number) for number in range(30)]
    (folder / "xlogfile").write_bytes(b"\n".join(games) + b"\n")
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    game = ("play", "--new", "--name", "Ann", "--role", "Wiz", "--seed", "7", str(folder / "ann.nhgame"))
    with Pty(*NHLOG, *game, HOME=str(folder.parent)) as playing, serving(folder) as served:
        playing.wait_for("T:1")
        yield served


@pytest.fixture
def opened(new_page: Callable[..., Page], served: Served) -> Callable[..., Page]:
    def opened(path: str, width: int, height: int) -> Page:
        page = new_page(width, height)
        page.goto(f"http://127.0.0.1:{served.port}{path}")
        return page

    return opened


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("path", "last"), [("/", "#games tbody a >> nth=30"), ("/player/Brisk", "main a >> nth=60")])
def test_tab_comes_to_all_that_can_be_pressed_in_its_order_and_it_is_seen_there(
    opened: Callable[..., Page], path: str, last: str, size: tuple[int, int]
) -> None:
    page = opened(path, *size)
    page.locator(last).wait_for(state="attached")
    texts = page.evaluate(MARK)
    found = []
    for _ in texts:
        page.keyboard.press("Tab")
        found.append(page.evaluate(FOCUSED))
    assert [one and one["number"] for one in found] == [*range(len(texts))]
    assert [texts[one["number"]] for one in found if not one["is_seen"]] == []
    assert [texts[one["number"]] for one in found if not one["is_outlined"]] == []
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED)["number"] == len(texts) - 2


def focus(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


def test_enter_opens_what_has_the_focus_and_the_keyboard_leads_back(opened: Callable[..., Page]) -> None:
    page = opened("/", 1280, 600)
    page.locator(".cards-of-now a").wait_for()
    focus(page, ".cards-of-now a")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Ann")
    page.keyboard.press("q")
    expect(page.locator("#games tbody a")).to_have_count(31)
    focus(page, "#games .player button")
    page.keyboard.press("Enter")
    expect(page.locator("th.player[scope=col]")).to_have_attribute("aria-sort", "ascending")
    focus(page, "#games tbody a")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Ann")
    page.go_back()
    page.locator("#games tbody a").first.wait_for()
    focus(page, "#text")
    page.keyboard.type("nothing has that")
    expect(page.locator("#games tbody a")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#games tbody a").first).to_be_focused()
    expect(page.locator("#text")).to_have_value("")
    page.keyboard.press("h")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    expect(page.locator("#games tbody a").first).to_be_focused()


def test_the_page_of_a_player_leads_to_dumps_recordings_and_other_pages(opened: Callable[..., Page]) -> None:
    page = opened("/player/Brisk", 1280, 600)
    focus(page, "main a[href$='.txt']")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_contain_text("Brisk died")
    page.go_back()
    focus(page, "main a[href^='/r/']")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Brisk")
    page.go_back()
    focus(page, "nav a[href='/']")
    page.keyboard.press("Enter")
    expect(page.locator("#games tbody a")).to_have_count(31)
