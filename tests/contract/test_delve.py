"""The built-in game keeps the contract of engines."""

from nhlog.engines.delve import ENGINE
from nhlog.testing import EngineContract


class TestDelve(EngineContract):
    engine = ENGINE
