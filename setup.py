"""Compiles the kernels (see `nhlog/kernels`) where mypyc and a C compiler are there, and makes the man pages.

Where they are not, or with NHLOG_KERNELS=plain, nothing is compiled and the kernels run as plain Python.  The
emulator's declarations become a module (see `nhlog/emulator/declared.py`) where there is a pyghostty to build with: one
is asked for where there are wheels of it.  All else is in pyproject.toml.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Final

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError

from distutils.command.install_data import install_data  # isort: skip  # setuptools brings it

FOLDER: Final = Path("nhlog", "kernels")
PACKAGE: Final = run_path(os.fspath(FOLDER / "__init__.py"), {"__path__": []})  # it is a package
DECLARED: Final = run_path("nhlog/emulator/declared.py")


def kernels() -> list[Extension]:
    """The extension modules: the library of all kernels, and a kernel each, in the folder named by their digest."""
    if os.environ.get("NHLOG_KERNELS") == "plain":
        return []
    folder = f"nhlog.kernels.compiled.{PACKAGE['digest']()}"
    sources = [os.fspath(FOLDER / f"{name}.py") for name in PACKAGE["names"]()]
    return [Extension(f"{folder}.{name}", sources, optional=True) for name in PACKAGE["modules"]()]


class CompileKernels(build_ext):
    """Has mypyc translate the kernels to C, which is then compiled like any other extension module."""

    def run(self) -> None:
        """Forget what was compiled of an earlier source."""
        if self.inplace:
            shutil.rmtree(FOLDER / "compiled", ignore_errors=True)
            for extension in self.extensions:
                Path(*extension.name.split(".")[:-1]).mkdir(parents=True, exist_ok=True)
        super().run()

    def build_extension(self, extension: Extension) -> None:
        """Compile one; an error only means that the kernels stay plain."""
        made = self._translated(extension.sources)[_last(extension)]
        extension.sources, extension.include_dirs = made.sources, made.include_dirs
        extension.extra_compile_args = [flag for flag in made.extra_compile_args if flag != "-Werror"] + [_DIRECT]
        super().build_extension(extension)

    def _translated(self, sources: list[str]) -> dict[str, Extension]:
        """The same in C, translated once, by the last part of their names."""
        if not hasattr(self, "_made"):
            self._made = _translate(sources, Path(self.build_temp).resolve())
        return self._made


class BuildPackages(build_py):
    """Puts the sample recordings into the package, for `nhlog samples`, and the emulator's declarations."""

    def run(self) -> None:
        """Copy the samples beside the modules; in a checkout that is installed as it is they lie there."""
        super().run()
        if not self.editable_mode:
            shutil.copytree("samples", Path(self.build_lib, "terminal", "samples"), dirs_exist_ok=True)
        declare(Path("" if self.editable_mode else self.build_lib, "nhlog", "emulator", "compiled"))


def emulators() -> list[str]:
    """The pyghostty to build with; none where there is no wheel of it."""
    known = sys.platform == "darwin" or platform.libc_ver()[0] == "glibc"
    return [f"pyghostty=={DECLARED['VERSION']}"] if known and platform.machine() in _MACHINES else []


_MACHINES: Final = ("x86_64", "aarch64", "arm64")


def declare(folder: Path) -> None:
    """Write the module of the declarations of the pyghostty that is here into this folder, and forget earlier ones."""
    shutil.rmtree(folder, ignore_errors=True)
    package = DECLARED["found"]()
    if package is None or package.version != DECLARED["VERSION"]:
        return
    from cffi import FFI  # pyghostty needs it

    folder.mkdir(parents=True)
    ffi = FFI()
    ffi.cdef(run_path(package.declarations)["CDEF"])
    ffi.set_source(package.module, None)
    ffi.emit_python_code(os.fspath(folder / f"{package.module}.py"))


class InstallWithManPages(install_data):
    """Has the man pages made from the help of the command, where `man` finds them if it finds the command."""

    def run(self) -> None:
        """Install them with the other files."""
        folder = Path(self.get_finalized_command("build").build_temp, "man")
        subprocess.run([sys.executable, "scripts/manpages", os.fspath(folder)], check=True)
        self.data_files.append(("share/man/man1", sorted(map(os.fspath, folder.iterdir()))))
        super().run()


def _translate(sources: list[str], place: Path) -> dict[str, Extension]:
    package = place / FOLDER  # a copy without the other parts of nhlog, which are not to be looked at
    package.mkdir(parents=True, exist_ok=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    copies = [os.fspath(shutil.copy(source, package)) for source in sources]
    try:
        from mypyc.build import mypycify

        made = mypycify(
            ["--config-file=", *copies],
            opt_level="3",
            debug_level="0",
            target_dir=os.fspath(place / "c"),
            group_name=f"nhlog.kernels.{PACKAGE['LIBRARY'].removesuffix('__mypyc')}",
        )
    except (ImportError, SystemExit) as error:  # the second is how mypyc reports what it cannot translate
        raise CompileError(f"mypyc does not translate the kernels: {error}") from error
    return {_last(extension): extension for extension in made}


_DIRECT: Final = "-fno-semantic-interposition"
"""Kernels call each other as the compiler sees fit: by the table of the library such a call is half of a short loop."""


def _last(extension: Extension) -> str:
    return extension.name.rpartition(".")[2]


setup(
    ext_modules=kernels(),
    setup_requires=emulators(),
    cmdclass={"build_ext": CompileKernels, "build_py": BuildPackages, "install_data": InstallWithManPages},
)
