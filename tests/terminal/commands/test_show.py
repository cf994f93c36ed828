"""`nhlog show`: the client's screen as text, with colours, and as JSON; `nhlog replay` where there is no terminal."""

import json
from pathlib import Path

import pytest

from terminal.cli import main
from tests.corpus import SAMPLES

GAME = str(SAMPLES / "scripted1.nhgame")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["show", *arguments]) == 0
    return capsys.readouterr().out


def test_the_default_is_text_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, GAME)
    assert text == printed(capsys, GAME, "--text", "--size", "80x24", "--at", "start")
    assert "\x1b" not in text
    assert len(text.splitlines()) == 24
    assert max(map(len, text.splitlines())) <= 80


def test_colours_can_be_had(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    colored = printed(capsys, GAME, "--ansi", "--size", "80x40")
    assert "\x1b[0;1;38;5;231;48;5;25m" in colored
    assert "\x1b[0;4;97;41m@" in colored  # the hero, on stairs
    monkeypatch.setenv("NO_COLOR", "1")
    colorless = printed(capsys, GAME, "--ansi", "--size", "80x40")
    assert "\x1b[0;1;7m" in colorless
    assert "38;5" not in colorless


def test_json_has_the_rows_and_the_position(capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(printed(capsys, GAME, "--at", "end", "--json", "--size", "100x30"))
    assert (shown["format"], shown["width"], shown["height"]) == ("NetHack 4 log", 100, 30)
    assert len(shown["rows"]) == 30
    assert shown["position"]["step"] == shown["position"]["last"]
    assert {"turn", "time", "offset", "start"} <= shown["position"].keys()
    assert shown["facts"]["place"].startswith("Dungeons")


def test_positions_are_those_of_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    def step(place: str) -> int:
        return int(json.loads(printed(capsys, GAME, "--at", place, "--json"))["position"]["step"])

    assert step("0%") == step("start") == step("turn:1") == 0
    assert step("100%") == step("end") > step("50%") > 0


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["show", GAME, "--at", "nowhere"], 2, "not a position: 'nowhere'"),
        (["show", GAME, "--at", "tick:5"], 1, "this recording does not count by tick"),
        (["show", GAME, "--size", "80"], 2, "not a terminal size: expected COLUMNSxROWS"),
        (["show", GAME, "--size", "0x24"], 2, "found 0x24"),
        (["show", GAME, "--size", "80x501"], 2, "1x1 to 1000x500, found 80x501"),
        (["show", "/nowhere/at/all"], 1, "/nowhere/at/all"),
        (["replay", GAME], 2, "not a terminal: `nhlog show FILE --at POSITION` prints a screen"),
        (["replay", GAME, "--at", "nowhere"], 2, "not a position"),
        (["replay", GAME, "--idle", "never"], 2, "expected seconds, off or log, found 'never'"),
        (["replay", GAME, "--speed", "0"], 2, "--speed"),
    ],
)
def test_what_cannot_be_shown_is_said(
    arguments: list[str], code: int, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    assert reason in capsys.readouterr().err


def test_a_folder_without_recordings_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 2
    assert f"{tmp_path}: no recordings here" in capsys.readouterr().err
