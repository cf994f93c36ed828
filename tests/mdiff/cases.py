"""What the C code did, and saves as scripts of what a game tells an encoder."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple
from zipfile import ZipFile

from hypothesis import strategies as st

from nhlog.mdiff.reference import Encoder
from tests.corpus import corpus, text

Op = tuple[Any, ...]
"""("write", data), ("tag", type, number) or ("hint",)."""


def vectors(kind: str) -> list[dict[str, Any]]:
    """The vectors of "encode" or of "decode"."""
    found: list[dict[str, Any]] = json.loads(text("nethack4", "mdiff-vectors.json"))[kind]
    return found


def vector_script(ops: Iterable[list[Any]]) -> list[Op]:
    """A script as the vectors spell it."""
    return [("write", bytes.fromhex(op[1])) if op[0] == "write" else tuple(op) for op in ops]


class Pair(NamedTuple):
    """Two saves, the C diffs between them by variant ("beta3-hints"), and their scripts if they had tags or hints."""

    name: str
    old: bytes
    new: bytes
    diffs: Mapping[str, bytes]
    scripts: tuple[list[Op], list[Op]] | None


@cache
def _archive() -> ZipFile:
    return ZipFile(corpus("nethack4", "pairs.zip"))


def _lines(member: str) -> Iterator[dict[str, Any]]:
    with _archive().open(member) as file:
        yield from map(json.loads, file)


def pairs() -> Iterator[Pair]:
    read = _archive().read
    for entry in _lines("index.jsonl"):
        old, new = read(entry["old"]), read(entry["new"])
        diffs = {variant: read(diff["file"]) for variant, diff in entry["diffs"].items()}
        scripts = None
        if "new_hints" in entry:
            scripts = _script(old, read(entry["old_hints"])), _script(new, read(entry["new_hints"]))
        yield Pair(entry["name"], old, new, diffs, scripts)


def mutated() -> Iterator[tuple[dict[str, Any], bytes, bytes]]:
    """The verdict of C on a damaged diff, the diff, and its base."""
    for verdict in _lines("mutated.jsonl"):
        yield verdict, bytes.fromhex(verdict["diff_hex"]), _archive().read(verdict["old"])


def _script(save: bytes, events: bytes) -> list[Op]:
    """The script of a save whose tags (POS t TYPE NUMBER) and hints (POS h) are listed."""
    script: list[Op] = []
    written = 0
    for line in events.decode().splitlines():
        position, event, *arguments = line.split()
        script.append(("write", save[written : int(position)]))
        script.append(("tag", *map(int, arguments)) if event == "t" else ("hint",))
        written = int(position)
    script.append(("write", save[written:]))
    return script


def play(encoder: Encoder, script: Iterable[Op]) -> Encoder:
    """The encoder after it was told all of `script`."""
    for op, *arguments in script:
        getattr(encoder, op)(*arguments)
    return encoder


def written(script: Iterable[Op]) -> bytes:
    """The save that a script writes."""
    return b"".join(op[1] for op in script if op[0] == "write")


def diff_of(old: list[Op], new: list[Op]) -> bytes:
    """The reference encoder's diff between the saves that two scripts write."""
    return play(Encoder(written(old), play(Encoder(b"", {}), old).tags), new).finish()


@st.composite
def scripts(draw: st.DrawFn, least: int = 2, most: int = 2) -> list[list[Op]]:
    """Scripts of saves that are alike: of the same records in any order and number, some a little changed."""
    small = st.lists(st.sampled_from(b"\0\1\2\3\xff"), max_size=200).map(bytes)
    records = draw(st.lists(small, min_size=1, max_size=4))
    changed = st.builds(
        lambda record, at, new: record[:at] + new + record[at + len(new) :],
        st.sampled_from(records),
        st.integers(0, 200),
        st.lists(st.sampled_from(b"\0\1\2\3\xff"), min_size=1, max_size=20).map(bytes),
    )
    op = st.one_of(
        st.tuples(st.just("write"), st.sampled_from(records) | changed),
        st.tuples(st.just("tag"), st.integers(0, 1), st.integers(0, 3)),
        st.just(("hint",)),
    )
    return draw(st.lists(st.lists(op, max_size=12), min_size=least, max_size=most))
