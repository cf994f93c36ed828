"""2048 keeps the contract of engines."""

from game2048 import ENGINE
from nhlog.testing import EngineContract


class TestGame2048(EngineContract):
    engine = ENGINE
