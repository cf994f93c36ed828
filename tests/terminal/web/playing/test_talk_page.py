"""Talk in a real browser: who is logged in talks beside a game on its page, and the player at the terminal sees it."""

import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from nhlog.beside.talk import Talk, open_talk, remove, say, talk_file
from terminal.web.recordings import identified
from tests.terminal.web.front import front
from tests.terminal.web.playing.house import House, open_house
from tests.terminal.web.playing.test_play_page import with_a_game
from tests.terminal.web.site import Served, serving
from tests.waiting import PATIENCE

sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright to drive a browser with")
Browser, Page, expect = sync_api.Browser, sync_api.Page, sync_api.expect

HOSTILE = "<img src=x onerror=alert(1)>"


class Server(NamedTuple):
    """A server as its guests see it: players and the `pages` about games at one address."""

    house: House
    pages: Served
    address: str

    def page_of(self, recording: Path) -> str:
        """The address of the page of a recording, as soon as it is in the list."""
        path, deadline = f"/r/{identified(os.path.realpath(recording))}", time.monotonic() + PATIENCE
        while self.pages.get(path).status != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        return self.address + path


@contextmanager
def a_server(folder: Path, others: str = "") -> Iterator[Server]:
    """A server in this folder, with other settings besides."""
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with (
        open_house(folder, games="", address=f"{address}/play", others=others) as house,
        serving(XDG_CONFIG_DIRS=str(folder / "etc")) as pages,
        front(listener, lambda path: house.served.port if path.startswith("/play") else pages.port),
    ):
        yield Server(house, pages, address)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with a_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def opened(new_page: Callable[..., Page], server: Server) -> Callable[..., Page]:
    """Opens a page of a browser in which a player is logged in, or nobody."""

    def opened(url: str, player: str = "", width: int = 1200) -> Page:
        page = new_page(width, 700)
        if player:
            name, _, value = server.house.log_in(player).partition("=")
            cookie = {"name": name, "value": value, "domain": "127.0.0.1", "path": "/play"}
            page.context.add_cookies([{**cookie, "httpOnly": True, "sameSite": "Strict"}])
        page.goto(url)
        return page

    return opened


def a_game(server: Server, player: str) -> Path:
    """A game of delve beside which people may talk."""
    with_a_game(server.house, player)
    recording = server.house.folder(player).games / "one.nhgame"
    open_talk(str(recording), takes=True, watched=True)
    return recording


def test_a_spectator_chats_in_the_browser_and_the_player_answers_at_the_terminal(
    server: Server, opened: Callable[..., Page]
) -> None:
    with_a_game(server.house, "ann")
    recording = server.house.folder("ann").games / "one.nhgame"
    with server.house.opens("ann") as ssh:
        ssh.wait_for("Enter open")
        ssh.send("\r")
        ssh.wait_for("T:")
        page, other = opened(server.page_of(recording), "bob"), opened(server.page_of(recording))
        ssh.wait_for("watching")
        page.get_by_role("button", name="Talk", exact=True).click()
        line = page.get_by_label("Say something to all who watch")
        expect(line).to_have_attribute("placeholder", "Say something as bob")
        line.fill("mind the trap!")
        line.press("Enter")
        ssh.wait_for("bob: mind the trap!")
        expect(line).to_have_value("")
        for watching in (page, other):
            expect(watching.locator("#said li")).to_have_text("bob mind the trap!")
        ssh.send("\x19thanks\r")
        expect(other.locator("#said li").last).to_have_text("ann thanks")


def test_who_is_not_logged_in_reads_and_is_shown_where_to_log_in(server: Server, opened: Callable[..., Page]) -> None:
    recording = a_game(server, "cyn")
    say(str(recording), "bob", "hello")
    page = opened(server.page_of(recording))
    expect(page.locator("#said li")).to_have_text("bob hello")
    expect(page.get_by_role("link", name="Log in to talk")).to_have_attribute("href", f"{server.address}/play")
    expect(page.locator("#say")).to_be_hidden()


def test_where_there_is_no_talk_nobody_is_asked_to_log_in_for_it_and_what_was_said_before_is_read(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    with a_server(tmp_path, others="talk = false") as server:
        silent, spoken = (server.house.folder(name).games / "one.nhgame" for name in ("ann", "bob"))
        with_a_game(server.house, "ann")
        with_a_game(server.house, "bob")
        open_talk(str(spoken), takes=True, watched=True)
        say(str(spoken), "cyn", "hello")
        pages = [new_page(1200, 700) for _ in range(2)]
        for page, recording in zip(pages, (silent, spoken), strict=True):
            address = server.page_of(recording)
            with page.expect_response("**/play/session") as told:
                page.goto(address)
            assert told.value.json() == {"player": None, "talk": False, "talks": False}
        expect(pages[1].locator("#said li")).to_have_text("cyn hello")
        expect(pages[1].get_by_role("button", name="Talk", exact=True)).to_be_visible()
        expect(pages[0].get_by_role("button", name="Talk", exact=True)).to_be_hidden()
        for page in pages:
            expect(page.locator("#log-in")).to_be_hidden()
            expect(page.locator("#say")).to_be_hidden()


def test_markup_is_text_and_what_is_removed_is_gone(server: Server, opened: Callable[..., Page]) -> None:
    recording = a_game(server, "dan")
    page = opened(server.page_of(recording), "bob")
    say(str(recording), "eve", HOSTILE)
    say(str(recording), HOSTILE, "hello")
    expect(page.locator("#said li")).to_have_text([f"eve {HOSTILE}", f"{HOSTILE} hello"])
    assert page.locator("#said img").count() == 0
    talk = Talk(str(recording))
    talk.look()
    remove(str(recording), talk.said[0].offset)
    expect(page.locator("#said li")).to_have_text([f"{HOSTILE} hello"])


def test_what_is_said_from_now_on_is_read_aloud_with_the_name_of_who_says_it(
    server: Server, opened: Callable[..., Page]
) -> None:
    recording = a_game(server, "ivy")
    say(str(recording), "bob", "before")
    page = opened(server.page_of(recording))
    expect(page.locator("#said li")).to_have_text("bob before")
    say(str(recording), "bob", "hello")
    say(str(recording), "cyn", "mind the trap!")
    expect(page.locator("#said li")).to_have_count(3)
    read = page.get_by_role("log").filter(has_text="bob")
    expect(read.locator("p")).to_have_text(["bob: hello", "cyn: mind the trap!"])
    page.get_by_role("button", name="Talk", exact=True).click()
    say(str(recording), "bob", "hidden")
    expect(page.locator("#said li")).to_have_count(4)
    expect(read.locator("p")).to_have_count(2)


def test_keys_that_are_typed_there_are_not_the_recording_s(server: Server, opened: Callable[..., Page]) -> None:
    recording = a_game(server, "eve")
    page = opened(server.page_of(recording), "bob")
    expect(page.locator("#note")).to_have_text("live")
    page.get_by_role("button", name="Talk", exact=True).click()
    page.get_by_label("Say something to all who watch").click()
    page.keyboard.type("q ? g .")
    expect(page.get_by_label("Say something to all who watch")).to_have_value("q ? g .")
    assert page.url == server.page_of(recording)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#text")).to_be_focused()


def test_what_is_refused_is_said_and_the_line_stays(server: Server, opened: Callable[..., Page]) -> None:
    recording = a_game(server, "fay")
    page = opened(server.page_of(recording), "bob")
    open_talk(str(recording), takes=False, watched=True)
    page.get_by_role("button", name="Talk", exact=True).click()
    line = page.get_by_label("Say something to all who watch")
    line.fill("hello")
    line.press("Enter")
    expect(page.locator("#message")).to_have_text("the player does not accept talk")
    expect(line).to_have_value("hello")


def test_a_line_that_is_too_early_is_sent_until_it_is_taken(server: Server, opened: Callable[..., Page]) -> None:
    recording = a_game(server, "hal")
    Path(talk_file(str(recording))).unlink()  # nobody plays it: it is made again below, as a player would
    page = opened(server.page_of(recording), "bob")
    page.get_by_role("button", name="Talk", exact=True).click()
    line = page.get_by_label("Say something to all who watch")
    line.fill("hello")
    with page.expect_response("**/play/talk") as refused:
        line.press("Enter")
    assert refused.value.status == 503
    expect(page.locator("#message")).to_have_text("Sending…")
    line.press("Enter")  # it is sent once
    open_talk(str(recording), takes=True, watched=True)
    expect(page.locator("#said li")).to_have_text("bob hello")
    expect(line).to_have_value("")
    expect(page.locator("#message")).to_have_text("")


@pytest.mark.parametrize("width", [1200, 400])
def test_the_talk_takes_its_place_beside_the_picture_or_below_it(
    server: Server, opened: Callable[..., Page], width: int
) -> None:
    recording = a_game(server, f"gus{width}")
    for number in range(5):  # a case: more is too much at once
        say(str(recording), "bob", f"line {number} " + "long " * 30)
    page = opened(server.page_of(recording), width=width)
    expect(page.locator("#said li")).to_have_count(5)
    room, talk = page.locator("#room").bounding_box(), page.locator("#talk").bounding_box()
    assert room
    assert talk
    if width > 720:
        assert room["x"] + room["width"] <= talk["x"] + 1
    else:
        assert room["y"] + room["height"] <= talk["y"] + 1
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Talk", exact=True).click()
    expect(page.locator("#talk")).to_be_hidden()
    expect(page.locator("#talks")).to_have_attribute("aria-pressed", re.compile("false"))
