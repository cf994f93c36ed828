"""A row of a table of keys: keys are dispatched by such a table, and help is made from it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Key"]

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Key(Generic[C]):
    """What some keys do.

    `group` is the heading in the help, `names` are the keys by their names (`terminal.screen.keyboard`), `label` and
    `does` are what the help shows, `act` does it to the object that the table belongs to.
    """

    group: str
    names: tuple[str, ...]
    label: str
    does: str
    act: Callable[[C], None]
