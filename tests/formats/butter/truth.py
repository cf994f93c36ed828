"""What the reference says of a file, and what the session was that it was made from."""

import gzip
import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.doses import spread

__all__ = ["differences", "single_bits", "source_frames", "truth_lines"]


def truth_lines(path: Path) -> Iterator[str]:
    """One line of JSON for each frame, unread: reading them all would take most of the time."""
    with gzip.open(path, "rt") as file:
        yield from file


def source_frames(path: Path) -> Iterator[tuple[int, dict[str, Any], dict[str, Any] | None]]:
    """Frames of an .echoreplay, each with its number and its bones."""
    with zipfile.ZipFile(path) as archive:
        text = archive.read(archive.namelist()[0]).decode()
    for number, line in spread([*enumerate(text.splitlines())], "butter.compared"):
        _, frame, *bones = line.split("\t")
        yield number, json.loads(frame), json.loads(bones[0]) if bones else None


def single_bits(number: float) -> bytes:
    """The bits of a float32."""
    return struct.pack("<f", number)


def differences(found: Any, truth: Any, path: str = "") -> list[str]:
    """Where two records differ, floats by the bits of their float32; there is nothing more or less in either."""
    if isinstance(truth, dict) and isinstance(found, dict):
        if found.keys() != truth.keys():
            return [f"{path}: keys {sorted(found.keys() ^ truth.keys())}"]
        return [line for key in truth for line in differences(found[key], truth[key], f"{path}.{key}")]
    if isinstance(truth, list) and isinstance(found, list):
        if len(found) != len(truth):
            return [f"{path}: {len(found)} and not {len(truth)}"]
        pairs = enumerate(zip(found, truth, strict=True))
        return [line for number, (a, b) in pairs for line in differences(a, b, f"{path}[{number}]")]
    if isinstance(truth, float) and isinstance(found, float):
        return [] if single_bits(found) == single_bits(truth) else [f"{path}: {found} and not {truth}"]
    return [] if type(found) is type(truth) and found == truth else [f"{path}: {found!r} and not {truth!r}"]
