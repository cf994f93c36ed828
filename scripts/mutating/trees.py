"""A copy of the project, in which files may be changed; and which tests are those of a module."""

import compileall
import os
import shutil
import subprocess
from pathlib import Path, PurePosixPath
from typing import Final

from tests.corpus import ROOT
from tests.imports import importers

__all__ = ["copy", "suite_of"]

_BUILT: Final = ("nhlog/kernels/compiled", "nhlog/emulator/compiled")
_BESIDE: Final = "shared"  # the corpus, which tests find beside the project
_SHELVES: Final = ("formats", "engines")  # folders of packages; the packages are what has tests of its own


def copy(root: Path, target: Path) -> Path:
    """The project's files that git has or would have, and what a build made; gives the copy's root.

    Everything is compiled once, as what runs there may write no bytecode: two changes of one length within a second
    would be taken for the same.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    named = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout
    tree = target / "tree"
    target.chmod(0o755)  # some tests run programs as other users
    for name in filter(None, os.fsdecode(named).split("\0")):
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, tree / name)
    for built in _BUILT:
        if (root / built).is_dir():
            shutil.copytree(root / built, tree / built)
    if (root.parent / _BESIDE).is_dir():
        (target / _BESIDE).symlink_to(root.parent / _BESIDE)
    compileall.compile_dir(tree, quiet=2)
    return tree


def suite_of(root: Path, file: PurePosixPath) -> list[str]:
    """The tests of a module: its own, then those of its package, the contracts it has to keep, and all that import it.

    What `scripts/test --changed` runs, all that can come to it in any way, is half of the suite for most modules.
    """
    own = _mirror(root, file)
    others = [path.relative_to(ROOT).as_posix() for path in importers(Path(file))]
    beside = (path for path in others if path not in own and not path.startswith(tuple(f"{one}/" for one in own)))
    return [*own, *(path for path in beside if (root / path).exists())]


def _mirror(root: Path, file: PurePosixPath) -> list[str]:
    """Those of them that lie where the module lies in its tree."""
    top, *folders = file.parent.parts
    base = PurePosixPath("tests") / top if (root / "tests" / top).is_dir() else PurePosixPath("tests")
    names = [*folders, file.stem]
    found: list[str] = []
    for depth in range(len(names), 0, -1):
        above, name = base.joinpath(*names[: depth - 1]), names[depth - 1]
        if name not in _SHELVES:
            own = sorted((root / above).glob(f"test_{name}*.py"))
            found += [path.relative_to(root).as_posix() for path in own]
            found += [str(above / name)] if (root / above / name).is_dir() else []
    found += [f"tests/contract/test_{name}.py" for name in names]
    return [path for path in dict.fromkeys(found) if (root / path).exists()]
