"""The tester of tests: its changes are small and sound, and it tells a change that is noticed from one that is not."""

import os
import signal
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from scripts.mutating.__main__ import main
from scripts.mutating.changes import changes, sound
from scripts.mutating.plugin import swaps
from scripts.mutating.trees import suite_of
from tests.corpus import ROOT

SOURCE = '''"""Nobody changes this: 1 < 2."""
LIMIT: "list[int | 1]" = 3
__all__ = ["über"]

def über(a, b=0, *, c=True):
    """Nor this: 1 < 2."""
    if (a) < b and not c:  # and < this
        raise ValueError(f"{a + 1}")
    a += 2
    note(a)
    ü = "ü", [one for one in a[1:b] if one is not None], a * b
    return a == 4
'''


def texts(source: str) -> list[str]:
    """All changes of a source, in words, without the number of their line."""
    return [one.words(source).partition(": ")[2] for one in changes(source)]


def test_every_change_makes_python_of_another_meaning() -> None:
    assert [one.words(SOURCE) for one in changes(SOURCE) if not sound(SOURCE, one)] == []


def test_a_change_leaves_all_else_as_it_is() -> None:
    for one in changes(SOURCE):
        after = one.of(SOURCE)
        assert (after[: one.start], after[one.start + len(one.text) :]) == (SOURCE[: one.start], SOURCE[one.stop :])
        assert SOURCE[one.start : one.stop] != one.text


def test_what_only_people_read_is_left_alone() -> None:
    assert {SOURCE.count("\n", 0, one.start) + 1 for one in changes(SOURCE)} == {2, 5, 7, 8, 9, 10, 11, 12}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", ["a <= b", "a >= b", "pass"]),
        ("a is  not b", ["a is b", "pass"]),
        ("a and (b or c)", ["a or (b or c)", "a and (b and c)", "pass"]),
        ("if not a: b", ["if True: b", "if False: b", "if a: b", "if not a: pass"]),
        ("a = -1", ["a = -2", "a = -(0)", "pass"]),
        ("a -= b", ["a += b", "pass"]),
        ("a = (b) + (c)", ["a = (b) - (c)", "pass"]),
        ("del a[b:c]", ["del a[:c]", "del a[b:]", "pass"]),
        ("def a(b=0): return b", ["def a(b=1): return b", "def a(b=(-1)): return b", "def a(b=0): return None"]),
        ("def a(): return b in c", ["def a(): return b not in c", "def a(): return not (b in c)"]),
        ("a if b else True", ["a if True else True", "a if False else True", "a if b else False", "pass"]),
        ("raise a", ["pass"]),
        ("a: int | b", []),
    ],
)
def test_these_are_the_changes_of(before: str, after: list[str]) -> None:
    assert sorted(one.partition(" -> ")[2] for one in texts(before)) == sorted(after)


def test_a_function_can_be_given_the_code_of_its_changed_source_and_a_constant_cannot() -> None:
    source = "LIMIT = 1\nclass A:\n    def f(self):\n        return LIMIT + 1\n"
    old = compile(source, "a", "exec")
    inside, outside = source.replace("+", "-"), source.replace("= 1", "= 2")
    assert [new.co_name for _, new in swaps(old, compile(inside, "a", "exec"))] == ["f"]
    assert swaps(old, compile(outside, "a", "exec")) is None


@pytest.mark.parametrize(
    ("module", "first", "others"),
    [
        ("nhlog/log/append.py", "tests/log/test_append.py", ["tests/log"]),
        ("nhlog/timeline.py", "tests/test_timeline.py", []),
        (
            "nhlog/engines/delve/wire/world.py",
            "tests/engines/delve/wire",
            ["tests/engines/delve", "tests/contract/test_delve.py"],
        ),
        ("terminal/pager.py", "tests/terminal/test_pager.py", []),
    ],
)
def test_the_tests_of_a_module_begin_with_its_own(module: str, first: str, others: list[str]) -> None:
    found = suite_of(ROOT, PurePosixPath(module))
    assert found[: 1 + len(others)] == [first, *others]
    folders = tuple(f"{folder}/" for folder in [first, *others])
    assert not any(one.startswith(folders) for one in found[1 + len(others) :])


def test_those_that_import_it_from_elsewhere_are_tests_of_a_module_too() -> None:
    found = suite_of(ROOT, PurePosixPath("nhlog/mdiff/choose.py"))
    assert found == ["tests/mdiff/test_choose.py", "tests/mdiff", "tests/kernels/test_mdiff_choose.py"]


TOY = """LIMIT = 7


def larger(a, b):
    return a if a > b else b


def same(number):
    return number
"""
TESTS = """import subprocess, sys
from toy.numbers import LIMIT, larger

def test_the_larger_of_two():
    assert (larger(1, 2), larger(5, 3), LIMIT > 6) == (2, 5, True)

def test_the_same_in_a_process_of_its_own():
    code = "from toy.numbers import same; print(same(9))"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE).stdout == b"9\\n"
"""


def make(folder: Path, tests: str) -> None:
    for name, text in {"toy/__init__.py": "", "toy/numbers.py": TOY, "tests/test_numbers.py": tests}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    subprocess.run(["git", "init", "-q", folder], check=True)


@pytest.mark.timeout(300)  # five of its changes are tried in processes of their own
def test_what_no_test_notices_is_told_and_nothing_else_and_the_tree_is_as_before(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, TESTS)
    monkeypatch.chdir(tmp_path / "toy")
    assert main(["numbers.py"], tmp_path) == 1
    assert capfd.readouterr().out.splitlines() == [
        "toy/numbers.py:1: LIMIT = 7 -> LIMIT = 8",
        "toy/numbers.py:5: return a if a > b else b -> return a if a >= b else b",
        "9 mutants, 7 killed, 2 survived",
    ]
    assert (tmp_path / "toy" / "numbers.py").read_text() == TOY


ENDLESS = """import time
from toy.numbers import larger

def test_without_end():
    with open({began!r}, "wb", 0) as file:
        file.write(b".")
        time.sleep(1000)
"""


def test_who_ends_it_ends_what_it_began_and_leaves_no_files(tmp_path: Path) -> None:
    began, temporary = tmp_path / "began", tmp_path / "temporary"
    os.mkfifo(began)
    temporary.mkdir()
    make(tmp_path / "project", ENDLESS.format(began=str(began)))
    code = "import pathlib; from scripts.mutating.__main__ import main; main(['toy/numbers.py'], pathlib.Path.cwd())"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", code]
    with (
        subprocess.Popen(command, cwd=tmp_path / "project", env=environment) as process,
        began.open("rb", 0) as reading,
    ):
        assert reading.read(1) == b"."
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
        assert reading.read() == b"", "somebody has it open still"
    assert [*temporary.iterdir()] == []
