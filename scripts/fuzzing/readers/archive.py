"""A store of archived games that anybody may have written: indexes, frames, catalogue, and what came with them.

What is given is what was archived, or it is said what is missing.  What an index brings into the cache is forged here
with right checksums, too: it comes from others.
"""

import os
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from nhlog.archive.catalogue import CATALOGUE, write_catalogue
from nhlog.archive.reading import open_archived
from nhlog.archive.wire import Index, digest_of, pack_checked, pack_index, unpack_checked, unpack_index
from nhlog.archive.writing import archive
from nhlog.errors import NhlogError
from nhlog.remote.store import Store
from scripts.fuzzing.mutants.change import SAMPLES, bend_bytes, rarely
from scripts.fuzzing.readers.forge import bend_entry, bend_value
from scripts.fuzzing.readers.small import small_is_long
from scripts.fuzzing.rules import Begin, Broken, refused, run

__all__ = ["act", "mutant"]

_GAMES: Final = ("died2.nhgame", "nethack.cast", "coverage.teehistorian", "arena.butter", "run.replay")
_ROWS: Final = "rows-"  # how the names of the catalogue's objects begin
_INDEX_MAGIC: Final = 8  # bytes
_MOST: Final = 1 << 26
_ANSWERS: Final = (0, 1, 3, 4, 6, 7)
_AGAIN: Final = 6  # the exit code of what was another recording a moment ago


@cache
def _seed(name: str) -> Mapping[str, bytes]:
    """The objects of an archive with this one game."""
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory(prefix="nhlog-fuzz-") as folder, small_is_long():
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        store = Store(f"file://{folder}/store")
        archive(str(SAMPLES / name), store)
        write_catalogue(store)
        root = Path(folder) / "store"
        for rows in (root / CATALOGUE).glob(f"{_ROWS}*"):
            rows.rename(rows.with_name(f"{_ROWS}{0:016x}"))  # its name is random, and a case is the same each time
        found = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
        del os.environ["XDG_CACHE_HOME"]
    if before is not None:
        os.environ["XDG_CACHE_HOME"] = before
    return found


def mutant(chance: Random) -> Mapping[str, bytes]:
    """The objects of an archive, one or two of them bent, as values or as bytes."""
    objects = dict(_seed(chance.choice(_GAMES)))
    for _ in range(chance.choice((1, 1, 2))):
        name = chance.choice([*objects, *[name for name in objects if name.startswith(".nhlog/")]])
        objects[name] = _bend(chance, name, objects[name])
    if rarely(chance, 8):
        objects.pop(chance.choice(list(objects)))
    return {f"store/{name}": data for name, data in objects.items()} or {"store/none": b""}


def _bend(chance: Random, name: str, data: bytes) -> bytes:
    if rarely(chance, 4):
        return bend_bytes(chance, data)
    if name.startswith(CATALOGUE):
        try:
            return pack_checked(bend_value(chance, unpack_checked(data, dict[str, Any], _MOST, _MOST)))
        except (NhlogError, ValueError):
            return data
    if not name.startswith(".nhlog/"):
        return bend_bytes(chance, data)
    try:
        index = unpack_index(data)
    except NhlogError:
        return data
    if rarely(chance, 3):
        parts = bend_value(chance, msgspec.to_builtins(index, builtin_types=(bytes,)))
        return data[:_INDEX_MAGIC] + pack_checked(parts)
    if not rarely(chance, 4) and index.found:
        kind = chance.choice(list(index.found))
        found = index.found | {kind: bend_entry(chance, index.found[kind])}
        return pack_index(msgspec.structs.replace(index, found=found))
    return pack_index(_of_itself(chance, index))


def _of_itself(chance: Random, index: Index) -> Index:
    """An index that fits its own frames, if not those of the store."""
    frames = [*index.frames]
    at = chance.randrange(len(frames))
    match chance.randrange(3):
        case 0:
            frames[at] = msgspec.structs.replace(frames[at], digest=digest_of(b"another"))
        case 1:
            frames[at] = msgspec.structs.replace(frames[at], packed=frames[at].packed + chance.choice((1, -1, 5000)))
        case _:
            return msgspec.structs.replace(index, format=chance.choice(("nhgame", "butter", "", "x")), digest=bytes(32))
    return msgspec.structs.replace(index, frames=frames)


def act(case: Path, chance: Random, begin: Begin) -> None:
    """List it, restore the game, and read it where it is."""
    address = f"file://{case}"
    names = [path.name.removesuffix(".index") for path in sorted(case.glob(".nhlog/*"))] or ["none"]
    with small_is_long():
        run(case.parent, begin, "ls", address, *chance.choice(([], ["--json"])), answers=_ANSWERS)
        for name in names:
            game, target = f"{address}/{name}", str(case.parent / name)
            done = run(case.parent, begin, "restore", game, "-o", target, answers=_ANSWERS)
            original = SAMPLES / name
            if done.code == 0 and original.exists() and Path(target).read_bytes() != original.read_bytes():
                raise Broken("restores something else, and says nothing")
            for verb in chance.sample(
                (["info"], ["show", "--at", "50%"], ["verify"], ["events"], ["show", "--at", "end"]), 3
            ):
                done = run(case.parent, begin, *verb, game, answers=_ANSWERS)
                if done.code == _AGAIN:  # what the index brought did not fit, and was thrown away
                    run(case.parent, begin, *verb, game)
            begin("read")
            with refused(), closing(open_archived(game)) as file:
                for _ in range(6):
                    offset = chance.randint(0, file.size())
                    if len(file.pread(300, offset)) != min(300, file.size() - offset):
                        raise Broken("fewer bytes than there are")
