"""Compiles the kernels (see `nhlog/kernels`) where mypyc and a C compiler are there; all else is in pyproject.toml.

Where they are not, or with NHLOG_KERNELS=plain, nothing is compiled and the kernels run as plain Python.
"""

import os
import shutil
from pathlib import Path
from runpy import run_path
from typing import Final

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

FOLDER: Final = Path("nhlog", "kernels")


def kernels() -> list[Extension]:
    """The extension modules: a kernel each, in the folder named by the digest of their source."""
    if os.environ.get("NHLOG_KERNELS") == "plain":
        return []
    package = run_path(os.fspath(FOLDER / "__init__.py"), {"__path__": []})  # it is a package
    folder = f"nhlog.kernels.compiled.{package['digest']()}"
    return [
        Extension(f"{folder}.{name}", [os.fspath(FOLDER / f"{name}.py")], optional=True) for name in package["names"]()
    ]


class CompileKernels(build_ext):
    """Has mypyc translate each kernel to C, which is then compiled like any other extension module."""

    def run(self) -> None:
        """Forget what was compiled of an earlier source."""
        if self.inplace:
            shutil.rmtree(FOLDER / "compiled", ignore_errors=True)
            for extension in self.extensions:
                Path(*extension.name.split(".")[:-1]).mkdir(parents=True, exist_ok=True)
        super().run()

    def build_extension(self, extension: Extension) -> None:
        """Translate and compile one; an error only means that it stays plain."""
        place = Path(self.build_temp, extension.name)
        place.mkdir(parents=True, exist_ok=True)
        alone = shutil.copy(extension.sources[0], place)  # mypyc compiles a module of a package only with others
        try:
            from mypyc.build import mypycify

            [made] = mypycify(["--config-file=", alone], opt_level="3", target_dir=os.fspath(place))
        except (ImportError, SystemExit) as error:  # the second is how mypyc reports what it cannot translate
            raise CompileError(f"mypyc does not translate {extension.name}: {error}") from error
        extension.sources, extension.include_dirs = made.sources, made.include_dirs
        extension.extra_compile_args = [flag for flag in made.extra_compile_args if flag != "-Werror"]
        super().build_extension(extension)


setup(ext_modules=kernels(), cmdclass={"build_ext": CompileKernels})
