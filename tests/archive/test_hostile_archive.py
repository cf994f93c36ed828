"""An archive that says what is not so: nothing of ours is harmed, nothing of others is shown otherwise."""

import itertools
import shutil
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nhlog.archive import writing
from nhlog.archive.catalogue import CATALOGUE, listings
from nhlog.archive.checking import check
from nhlog.archive.reading import index_name, open_archived, read_index
from nhlog.archive.wire import Frame, Index, digest_of, pack_checked, pack_index, unpack_index
from nhlog.archive.writing import archive, restore
from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.remote.store import Store
from terminal.cli import main
from tests.corpus import SAMPLES

pytest.importorskip("fsspec")

NAME = "died2.nhgame"
DATA = (SAMPLES / NAME).read_bytes()
_numbers = itertools.count()


def archived(tmp_path: Path) -> Store:
    """A new archive of one game."""
    store = Store(f"memory://hostile{next(_numbers)}")
    archive(shutil.copy(SAMPLES / NAME, tmp_path), store)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return archived(tmp_path)


def forge(store: Store, **changes: Any) -> Index:
    """Put another index there; the old one."""
    index = read_index(store, NAME)
    store.remove(index_name(NAME))
    store.create(index_name(NAME), pack_index(msgspec.structs.replace(index, **changes)))
    return index


def address(store: Store) -> str:
    return f"{store.name}/{NAME}"


def forge_frames(store: Store, data: bytes) -> None:
    """Have its only frame be this, which is as long as the game."""
    packed = Compressor(ZSTD)(data)
    store.remove(f"{NAME}.zst")
    store.create(f"{NAME}.zst", packed)
    forge(store, frames=[Frame(len(data), len(packed), digest_of(packed))], head=data[: 1 << 14], tail=data[-4096:])


def test_a_good_file_is_not_replaced_by_what_was_not_archived(store: Store, tmp_path: Path) -> None:
    forge_frames(store, bytes(len(DATA)))
    target = tmp_path / "mine"
    target.write_bytes(b"good")
    with pytest.raises(Damaged, match="wrong digest"):
        restore(address(store), str(target), force=True)
    assert target.read_bytes() == b"good"
    assert [path.name for path in tmp_path.iterdir()] == [NAME, "mine"]


def test_a_good_file_is_not_replaced_by_a_part_of_it(store: Store, tmp_path: Path) -> None:
    forge(store, frames=[msgspec.structs.replace(read_index(store, NAME).frames[0], digest=bytes(16))])
    target = tmp_path / "mine"
    target.write_bytes(b"good")
    with pytest.raises(Damaged, match=r"only a part .* the file is kept"):
        restore(address(store), str(target), force=True)
    assert target.read_bytes() == b"good"
    assert restore(address(store), str(tmp_path / "left"))["damaged"] == 1


def test_what_grows_too_much_is_written_only_if_it_is_wanted(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(writing, "_USUAL", 1000)
    monkeypatch.setattr(writing, "_USUAL_RATIO", 1)
    target = str(tmp_path / "again")
    with pytest.raises(Usage, match="suspiciously large"):
        restore(address(store), target)
    assert not Path(target).exists()
    assert main(["restore", address(store), "-o", target]) == 2
    assert f"expected --force, found {len(DATA)} bytes from" in capsys.readouterr().err
    assert main(["restore", address(store), "-o", target, "--force"]) == 0
    assert Path(target).read_bytes() == DATA


def test_no_archive_says_anything_of_a_copy_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both have the same game, as old; one lies about it, and is looked at first."""
    honest, lying = archived(tmp_path), archived(tmp_path)
    main(["info", address(honest), "--json"])
    truth = capsys.readouterr().out
    shutil.rmtree(Path(tmp_path, "cache"), ignore_errors=True)
    index = read_index(honest, NAME)
    lie = {kind: data.replace(b"\x01", b"\x02") for kind, data in index.found.items()}
    forge(lying, found=lie)
    main(["info", address(lying)])
    with open_archived(address(lying)) as one, open_archived(address(honest)) as other:
        assert one.stamp() != other.stamp()
    capsys.readouterr()
    main(["info", address(honest), "--json"])
    assert capsys.readouterr().out == truth


@pytest.mark.parametrize("edge", ["head", "tail"])
def test_an_edge_that_is_not_that_of_the_frames_is_damage(store: Store, edge: str) -> None:
    was = getattr(read_index(store, NAME), edge)
    forge(store, **{edge: was[:-1] + b"\0"})
    with open_archived(address(store)) as file:
        file.pread(len(DATA), 0)
        assert [damage.what for damage in file.holes.values()] == [
            "the index has another beginning or end of the game than its frames"
        ]
    assert main(["verify", address(store)]) == 3


def _row(**changes: object) -> Callable[[Index], dict[str, object]]:
    return lambda index: {"summary": {**index.summary, **changes}}


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (lambda index: {"digest": bytes(32)}, "wrong digest"),
        (_row(title="Another"), "the archive's list says something else of it than the game itself: title"),
        (_row(status="damaged"), ": status"),
    ],
)
def test_nothing_is_called_sound_of_which_the_index_says_something_else(
    store: Store, lie: Callable[[Index], dict[str, object]], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    forge(store, **lie(read_index(store, NAME)))
    assert main(["verify", address(store)]) == 3
    said = capsys.readouterr().out
    assert told in said
    assert "1 fault" in said
    assert main(["verify", address(store), "--json"]) == 3
    assert msgspec.json.decode(capsys.readouterr().out)["sound"] is False


@pytest.mark.parametrize("name", [path.name for path in SAMPLES.iterdir() if path.suffix != ".md"])
def test_of_what_was_archived_nothing_is_found(name: str, tmp_path: Path) -> None:
    store = Store(f"memory://sound{next(_numbers)}")
    try:
        archive(shutil.copy(SAMPLES / name, tmp_path), store)
    except Unsupported:  # one that is not finished
        pytest.skip("not one to be archived")
    assert [*check(f"{store.name}/{name}")] == []


def test_a_small_index_does_not_become_a_large_one(store: Store) -> None:
    index = msgspec.structs.replace(read_index(store, NAME), found={"logs": bytes(1 << 26)})
    data = pack_index(index)
    assert len(data) < 1 << 15
    with pytest.raises(Damaged, match="too large"):
        unpack_index(data)


def test_a_long_summary_is_refused(store: Store) -> None:
    index = read_index(store, NAME)
    long = msgspec.structs.replace(index, summary={**index.summary, "title": "x" * (1 << 17)})
    with pytest.raises(Damaged, match="its row in the list is too long"):
        unpack_index(pack_index(long))


@pytest.mark.parametrize("part", ["summary", "found"])
def test_what_is_a_byte_in_an_index_does_not_become_many_in_memory(store: Store, part: str) -> None:
    """Python makes 72 bytes of an empty map, which is one: a small index became 240 MB before it was refused."""
    little = {"summary": {"title": [{}] * (1 << 20)}, "found": {f"{number:x}": b"" for number in range(1 << 17)}}
    index = read_index(store, NAME)
    data = pack_index(msgspec.structs.replace(index, **{part: little[part]}))
    with traced() as most, pytest.raises(Damaged):
        unpack_index(data)
    assert most() < 1 << 24


def test_an_index_that_is_nested_deeply_is_damaged() -> None:
    packed = Compressor(ZSTD)(b"\x81\xa7summary" + b"\x91" * (1 << 19) + b"\xc0")
    with pytest.raises(Damaged, match="recursion"):
        unpack_index(b"nhlogix1" + zlib.crc32(packed).to_bytes(4, "big") + packed)


def test_a_row_of_a_catalogue_is_unpacked_when_it_is_told(store: Store) -> None:
    rows = {name: {"title": [{}] * (1 << 18)} for name in "ab"}
    [known] = store.names(CATALOGUE)
    store.remove(f"{CATALOGUE}/{known}")
    store.create(f"{CATALOGUE}/rows-{known}", pack_checked(rows))
    with traced() as most:
        found = [*listings(store)]
    assert most() < 1 << 24
    assert "its row in the list is too long" in str(found)


@contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """Tells the most bytes that Python had allocated within."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
