"""What a file is that is no recording."""

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, Unsupported
from nhlog.files.kinds import kind_of, kind_of_bytes, with_article
from nhlog.formats import UNKNOWN, format_of, open_recording

MARKDOWN = b"# Title\n\nSome *text*.\n"
KINDS = {
    b"": "an empty file",
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR": "a PNG picture",
    b"GIF89a\1\0": "a GIF picture",
    b"%PDF-1.7\n": "a PDF document",
    b"\x7fELF\2\1\1" + bytes(9): "a program of this system (ELF)",
    b"PK\3\4\x14\0": "a zip archive",
    b"name" + bytes(253) + b"ustar\x0000": "a tar archive",
    MARKDOWN: "a Markdown file",
    b'{"a": 1}': "a JSON file",
    b'[\n  {"a": 1}': "a JSON file",
    b"#!/bin/sh\nls\n": "a script",
    b"<!DOCTYPE html><p>": "an HTML page",
    b"hello\n": "a text file",
    "Grüße ".encode()[:4]: "a text file",
    b"version=3.6.6:points=12:": "an xlogfile, which `nhlog scores` reads",
    gzip.compress(MARKDOWN): "a Markdown file packed with gzip",
    bz2.compress(b"hello"): "a text file packed with bzip2",
    lzma.compress(b"%PDF-1.7"): "a PDF document packed with xz",
    gzip.compress(b"\0\1\2"): "a file packed with gzip",
    b"\0\1\2\3\xff": None,
}


@pytest.mark.parametrize(("head", "kind"), KINDS.items(), ids=[str(kind) for kind in KINDS.values()])
def test_a_file_is_known_by_its_first_bytes(head: bytes, kind: str | None) -> None:
    assert kind_of_bytes(head) == kind


def test_text_is_known_by_its_name_too(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("no heading")
    assert kind_of(str(path)) == "a Markdown file"
    assert kind_of(str(tmp_path)) == "a folder"
    assert kind_of(str(tmp_path / "none")) is None


@pytest.mark.parametrize(
    "head",
    [head for head, kind in KINDS.items() if kind and head[:2] != b"PK"],
    ids=[kind for head, kind in KINDS.items() if kind and head[:2] != b"PK"],
)
def test_none_of_them_is_taken_for_a_recording(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(head)
    assert format_of(str(path)) is UNKNOWN
    with pytest.raises(NhlogError) as raised:
        open_recording(str(path))
    assert raised.value.message.startswith(str(kind_of_bytes(head)))


@pytest.mark.parametrize("ending", [".nhgame", ".map", ".cast", ".ttyrec", ".replay", ".butter", ".teehistorian"])
def test_one_that_is_named_like_a_recording_is_called_what_it_is(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    path.write_bytes(MARKDOWN)
    with pytest.raises(NhlogError) as raised:
        open_recording(str(path))
    assert raised.value.message == f"a Markdown file, not {with_article(format_of(str(path)).name)}"


def test_what_begins_as_its_format_does_keeps_its_own_error(tmp_path: Path) -> None:
    path = tmp_path / "x.cast"
    path.write_text('{"version": 7, "width": 80, "height": 24}\n')
    with pytest.raises(Unsupported, match="7"):
        open_recording(str(path))


def test_names_have_their_articles() -> None:
    assert [with_article(name) for name in ("ttyrec", "asciicast", "Echo VR recording")] == [
        "a ttyrec",
        "an asciicast",
        "an Echo VR recording",
    ]
