"""Everything that the hero of a save perceives: squares, monsters, status, captions, the client's picture.

All of it is computed from the save, each part once, on first access.
"""

from functools import cached_property

from nhlog.nethack4.hero.properties import Properties, properties_of
from nhlog.nethack4.names.captions import Captions
from nhlog.nethack4.perception.cells import Square
from nhlog.nethack4.perception.layers import RememberedRow, drawn, memory_of, squares_of, surroundings_of
from nhlog.nethack4.perception.senses import Perceived, Senses
from nhlog.nethack4.perception.sight import Sight, sight_of
from nhlog.nethack4.perception.status import Status, draw_status, status_of
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import COLNO, ROWNO
from nhlog.nethack4.save.save import Save
from nhlog.screen import Screen

__all__ = ["Perception", "perceive"]


class Perception:
    """The hero's view of the game in one save."""

    def __init__(self, save: Save) -> None:
        self.save = save

    @cached_property
    def properties(self) -> Properties:
        """The properties from the hero's nature and belongings."""
        return properties_of(self.save)

    @cached_property
    def sight(self) -> Sight:
        """The squares in sight."""
        return sight_of(self.save, self.properties)

    @cached_property
    def senses(self) -> Senses:
        """The other senses by which monsters are noticed."""
        return Senses(self.save, self.properties, self.sight)

    @cached_property
    def monsters(self) -> tuple[Perceived, ...]:
        """The monsters that are shown, by row and column, without the hero."""
        return tuple(sorted(self.senses.shown(), key=lambda shown: (shown.y, shown.x)))

    @cached_property
    def squares(self) -> list[tuple[Square, ...]]:
        """The squares of the level, row by row."""
        return squares_of(self.save, self.properties, self.sight, self.senses, self.monsters, self._remembered)

    @cached_property
    def _remembered(self) -> list[RememberedRow]:
        return memory_of(self.save, self.save.level, self.sight)

    @cached_property
    def status(self) -> Status:
        """The values of the status rows."""
        return status_of(self.save, self.properties)

    @cached_property
    def captions(self) -> Captions:
        """The captions of objects."""
        return Captions(self.save, blind="BLINDED" in self.properties.held)

    def map(self, level: Level | None = None) -> Screen:
        """A level as the client draws it, 79 by 21 cells: the hero's, or another one as it is remembered.

        Not to be changed, as the status rows: they are drawn once.
        """
        if level is None or level is self.save.level:
            return self._own_map
        return self._drawn(level, memory_of(self.save, level))

    @cached_property
    def _own_map(self) -> Screen:
        return self._drawn(self.save.level, self._remembered, self.squares)

    def _drawn(
        self, level: Level, remembered: list[RememberedRow], squares: list[tuple[Square, ...]] | None = None
    ) -> Screen:
        screen = Screen(COLNO, ROWNO)
        for y, cells in enumerate(drawn(remembered, squares, surroundings_of(self.save, level.here))):
            screen.place(0, y, cells)
        return screen

    def status_rows(self) -> Screen:
        """The client's two status rows, 80 columns wide."""
        return self._status_rows

    @cached_property
    def _status_rows(self) -> Screen:
        return draw_status(self.status)


def perceive(data: bytes) -> Perception:
    """Parse a save for viewing; raises :class:`Unsupported` for another engine's, :class:`BadSave` for damage."""
    return Perception(Save.parse(data))
