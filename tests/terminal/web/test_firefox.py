"""The pages in Firefox: what one does with a recording, a live game and a game of one's own, by keys and clicks."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.corpus import SAMPLES
from tests.guests import needs
from tests.terminal.pty import NHLOG, Pty
from tests.terminal.web.firefox import FirefoxPage, opened_in_firefox
from tests.terminal.web.playing.house import open_house
from tests.terminal.web.site import serving

pytestmark = needs("delve")


@pytest.fixture(scope="module")
def only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirefoxPage]:
    with opened_in_firefox(tmp_path_factory.mktemp("firefox")) as page:
        yield page


@pytest.fixture
def firefox(only: FirefoxPage) -> Iterator[FirefoxPage]:
    """The page, for a test whose server is there as long as that needs it."""
    yield only
    assert only.wrong == []


def test_a_recording_is_found_stepped_through_and_searched(firefox: FirefoxPage, tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "delve.nhgame", tmp_path)
    with serving(tmp_path) as served:
        firefox.go(f"http://127.0.0.1:{served.port}/")
        firefox.shows("Brisk", "#games tbody")
        firefox.press("Enter")
        firefox.waits("location.pathname.startsWith('/r/')")
        firefox.shows("turn", "#place")
        firefox.press(*"131G")
        firefox.shows("turn 131", "#place")
        firefox.shows("T:131")
        firefox.press(".")
        firefox.shows("turn 132", "#place")
        firefox.press("PageUp")
        firefox.shows("turn 81", "#place")
        firefox.press("/", *"dragon", "Enter")
        firefox.shows("not found ahead: dragon", "#message")
        firefox.resize(390, 844)
        firefox.waits("document.documentElement.scrollWidth <= 390")
        firefox.waits("document.querySelector('#screen').getBoundingClientRect().width <= 390")
        firefox.resize(1280, 720)
        firefox.press("Escape")
        firefox.shows("Games and recordings", "h1")
        firefox.leave()


def test_a_live_game_is_watched_from_any_moment(firefox: FirefoxPage, tmp_path: Path) -> None:
    game = ("play", "--new", "--name", "Ann", "--role", "Wiz", "--seed", "7", str(tmp_path / "ann.nhgame"))
    with serving(tmp_path) as served, Pty(*NHLOG, *game, HOME=str(tmp_path)) as player:
        player.wait_for("T:1")
        firefox.go(f"http://127.0.0.1:{served.port}/")
        firefox.click("#now a")
        firefox.shows("T:1")
        player.send("20s")
        firefox.shows("T:21")
        firefox.press(",")
        firefox.waits("!document.querySelector('#screen').textContent.includes('T:21')")
        firefox.press("F")
        firefox.shows("T:21")
        player.send("S")
        assert player.end() == 0
        firefox.leave()


def test_a_game_is_played(firefox: FirefoxPage, tmp_path: Path) -> None:
    with open_house(tmp_path) as house:
        firefox.go(f"{house.origin}/play#{house.link('ann')}")
        firefox.shows("Log in", "#enter")
        firefox.click("#enter")
        firefox.shows("Enter open")
        firefox.press("n")
        firefox.shows("Which game?")
        firefox.shows("- kept")
        letter = firefox.waits("document.querySelector('#screen').textContent.match(/(\\w) [->] kept/)[1]")
        firefox.press(letter, *"hello", "Enter")
        firefox.shows("got hello")
        house.administer("players", "kick", "ann")
        firefox.waits("!location.hash")
        firefox.leave()
