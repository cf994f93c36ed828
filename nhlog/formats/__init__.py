"""Every recording that can be opened, told apart by name and content.

One folder per format; one line in `FORMATS` each.  Must not import `session`, `engines` or `terminal`.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from nhlog.errors import NhlogError, Unsupported
from nhlog.log.file import peek
from nhlog.replay import Replay

__all__ = ["FORMATS", "Format", "ability", "format_of", "is_recording", "open_recording"]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of recording.

    `name` is what `Info.format` says.  `endings` are those of its files' names, `magic` the bytes they may begin with;
    a folder that has one of the files `inside` is such a recording, too.  `module` is the package that knows it.

    The package has `open_replay(path)`, which gives a :class:`~nhlog.replay.Replay`, and further functions for what
    else can be done with such files, each named as the verb of the command line that calls it.
    """

    name: str
    module: str
    endings: tuple[str, ...]
    magic: tuple[bytes, ...] = ()
    inside: tuple[str, ...] = ()


FORMATS: Final = (
    Format("NetHack 4 log", "nhlog.formats.nhgame", (".nhgame",), (b"NHGAME ",)),
    Format(
        "Hollow Cube recording",
        "nhlog.formats.hollowcube",
        (".replay", "preamble.dat"),
        (b"HCRP",),
        ("preamble.dat", "segment-000.dat", "finished"),
    ),
    Format(
        "DDNet teehistorian",
        "nhlog.formats.teehistorian",
        (".teehistorian", ".teehistorian.gz", ".teehistorian.xz", ".teehistorian.zst"),
        (b"\x69\x9d\xb1\x7b\x8e\xfb\x34\xff\xb1\xd8\xda\x6f\x60\xc1\x5d\xd1",),
    ),
    Format("Echo VR recording", "nhlog.formats.butter", (".butter", ".echoreplay")),
    Format("Teeworlds map", "nhlog.formats.datafile", (".map",), (b"DATA", b"ATAD")),
)

_HEAD: Final = max(len(magic) for kind in FORMATS for magic in kind.magic)


def format_of(path: str) -> Format:
    """The format of the recording `path`: a file, a folder, an address, or ``-`` for standard input.

    A known ending decides; of other files the first bytes do.  What nothing is known of counts as the first format,
    which then says what is wrong with it.
    """
    if os.path.isdir(path):
        names = set(os.listdir(path))
        return next((kind for kind in FORMATS if names & set(kind.inside)), FORMATS[0])
    for kind in FORMATS:
        if path.endswith(kind.endings):
            return kind
    head = _head(path)
    return next((kind for kind in FORMATS if kind.magic and head.startswith(kind.magic)), FORMATS[0])


def _head(path: str) -> bytes:
    """The first bytes, or nothing where there are none to be had."""
    if path == "-":
        return sys.stdin.buffer.peek(_HEAD) if hasattr(sys.stdin.buffer, "peek") else b""
    try:
        return peek(path, _HEAD)
    except NhlogError:
        return b""


def is_recording(path: str) -> bool:
    """Whether the name, or what is in the folder, looks like one that we open."""
    if any(path.endswith(kind.endings) for kind in FORMATS):
        return True
    return any(os.path.exists(os.path.join(path, name)) for kind in FORMATS for name in kind.inside)


def open_recording(path: str, **options: Any) -> Replay[Any]:
    """The recording in `path`, standing at its first step.

    Raises :class:`~nhlog.errors.NhlogError`: `Unsupported` for what is no recording that we know.
    """
    replay: Replay[Any] = ability(path, "open_replay")(path, **options)
    return replay


def ability(path: str, verb: str) -> Callable[..., Any]:
    """What the format of `path` does for a verb; raises :class:`Unsupported` where it does nothing."""
    kind = format_of(path)
    does: Callable[..., Any] | None = getattr(import_module(kind.module), verb, None)
    if does is None:
        raise Unsupported(f"there is no {verb} for a {kind.name}", file=path)
    return does
