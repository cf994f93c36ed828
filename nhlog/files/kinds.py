"""What a file really is, in words, by its first bytes: for whoever opened one that is no recording, or another one.

A kind is said with its article: ``a PNG picture``, ``a Markdown file packed with gzip``.
"""

import os
import re
import sys
from collections.abc import Callable
from typing import Final

from nhlog import compression
from nhlog.errors import NhlogError
from nhlog.files.reading import first_bytes
from nhlog.values import pattern

__all__ = ["EMPTY", "HEAD", "ends_early", "head_of", "kind_of", "kind_of_bytes", "signed", "with_article"]

EMPTY: Final = "an empty file"
HEAD: Final = 1 << 13
"""Bytes from the start that are looked at: of what is compressed, enough to unpack some of them."""
_SIGNATURES: Final = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (0, b"\xff\xd8\xff", "a JPEG picture"),
    (0, b"GIF8", "a GIF picture"),
    (0, b"RIFF", "a RIFF file: a picture, a sound or a film"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"\x7fELF", "a program of this system (ELF)"),
    (0, b"MZ", "a Windows program"),
    (0, b"\xca\xfe\xba\xbe", "a compiled Java class"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (0, b"OggS", "an Ogg sound or film"),
    (0, b"ID3", "an MP3 sound"),
    (0, b"fLaC", "a FLAC sound"),
    (0, b"wvpk", "a WavPack sound"),
    (0, b"\x1a\x45\xdf\xa3", "a Matroska film"),
    (4, b"ftyp", "an MP4 film"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"PK\3\4", "a zip archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"!<arch>\n", "an archive of object files or a Debian package"),
    (0, b"TWDEMO\0", "a Teeworlds demo"),
)
_PACKED: Final = {
    compression.GZIP: "gzip",
    compression.BZIP2: "bzip2",
    compression.XZ: "xz",
    compression.ZSTD: "zstd",
}
# Of text: by the ending of the file's name, else by how it begins.
_ENDINGS: Final = {
    ".md": "a Markdown file",
    ".py": "a Python program",
    ".c": "a C source file",
    ".h": "a C header file",
    ".rs": "a Rust source file",
    ".toml": "a TOML file",
    ".yaml": "a YAML file",
    ".yml": "a YAML file",
    ".csv": "a CSV table",
    ".log": "a log in plain text",
}
_BEGINNINGS: Final = (
    (pattern(r"#!"), "a script"),
    (pattern(r"\s*<(!doctype html|html)", re.IGNORECASE), "an HTML page"),
    (pattern(r"\s*<svg|<\?xml[^>]*>\s*<svg"), "an SVG picture"),
    (pattern(r"\s*<\?xml"), "an XML file"),
    (pattern(r'\s*[{\[]\s*["{\[\]}\d-]'), "a JSON file"),
    (pattern(r"version=[^\n]*[:\t]points=|[^\n]*\bpoints=\d+[:\t]"), "an xlogfile, which `nhlog scores` reads"),
    (pattern(r"#{1,6} \S"), "a Markdown file"),
)
_TEXT: Final = "a text file"


def with_article(name: str) -> str:
    """A name with its article: ``a ttyrec``, ``an asciicast``."""
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def kind_of(path: str) -> str | None:
    """What a file is; None if its first bytes do not show it, or it cannot be read."""
    if os.path.isdir(path):
        return "a folder"
    if path == "-":
        return kind_of_bytes(head_of(path))
    try:
        return kind_of_bytes(first_bytes(path, HEAD), path)
    except NhlogError:
        return None


def head_of(path: str) -> bytes:
    """The first bytes of a file, or of standard input for ``-``; empty if they cannot be read."""
    if path == "-":
        peek: Callable[[int], bytes] | None = getattr(sys.stdin.buffer, "peek", None)
        return peek(HEAD) if peek is not None else b""
    try:
        return first_bytes(path, HEAD)
    except NhlogError:
        return b""


def kind_of_bytes(head: bytes, name: str = "") -> str | None:
    """What a file of this name is that begins with `head`; None if these do not show it."""
    if not head:
        return EMPTY
    packing = compression.compression_of(head)
    if packing in _PACKED:
        inside = compression.decompress(head, packing, HEAD).data
        within = kind_of_bytes(inside, os.path.splitext(name)[0]) if inside else None
        return f"{within or 'a file'} packed with {_PACKED[packing]}"
    return signed(head) or _text(head, name)


def ends_early(head: bytes) -> str:
    """What is wrong with compressed bytes of which not even the first can be unpacked, as there are too few."""
    packing = compression.compression_of(head)
    if packing == compression.NONE:
        return ""
    inside = compression.decompress(head, packing, HEAD)
    early = not inside.data and isinstance(inside.fault, compression.EndsEarly)
    return f"{inside.fault.what} before anything can be unpacked" if early and inside.fault else ""


def signed(head: bytes) -> str | None:
    """The kind that signs itself with bytes of its own; None if it is none of those."""
    return next((kind for at, sign, kind in _SIGNATURES if head.startswith(sign, at)), None)


def _text(head: bytes, name: str) -> str | None:
    """The kind of text; None of what is none."""
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:  # else a character is cut off at the end
            return None
        text = head[: error.start].decode()
    if re.search(r"[\0-\x06\x0e-\x1a]", text):
        return None
    ending = _ENDINGS.get(os.path.splitext(name)[1].lower())
    return ending or next((kind for begins, kind in _BEGINNINGS if begins.match(text)), _TEXT)
