"""The names of NetHack's pictures as nle has them.

``python -m tests.engines.nethack.pictures`` writes them to `pictures.json`.
"""

import json
import warnings
from pathlib import Path
from typing import Any

from nhlog.engines.nethack import pictures
from nhlog.engines.nethack.seen import KINDS

__all__ = ["FILE", "ranges", "tables"]

FILE = Path(pictures.__file__).with_suffix(".json")


def _nle() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nle import nethack  # which takes a second
    return nethack


def tables() -> dict[str, list[str]]:
    """The names of monsters, things and squares; of a thing that does not look like what it is, its kind."""
    nle = _nle()
    things = [nle.objclass(number) for number in range(nle.NUM_OBJECTS)]
    return {
        "monsters": [nle.permonst(number).mname for number in range(nle.NUMMONS)],
        "objects": [
            nle.OBJ_NAME(thing)
            if nle.OBJ_NAME(thing) and not nle.OBJ_DESCR(thing)
            else KINDS[ord(thing.oc_class) if isinstance(thing.oc_class, str) else thing.oc_class]
            for thing in things
        ],
        "squares": [
            nle.symdef.from_idx(number).explanation for number in range(nle.GLYPH_EXPLODE_OFF - nle.GLYPH_CMAP_OFF)
        ],
    }


def ranges() -> list[int]:
    """Where the ranges of pictures begin, and where the last one ends."""
    nle = _nle()
    names = ("MON", "PET", "INVIS", "DETECT", "BODY", "RIDDEN", "OBJ", "CMAP")
    names += ("EXPLODE", "ZAP", "SWALLOW", "WARNING", "STATUE")
    return [*(getattr(nle, f"GLYPH_{name}_OFF") for name in names), nle.MAX_GLYPH]


if __name__ == "__main__":
    FILE.write_text(json.dumps(tables(), separators=(",\n", ":")) + "\n")
