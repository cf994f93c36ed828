"""The stream in which all that is relayed is stored: its limits, and how much is in it.

What is older than its age, or more than its size, the server removes, the oldest first.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

__all__ = ["LIMITS", "Limits", "StreamState", "state_of"]

_THOUSAND: Final = 1000  # nanoseconds, as the server counts


class Limits(NamedTuple):
    """How long a stream keeps messages, in microseconds, and up to how many bytes; None is without end."""

    age: int | None
    size: int | None

    @property
    def settings(self) -> dict[str, Any]:
        """The same as the server takes it."""
        return {
            "max_age": 0 if self.age is None else self.age * _THOUSAND,
            "max_bytes": -1 if self.size is None else self.size,
        }


LIMITS: Final = Limits(30 * 86_400_000_000, 4 << 30)
"""Those of a stream that a relay creates: a game lasts for days, and one of ten hours takes some 28 MB."""


class StreamState(NamedTuple):
    """A stream with its limits, and how many messages and bytes are in it."""

    limits: Limits
    messages: int
    size: int


def state_of(answer: Mapping[str, Any]) -> StreamState:
    """What the server told of a stream; raises :class:`KeyError` and :class:`ValueError` for what is no such answer."""
    config, state = answer["config"], answer["state"]
    age, size = int(config.get("max_age", 0)), int(config.get("max_bytes", -1))
    limits = Limits(age // _THOUSAND if age > 0 else None, size if size > 0 else None)
    return StreamState(limits, int(state["messages"]), int(state["bytes"]))
