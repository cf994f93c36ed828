from collections.abc import Iterator

import pytest

from tests.corpus import SAMPLES
from tests.terminal.web.site import Served, serving


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(SAMPLES) as served:
        yield served


def test_pages_have_no_inline_code_and_come_from_a_table(served: Served) -> None:
    page = served.get("/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'; script-src 'self'" in page.headers["content-security-policy"]
    assert served.get("/static/lobby.js").status == 200
    for path in ("/static/../__init__.py", "/static/%2e%2e/__init__.py", "/static/lobby.js%00", "/r/../../etc/passwd"):
        assert served.get(path).status == 404


def test_the_lobby_lists_recordings_without_their_places(served: Served) -> None:
    rows = served.rows()
    assert rows["Dies2"]["game"] == "NetHack 4.3"
    assert "file" not in rows["Dies2"]
    assert served.get(f"/r/{rows['Dies2']['id']}").status == 200
    assert served.get("/r/aaaaaaaaaaaaaaaa").status == 404


def test_a_finished_game_is_stepped_through_by_who_presses_keys(served: Served) -> None:
    address = f"/ws/view/{served.rows()['Dies2']['id']}?size=80x24"
    with served.page(address) as page, served.page(address) as other:
        page.until("full")
        other.until("full")
        assert (page.state["step"], page.state["own"]) == (0, False)
        page.send(key="G")
        page.stands("turn 449")
        assert page.state["own"]
        page.send(seek="turn:241")
        page.stands("turn 241")
        assert other.state["step"] == 0
