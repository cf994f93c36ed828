"""Where the recordings are that the tests compare with: the samples that ship, and the corpus that lies beside us."""

from pathlib import Path

import pytest

__all__ = ["ROOT", "SAMPLES", "corpus"]

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples"
_CORPUS = ROOT.parent / "shared" / "corpus"


def corpus(*parts: str) -> Path:
    """A file or folder of the corpus; the test is skipped where there is no corpus."""
    if not _CORPUS.is_dir():
        pytest.skip("no corpus beside the project (../shared/corpus)")
    return _CORPUS.joinpath(*parts)
