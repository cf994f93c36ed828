"""Which tests run when: the list of those that are not quick, and what a change can reach."""

import re
from pathlib import Path

import pytest

from tests import durations, imports, tiers
from tests.corpus import ROOT
from tests.tiers import QUICK, Cost, changed_since, cost_of, grouped, patience, read, written

FILE, OTHER = "tests/test_a.py", "tests/test_b.py"


def test_what_is_quick_is_not_listed() -> None:
    listed = grouped({f"{FILE}::test_one": Cost(0.01, False), f"{FILE}::test_two": Cost(0.4, False)})
    assert listed == {f"{FILE}::test_two": Cost(0.4, False)}


def test_what_starts_processes_is_never_quick() -> None:
    costs = {f"{FILE}::test_one": Cost(0.001, True), f"{FILE}::test_two": Cost(0.001, False)}
    assert list(grouped(costs)) == [f"{FILE}::test_one"]


def test_a_function_of_which_nothing_is_quick_is_one_row() -> None:
    costs = {f"{FILE}::test_one[{name}]": Cost(0.25, name == "b") for name in "abc"} | {f"{FILE}::test": Cost(0, False)}
    assert grouped(costs) == {f"{FILE}::test_one": Cost(0.75, True)}


def test_a_file_of_which_nothing_is_quick_is_one_row() -> None:
    costs = {f"{FILE}::test_{name}[{name}]": Cost(0.25, False) for name in "abc"} | {f"{OTHER}::test": Cost(0, False)}
    assert grouped(costs) == {FILE: Cost(0.75, False)}


@pytest.mark.parametrize("listed", [f"{FILE}::test_one[a]", f"{FILE}::test_one", FILE])
def test_a_row_stands_for_all_in_it(listed: str) -> None:
    rows = {listed: Cost(1, False)}
    assert cost_of(f"{FILE}::test_one[a]", rows) == Cost(1, False)
    assert cost_of(f"{OTHER}::test_one[a]", rows) is None
    assert (cost_of(f"{FILE}::test_one[b]", rows) is None) is ("[a]" in listed)


def test_what_hangs_is_ended_soon_if_it_is_quick_and_later_the_more_it_takes() -> None:
    limits = [patience(cost, 600) for cost in (None, Cost(1, True), Cost(10, False), Cost(1000, True))]
    assert limits == sorted(limits)
    assert limits[0] < 200
    assert limits[0] > 1000 * QUICK
    assert limits[-1] == 600


def test_of_a_file_that_is_measured_again_nothing_old_is_kept() -> None:
    before = written({f"{FILE}::test_one": Cost(1, False), f"{OTHER}::test[b]": Cost(2, True)})
    after = durations.merged(before, f"0.5\tFalse\t{FILE}::test_two\n0.01\tFalse\t{FILE}::test_one\n")
    assert read(after) == {f"{FILE}::test_two": Cost(0.5, False), f"{OTHER}::test[b]": Cost(2, True)}


def test_the_list_names_files_that_there_are() -> None:
    files = {name.partition("::")[0] for name in read(tiers.PLACE.read_text())}
    assert [name for name in sorted(files) if not (ROOT / name).exists()] == []


def test_the_list_is_as_it_would_be_written() -> None:
    text = tiers.PLACE.read_text()
    assert written(read(text)) == text


# what a change can reach


def reached(*changed: str) -> set[str]:
    return {str(path.relative_to(ROOT / "tests")) for path in imports.reached_by(map(Path, changed))}


def test_a_change_reaches_what_imports_it_by_way_of_others() -> None:
    found = reached("nhlog/log/wire/lines.py")
    assert {"log/wire/test_reader.py", "session/test_session.py", "sharing/test_crash_points.py"} <= found
    assert not {"vt/test_tape.py", "mdiff/test_limits.py"} & found


def test_a_change_of_a_format_reaches_who_has_a_word_for_it() -> None:
    found = reached("nhlog/formats/butter/verify.py")
    assert {"contract/test_butter.py", "test_hostile.py"} <= found
    assert not {"log/test_tail.py", "contract/test_hollowcube.py", "terminal/play/test_keys.py"} & found


def test_a_change_of_a_verb_reaches_its_tests() -> None:
    assert "terminal/commands/test_dump.py" in reached("terminal/commands/dump.py")


def test_a_change_of_a_helper_of_tests_reaches_who_uses_it() -> None:
    assert {"log/test_tail.py", "session/test_session.py"} & reached("tests/logs.py")


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("docs/json.md", "test_docs.py"),
        ("scripts/storm", "sharing/test_storm.py"),
        ("samples/dm1.map", "test_hostile.py"),
    ],
)
def test_a_change_of_what_nobody_imports_reaches_who_names_it(changed: str, test: str) -> None:
    assert test in reached(changed)


def test_all_stands_on_the_project_file() -> None:
    assert len(reached("pyproject.toml")) == len(list((ROOT / "tests").rglob("test_*.py")))


def test_a_test_that_was_changed_is_reached() -> None:
    assert reached("tests/log/test_tail.py") == {"log/test_tail.py"}


def test_a_revision_that_there_is_not_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    with pytest.raises(pytest.UsageError, match=re.escape("--changed nosuch: ")):
        changed_since("nosuch")
