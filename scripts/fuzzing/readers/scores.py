"""Lists of games that ended, of any NetHack: what is no line of one is named, and the others are listed."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from scripts.fuzzing.mutants.change import bend, bend_bytes, bend_often, bend_text, rarely, repacked
from scripts.fuzzing.rules import Begin, Broken, run

__all__ = ["act", "mutant"]

_FIELDS: Final = {
    "version": "3.6.6",
    "points": "1234",
    "deathdnum": "0",
    "deathlev": "4",
    "maxlvl": "6",
    "hp": "-2",
    "maxhp": "35",
    "deaths": "1",
    "deathdate": "20240301",
    "birthdate": "20240229",
    "uid": "1000",
    "role": "Val",
    "race": "Hum",
    "gender": "Fem",
    "align": "Neu",
    "name": "ann",
    "death": "killed by a newt, while praying",
    "turns": "4321",
    "conduct": "0x1f88",
    "achieve": "0x0",
    "realtime": "912",
    "starttime": "1709200000",
    "endtime": "1709300000",
    "starttimeus": "1709200000000000",
    "flags": "0x4",
    "mode": "normal",
    "engine": "delve",
    "dumplog": "ann.txt",
    "xplevel": "7",
}
_NUMBERS: Final = (
    "",
    "0x",
    "0xffffffffffffffff",
    "-0x8000000000000000",
    "9" * 19,
    "9" * 20,
    "١٢",
    "1e9",
    "-0",
    "00000000",
)


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Some lines of either separator, fields bent."""
    lines = [_line(chance) for _ in range(chance.choice((0, 1, 3, 40)))]
    lines = bend_often(chance, (0, 1, 2), lines, bend_bytes)
    data = b"".join(lines)
    if rarely(chance, 30):
        data = repacked(chance, data)[1]
    return {"xlogfile": data * chance.choice((1, 1, 1, 50))}


def _line(chance: Random) -> bytes:
    fields = [*_FIELDS.items()]
    fields = bend_often(chance, (0, 1, 3), fields, _bend_field)
    separator = chance.choice((":", "\t"))
    text = separator.join(f"{name}={value}" for name, value in fields)
    return text.encode("utf-8", "surrogatepass") + chance.choice((b"\n", b"\n", b"\n", b"\r\n", b""))


def _bend_field(chance: Random, field: tuple[str, str]) -> tuple[str, str]:
    name, value = field
    match chance.randrange(4):
        case 0:
            return name, chance.choice(_NUMBERS)
        case 1:
            return name, str(bend(chance, 20_000_101))
        case 2:
            return bend_text(chance, name), value
    return name, bend_text(chance, value)


def act(case: Path, chance: Random, begin: Begin) -> None:
    """List the best of the file, and of its folder, in all the ways there are."""
    words = ("--json", "--by-player", "--all-modes", "--player ann", "--top 1000000")
    for place in (str(case), str(case.parent)):
        chosen = [word for option in chance.sample(words, 2) for word in option.split()]
        done = run(case.parent, begin, "scores", place, *chosen)
        if "xlogfile" not in done.err + str(done.error) and done.code:
            raise Broken("does not name the file")
