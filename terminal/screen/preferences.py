"""What the user has chosen of how the terminal is used."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from nhlog.screen import Style
from nhlog.values import dataclass
from terminal.screen.keys import KeyTable

__all__ = ["Preferences"]


@dataclass(frozen=True, slots=True)
class Preferences:
    """`tables` are tables of keys, by their names, and `theme` styles by their roles: those that differ from the usual.

    After `idle_minutes` without a key the client ends; None for never.
    """

    tables: Mapping[str, KeyTable[Any]] = field(default_factory=dict)
    theme: Mapping[str, Style] = field(default_factory=dict)
    idle_minutes: float | None = None
