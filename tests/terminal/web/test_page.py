"""The pages in a real browser: the lobby, and recordings that are watched, stepped through, searched and linked to."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terminal.web.recordings import identified
from tests.corpus import ROOT, SAMPLES
from tests.terminal.pty import NHLOG, Pty
from tests.terminal.web.site import Served, serving

sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright to drive a browser with")
Browser, Page, expect = sync_api.Browser, sync_api.Page, sync_api.expect

HOSTILE = "<img src=x onerror=alert(1)>"
COLUMN_OF_END = """screen => {
    const row = [...screen.children].find(row => row.textContent.includes("語"));
    const text = row.lastChild.lastChild, range = document.createRange();
    range.setStart(text, text.data.indexOf("|"));
    range.setEnd(text, text.data.indexOf("|") + 1);
    const cell = screen.getBoundingClientRect().width / screen.style.getPropertyValue("--columns");
    return (range.getBoundingClientRect().left - row.getBoundingClientRect().left) / cell;
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings: samples, one that is hostile, and whatever a test puts there."""
    folder = tmp_path_factory.mktemp("recordings")
    for name in ("delve.nhgame", "nethack.cast"):
        shutil.copy(SAMPLES / name, folder)
    header = {"version": 2, "width": 80, "height": 24, "title": HOSTILE}
    rows = [[0.1, "o", f"{HOSTILE}&amp;\r\n日本語e\u0301|\r\n"], [0.2, "o", "\x1b[5;34mend\x1b[m"]]
    (folder / "hostile.cast").write_text("\n".join(map(json.dumps, [header, *rows])) + "\n")
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    with serving(folder) as served:
        yield served


@pytest.fixture
def opened(new_page: Callable[..., Page]) -> Callable[..., Page]:
    """Opens a page of a server."""

    def opened(served: Served, path: str = "/", width: int = 1000, height: int = 600, **options: object) -> Page:
        page = new_page(width, height, **options)
        page.goto(f"http://127.0.0.1:{served.port}{path}")
        return page

    return opened


def address(file: Path, place: str = "") -> str:
    """The path of the page of a recording, at a place."""
    return f"/r/{identified(os.path.realpath(file))}" + (f"?at={place}" if place else "")


def stands(page: Page, *, at: str) -> None:
    """Wait until the page tells that it stands there."""
    expect(page.locator("#place")).to_have_text(re.compile(rf"^{at} "))


def test_the_lobby_lists_filters_sorts_and_opens_by_keys(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served)
    names = page.locator("#games tbody a")
    expect(names).to_have_count(3)
    page.keyboard.press("/")
    page.keyboard.type("human")
    expect(names).to_have_text("Brisk")
    page.keyboard.press("Escape")
    expect(names).to_have_count(3)
    page.get_by_role("button", name="Player", exact=True).click()
    expect(page.locator("th.player[scope=col]")).to_have_attribute("aria-sort", "ascending")
    expect(names).to_have_text([HOSTILE, "Ada", "Brisk"])
    page.keyboard.press("G")
    page.keyboard.press("S")
    expect(names).to_have_text(["Brisk", "Ada", HOSTILE])
    expect(page.locator("#games tbody td.size")).to_have_text(["", "80x24", "80x24"])
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Brisk")


def test_what_is_hostile_is_text_and_wide_characters_stay_in_their_cells(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served, address(folder / "hostile.cast", "end"))
    screen = page.locator("#screen")
    expect(screen).to_contain_text(HOSTILE + "&amp;")
    expect(page.locator("h1")).to_have_text(HOSTILE)
    assert page.locator("img, b").count() == 0
    assert screen.evaluate(COLUMN_OF_END) == pytest.approx(7, abs=0.05)


def test_a_link_opens_the_very_moment_and_the_address_follows(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served, address(folder / "delve.nhgame", "turn:131"))
    stands(page, at="turn 131")
    page.keyboard.press(".")
    stands(page, at="turn 132")
    page.wait_for_url("**?at=turn:132")
    page.keyboard.press("PageUp")
    stands(page, at="turn 81")
    page.locator("#markers button").last.click()
    stands(page, at="turn 565")  # with the death a turn later
    page.keyboard.type("7G")
    stands(page, at="turn 7")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Link").click()
    expect(page.locator("#message")).to_contain_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()").endswith("?at=turn:7")


def test_search_by_the_box_and_by_keys(served: Served, folder: Path, opened: Callable[..., Page]) -> None:
    page = opened(served, address(folder / "nethack.cast", "start"))
    stands(page, at="frame 0")
    page.keyboard.press("/")
    page.keyboard.type("kobold throws")
    page.keyboard.press("Enter")
    stands(page, at="frame 56")
    expect(page.locator("#screen")).to_contain_text("The large kobold throws a dart!")
    expect(page.locator("#told")).to_have_text("The large kobold throws a dart!")
    page.keyboard.press("n")
    stands(page, at="frame 67")
    page.get_by_label("Find previous").click()
    stands(page, at="frame 56")
    page.keyboard.press("?")
    page.keyboard.type("dragon")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_have_text("not found behind: dragon")


def test_pages_of_the_player_have_keys_of_their_own(served: Served, folder: Path, opened: Callable[..., Page]) -> None:
    page = opened(served, address(folder / "delve.nhgame", "turn:131"))
    stands(page, at="turn 131")
    page.keyboard.press("P")
    screen = page.locator("#screen")
    expect(screen).to_contain_text("next plot")
    page.keyboard.press("?")
    expect(screen).to_contain_text("replay from there")
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    expect(screen).to_contain_text("T:131")
    page.keyboard.press("q")
    expect(page.locator("h1")).to_have_text("Games and recordings")


def test_escape_closes_what_is_open_and_then_leads_back_to_all_games(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served, address(folder / "delve.nhgame", "turn:131"))
    stands(page, at="turn 131")
    screen = page.locator("#screen")
    for key, shown in (("P", "next plot"), ("Control+k", "What the signs mean")):
        page.keyboard.press(key)
        expect(screen).to_contain_text(shown)
        page.keyboard.press("Escape")
        expect(screen).not_to_contain_text(shown)
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(page.locator("#text")).not_to_be_focused()
    page.keyboard.press("h")
    expect(page.locator("#help")).to_be_visible()
    expect(page.locator("#help button", has_text="Esc")).to_contain_text("quit")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    stands(page, at="turn 131")
    page.keyboard.press("Escape")
    expect(page.locator("h1")).to_have_text("Games and recordings")


def test_a_swipe_is_a_step(served: Served, folder: Path, opened: Callable[..., Page]) -> None:
    page = opened(served, address(folder / "delve.nhgame", "turn:131"), width=390, height=800, has_touch=True)
    stands(page, at="turn 131")
    finger = page.context.new_cdp_session(page)

    def swipe(*places: tuple[int, int]) -> None:
        for kind, at in zip(("touchStart", *["touchMove"] * (len(places) - 1)), places, strict=True):
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [dict(zip("xy", at, strict=True))]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe((300, 300), (200, 305), (100, 300))
    stands(page, at="turn 132")
    swipe((200, 200), (205, 300), (200, 400))  # scrolls, and is no step
    swipe((100, 300), (200, 305), (300, 300))
    stands(page, at="turn 131")


def test_a_screen_reader_is_told_the_message_line(served: Served, folder: Path, opened: Callable[..., Page]) -> None:
    page = opened(served, address(folder / "delve.nhgame", "turn:131"))
    stands(page, at="turn 131")
    told, place = page.get_by_role("status"), page.get_by_role("slider", name="Place in the recording")
    page.keyboard.press("/")
    page.keyboard.type("dragon")
    page.keyboard.press("Enter")
    expect(told).to_have_text("not found ahead: dragon")
    expect(place).to_have_attribute("aria-valuetext", re.compile("^turn 131 "))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()


def test_day_night_and_rest_are_as_the_viewer_has_them(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served, address(folder / "hostile.cast", "end"), color_scheme="light")
    cell = page.locator("#screen span").filter(has_text="end")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(cell).to_have_css("animation-name", "blink")
    by_day = cell.evaluate("cell => getComputedStyle(cell).color")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    expect(page.locator("body")).to_have_css("background-color", "rgb(16, 18, 22)")
    expect(cell).to_have_css("animation-name", "none")
    assert cell.evaluate("cell => getComputedStyle(cell).color") != by_day  # it can be read on both


def test_a_larger_window_gets_a_larger_picture(served: Served, folder: Path, opened: Callable[..., Page]) -> None:
    page = opened(served, address(folder / "delve.nhgame"))
    rows = page.locator("#screen > div:not(.cursor)")
    expect(rows).to_have_count(24)
    page.set_viewport_size({"width": 2200, "height": 1300})
    expect(page.locator("#screen")).to_have_css("width", re.compile(r"^(1[6-9]|2[01])\d\d"))  # it fills the window
    expect(rows).to_have_count(24)
    page.get_by_role("button", name="Details").click()
    expect(rows).to_have_count(60)
    expect(page.locator("#screen")).to_contain_text("recording")  # details stand beside the map
    page.set_viewport_size({"width": 390, "height": 800})
    expect(rows).to_have_count(24)
    assert page.locator("#screen").evaluate("screen => screen.getBoundingClientRect().width") <= 390


def test_what_is_shared_is_a_link_and_code_for_any_page(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served, address(folder / "nethack.cast", "end"))
    stands(page, at="frame 88")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("This moment")).to_have_value(re.compile(r"/r/\w+\?at="))
    code = page.get_by_role("dialog").locator("textarea").input_value()
    assert f"http://127.0.0.1:{served.port}/recordings/{page.url.split('/r/')[1].split('?')[0]}.cast" in code
    page.keyboard.press("h")  # is typed, and opens nothing
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_label("This moment")).to_be_hidden()


def test_a_phone_has_cards_that_say_all_of_a_game(served: Served, folder: Path, opened: Callable[..., Page]) -> None:
    page = opened(served, width=390, height=844)
    row = page.locator("#games tbody tr").filter(has_text="Brisk")
    expect(row.locator("td.changed")).to_be_visible()
    expect(row.locator("td.state")).to_contain_text("killed by")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_help_is_made_of_the_keys_of_this_recording(
    served: Served, folder: Path, opened: Callable[..., Page]
) -> None:
    page = opened(served, address(folder / "nethack.cast"))
    expect(page.locator("h1")).to_contain_text("NetHack")
    page.keyboard.press("h")
    told = page.get_by_role("dialog")
    expect(told).to_contain_text("one step back")
    assert "rewind" not in told.inner_text()  # who only looks cannot
    page.get_by_role("button", name="G End", exact=False).click()
    expect(told).to_be_hidden()
    stands(page, at="frame 88")


def test_it_goes_on_at_the_same_place_after_the_server_was_killed(folder: Path, opened: Callable[..., Page]) -> None:
    with serving(folder) as served:
        page = opened(served, address(folder / "delve.nhgame", "turn:131"))
        stands(page, at="turn 131")
        page.keyboard.press("}")
        expect(page.locator("#speed")).to_have_text("2×")
        served.process.kill()
        expect(page.locator("#message")).to_contain_text("The connection is lost")
    with serving(folder, "--port", str(served.port)):
        expect(page.locator("#message")).not_to_contain_text("The connection is lost")
        stands(page, at="turn 131")
        expect(page.locator("#speed")).to_have_text("2×")
        page.keyboard.press(".")
        stands(page, at="turn 132")


def test_a_program_is_watched_while_it_is_recorded(
    served: Served, folder: Path, tmp_path: Path, opened: Callable[..., Page]
) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    command = ["record", "--headless", "--title", "told", folder / "told.cast", "--"]
    script = 'while read -r line; do printf "%s\\r\\n" "$line"; done'
    with (
        subprocess.Popen([*NHLOG, *command, "sh", "-c", f"{script} < {told}"], cwd=ROOT) as recorder,
        open(told, "w") as program,
    ):
        print("first", file=program, flush=True)
        page = opened(served)
        page.locator("#games").get_by_role("link", name="told").click()
        screen = page.locator("#screen")
        expect(screen).to_contain_text("first")
        print("second", file=program, flush=True)
        expect(screen).to_contain_text("second")
        page.keyboard.press(",")
        expect(screen).not_to_contain_text("second")
        page.get_by_role("button", name="Live").click()
        expect(screen).to_contain_text("second")
        print("third", file=program, flush=True)
        expect(screen).to_contain_text("third")
        expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "true")
    assert recorder.returncode == 0


def test_a_game_is_watched_while_it_is_played(
    served: Served, folder: Path, tmp_path: Path, opened: Callable[..., Page]
) -> None:
    game = ("play", "--new", "--name", "Ann", "--role", "Wiz", "--seed", "7", str(folder / "ann.nhgame"))
    with Pty(*NHLOG, *game, HOME=str(tmp_path)) as player:
        player.wait_for("T:1")
        page = opened(served)
        card = page.locator("#now a", has_text="Ann")  # the recording of the test before may still be there
        expect(card).to_contain_text("playing")
        expect(card.locator(".glance")).to_contain_text("T:1")
        card.click()
        screen = page.locator("#screen")
        expect(screen).to_contain_text("T:1")
        player.send("20s")
        expect(screen).to_contain_text("T:21")
        page.keyboard.press(",")
        expect(screen).not_to_contain_text("T:21")
        page.keyboard.press("F")
        player.send("20s")
        expect(screen).to_contain_text("T:41")
        player.send("S")
        assert player.end() == 0
