"""Installs the example packages into a folder, as `pip install --target FOLDER` does: modules and entry points.

pip itself would fetch what builds wheels from the network.  `python -m tests.examples.install FOLDER` does it by hand.
"""

import shutil
import sys
import tomllib
from pathlib import Path

__all__ = ["EXAMPLES", "install"]

EXAMPLES = tuple(sorted(path.parent for path in Path(__file__).parent.glob("*/pyproject.toml")))


def install(folder: Path) -> None:
    """All examples, so that they are found with `folder` in PYTHONPATH."""
    for example in EXAMPLES:
        project = tomllib.loads((example / "pyproject.toml").read_text())["project"]
        for package in example.glob("*/__init__.py"):
            shutil.copytree(package.parent, folder / package.parent.name, ignore=shutil.ignore_patterns("__pycache__"))
        metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
        points = [
            f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in named.items())
            for group, named in project["entry-points"].items()
        ]
        (metadata / "entry_points.txt").write_text("\n".join(points))


if __name__ == "__main__":
    install(Path(sys.argv[1]))
