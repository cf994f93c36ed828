"""Contract test suites for formats and engines of other packages, and fakes for tests of programs that show recordings.

A test module derives a class from `ReplayContract` or `EngineContract` and supplies sample data of its format or
engine; pytest then runs the whole contract.  See docs/extending.md.  This is the only part of the library that needs
pytest (extra `testing`); nothing else in the library imports it, and it must not import `terminal`.
"""

import pytest

pytest.register_assert_rewrite("nhlog.testing.engines", "nhlog.testing.following", "nhlog.testing.replays")

from nhlog.testing.engines import EngineContract  # noqa: E402  (after the modules were registered)
from nhlog.testing.fakes import FakeDisplay, FakeRecording, Happening  # noqa: E402
from nhlog.testing.players import RandomPlayer  # noqa: E402
from nhlog.testing.recordings import portrait, states  # noqa: E402
from nhlog.testing.replays import ReplayContract  # noqa: E402

__all__ = [
    "EngineContract",
    "FakeDisplay",
    "FakeRecording",
    "Happening",
    "RandomPlayer",
    "ReplayContract",
    "portrait",
    "states",
]
