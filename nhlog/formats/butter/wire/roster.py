"""The table of players as a session goes on: one row for each name of each userid, in order of first appearance.

A row, once given, keeps its number: what is written of a player refers to it before the table is complete.
"""

from collections.abc import Iterable

from nhlog.formats.butter.wire.values import Person

__all__ = ["Roster"]


class Roster:
    """Who has been seen so far."""

    def __init__(self, people: Iterable[Person] = ()) -> None:
        self.people = list(people)
        self._persons: dict[tuple[int, str], Person] = {}
        self._names: dict[str, int] = {}
        for person in self.people:
            self._index(person)

    def _index(self, person: Person) -> None:
        self._persons.setdefault((person.userid, person.name), person)
        self._names.setdefault(person.name, person.row)

    def person(self, userid: int, name: str, number: int, level: int) -> Person:
        """The player's row, a new one if need be."""
        found = self._persons.get((userid, name))
        if found is None:
            found = Person(len(self.people) + 1, name, userid, number, level)
            self.people.append(found)
            self._index(found)
        return found

    def row(self, name: str) -> int:
        """The row of the first player of this name, 0 if there was none yet."""
        return self._names.get(name, 0)
