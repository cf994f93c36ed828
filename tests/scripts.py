"""The programs in `scripts`, as modules: what is in them can be tried without a process."""

import sys
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

from tests.corpus import ROOT

__all__ = ["script"]


@cache
def script(name: str) -> ModuleType:
    """The program of that name, imported: its `main` has not run."""
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    spec = spec_from_loader(name, loader)
    assert spec
    module = sys.modules[name] = module_from_spec(spec)
    loader.exec_module(module)
    return module
