"""Whether standard output accepts UTF-8; otherwise screens are printed in ASCII."""

import os
import sys
from collections.abc import Mapping

__all__ = ["speaks_utf8"]


def speaks_utf8(environment: Mapping[str, str] = os.environ, utf8_mode: bool = bool(sys.flags.utf8_mode)) -> bool:
    """Whether the locale's encoding is UTF-8.

    In the C locale Python enables its UTF-8 mode and sets ``LC_CTYPE`` itself, which says nothing about the terminal.
    """
    coerced = utf8_mode and environment.get("LC_CTYPE") == "C.UTF-8"
    names = ("LC_ALL", "LANG") if coerced else ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    return "utf8" in locale.lower().replace("-", "")
