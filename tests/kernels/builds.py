"""Both builds of a kernel: the Python that it is, and what a compiler made of it."""

import os
import sys
from functools import cache
from importlib import import_module
from types import ModuleType

import pytest

from nhlog import kernels
from tests.corpus import ROOT

__all__ = ["BUILDS", "build"]

BUILDS = ("plain", "compiled")


def build(name: str, kind: str) -> ModuleType:
    """The kernel `name` in one of `BUILDS`; skips the test where that is not to be had."""
    if kind == "compiled":
        if not kernels.COMPILED:
            pytest.skip("the kernels are not compiled here")
        return import_module(f"nhlog.kernels.{name}")
    return plain(name)


@cache
def plain(name: str) -> ModuleType:
    """The kernel from its source, and what it imports of other kernels, too; everybody else keeps those in use."""
    in_use = {other: import_module(f"nhlog.kernels.{other}") for other in kernels.names()}
    with pytest.MonkeyPatch.context() as patch:
        for other, module in in_use.items():
            patch.delattr(
                kernels, other
            )  # what is imported from the package is to be plain, too; it comes back at the end
            patch.delitem(sys.modules, module.__name__)
        patch.setattr(kernels, "__path__", [os.fspath(ROOT / "nhlog" / "kernels")])
        found = import_module(f"nhlog.kernels.{name}")
        for other in in_use:
            sys.modules.pop(f"nhlog.kernels.{other}", None)
    return found
