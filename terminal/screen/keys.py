"""A row of a key table; keys are dispatched by such a table, and help is generated from it."""

from collections.abc import Callable
from typing import Generic, TypeVar

from nhlog.values import dataclass

__all__ = ["Key"]

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Key(Generic[C]):
    """A key or several with the same function.

    `group` is the heading in the help, `names` are names of keys (`terminal.screen.keyboard`), `label` and `does` are
    the help text, and `act` performs the function on the object that owns the table.
    """

    group: str
    names: tuple[str, ...]
    label: str
    does: str
    act: Callable[[C], None]
