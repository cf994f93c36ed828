"""The pages about games that ended, as a server answers: from lists and dumps that anybody may have written."""

import json
import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.corpus import SAMPLES
from tests.scores.test_table import line
from tests.terminal.web.site import Served, serving

SECRET = b"nobody may read this"
HOSTILE = "<img src=x onerror=alert(1)>&\"'\x1b[2J\u202e"
HUGE = 9_999_999_999_999_999_999
ENDED = 1_700_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of games with dumps, and whatever else may lie there."""
    folder = tmp_path_factory.mktemp("finished")
    (folder.parent / "secret.txt").write_bytes(SECRET)
    (folder / "unnamed.txt").write_bytes(SECRET)
    (folder / "ann.txt").write_bytes(b"<b>Ann</b> died\n")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    os.link(folder.parent / "secret.txt", folder / "hard.txt")
    os.mkfifo(folder / "pipe.txt")
    (folder / "folder.txt").mkdir()
    (folder / "large.txt").touch()
    os.truncate(folder / "large.txt", 1 << 30)
    dumps = ("link.txt", "hard.txt", "pipe.txt", "folder.txt", "large.txt", "../secret.txt", "secret", ".hidden.txt")
    games = [
        line("Ann", 50, engine="delve", dumplog="ann.txt"),
        line("Ann", 70, engine="delve", death="ascended", endtime=ENDED + 60, role="Val"),
        line("Ben", HUGE, engine="nethack", endtime=ENDED + 120, realtime=HUGE, starttime=HUGE),
        line("Ben", 9, engine="nethack", endtime=HUGE),
        line("Cyn", 60, engine="delve", endtime=1_600_000_000, mode="debug"),
        line(HOSTILE, 1, engine="delve", death=HOSTILE, role=HOSTILE, endtime=ENDED + 180),
        *(line("Dan", 1, engine="delve", dumplog=dump, endtime=1) for dump in dumps),
    ]
    (folder / "xlogfile").write_bytes(b"\n".join(games) + b"\nrubbish\n")
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    with serving(folder) as served:
        yield served
        assert served.process.poll() is None


def told(served: Served, path: str) -> Any:
    answer = served.get(path)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["access-control-allow-origin"] == "*"
    return json.loads(answer.body)  # type: ignore[attr-defined]


def names(found: Any) -> list[tuple[str, int]]:
    return [(score["player"], score["points"]) for score in found["scores"]]


def test_scores_are_chosen_by_game_role_and_month(served: Served) -> None:
    best = told(served, "/api/scores")["scores"]
    assert [(score["rank"], score["player"], score["points"]) for score in best[:3]] == [
        (1, "Ben", (1 << 53) - 1),  # no number is larger than a page can read
        (2, "Ann", 70),
        (3, "Ann", 50),
    ]
    assert names(told(served, "/api/scores?game=delve&month=2023-11"))[:2] == [("Ann", 70), ("Ann", 50)]
    assert names(told(served, "/api/scores?role=Valkyrie")) == [("Ann", 70)]
    assert names(told(served, "/api/scores?game=chess")) == []


def test_the_latest_come_first_and_none_from_the_future(served: Served) -> None:
    found = told(served, "/api/recent")
    assert names(found)[1:4] == [("Ben", (1 << 53) - 1), ("Ann", 70), ("Ann", 50)]
    assert (found["total"], found["wins"]) == (14, 1)


def test_a_player_has_numbers_and_games_under_any_case_of_the_name(served: Served) -> None:
    found = told(served, "/api/players/ANN")
    assert (found["player"], found["total"], found["wins"], found["deaths"]) == ("Ann", 2, 1, 1)
    assert (found["best"]["points"], names(found)) == (70, [("Ann", 70), ("Ann", 50)])
    assert served.get("/player/nobody").status == 404


def test_no_record_names_a_place_on_the_server(served: Served, folder: Path) -> None:
    for path in ("/api/scores", "/api/recent", "/api/players/ann", "/scores", "/player/Ann", "/recent.rss"):
        assert str(folder).encode() not in served.get(path).body  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/scores", "/recent", "/scores?game=<script>", "/player/Ann"])
def test_pages_are_html_in_which_nothing_is_anybodys_markup(served: Served, path: str) -> None:
    answer = served.get(path)
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    page = answer.body.decode()  # type: ignore[attr-defined]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert not any(odd in page for odd in ("<img", "<script", "\x1b", "\u202e"))


def test_the_feed_is_xml_whatever_players_are_called(served: Served) -> None:
    answer = served.get("/recent.rss")
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    items = ElementTree.fromstring(answer.body).findall("channel/item")  # type: ignore[attr-defined]
    assert "onerror=alert(1)" in (items[0].findtext("title") or "")
    assert (items[3].findtext("pubDate"), items[3].findtext("title")) == (
        "Tue, 14 Nov 2023 22:13:20 +0000",
        "Ann, delve: killed by a newt",
    )
    assert (items[0].findtext("link") or "").startswith(f"http://127.0.0.1:{served.port}/")


def test_a_dump_is_plain_text(served: Served) -> None:
    answer = served.get("/dumps/ann.txt")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert (answer.body, answer.headers["x-content-type-options"]) == (  # type: ignore[attr-defined]
        b"<b>Ann</b> died\n",
        "nosniff",
    )


@pytest.mark.parametrize(
    "name",
    [
        *("unnamed.txt", "link.txt", "hard.txt", "pipe.txt", "folder.txt", ".hidden.txt", "secret"),
        *("../secret.txt", "%2e%2e%2fsecret.txt", "..%2f..%2fetc%2fpasswd", "ann.txt%00", "xlogfile"),
    ],
)
def test_nothing_else_is_read(served: Served, name: str) -> None:
    answer = served.get(f"/dumps/{name}")
    assert (answer.status, SECRET in answer.body) == (404, False)  # type: ignore[attr-defined]


def test_of_a_large_dump_the_beginning_is_shown(served: Served) -> None:
    assert len(served.get("/dumps/large.txt").body) == 1 << 20  # type: ignore[attr-defined]


def test_more_games_are_there_when_they_have_ended(tmp_path: Path) -> None:
    listed = tmp_path / "xlogfile"
    listed.write_bytes(line("Ann", 1) + b"\n")
    with serving(tmp_path) as served:
        assert names(told(served, "/api/scores")) == [("Ann", 1)]
        with listed.open("ab") as file:
            file.write(line("Ben", 2) + b"\n")
        while names(told(served, "/api/scores")) != [("Ben", 2), ("Ann", 1)]:
            pass


def test_a_game_is_linked_with_its_recording(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "died2.nhgame", tmp_path)
    with serving(tmp_path) as served:
        rows = served.rows()
        while not (found := told(served, "/api/players/dies2"))["scores"]:
            pass
        assert found["scores"][0]["recording"] == rows["Dies2"]["id"]
        assert [row["recording"] for row in found["recordings"]] == [rows["Dies2"]["id"]]
        page = served.get("/player/dies2").body.decode()  # type: ignore[attr-defined]
        assert re.search(r">watch <span[^>]*>of Dies2, ended \d", page), "a link says by itself which game it leads to"


def test_a_process_that_is_killed_is_begun_again_by_the_next_question(tmp_path: Path) -> None:
    (tmp_path / "xlogfile").write_bytes(line("Ann", 1) + b"\n")
    with serving(tmp_path) as served:
        told(served, "/api/scores")
        before = served.forked()
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        while set(before) & set(served.forked()) or served.get("/api/recent").status != 200:
            pass
        assert names(told(served, "/api/scores")) == [("Ann", 1)]


@pytest.mark.parametrize("settled", [False, True])
def test_a_tournament_has_a_page_that_is_live(tmp_path: Path, settled: bool) -> None:
    rules = tmp_path / "all.toml"
    rules.write_text(
        'title = "<b>All</b>"\nbegin = 2000-01-01T00:00:00Z\nend = 2100-01-01T00:00:00Z\n'
        '[[trophies]]\ntitle = "<i>Points</i>"\nmost = "points"\n'
    )
    listed = tmp_path / "xlogfile"
    listed.write_bytes(line("Ann", 1, starttime=ENDED) + b"\n")
    config = tmp_path / "etc" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'tournaments = ["{rules}"]\n' if settled else "")
    asked = () if settled else ("--tournament", rules)
    with serving(tmp_path, *asked, XDG_CONFIG_DIRS=str(tmp_path / "etc")) as served:

        def places() -> list[tuple[str, int]]:
            return [(place["player"], place["value"]) for place in told(served, "/api/tournaments/all")["places"]]

        assert places() == [("Ann", 1)]
        with listed.open("ab") as file:
            file.write(line("Ben", HUGE, starttime=ENDED) + b"\n")
        while places() != [("Ben", (1 << 53) - 1), ("Ann", 1)]:
            pass
        page = served.get("/tournament/all").body.decode()  # type: ignore[attr-defined]
        assert "&lt;b&gt;All" in page
        assert "<i>" not in page
        assert served.get("/tournament/other").status == 404


def test_the_page_of_a_tournament_says_which_games_cannot_tell_their_seed(tmp_path: Path) -> None:
    rules = tmp_path / "one.toml"
    rules.write_text(
        'title = "One"\nbegin = 2000-01-01T00:00:00Z\nend = 2100-01-01T00:00:00Z\nseeds = [42]\n'
        '[[trophies]]\ntitle = "Points"\nmost = "points"\n'
    )
    games = [("Ann", "crawl", {"seed": 42}), ("Ben", HOSTILE, {}), ("Cyn", "Angband", {}), ("Dan", "Angband", {})]
    lines = [line(name, 1, engine=game, starttime=ENDED, **fields) for name, game, fields in games]
    (tmp_path / "xlogfile").write_bytes(b"\n".join(lines) + b"\n")
    with serving(tmp_path, "--tournament", rules) as served:
        answer = told(served, "/api/tournaments/one")
        assert [place["player"] for place in answer["places"]] == ["Ann"]
        assert answer["untold"] == {"Angband": 2, HOSTILE: 1}
        page = served.get("/tournament/one").body.decode()
    said = "Games not counted, as nothing says from which seed their worlds are: 3"
    assert re.search(rf"<p>{said} \(&lt;img .*, Angband\)\.</p>", page)
    assert "<img" not in page


@pytest.mark.parametrize("address", [None, "https://games.example.org/play"])
def test_each_page_leads_to_the_others_and_to_where_players_play(
    folder: Path, tmp_path: Path, address: str | None
) -> None:
    config = tmp_path / "nhlog" / "config.toml"
    config.parent.mkdir()
    config.write_text("[web]\n" + (f'play = "{address}"\n' if address else ""))
    with serving(folder, XDG_CONFIG_DIRS=str(tmp_path)) as served:
        for page in ("/", "/scores", "/recent", "/player/Ann"):
            body = served.get(page).body.decode()
            links = re.findall(r'<a href="([^"]*)"[^>]*>(Games|Scores|Recent|Play)</a>', body)
            pages = [("/", "Games"), ("/scores", "Scores"), ("/recent", "Recent")]
            assert links == pages + ([(address, "Play")] if address else [])
