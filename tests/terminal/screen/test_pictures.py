"""Screens as HTML and SVG: each character stands where it stands on the screen, in its colours."""

import re
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from nhlog.screen import Screen, Style, width_of
from nhlog.vt import Tape
from terminal.screen.pictures import as_html, as_moving_svg, as_svg
from tests.vt.truth import truth

RECORDED = ("recorded/bash-unicode.ttyrec", "recorded/vim.ttyrec", "recorded/vt-torture.ttyrec")


def recorded(name: str) -> Screen:
    """What a terminal showed late in a recording."""
    known = truth(name)
    return Tape(known.size, known.between).grid(len(known.parts) * 3 // 4).screen()


class Page(HTMLParser):
    """The text of a page, and where each span that says its width begins."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[str] = [""]
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self.inside = self.inside or tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self.inside:
            first, *more = data.split("\n")
            self.rows[-1] += first
            self.rows += more


@pytest.mark.parametrize("name", RECORDED)
def test_a_page_has_the_text_of_the_screen(name: str) -> None:
    screen = recorded(name)
    assert [row.rstrip() for row in Page(as_html(screen, name)).rows] == [row.rstrip() for row in screen.text()]


@pytest.mark.parametrize("name", RECORDED)
def test_an_image_has_each_character_in_its_place(name: str) -> None:
    screen = recorded(name)
    drawn = Screen(screen.width, screen.height)
    root = ElementTree.fromstring(as_svg(screen, name))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y = round(float(text.attrib["x"]) / 9), (int(text.attrib["y"]) - 14) // 18
        assert float(text.attrib["textLength"]) == pytest.approx(width_of(text.text or "") * 9)
        drawn.put(x, y, text.text or "")
    assert [row.rstrip() for row in drawn.text()] == [row.rstrip() for row in screen.text()]


def test_a_moving_image_shows_each_screen_for_its_time_and_runs_nothing() -> None:
    texts = [("same", "one"), ("same", "two"), ("same", "one"), ("", "three")]
    frames = []
    for (first, second), seconds in zip(texts, (1.0, 0.5, 2.0, 1.5), strict=True):
        screen = Screen(20, 2)
        screen.put(0, 0, first)
        screen.put(0, 1, second)
        frames.append((screen, seconds))
    image = as_moving_svg(frames, "x")
    assert "<script" not in image
    groups = {
        name: re.findall(r">(\w+)</text>", parts) for name, parts in re.findall('<g class="(.+?)">(.+)</g>', image)
    }
    rules = dict(re.findall(r"@keyframes ([\w-]+)\{((?:[\d.]+%\{\S+?\})+)\}", image))
    assert groups.keys() == rules.keys()
    for begin, wanted in ((0, texts[0]), (20, texts[1]), (30, texts[2]), (70, texts[3])):
        seen = []
        for name, steps in rules.items():
            changes = [(float(at), how) for at, how in re.findall(r"([\d.]+)%\{visibility:(\w+)\}", steps)]
            if [how for at, how in changes if at <= begin][-1] == "visible":
                seen += groups[name]
        assert sorted(seen) == sorted(filter(None, wanted))
    still = dict(re.findall(r"\.(f[\d-]+)\{visibility:(\w+);animation:\S+ 5s step-end infinite\}", image))
    assert [text for name, how in still.items() if how == "visible" for text in groups[name]] == ["three"]


def test_styles_are_there_and_nothing_of_the_text_is_taken_for_a_command() -> None:
    screen = Screen(40, 2)
    screen.put(0, 0, "<b>&'\"</b>", Style(fg=1, bg=(1, 2, 3), bold=True, underline=3, underline_color=(9, 8, 7)))
    screen.put(0, 1, "secret", Style(invisible=True))
    screen.put(10, 1, "dim", Style(fg=15, dim=True, reverse=True, italic=True, strikethrough=True))
    page, image = as_html(screen, "</title><script>"), as_svg(screen, "</title><script>")
    for text in (page, image):
        assert "&lt;b&gt;&amp;&#x27;&quot;&lt;/b&gt;" in text
        assert "<script>" not in text
        for style in ("#cd0000", "#010203", "font-weight:bold", "underline wavy #090807", "font-style:italic"):
            assert style in text
    assert "color:#000000;" in page
    ElementTree.fromstring(image)


def test_a_link_can_be_followed_where_it_runs_nothing() -> None:
    addresses = (
        'http://a/?b="><script>',
        "HTTPS://a",
        "mailto:a@b",
        "ftp://a",
        "javascript:alert(1)",
        "file:///a",
        "a",
    )
    screen = Screen(40, len(addresses))
    for y, address in enumerate(addresses):
        screen.put(0, y, f"text {y}█", Style(link=address, bold=True))
    page = as_html(screen, "x")
    assert [unescape(found) for found in re.findall('<a href="([^"]*)" rel="noreferrer" style=', page)] == [
        address for address in addresses[:4] for _ in ("text", "█")
    ]
    assert "<script>" not in page
    assert "script:" not in page
    assert [row.rstrip() for row in Page(page).rows] == screen.text()


def test_an_image_is_dark_on_light_where_the_browser_is_light() -> None:
    screen = Screen(20, 3)
    screen.put(0, 0, "white", Style(fg=15))
    screen.put(0, 1, "yellow", Style(fg=11))
    screen.put(0, 2, "title", Style(fg=15, bg=(0, 95, 175)))
    root = ElementTree.fromstring(as_svg(screen, "x"))
    (style,) = root.iter("{http://www.w3.org/2000/svg}style")
    rules = dict(re.findall(r"\.(\w+)\{fill:(#\w+)\}", style.text or ""))
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    assert rules["g"] == "#ffffff"
    assert [rules.get(text.attrib.get("class", ""), text.attrib["fill"]) for text in texts] == [
        "#000000",
        "#6c6c00",
        "#ffffff",
    ]
