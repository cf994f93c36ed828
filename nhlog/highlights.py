"""What happens to a hero that is worth a marker: a new place, a new level of experience, little health left, death, and
what an engine tells besides.

Decided here for all recordings of a hero: the saves of a log and the status lines of a recorded terminal are
read elsewhere, and looked at here.  Who reads them may lack a value now and then, which changes nothing.
"""

from collections.abc import Collection, Mapping
from typing import Final, Self

from nhlog.timeline import Marker
from nhlog.values import NamedTuple

__all__ = ["DEATH", "Fortunes"]

DEATH: Final = "death"
"""The kind of marker at which the hero has no health left."""

_MOST_PLACES: Final = 1000  # of a game: what is read from a screen may be anything
_MOST_FIRSTS: Final = 1000  # of a game
_LOW: Final = 7  # health is low at this part of the most there was,
_LEAST: Final = 5  # and at so many points: as NetHack's own prayer has it


class Fortunes(NamedTuple):
    """How a hero has fared up to some step, as far as it matters for what is worth a marker after it."""

    places: frozenset[str] = frozenset()
    level: int = 0
    lows: int = 0
    is_low: bool = False
    is_dead: bool = False
    states: frozenset[str] = frozenset()
    deeds: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()
    times: Mapping[str, int] = {}  # which nobody changes

    def also(
        self, step: int, states: Collection[str] = (), deeds: Collection[str] = (), firsts: Collection[str] = ()
    ) -> tuple[Self, list[Marker]]:
        """The fortunes once an engine tells this at a step, and the markers there (see `Vitals` of engines).

        What is told of a deed at several steps in a row is one deed.  At the first step of a game, where no place is
        known yet (`then` comes behind this), no first is worth a marker: so it was before.
        """
        begun = [word for word in states if word not in self.states]
        done = [word for word in deeds if word not in self.deeds]
        new = [word for word in dict.fromkeys(firsts) if word not in self.firsts]
        new = new[: max(_MOST_FIRSTS - len(self.firsts), 0)]
        if not (begun or done or new or self.states or self.deeds):
            return self, []
        times, markers = dict(self.times), [Marker(step, "first", word) for word in new if self.places]
        for kind, words in (("state", begun), ("deed", done)):
            for word in words:
                times[word] = times.get(word, 0) + 1
                markers.append(Marker(step, kind, word if times[word] == 1 else f"{word} {times[word]}"))
        return (
            self._replace(states=frozenset(states), deeds=frozenset(deeds), firsts=self.firsts.union(new), times=times),
            markers,
        )

    def then(
        self, step: int, place: str = "", level: int | None = None, hp: int | None = None, hp_max: int | None = None
    ) -> tuple[Self, list[Marker]]:
        """The fortunes once the hero stands so at a step, and the markers there."""
        markers, fortunes = [], self
        if place and place not in self.places and len(self.places) < _MOST_PLACES:
            if self.places:
                markers.append(Marker(step, "place", place))
            fortunes = fortunes._replace(places=self.places | {place})
        if level is not None and level > self.level:
            if self.level > 0:
                markers.append(Marker(step, "level", f"level {level}"))
            fortunes = fortunes._replace(level=level)
        if hp is not None:
            most, is_dead = hp_max or 0, hp <= 0
            if is_dead and not self.is_dead:  # whose life was saved may die again
                markers.append(Marker(step, DEATH, "death"))
            is_low, lows = hp < most and (hp * _LOW <= most or hp <= _LEAST), self.lows
            if is_low and not self.is_low and not is_dead:
                lows += 1
                markers.append(Marker(step, "low HP", f"low HP {lows}"))
            fortunes = fortunes._replace(lows=lows, is_low=is_low, is_dead=is_dead)
        return fortunes, markers
