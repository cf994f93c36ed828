"""The built-in game keeps the contract of engines."""

from nhlog.engines.delve import ENGINE
from tests.contract.engine_contract import EngineContract


class TestDelve(EngineContract):
    engine = ENGINE
