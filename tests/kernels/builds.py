"""Both builds of a kernel: the Python that it is, and what a compiler made of it."""

from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest

from nhlog.kernels import COMPILED
from tests.corpus import ROOT

__all__ = ["BUILDS", "build"]

BUILDS = ("plain", "compiled")


def build(name: str, kind: str) -> ModuleType:
    """The kernel `name` in one of `BUILDS`; skips the test where that is not to be had."""
    if kind == "compiled":
        if not COMPILED:
            pytest.skip("the kernels are not compiled here")
        return import_module(f"nhlog.kernels.{name}")
    path = ROOT / "nhlog" / "kernels" / f"{name}.py"
    found = spec_from_file_location(f"plain_{name}", path)
    assert found is not None
    assert found.loader is not None
    plain = module_from_spec(found)
    found.loader.exec_module(plain)
    return plain
