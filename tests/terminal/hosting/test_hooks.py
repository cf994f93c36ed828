"""The administrator's commands around a game."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.config import GameProgram, Hooks, Sandbox, Walls
from nhlog.errors import NhlogError
from nhlog.files.processes import state_of
from terminal.hosting import hooks
from terminal.hosting.hooks import Running
from tests.terminal.hosting.test_hosting import Playing, ended, recordings, table
from tests.waiting import eventually

GAME = GameProgram(name="it", command=("it",), title="It", walls=Walls(sandbox=Sandbox.NONE))


def noting(file: Path, more: str = "") -> tuple[str, ...]:
    """A command that notes its environment, NUL-terminated, with arguments that no shell has seen."""
    return ("sh", "-c", f'env -0 >>"$1"; printf "\\0" >>"$1"; {more}', "sh", str(file))


def noted(file: Path) -> list[dict[str, str]]:
    """The environment of each run, without what is the shell's own."""
    if not file.exists():
        return []
    runs = [run for run in file.read_text().split("\0\0") if run]
    return [dict(fact.split("=", 1) for fact in run.split("\0") if fact.startswith("NHLOG_")) for run in runs]


def running(**commands: tuple[str, ...]) -> Running:
    return Running(replace(GAME, hooks=Hooks(**commands)), "ann", "/r/ann.cast")


FACTS = {"NHLOG_GAME": "it", "NHLOG_PLAYER": "ann", "NHLOG_RECORDING": "/r/ann.cast"}


def test_each_command_is_told_the_game_the_player_and_the_recording_and_nothing_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "key")
    first, last = tmp_path / "first", tmp_path / "last"
    around = running(before=("sh", "-c", f"env >{first}"), after=noting(last))
    around.before()
    told = dict(line.split("=", 1) for line in first.read_text().splitlines())
    assert {name: told[name] for name in FACTS} == FACTS
    assert "SECRET" not in told
    assert noted(last) == []
    around.after([])
    assert noted(last) == [FACTS]


def test_on_death_is_run_for_each_new_line_of_the_scores_and_no_shell_sees_what_a_game_says(tmp_path: Path) -> None:
    deaths = tmp_path / "deaths"
    hostile = "$(touch /tmp/owned);`id`\n\x1b[31m 'newt'"
    entries = [{"name": "ann", "death": hostile, "points": "7"}, {"name": "ann", "death": "x" * 5000}]
    running(on_death=noting(deaths)).after(entries)
    first, second = noted(deaths)
    assert first["NHLOG_DEATH"] == "$(touch /tmp/owned);`id`[31m 'newt'"
    assert first["NHLOG_POINTS"] == "7"
    assert first["NHLOG_ENTRY"].startswith("name=ann:death=$(touch")
    assert (len(second["NHLOG_DEATH"]), second["NHLOG_POINTS"]) == (1000, "")


def test_there_is_no_after_without_a_before(tmp_path: Path) -> None:
    last = tmp_path / "last"
    around = running(before=("false",), after=noting(last))
    with pytest.raises(NhlogError, match="It does not begin: the server's command before it failed with exit code 1"):
        around.before()
    around.after([])
    assert noted(last) == []


@pytest.mark.parametrize("command", [("/no/such",), ("/etc",), ("",)])
def test_a_command_that_cannot_be_run_is_a_failure(command: tuple[str, ...]) -> None:
    with pytest.raises(NhlogError, match="cannot be run"):
        running(before=command).before()
    running(on_death=command).after([{"death": "newt"}])  # for the system's log alone


def test_a_command_that_hangs_is_killed_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids, ready = tmp_path / "pids", tmp_path / "ready"
    os.mkfifo(ready)
    monkeypatch.setattr(hooks, "_PATIENCE", 2.0)
    with pytest.raises(NhlogError, match="was killed, as it took more than 2 seconds"):
        running(before=("sh", "-c", f"sleep 600 & echo $! $$ >{pids}; cat {ready}")).before()
    child, parent = map(int, pids.read_text().split())
    assert eventually(lambda: {state_of(child), state_of(parent)} <= {"", "Z"})


def test_a_game_begins_between_them(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    game = table(
        f"echo game >>{notes}; echo over",
        before=f"['sh', '-c', 'echo before $NHLOG_PLAYER >>{notes}']",
        after=f"['sh', '-c', 'echo after $NHLOG_GAME >>{notes}']",
    )
    with Playing(tmp_path, game) as player:
        player.read_end()
        assert player.afterwards() == "it has ended"
    ended(tmp_path)
    assert notes.read_text() == "before ann\ngame\nafter it\n"


def test_a_game_that_is_refused_before_leaves_nothing(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with Playing(tmp_path, table(f"echo game >>{notes}", before="['sh', '-c', 'exit 7']")) as player:
        assert player.afterwards() == "it does not begin: the server's command before it failed with exit code 7"
    ended(tmp_path)
    assert not notes.exists()
    assert recordings(tmp_path) == []
