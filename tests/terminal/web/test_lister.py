"""What the lister tells of recordings, and what becomes of a list that cannot be made."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from terminal.doctor.checks import check_page, judge_page
from terminal.doctor.finding import Health
from terminal.web.processes.lister import UNTOLD, lasting, tellable
from terminal.web.recordings import Row
from tests.corpus import SAMPLES, corpus
from tests.terminal.web.site import serving


@pytest.mark.parametrize(
    ("place", "others", "lasts"),
    [
        ("/g/x.cast", [], "/g/x.cast"),
        ("/g/x.cast.zst", [], "/g/x.cast"),
        ("/g/x.cast.zst", ["/g/x.cast"], "/g/x.cast.zst"),
        ("/g/x.cast", ["/g/x.cast.zst"], "/g/x.cast"),
        ("/g/x.nhgame", [], "/g/x.nhgame"),
    ],
)
def test_links_to_a_recording_hold_when_it_is_packed(place: str, others: list[str], lasts: str) -> None:
    assert lasting(place, {place, *others}) == lasts


def test_a_row_that_the_server_would_not_read_is_not_sent() -> None:
    assert tellable(Row(id="a", file="/a", turn=3)) == Row(id="a", file="/a", turn=3)
    with pytest.raises(ValueError, match="turn"):
        tellable(Row(id="a", file="/a", turn=1.5))  # type: ignore[arg-type]


TURN = 1  # 1.0, as the game counts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(corpus("terminal", "crawl-breaks-serve.cast"), folder)
    shutil.copy(SAMPLES / "died2.nhgame", folder)
    return folder


def test_a_game_of_crawl_whose_turns_are_fractions_is_listed(folder: Path) -> None:
    with serving(folder) as served:
        with served.page("/ws/lobby") as page:
            while not (found := [row for row in page.next().get("put", ()) if row["game"] == "Dungeon Crawl"]):
                pass
        assert [row["turn"] for row in found] == [TURN]
        lister = served.forked()
        assert len(served.rows()) == 2
        assert served.forked() == lister  # the same one is still there


SPOILT = """
import terminal.web.processes.lister as lister
row_of = lister._row
def spoilt(lobby, row, place):
    if row.file.endswith(".cast"):
        raise RuntimeError("no \\x1b[2Jsense")
    return row_of(lobby, row, place)
lister._row = spoilt
"""


def spoiling(tmp_path: Path, code: str) -> dict[str, str]:
    """An environment in which the lister is spoilt: of what the server's processes import, this is imported first."""
    place = tmp_path / "spoil"
    place.mkdir()
    (place / "sitecustomize.py").write_text(
        "import sys\n"
        "if any('forkserver' in word or 'checking' in word for word in sys.orig_argv):\n"
        + "".join(f"    {line}\n" for line in code.strip().splitlines())
    )
    return {"PYTHONPATH": os.pathsep.join([str(place), *filter(None, sys.path)])}


def test_a_row_that_cannot_be_told_costs_itself(folder: Path) -> None:
    with serving(folder, **spoiling(folder.parent, SPOILT)) as served:
        rows = served.rows()
    assert rows["crawl-breaks-serve.cast"]["state"] == f"{UNTOLD}: no \\x1b[2Jsense"
    assert len(rows) == 2


def test_a_lister_that_dies_twice_says_so_on_the_page_and_in_the_log(folder: Path) -> None:
    with serving(folder) as served:
        with served.page("/ws/lobby") as page:
            page.until("rows")
            for _ in range(2):
                while not (listers := served.forked()):
                    pass
                for pid in listers:
                    os.kill(pid, signal.SIGKILL)
                while set(listers) & set(served.forked()):
                    pass
            assert "out of date" in page.until("trouble")["text"]
        with served.page("/ws/lobby") as later:
            assert "out of date" in later.until("trouble")["text"]
        served.process.terminate()
        assert served.process.stderr is not None
        assert "has ended 2 times" in served.process.stderr.read()


def test_doctor_lists_what_the_server_would(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = folder.parent / "config"
    (config / "nhlog").mkdir(parents=True)
    (config / "nhlog" / "config.toml").write_text(f'games = "{folder.parent}"\nrecordings = ["{folder}"]\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))
    assert check_page() == ("page", Health.OK, "nhlog serve can list 2 recordings", None)
    for name, value in spoiling(folder.parent, SPOILT).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("terminal.doctor.checks.python_environment", lambda: dict(os.environ))
    found = check_page()
    assert (found.health, found.found) == (
        Health.LIMITED,
        f"nhlog serve can list 2 recordings, and nothing of {folder / 'crawl-breaks-serve.cast'}",
    )


@pytest.mark.parametrize(
    ("told", "errors", "health", "says"),
    [
        (json.dumps({"recordings": 7, "untold": [], "more": False}), "", Health.OK, "can list 7"),
        (json.dumps({"recordings": 7, "untold": ["a\x1b"], "more": True}), "", Health.LIMITED, "a\\x1b and others"),
        ("", "Traceback\nZeroDivisionError: by \x1b[2J", Health.BROKEN, "ZeroDivisionError: by \\x1b[2J"),
        ("", "", Health.BROKEN, "without a word"),
    ],
)
def test_doctor_says_what_that_means(told: str, errors: str, health: Health, says: str) -> None:
    found = judge_page(told, errors)
    assert (found.health, says in found.found) == (health, True)
