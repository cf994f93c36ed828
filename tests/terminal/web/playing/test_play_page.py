"""The page of players in a real browser: a link, games played by keys and by touch, and gone on with by ssh."""

import re
from collections.abc import Callable, Iterator

import pytest

from tests.terminal.web.playing.house import House, open_house
from tests.waiting import PATIENCE

sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright to drive a browser with")
Browser, Page, expect = sync_api.Browser, sync_api.Page, sync_api.expect

STATUS = re.compile(r"T:(\d+)")
AROUND = re.compile(r"\S*@\S*")
"""The hero, and what stands to the left and the right."""
LOADED = 3 * PATIENCE * 1000
"""Milliseconds for a lobby to begin: browser, server and lobby begin at once on as few cores as there are."""
GAME = """
[games.kept]
size = "80x24"
command = ["sh", "-c", "echo begun; while read key; do echo got $key; done"]
on_disconnect = "keep"
sandbox = "none"
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house"), games=GAME) as house:
        yield house


@pytest.fixture
def opened(new_page: Callable[..., Page], house: House) -> Callable[..., Page]:
    """Opens the page with a link of a player."""

    def opened(player: str, width: int = 1280, height: int = 720, **options: object) -> Page:
        page = new_page(width, height, **options)
        page.goto(f"{house.origin}/play#{house.link(player)}")
        page.get_by_role("button", name="Log in").click()
        expect(page.locator("#screen")).to_contain_text("Enter open", timeout=LOADED)
        return page

    return opened


def shows(page: Page, text: str) -> None:
    expect(page.locator("#screen")).to_contain_text(text)


def turn(page: Page) -> int:
    found = STATUS.search(page.locator("#screen").inner_text())
    assert found
    return int(found[1])


def with_a_game(house: House, player: str) -> None:
    """Give the player a game of delve, whose hero stands where the way to the right is free."""
    from nhlog.engines.delve import ENGINE
    from nhlog.engines.protocol import NewGame
    from nhlog.session import new_game

    options = NewGame(player, "Wizard", "gnomish", "female", "chaotic", 0, 7)
    new_game(str(house.folder(player).games / "one.nhgame"), ENGINE, options).log.source.close()


def test_a_game_that_is_played_in_the_browser_goes_on_by_ssh(house: House, opened: Callable[..., Page]) -> None:
    with_a_game(house, "ann")
    page = opened("ann")
    page.keyboard.press("Enter")
    expect(page.locator("#screen")).to_contain_text(STATUS)
    for _ in range(5):  # a case: five turns
        before = turn(page)
        page.keyboard.press("s")
        expect(page.locator("#screen")).not_to_contain_text(re.compile(rf"T:{before}(?!\d)"))
    reached, around = turn(page), AROUND.findall(page.locator("#screen").inner_text())
    page.close()
    with house.opens("ann") as ssh:
        ssh.wait_for("Enter open")
        ssh.send("\r")
        rows = ssh.wait_for(f"T:{reached}")
        assert AROUND.findall("\n".join(rows)) == around


def test_the_link_is_not_kept_in_the_address_and_is_no_use_again(house: House, opened: Callable[..., Page]) -> None:
    page = opened("bob")
    assert page.evaluate("() => location.href") == f"{house.origin}/play"
    page.reload()
    shows(page, "Enter open")
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("#who")).to_contain_text("press L there")


def test_scripts_do_not_see_the_session(opened: Callable[..., Page]) -> None:
    assert opened("cyn").evaluate("() => document.cookie") == ""


def test_another_site_s_page_gets_no_terminal(browser: Browser, house: House, opened: Callable[..., Page]) -> None:
    page = opened("dan")
    page.route("http://evil.localhost/", lambda route: route.fulfill(body="<p>", content_type="text/html"))
    page.goto("http://evil.localhost/")
    closed = page.evaluate(
        """address => new Promise(done => {
            const socket = new WebSocket(address);
            socket.onopen = () => done("open");
            socket.onerror = () => done("refused");
        })""",
        f"ws://{house.host}/play/ws",
    )
    assert closed == "refused"


def test_the_second_window_takes_over(opened: Callable[..., Page]) -> None:
    page = opened("eve")
    second = page.context.new_page()
    second.goto(page.url)
    shows(second, "Enter open")
    back = page.get_by_role("button", name="Play")
    expect(back).to_be_focused()
    expect(back).to_have_accessible_description("You play in another window now.")
    expect(page.get_by_role("textbox", name="Terminal")).to_have_count(0)


def test_the_keyboard_is_in_the_terminal_is_told_how_to_leave_it_and_does(opened: Callable[..., Page]) -> None:
    page = opened("ida")
    terminal = page.get_by_role("textbox", name="Terminal")
    expect(terminal).to_be_focused()
    expect(terminal).to_have_accessible_description(re.compile("Shift Tab leads to the buttons"))
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Keypad")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Log out")).to_be_focused()
    for _ in range(3):  # a case: as many buttons as there are
        page.keyboard.press("Shift+Tab")
    expect(terminal).to_be_focused()


def test_who_has_to_log_in_is_where_that_is_said(new_page: Callable[..., Page], house: House) -> None:
    page = new_page(1280, 720)
    page.goto(f"{house.origin}/play")
    expect(page.get_by_text("You play here once you have opened the link")).to_be_focused()
    page.goto(f"{house.origin}/play#{house.link('jo')}")
    expect(page.get_by_role("button", name="Log in")).to_be_focused()
    expect(page.get_by_role("button", name="Log in")).to_have_accessible_description("This link logs jo in.")


def test_what_a_key_changes_is_read_aloud_and_not_the_screen(house: House, opened: Callable[..., Page]) -> None:
    with_a_game(house, "kim")
    page = opened("kim")
    told = page.get_by_role("log")
    expect(told).to_contain_text("kim, gnomish Wizard")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Welcome to the Delve, kim the gnomish Wizard.")
    expect(told).to_contain_text("Ten levels below")
    read = told.locator("p")
    page.keyboard.press(",")
    expect(read.last).to_have_text("There is nothing here to pick up.")
    before = read.count()  # what a game begins with may be read in pieces
    page.keyboard.press("i")
    expect(read.last).to_contain_text("quarterstaff")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    expect(read.last).to_contain_text("What do you want to drop?")
    expect(read).to_have_count(before + 2)
    assert "HP:" not in page.locator("main").aria_snapshot()


def test_the_screen_is_read_row_by_row_and_none_of_these_keys_is_typed(
    house: House, opened: Callable[..., Page]
) -> None:
    with_a_game(house, "lea")
    page = opened("lea")
    page.keyboard.press("Enter")
    expect(page.locator("#screen")).to_contain_text(STATUS)
    before = page.locator("#screen").inner_text()
    page.keyboard.press("F2")
    expect(page.locator(":focus")).to_contain_text("HP:14(14)")
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_contain_text("lea the Candle Bearer")
    page.keyboard.press("Home")
    expect(page.locator(":focus")).to_contain_text("Welcome")
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Terminal")).to_be_focused()
    assert page.locator("#screen").inner_text() == before
    page.keyboard.press("s")
    expect(page.locator("#screen")).not_to_contain_text(re.compile(r"T:1(?!\d)"))


def test_text_is_pasted_and_copied(opened: Callable[..., Page]) -> None:
    page = opened("fay")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("/")
    page.evaluate("() => navigator.clipboard.writeText('pasted text')")
    page.keyboard.press("Control+v")
    shows(page, "pasted text")
    page.evaluate("() => getSelection().selectAllChildren(document.querySelector('#screen > div'))")
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()").startswith(" nhlog")


def test_a_phone_has_a_keypad_and_its_own_keyboard(house: House, opened: Callable[..., Page]) -> None:
    with_a_game(house, "gus")
    page = opened("gus", width=390, height=844, has_touch=True, is_mobile=True)
    keypad = page.locator("#keys")
    expect(keypad).to_be_visible()
    keypad.get_by_role("button", name="space").tap()
    keypad.get_by_role("button", name="enter").tap()
    expect(page.locator("#screen")).to_contain_text(STATUS)
    before = turn(page)
    keypad.get_by_role("button", name="s", exact=True).tap()
    expect(page.locator("#screen")).not_to_contain_text(re.compile(rf"T:{before}(?!\d)"))
    keypad.get_by_role("button", name="Shift").tap()
    keypad.get_by_role("button", name="s", exact=True).tap()  # S: leaves
    shows(page, "Enter open")
    keypad.get_by_role("button", name="Keyboard").tap()
    page.keyboard.insert_text("/gnome")
    shows(page, "show only")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_larger_window_gets_a_larger_terminal(opened: Callable[..., Page]) -> None:
    page = opened("hal", width=900, height=600)
    rows = page.locator("#screen > div:not(.cursor)")
    before = rows.count()
    page.set_viewport_size({"width": 1600, "height": 1000})
    expect(rows).not_to_have_count(before)
    shows(page, "Enter open")
