"""Which build of the kernels is taken: the compiled one only where it is of the very source that is there."""

import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from nhlog import kernels
from tests.corpus import ROOT

ASK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import house
from importlib.util import find_spec
print(json.dumps([house.COMPILED, house.digest(), find_spec("house.one").origin]))
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A package like that of the kernels, with one kernel in it."""
    folder = tmp_path / "house"
    folder.mkdir()
    shutil.copy(ROOT / "nhlog" / "kernels" / "__init__.py", folder)
    (folder / "one.py").write_text("def one() -> int:\n    return 1\n")
    return folder


def taken(folder: Path, kernels: str = "") -> tuple[bool, str, str]:
    """Whether a fresh process has the compiled kernels, the digest, and the file that it takes."""
    environment = os.environ | {"NHLOG_KERNELS": kernels}
    command = [sys.executable, "-c", ASK, folder.parent]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    compiled, digest, origin = json.loads(done.stdout)
    return compiled, digest, os.path.relpath(origin, folder)


def compile_it(folder: Path) -> str:
    """Files where the library and the compiled kernel belong; the name of the second."""
    _, digest, _ = taken(folder)
    made = folder / "compiled" / digest
    made.mkdir(parents=True)
    for name in (kernels.LIBRARY, "one"):
        (made / f"{name}{EXTENSION_SUFFIXES[0]}").touch()
    return os.path.relpath(made / f"one{EXTENSION_SUFFIXES[0]}", folder)


def test_without_a_compiled_one_it_is_the_source(house: Path) -> None:
    assert taken(house)[::2] == (False, "one.py")


def test_a_compiled_one_of_this_source_is_taken(house: Path) -> None:
    made = compile_it(house)
    assert taken(house)[::2] == (True, made)
    assert taken(house, "plain")[::2] == (False, "one.py")


def test_a_source_that_was_edited_since_is_taken_instead(house: Path) -> None:
    compile_it(house)
    (house / "one.py").write_text("def one() -> int:\n    return 2\n")
    assert taken(house)[::2] == (False, "one.py")


def test_a_build_in_which_one_is_missing_is_not_taken_at_all(house: Path) -> None:
    compile_it(house)
    digest = taken(house)[1]
    (house / "two.py").touch()
    shutil.move(house / "compiled" / digest, house / "compiled" / taken(house)[1])
    assert taken(house)[::2] == (False, "one.py")


def test_a_build_without_the_library_is_not_taken(house: Path) -> None:
    made = compile_it(house)
    (house / made).with_name(kernels.LIBRARY + EXTENSION_SUFFIXES[0]).unlink()
    assert taken(house)[::2] == (False, "one.py")
