"""The file of what a player chose in the client: what cannot be meant is refused, and what is read is kept as it is."""

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from nhlog.errors import Usage
from scripts.fuzzing.mutants.change import TEXTS
from scripts.fuzzing.readers.config import bend_toml
from scripts.fuzzing.rules import Begin, Broken, check_error
from terminal.settings.kept import keep_settings, read_settings, settings_path

__all__ = ["act", "mutant"]

_LINES: Final = (
    'colors = "256"',
    'symbols = "unicode"',
    "mail = true",
    "[delve]",
    'autopickup = "on"',
    '"odd name" = "x"',
    "[nethack4]",
    'menustyle = "full"',
    '["odd game"]',
    'a = "\\u001b"',
)


def mutant(chance: Random) -> Mapping[str, bytes]:
    """The file, bent."""
    return {"nhlog/options.toml": bend_toml(chance, _LINES)}


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Read it; what it says is the same after it was written again, with one more option."""
    before = os.environ["XDG_CONFIG_HOME"]
    os.environ["XDG_CONFIG_HOME"] = str(case.parent)
    try:
        begin("read")
        if Path(settings_path()).parent != case:
            raise Broken("another file")
        try:
            settings = read_settings()
        except Usage as error:
            return check_error(error)
        begin("keep")
        texts = [text for text in TEXTS if text.isascii() or text.isprintable()]  # what can be typed
        settings = settings.with_option("delve", chance.choice(texts), chance.choice(texts))
        keep_settings(settings)
        if read_settings() != settings:
            raise Broken("what is kept is not what is read")
    finally:
        os.environ["XDG_CONFIG_HOME"] = before
