"""NetHack keeps the contract of engines."""

from nhlog.engines.nethack.engine import ENGINE
from nhlog.testing import EngineContract
from tests.engines.nethack.installed import needs_nethack
from tests.engines.nethack.player import RandomNetHacker

pytestmark = needs_nethack


class TestNetHack(EngineContract):
    engine = ENGINE
    test_what_was_interrupted_does_not_go_on = None  # type: ignore[assignment]  # each key is done when it is done

    def player(self, seed: int) -> RandomNetHacker:
        return RandomNetHacker(ENGINE, seed)
