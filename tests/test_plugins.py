"""Entry points of other packages, as the packaging specification writes them; compared with the standard library's."""

import importlib.metadata
import sys
from pathlib import Path

import pytest

from nhlog.plugins import ENGINES, FORMATS, VIEWS, PluginFailed, load, plugins

TEXT = """\
# a comment
[console_scripts]
chess = chess.cli:main

[nhlog.formats]
pgn = chess.pgn:FORMAT
epd=chess.epd:formats.EPD [extra]
[nhlog.engines]
chess-960 = chess.engine
broken = chess.broken:ENGINE
absent = chess.pgn:NOTHING
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with an installed package."""
    monkeypatch.syspath_prepend(str(tmp_path))
    package(tmp_path, "chess-1.0.dist-info", TEXT)
    (tmp_path / "chess").mkdir()
    for name, text in {
        "__init__": "",
        "pgn": "FORMAT = 'pgn'",
        "epd": "class formats: EPD = 'epd'",
        "engine": "",
        "broken": "1 / 0",
    }.items():
        (tmp_path / "chess" / f"{name}.py").write_text(text)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "chess"]:
        del sys.modules[name]


def package(site: Path, name: str, text: str) -> None:
    (site / name).mkdir()
    (site / name / "entry_points.txt").write_text(text)
    (site / name / "METADATA").write_text(f"Name: {name.partition('-')[0]}\nVersion: 1.0\n")


def test_entry_points_are_those_that_the_standard_library_finds(site: Path) -> None:
    for group in (FORMATS, ENGINES, VIEWS):
        theirs = {point.name: point.value for point in importlib.metadata.entry_points(group=group)}
        assert plugins(group) == {name: value.partition(" [")[0] for name, value in theirs.items()}
    assert plugins(FORMATS).items() >= {"pgn": "chess.pgn:FORMAT", "epd": "chess.epd:formats.EPD"}.items()


def test_a_plugin_is_the_object_that_the_entry_point_names(site: Path) -> None:
    assert (load(FORMATS, "pgn"), load(FORMATS, "epd")) == ("pgn", "epd")
    assert load(ENGINES, "chess-960") is sys.modules["chess.engine"]


@pytest.mark.parametrize(
    ("name", "why"), [("broken", "ZeroDivisionError: division by zero"), ("absent", "AttributeError: .*NOTHING")]
)
def test_a_broken_plugin_is_named_with_what_it_raised(site: Path, name: str, why: str) -> None:
    with pytest.raises(PluginFailed, match=f"the plugin {name} cannot be loaded: {why}.*: expected chess."):
        load(ENGINES, name)


def test_the_first_package_on_the_path_has_a_name(
    site: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tmp_path_factory.mktemp("before")
    package(before, "other-1.0.dist-info", "[nhlog.formats]\npgn = other:FORMAT\n")
    monkeypatch.syspath_prepend(str(before))
    assert plugins(FORMATS)["pgn"] == "other:FORMAT"
    assert plugins(FORMATS)["epd"] == "chess.epd:formats.EPD"


def test_what_cannot_be_read_has_no_plugins(site: Path) -> None:
    (site / "odd-1.0.dist-info").mkdir()
    (site / "odd-1.0.dist-info" / "entry_points.txt").write_bytes(b"[nhlog.formats]\nx\xff = y\n")
    assert {name for name in plugins(FORMATS) if name.startswith(("e", "p", "x"))} == {"pgn", "epd"}


def test_what_is_included_comes_through_the_same_door() -> None:
    assert plugins(ENGINES)["delve"] == "nhlog.engines.delve:ENGINE"
    assert load(ENGINES, "delve").name == "delve"
    assert load(FORMATS, "butter").endings == (".butter", ".echoreplay")
