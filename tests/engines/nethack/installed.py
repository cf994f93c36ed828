"""Tests that need NetHack are skipped where it is not installed (`pip install nle==1.3.0`; .ci/run does)."""

import pytest

from nhlog.engines.nethack.engine import ENGINE

__all__ = ["needs_nethack"]

needs_nethack = pytest.mark.skipif(bool(ENGINE.lacking), reason=ENGINE.lacking)
