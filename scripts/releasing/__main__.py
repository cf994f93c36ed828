"""Releases the last commit as the version in nhlog/__init__.py: checks it, builds it, tries it, tags it.

The source distribution, a wheel without compiled kernels, and one with them for each supported Python that is found
here go to `dist/VERSION`. Each wheel is installed into an empty virtual environment, used, tested and uninstalled. At
the end stands what to upload: nothing is uploaded from here.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from nhlog import __version__
from scripts.releasing import ROOT, NotReady, run, say
from scripts.releasing.building import Built, build
from scripts.releasing.ready import TAG, check_ready, check_released_on
from scripts.releasing.trial import try_wheel

_KEPT = f"dist/{__version__}"
_PLACES = (".pyenv/versions/{0}.*/bin", ".local/share/uv/python/cpython-{0}.*/bin")
_CLASSIFIER = "Programming Language :: Python :: "


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/release", description=__doc__)
    parser.add_argument("--dry-run", action="store_true", help="do all but write the tag; the date may be missing")
    dry = parser.parse_args().dry_run
    try:
        check_ready()
        if not dry:
            check_released_on()
        with tempfile.TemporaryDirectory(prefix="nhlog-release-") as folder:
            built = _build_and_try(Path(folder))
            _keep((built.source, built.plain, *built.compiled.values()))
        if not dry:
            run("git", "tag", "--annotate", TAG, "--message", f"nhlog {TAG}", cwd=ROOT)
            print(f"git push origin {TAG}\ntwine upload {_KEPT}/*")
    except (NotReady, AssertionError) as error:  # the latter, if the client never shows what it should
        print(f"not ready: {error}", file=sys.stderr)
        return 1
    return 0


def _build_and_try(work: Path) -> Built:
    pythons = _pythons()
    (work / "dist").mkdir()
    built = build(pythons, work)
    for version, python in pythons.items():
        say(f"trying both wheels with Python {version}")
        began = time.monotonic()
        try_wheel(python, built.plain, work / f"plain-{version}")
        told = try_wheel(
            python, built.compiled[version], work / f"compiled-{version}", extras="[terminal]", tree=built.tree
        )
        print(f"Python {version}: both wheels work, {time.monotonic() - began:.0f} s; {told}", flush=True)
    return built


def _keep(files: Iterable[Path]) -> None:
    """Put them where they can be uploaded from, and nothing of an earlier time with them."""
    shutil.rmtree(ROOT / _KEPT, ignore_errors=True)
    (ROOT / _KEPT).mkdir(parents=True)
    for path in files:
        shutil.copy(path, ROOT / _KEPT)
        print(f"{_KEPT}/{path.name}  {path.stat().st_size / 1000:.0f} kB")


def _pythons() -> Mapping[str, Path]:
    """The Pythons of this machine, of those that pyproject.toml names, by version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = [text.removeprefix(_CLASSIFIER) for text in project["classifiers"] if text.startswith(_CLASSIFIER)]
    found = {version: python for version in versions if (python := _python(version))}
    for version in versions:
        say(f"Python {version}: {found.get(version, 'not on this machine, so NOT TRIED')}")
    if not found:
        raise NotReady("there is no Python to try it with")
    return found


def _python(version: str) -> Path | None:
    """One that works and can make virtual environments: on the PATH, or where pyenv and uv put theirs."""
    folders = [path for place in _PLACES for path in Path.home().glob(place.format(version))]
    candidates = (Path(folder, f"python{version}") for folder in (*folders, *os.get_exec_path()))
    return next((path for path in candidates if path.is_file() and _answers(path)), None)


def _answers(python: Path) -> bool:
    command = [python, "-c", "import ensurepip, venv"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
