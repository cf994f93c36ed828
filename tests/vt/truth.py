"""Recordings of the corpus and what three emulators make of them, read without the code that is tested."""

import bz2
import gzip
import json
import lzma
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

import zstandard

from nhlog.screen import PLAIN, Cell, Style
from nhlog.vt import Size
from nhlog.vt.tape import Part
from tests.corpus import CORPUS, corpus

__all__ = ["FILES", "Truth", "differing", "plain", "told", "truth"]

_FOLDER: Final = CORPUS / "terminal"
_PLAIN = {
    ".bz2": bz2.decompress,
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}
FILES: Final = sorted(
    str(path.relative_to(_FOLDER / "truth")).removesuffix(".truth.jsonl")
    for path in (_FOLDER / "truth").rglob("*.truth.jsonl")
    if ".ttyrec" in path.name or path.name.split(".truth")[0].endswith((".cast", ".json"))
)


@dataclass(frozen=True)
class Truth:
    """`parts` are all events of a recording, those that show nothing as no bytes; `frames` the known screens."""

    file: Path
    told: dict[str, Any]
    frames: list[dict[str, Any]]
    parts: list[Part]

    @property
    def size(self) -> Size:
        return Size(*self.told["size"])

    def between(self, first: int, last: int) -> list[Part]:
        """The parts from one number up to another one."""
        return self.parts[first:last]


def told(name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What is known of a recording, and its known screens."""
    lines = corpus("terminal", "truth", *f"{name}.truth.jsonl".split("/")).read_text().splitlines()
    known, *frames = map(json.loads, lines)
    return known, [frame for frame in frames if frame["kind"] == "frame"]


@cache
def truth(name: str) -> Truth:
    known, frames = told(name)
    path = _FOLDER / name
    data = plain(path)
    parts = list(
        _ttyrec(data, 13 if ".ttyrec2" in name or ".ttyrec3" in name else 12) if ".ttyrec" in name else _cast(data)
    )
    if known["charset"] == "cp437":
        parts = [part.decode("cp437").encode() if isinstance(part, bytes) else part for part in parts]
    return Truth(path, known, frames, parts)


def plain(path: Path) -> bytes:
    """What is in a file, unpacked."""
    return _PLAIN.get(path.suffix, bytes)(path.read_bytes())


def _ttyrec(data: bytes, head: int) -> Iterator[Part]:
    at = 0
    while at + head <= len(data):
        _, _, size = struct.unpack_from("<3I", data, at)
        yield b"" if head > 12 and data[at + 12] else data[at + head : at + head + size]
        at += head + size


def _cast(data: bytes) -> Iterator[Part]:
    try:
        whole = json.loads(data, parse_float=Decimal)
    except ValueError:
        whole = {}
    if isinstance(whole, dict) and whole.get("version") == 1:
        yield from (text.encode("utf-8", "replace") for _, text in whole["stdout"])
        return
    for line in data.decode("utf-8", "replace").splitlines()[1:]:
        if line.startswith("["):
            _, code, text = json.loads(line)
            yield (
                Size(*map(int, text.split("x")))
                if code == "r"
                else text.encode("utf-8", "replace")
                if code == "o"
                else b""
            )


def differing(cells: list[Cell], row: int, styles: list[list[Any]]) -> list[tuple[int, Style, Style]]:
    """Where the styles of a row are not those of the runs: the column, what was found, what was expected."""
    expected = [PLAIN] * len(cells)
    for y, first, last, told in styles:
        if y == row:
            expected[first : last + 1] = [_style(told)] * (last + 1 - first)
    pairs = enumerate(zip(cells, expected, strict=True))
    return [(x, style, wanted) for x, ((_, style), wanted) in pairs if style._replace(link="") != wanted]


_NAMES = {"faint": "dim", "inverse": "reverse"}


def _style(told: dict[str, Any]) -> Style:
    values = {
        _NAMES.get(name, name): (value[1] if value[0] == "palette" else tuple(value[1]))
        if isinstance(value, list)
        else value
        for name, value in told.items()
    }
    return Style(**values)
