"""TOML as somebody wrote it: a file that would take the parser more depth or memory than there is, is refused.

And one text as TOML has it, which Python's library does not write.
"""

import json
import re
from typing import Any, Final

__all__ = ["NotTOML", "parse_toml", "toml_text"]

_LONG: Final = re.compile(r"\b0[xob][0-9a-fA-F_]{1000}")  # Python reads such a number, and cannot print it
_DEEPEST: Final = 64  # parts of a key: the parser's memory grows with their square
_DEEP: Final = re.compile(rf"(?<![\w'\"-])(?:[\w'\"-]++[ \t]*+\.[ \t]*+){{{_DEEPEST}}}")


class NotTOML(ValueError):
    """What is wrong with a text."""


def parse_toml(text: str) -> dict[str, Any]:
    """The values in a text; raises :class:`NotTOML`."""
    if _DEEP.search(text):
        raise NotTOML(f"a name of more than {_DEEPEST} parts")
    if _LONG.search(text):
        raise NotTOML("a number of very many digits")
    import tomllib  # which a process that is told its settings has no need of

    try:
        return tomllib.loads(text)
    except ValueError as error:  # also of a number of very many digits
        raise NotTOML(str(error)) from None
    except RecursionError:
        raise NotTOML("values nested too deeply") from None


def toml_text(text: str) -> str:
    """A text as a value, or as a part of a name.

    That is JSON's, but for two things: what stands for a character beyond the first 65,536 there, a pair of surrogates,
    is an error in TOML, and so is a delete character as it is.
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")
