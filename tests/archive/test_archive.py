"""Games in an archive: the ordinary verbs read them, the exact files come back, and what is half there is not there."""

import itertools
import os
import shutil
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from nhlog.archive import writing
from nhlog.archive.catalogue import CATALOGUE, listings, write_catalogue
from nhlog.archive.reading import index_name, open_archived, placed, read_index
from nhlog.archive.wire import Frame, digest_of, pack_index
from nhlog.archive.writing import Archived, archive, restore
from nhlog.cache import cache_folder, fingerprint, found_of
from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.files import CannotOpen, losses
from nhlog.formats import open_recording, operation
from nhlog.operations import Listing, as_record
from nhlog.remote.store import Exists, Store
from nhlog.screencast.replay import Screencast
from terminal.cli import main
from tests.corpus import CORPUS, SAMPLES
from tests.guests import needs

pytest.importorskip("fsspec")

NAMES = (
    "died2.nhgame",
    "delve.nhgame",
    "nethack.cast",
    pytest.param("coverage.teehistorian", marks=needs("Teeworlds")),
    pytest.param("arena.butter", marks=needs("Echo VR")),
    pytest.param("run.replay", marks=needs("Hollow Cube")),
)
_numbers = itertools.count()


@pytest.fixture
def store() -> Store:
    return Store(f"memory://museum{next(_numbers)}")


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return shutil.copy(SAMPLES / request.param, tmp_path)


@pytest.fixture
def log(tmp_path: Path) -> str:
    return shutil.copy(SAMPLES / "died2.nhgame", tmp_path)


@pytest.fixture
def small_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.archive.wire.LEAST", 1 << 12)
    monkeypatch.setattr("nhlog.archive.wire.MOST", 1 << 13)
    monkeypatch.setattr("nhlog.archive.reading.HEAD", 0)


def put_again(store: Store, name: str, data: bytes) -> None:
    store.remove(name)
    store.create(name, data)


def address(store: Store, path: str) -> str:
    return f"{store.name}/{Path(path).name}"


def test_the_exact_file_comes_back(store: Store, game: str, tmp_path: Path) -> None:
    archive(game, store)
    record = restore(address(store, game), str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == Path(game).read_bytes()
    assert (tmp_path / "again").stat().st_mtime_ns == Path(game).stat().st_mtime_ns
    assert record["damaged"] == 0


def test_an_archived_game_is_read_as_its_file_is(store: Store, game: str) -> None:
    archive(game, store)
    place = address(store, game)
    assert {**as_record(operation(place, "info")(place)), "file": ""} == {
        **as_record(operation(game, "info")(game)),
        "file": "",
    }
    ours, theirs = open_recording(game), open_recording(place)
    assert theirs.timeline.last == ours.timeline.last
    for step in (ours.timeline.last, ours.timeline.last // 2, 0):
        ours.seek(step)
        theirs.seek(step)
        assert type(theirs.state) is type(ours.state)
        assert [*theirs.events(0, step)] == [*ours.events(0, step)]
    ours.close()
    theirs.close()


@pytest.mark.usefixtures("small_frames")
@pytest.mark.parametrize("name", ["vim.ttyrec", "bash-termrec.nh"])
def test_frames_of_a_recorded_terminal_begin_with_events(store: Store, name: str, tmp_path: Path) -> None:
    game = shutil.copy(CORPUS / "terminal" / "recorded" / name, tmp_path)
    archive(game, store)
    with closing(open_recording(game)) as replay:
        assert isinstance(replay, Screencast)
        events = {replay.recorded.offset(number) for number in range(len(replay.recorded))}
    assert {*read_index(store, name).starts[1:-1]} <= events
    restore(address(store, game), str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == Path(game).read_bytes()
    for verb in ("info", "show"):
        assert main([verb, address(store, game)]) == 0


@needs("typescript")
def test_a_typescript_is_not_archived_without_its_times(store: Store, tmp_path: Path) -> None:
    for name in ("nh366-tou-script.typescript", "nh366-tou-script.timing"):
        shutil.copy(CORPUS / "terminal" / "recorded" / name, tmp_path)
    with pytest.raises(Unsupported, match="convert"):
        archive(str(tmp_path / "nh366-tou-script.typescript"), store)
    assert store.names("") == []


@needs("Teeworlds")
@pytest.mark.parametrize(("its", "found"), [("coverage.map", True), ("dm1.map", False)])
def test_the_map_of_a_recording_is_found_beside_it(store: Store, its: str, found: bool, tmp_path: Path) -> None:
    from nhlog.formats.teehistorian.replay import TeeReplay

    archive(shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path), store)
    archive(shutil.copy(SAMPLES / its, str(tmp_path / "coverage.map")), store)
    with closing(open_recording(f"{store.name}/coverage.teehistorian")) as replay:
        assert isinstance(replay, TeeReplay)
        assert (replay.terrain is not None) == found


@needs("Hollow Cube")
def test_what_is_packed_already_is_stored_as_it_is(store: Store, tmp_path: Path) -> None:
    game = shutil.copy(SAMPLES / "run.replay", tmp_path)
    archive(game, store)
    assert store.whole("run.replay", 1 << 20) == Path(game).read_bytes()


def test_it_is_put_there_once(store: Store, log: str) -> None:
    archive(log, store)
    with pytest.raises(Archived):
        archive(log, store)
    with pytest.raises(Exists):
        store.create(index_name("died2.nhgame"), b"another")


def test_another_game_of_the_name_is_refused(store: Store, log: str) -> None:
    archive(log, store)
    shutil.copy(SAMPLES / "delve.nhgame", log)
    with pytest.raises(NhlogError, match="another game"):
        archive(log, store, remove=True)
    assert Path(log).exists()


def test_a_game_that_goes_on_is_not_archived(store: Store, tmp_path: Path) -> None:
    game = shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path)
    with pytest.raises(Unsupported, match="live"):
        archive(game, store)
    assert store.names("") == []


def test_a_kill_before_the_index_leaves_nothing_visible(
    store: Store, log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "pack_index", killed)
    with pytest.raises(KeyboardInterrupt):
        archive(log, store)
    monkeypatch.undo()
    assert store.names("") != []
    assert [*listings(store)] == []
    with pytest.raises(CannotOpen):
        open_archived(address(store, log))
    archive(log, store)
    write_catalogue(store)
    assert len([*listings(store)]) == 1


@pytest.mark.parametrize("name", ["died2.nhgame", pytest.param("arena.butter", marks=needs("Echo VR"))])
def test_what_stands_where_frames_would_be_is_left(store: Store, name: str, tmp_path: Path) -> None:
    game = shutil.copy(SAMPLES / name, tmp_path)
    taken = "died2.nhgame.zst" if name == "died2.nhgame" else name
    store.create(taken, b"of another run, or of one that was interrupted")
    archive(game, store)
    restore(address(store, game), str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == Path(game).read_bytes()
    assert store.whole(taken, 1 << 20) == b"of another run, or of one that was interrupted"


def test_a_game_and_its_packed_copy_are_two(store: Store, tmp_path: Path) -> None:
    plain = shutil.copy(CORPUS / "terminal" / "recorded" / "vim.ttyrec", tmp_path)
    packed = str(tmp_path / "vim.ttyrec.zst")
    Path(packed).write_bytes(Compressor(ZSTD, 3)(Path(plain).read_bytes()))
    for game in (packed, plain):
        archive(game, store)
    for game in (packed, plain):
        restore(address(store, game), str(tmp_path / "again"), force=True)
        assert (tmp_path / "again").read_bytes() == Path(game).read_bytes()


@needs("Hollow Cube")
def test_a_recording_that_is_read_at_its_address_stands_there_or_nowhere(store: Store, tmp_path: Path) -> None:
    store.create("run.replay", b"another")
    with pytest.raises(Damaged, match="other bytes"):
        archive(shutil.copy(SAMPLES / "run.replay", tmp_path), store)
    assert [*listings(store)] == []


def test_the_file_is_removed_when_all_of_it_was_read_back(store: Store, log: str) -> None:
    data = Path(log).read_bytes()
    archive(log, store, remove=True)
    assert not Path(log).exists()
    with open_archived(address(store, log)) as file:
        assert file.pread(1 << 20, 0) == data


def test_a_file_is_kept_where_sound_frames_have_other_bytes_than_it(store: Store, log: str) -> None:
    archive(log, store)
    data = Path(log).read_bytes()
    packed = Compressor(ZSTD)(data[:-1] + b"x")
    put_again(store, "died2.nhgame.zst", packed)
    index = read_index(store, "died2.nhgame")
    frames = [Frame(len(data), len(packed), digest_of(packed))]
    put_again(store, index_name("died2.nhgame"), pack_index(msgspec.structs.replace(index, frames=frames)))
    with pytest.raises(Damaged, match="differs from the file"):
        archive(log, store, remove=True)
    assert Path(log).read_bytes() == data


@pytest.mark.usefixtures("small_frames")
def test_after_frames_were_damaged_the_index_is_read_from_the_store_again(store: Store, log: str) -> None:
    archive(log, store)
    open_archived(address(store, log)).close()  # its index is in the user's cache
    for name in ("died2.nhgame.zst", index_name("died2.nhgame")):
        store.remove(name)
    shutil.copy(SAMPLES / "delve.nhgame", log)
    archive(log, store)
    with open_archived(address(store, log)) as stale:
        stale.pread(stale.size(), 0)
        assert stale.holes
    with open_archived(address(store, log)) as file:
        assert file.pread(1 << 20, 0) == Path(log).read_bytes()


def known(store: Store, log: str) -> set[str]:
    """The kinds of facts that readers have of an archived game when it was opened, without reading it."""
    with open_archived(address(store, log)) as file:
        state = fingerprint(file)
    assert state is not None
    return {*found_of(state, state)}


@needs("Teeworlds")
@pytest.mark.usefixtures("small_frames")
def test_what_an_index_says_is_not_believed_again_where_its_frames_were_found_damaged(
    store: Store, tmp_path: Path
) -> None:
    """A reader whom it contradicts forgets it, and would be told the same at each opening."""
    log = shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path)
    archive(log, store)
    index = read_index(store, "coverage.teehistorian")
    frames = bytearray(store.whole("coverage.teehistorian.zst", 1 << 20))
    frames[index.places[1] + 9] ^= 1
    put_again(store, "coverage.teehistorian.zst", bytes(frames))
    believed = known(store, log)
    assert believed == {*index.found} != set()
    with open_archived(address(store, log)) as file:
        file.pread(file.size(), 0)
        assert [*file.holes] == [1]
    forget(believed)
    assert known(store, log) == set()
    assert known(store, log) == set()
    for name in ("coverage.teehistorian.zst", index_name("coverage.teehistorian")):
        store.remove(name)
    os.utime(log)
    archive(log, store)
    assert known(store, log) == believed


def forget(kinds: set[str]) -> None:
    for kind in kinds:
        shutil.rmtree(Path(cache_folder(), kind))


@pytest.mark.usefixtures("small_frames")
def test_of_a_damaged_archive_the_rest_is_given(
    store: Store, log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(log, store)
    index, data = read_index(store, "died2.nhgame"), Path(log).read_bytes()
    assert len(index.frames) > 3
    packed = bytearray(store.whole("died2.nhgame.zst", 1 << 20))
    packed[index.places[2] + 9] ^= 1
    put_again(store, "died2.nhgame.zst", bytes(packed))
    target = str(tmp_path / "again")
    assert main(["restore", address(store, log), "-o", target]) == 3
    first, after = index.starts[2], index.starts[3]
    assert Path(target).read_bytes() == data[:first] + bytes(after - first) + data[after:]
    assert "1 damaged frames" in capsys.readouterr().err
    with open_archived(address(store, log)) as file:
        assert file.pread(10, after) == data[after : after + 10]
        sound = file.stamp()
        assert file.pread(1, first) == b"\0"
        assert file.stamp() != sound  # what is kept in caches of a file with a hole is not true of the whole one
        assert file.pread(after - first + 9, first) == bytes(after - first) + data[after : after + 9]
    losses.take()
    with pytest.raises(Damaged):
        archive(log, store, remove=True)
    assert Path(log).read_bytes() == data


@pytest.mark.usefixtures("small_frames")
@pytest.mark.parametrize("verb", [("dump",), ("show", "--at", "20"), ("info",)])
def test_a_damaged_archive_is_read_as_what_is_restored_of_it(
    verb: tuple[str, ...], store: Store, log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(log, store)
    packed = bytearray(store.whole("died2.nhgame.zst", 1 << 20))
    packed[read_index(store, "died2.nhgame").places[2] + 9] ^= 1
    put_again(store, "died2.nhgame.zst", bytes(packed))
    (tmp_path / "again").mkdir()
    again = str(tmp_path / "again" / "died2.nhgame")
    restore(address(store, log), again)
    main([verb[0], again, *verb[1:]])
    told = capsys.readouterr().out.replace(again, address(store, log))
    assert main([verb[0], address(store, log), *verb[1:]]) == 3
    seen = capsys.readouterr()
    assert seen.out == told
    assert "a frame of the archive is damaged" in seen.err


def test_an_archive_is_listed_from_its_catalogue_alone(store: Store, log: str) -> None:
    archive(log, store)
    rows = [*listings(store)]
    write_catalogue(store)
    store.remove(index_name("died2.nhgame"))
    assert [*listings(store)] == rows
    assert isinstance(rows[0], Listing)
    assert rows[0].people == ("Dies2",)


def test_a_catalogue_that_is_lost_or_damaged_is_made_again(store: Store, log: str) -> None:
    archive(log, store)
    write_catalogue(store)
    rows = [*listings(store)]
    (name,) = store.names(CATALOGUE)
    put_again(store, f"{CATALOGUE}/{name}", b"nonsense")
    assert [*listings(store)] == rows
    write_catalogue(store)
    assert name not in store.names(CATALOGUE)
    assert [*listings(store)] == rows
    (name,) = store.names(CATALOGUE)
    store.remove(f"{CATALOGUE}/{name}")
    assert [*listings(store)] == rows


def test_rows_that_are_there_twice_are_one_and_merged_by_the_next_run(store: Store, tmp_path: Path) -> None:
    for name in ("died2.nhgame", "delve.nhgame"):
        archive(shutil.copy(SAMPLES / name, tmp_path), store)
        for rows in store.names(CATALOGUE):
            if rows.startswith("rows-"):
                store.create(f"{CATALOGUE}/{rows}-again", store.whole(f"{CATALOGUE}/{rows}", 1 << 20))
        write_catalogue(store)
    assert len(store.names(CATALOGUE)) == 1
    assert len([*listings(store)]) == 2


def test_the_verbs(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("died2.nhgame", "scripted1.nhgame"):
        shutil.copy(SAMPLES / name, folder)
    assert main(["archive", str(folder), store.name]) == 0
    assert "died2.nhgame" in capsys.readouterr().out
    assert main(["archive", str(folder), store.name]) == 0
    assert "nothing to archive" in capsys.readouterr().err
    assert main(["ls", store.name]) == 0
    told = capsys.readouterr().out
    assert "Dies2" in told
    assert "Scripty" not in told
    assert main(["info", f"{store.name}/absent.nhgame"]) == 1
    assert main(["archive", str(folder), "nowhere"]) == 2


def test_an_address_names_a_game(store: Store) -> None:
    with pytest.raises(CannotOpen):
        placed("memory://")


@pytest.mark.parametrize("verb", [("info",), ("show", "--at", "end"), ("dump",)])
def test_a_store_that_cannot_be_reached_any_more_is_no_damage(
    verb: tuple[str, ...],
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = shutil.copy(SAMPLES / "delve.nhgame", tmp_path)
    archive(game, store)
    open_archived(address(store, game)).close()  # its index is in the user's cache

    def cut_off(*_: object, **__: object) -> bytes:
        raise PermissionError("no more")

    monkeypatch.setattr(MemoryFileSystem, "cat_file", cut_off)
    assert main([verb[0], address(store, game), *verb[1:]]) == 7
    (told,) = capsys.readouterr().err.splitlines()
    assert told == f"nhlog: {address(store, game)}.zst: the store refuses the request: no more"
