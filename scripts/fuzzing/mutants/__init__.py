"""Hostile recordings by format.

A mutant is made of a `random.Random` alone, so the same one is made again from the same seed.  It is a mapping from
paths to bytes; the first part of a path is the recording, a file or a folder.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from scripts.fuzzing.mutants import butter, datafile, hollowcube, nhgame, screencast, teehistorian

__all__ = ["MUTANTS", "Mutant"]

Mutant = Mapping[str, bytes]

MUTANTS: Final[Mapping[str, Callable[[Random], Mutant]]] = {
    "nhgame": nhgame.mutant,
    "hollowcube": hollowcube.mutant,
    "teehistorian": teehistorian.mutant,
    "butter": butter.mutant,
    "ttyrec": screencast.ttyrec,
    "asciicast": screencast.asciicast,
    "typescript": screencast.typescript,
    "nhrecorder": screencast.nhrecorder,
    "datafile": datafile.mutant,
}
