"""The careless bot: it walks down and strikes."""

from nhlog.log.wire.lines import Command
from tests.engines.delve.bots.seeing import Bot

__all__ = ["CarelessBot"]


class CarelessBot(Bot):
    """Goes down as soon as there is a way, strikes whoever is near, and eats when hungry."""

    def _choose(self) -> Command:
        if self.foes and self.foes[0].far == 1:
            return self._fight(self.foes[0])
        if self.foes and (step := self._approach(self.foes[0])):
            return step
        return self._eat() or self._pick_up() or self._go()
