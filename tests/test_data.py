"""The part of the corpus that travels: small, told of, and the same as what lies beside us."""

import zlib

import pytest

from tests.corpus import CORPUS, DATA, WHOLE

LARGEST = 6_000_000  # bytes, packed
BLOCK = 512  # of an archive, for a file's name and place
OWN = {"README.md", "teeworlds/LICENSE.DDNet"}
OWN_FOLDERS = ("terminal/resized/", "fiqhack/", "nethack36/")  # what is here alone
CHOSEN = {
    "butter/ref/arena_short_bones.k30.truth.every5.jsonl.gz",
    "butter/vectors.jsonl.gz",
    "nethack4/mdiff-vectors.json.gz",
    "nethack4/pairs.zip",
    "nethack4/perception-examples.jsonl",
}
FILES = sorted(path for path in DATA.rglob("*") if path.is_file())


def test_it_is_small_enough_to_travel() -> None:
    assert sum(BLOCK + len(zlib.compress(path.read_bytes())) for path in FILES) < LARGEST


def test_the_readme_tells_of_each_folder_and_of_what_was_chosen() -> None:
    readme = (DATA / "README.md").read_text()
    names = {path.relative_to(DATA).parent.as_posix() for path in FILES} - {"."}
    folders = {f"`{'/'.join(name.split('/')[:2])}/" for name in names} | {f"`{name}`" for name in CHOSEN}
    assert [name for name in sorted(folders) if name not in readme] == []


@pytest.mark.skipif(not WHOLE, reason="no larger corpus beside the project (../shared/corpus)")
def test_it_is_a_part_of_the_larger_corpus_byte_for_byte() -> None:
    names = {path.relative_to(DATA).as_posix() for path in FILES} - OWN - CHOSEN
    assert len(names) > 300
    names = {name for name in names if not name.startswith(OWN_FOLDERS)}
    assert [name for name in sorted(names) if (DATA / name).read_bytes() != (CORPUS / name).read_bytes()] == []
