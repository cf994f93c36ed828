"""Where the recordings are that the tests compare with: samples that ship, and files that real programs wrote.

The latter are the corpus beside the project, `../shared/corpus`; where that is missing, `tests/data`, a part of it that
travels with every clone.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

__all__ = ["CORPUS", "DATA", "ROOT", "SAMPLES", "WHOLE", "corpus", "packed_records", "text"]

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples"
DATA = ROOT / "tests" / "data"
_BESIDE = ROOT.parent / "shared" / "corpus"
WHOLE = _BESIDE.is_dir()
"""That nothing of the corpus is missing: what a test wants and does not find is an error."""
CORPUS = _BESIDE if WHOLE else DATA
"""For parameters, when nothing can be skipped yet."""


def corpus(*parts: str) -> Path:
    """A file or folder of the corpus; the test is skipped if it is in the larger one alone."""
    path = CORPUS.joinpath(*parts)
    if not WHOLE and not path.exists():
        pytest.skip(f"{'/'.join(parts)} is in the larger corpus alone (../shared/corpus)")
    return path


def text(*parts: str) -> str:
    """What is in a text of the corpus; `tests/data` has some as NAME.gz."""
    path = CORPUS.joinpath(*parts)
    packed = path.with_name(f"{path.name}.gz")
    return gzip.decompress(packed.read_bytes()).decode() if packed.exists() else corpus(*parts).read_text()


def packed_records(*parts: str) -> list[Any]:
    """The records of a file of the corpus, packed by gzip, which has each as JSON in a line."""
    return [json.loads(line) for line in gzip.decompress(corpus(*parts).read_bytes()).splitlines()]
