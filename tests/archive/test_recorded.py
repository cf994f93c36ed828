"""Recorded terminals in an archive: what is shown is what their files show, whatever the index says of them."""

import gzip
import shutil
from array import array
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from nhlog.archive.reading import index_name, open_archived, read_index, stamp_for
from nhlog.archive.wire import pack_index
from nhlog.archive.writing import archive
from nhlog.cache import Fingerprint, bring, cache_folder, entry_name
from nhlog.formats import open_recording
from nhlog.remote.store import Store
from nhlog.screencast.kept import _packed, _unpacked
from nhlog.screencast.replay import Screencast
from terminal.cli import main
from tests.archive.conftest import Asked
from tests.corpus import DATA, corpus
from tests.guests import needs

STEPS = 8  # at which it is looked
TTYREC = "recorded/nh366-decgfx-wiz.ttyrec"


@pytest.fixture(autouse=True)
def small_frames(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("nhlog.archive.wire.LEAST", 1 << 11)
    monkeypatch.setattr("nhlog.archive.wire.MOST", 1 << 12)
    monkeypatch.setattr("nhlog.archive.reading.HEAD", 0)
    monkeypatch.setattr("nhlog.vt.tape._SPACING", 1 << 10)
    monkeypatch.setattr("nhlog.vt.tape._SLICE", 1 << 9)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def found_in(counted: Asked, path: str) -> dict[str, bytes]:
    """What its index brings; from here on the cache has nothing else."""
    archive(path, Store(counted.address))
    shutil.rmtree(cache_folder())
    return read_index(Store(counted.address), Path(path).name).found


def replace_found(counted: Asked, path: str, found: dict[str, bytes]) -> None:
    """Have its index bring something else."""
    store, name = Store(counted.address), Path(path).name
    index = msgspec.structs.replace(read_index(store, name), found=found)
    store.remove(index_name(name))
    store.create(index_name(name), pack_index(index))


def is_the_same(counted: Asked, path: str) -> bool:
    """Whether the archived recording shows at each step what the file shows, going there at once and step by step."""
    place = f"{counted.address}/{Path(path).name}"
    with closing(open_recording(path)) as local, closing(open_recording(place)) as archived:
        assert archived.info == local.info
        assert [*archived.events(0, 9)] == [*local.events(0, 9)]
        assert [*archived.timeline.markers] == [*local.timeline.markers]
        last = local.timeline.last
        for step in {last * part // STEPS for part in range(STEPS + 1)}:
            local.seek(step)
            archived.seek(step)
            with closing(open_recording(place)) as another:
                another.seek(step)
                if not archived.state == local.state == another.state:
                    return False
    return True


@pytest.mark.parametrize(
    "name",
    [
        TTYREC,
        "recorded/vim.ttyrec",
        "recorded/bash-unicode-asciinema24.cast",
        "recorded/bash-resize-asciinema24.cast",
        "recorded/bash-termrec.nh",
        "asciinema-server/welcome.json",
        "asciinema-player/markers.cast",
    ],
)
def test_it_shows_what_the_file_shows(counted: Asked, name: str, tmp_path: Path) -> None:
    path = shutil.copy(corpus("terminal", name), tmp_path)
    assert {"events", "drawn"} <= found_in(counted, path).keys()
    assert is_the_same(counted, path)


@pytest.mark.parametrize("name", ["less", "vim"])
def test_it_has_every_size_that_a_ttyrec_tells(counted: Asked, name: str, tmp_path: Path) -> None:
    path = shutil.copy(DATA / "terminal" / "resized" / f"{name}.ttyrec", tmp_path)
    found = found_in(counted, path)
    assert {"events", "drawn"} <= found.keys()
    _, (*_, drawn) = msgspec.msgpack.decode(found["drawn"])
    assert len({tuple(size) for size in drawn[-1]}) > 2
    assert is_the_same(counted, path)


def test_each_frame_begins_with_a_snapshot(counted: Asked, tmp_path: Path) -> None:
    path = shutil.copy(corpus("terminal", TTYREC), tmp_path)
    _, (*_, drawn) = msgspec.msgpack.decode(found_in(counted, path)["drawn"])
    starts = read_index(Store(counted.address), Path(path).name).starts
    with closing(open_recording(path)) as replay:
        assert isinstance(replay, Screencast)
        assert [replay.recorded.offset(event) for event in drawn[0]] == starts[:-1]


def test_where_a_frame_cannot_begin_anew_it_is_played_from_its_start(counted: Asked, tmp_path: Path) -> None:
    path = str(tmp_path / "saved.cast")
    lines = ["\\u001b[5;5H\\u001b7", *(f"line {number} of many\\r\\n" for number in range(200)), "\\u001b8here"]
    events = "".join(f'[{at}, "o", "{text}"]\n' for at, text in enumerate(lines))
    Path(path).write_text('{"version": 2, "width": 80, "height": 24}\n' + events)
    found = found_in(counted, path)
    assert "events" in found
    assert "drawn" not in found
    assert is_the_same(counted, path)


def test_remarks_are_read_in_the_file(counted: Asked, tmp_path: Path) -> None:
    path = shutil.copy(corpus("terminal", "asciinema-server/3/blank-lines-and-comments.cast"), tmp_path)
    assert "events" not in found_in(counted, path)
    assert is_the_same(counted, path)


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (2, {"size": [80, 24], "charset": "rot13"}),
        (4, b""),  # codes
        (4, b"\xff" * 50),  # which are not packed
        (4, _packed(array("B", []))),
        (4, _packed(array("B", [255] * 50))),
        (5, _packed(array("q", [-1] * 50))),  # times
        (5, _packed(array("B", b"odd"))),
        (6, _packed(array("Q", [1 << 16] * 50))),  # where they are
        (7, _packed(array("I", [(1 << 32) - 1] * 50))),  # how long
        (8, (1 << 40, 1 << 40, 0, 0)),  # up to where
    ],
)
def test_events_that_cannot_be_are_looked_for_in_the_file(
    counted: Asked, place: int, wrong: object, tmp_path: Path
) -> None:
    path = shutil.copy(corpus("terminal", "recorded/bash-termrec.cast"), tmp_path)
    found = found_in(counted, path)
    version, (*state, events) = msgspec.msgpack.decode(found["events"])
    assert len(_unpacked("B", events[4], 50)) == 50
    events[place] = wrong
    replace_found(counted, path, {**found, "events": msgspec.msgpack.encode((version, [*state, events]))})
    assert is_the_same(counted, path)


@pytest.mark.parametrize(
    "lie",
    [
        lambda keys, states, known, size, sizes: ([], [], known, size, []),
        lambda keys, states, known, size, sizes: (keys[1:], states[1:], known, size, sizes[1:]),
        lambda keys, states, known, size, sizes: ([0, *keys[:-1]], states, known, size, sizes),
        lambda keys, states, known, size, sizes: ([0, *keys[:0:-1]], states, known, size, sizes),
        lambda keys, states, known, size, sizes: ([*keys[:-1], known], states, known, size, sizes),
        lambda keys, states, known, size, sizes: (keys, states, known + 1, size, sizes),
        lambda keys, states, known, size, sizes: (keys, states, known - 1, size, sizes),
        lambda keys, states, known, size, sizes: (keys, states[:-1], known, size, sizes),
        lambda keys, states, known, size, sizes: (keys, states, known, size, sizes[:-1]),
    ],
    ids=["none", "late", "twice", "backwards", "behind", "more", "fewer", "stateless", "sizeless"],
)
def test_snapshots_that_cannot_be_are_played_anew(
    counted: Asked, lie: Callable[..., tuple[object, ...]], tmp_path: Path
) -> None:
    path = tmp_path / "some.cast"
    events = (f'[{at}, "o", "\\u001bcline {at}{"." * 300}"]\n' for at in range(40))
    path.write_text('{"version": 2, "width": 80, "height": 24}\n' + "".join(events))
    found = found_in(counted, str(path))
    version, (*state, drawn) = msgspec.msgpack.decode(found["drawn"])
    assert len(drawn[0]) > 3
    replace_found(counted, str(path), {**found, "drawn": msgspec.msgpack.encode((version, [*state, lie(*drawn)]))})
    with closing(open_recording(f"{counted.address}/some.cast")) as archived:
        assert isinstance(archived, Screencast)
        assert archived.tape.reach == 0
        archived.seek(30)
        assert archived.state.grid.text()[0].startswith("line 30.")


def test_an_emulators_own_snapshots_come_from_nobody_else(counted: Asked, tmp_path: Path) -> None:
    path = shutil.copy(corpus("terminal", TTYREC), tmp_path)
    assert "snapshots" not in found_in(counted, path)
    index = read_index(Store(counted.address), Path(path).name)
    state = Fingerprint(*stamp_for(index), 0)
    entry = msgspec.msgpack.encode((1, [state, "checked when it is used"]))
    bring({"snapshots": entry, "events": entry, "../outside": entry, "strange": entry}, state, state)
    assert {path.parent.name for path in Path(cache_folder()).rglob(entry_name(state.identity))} == {"events"}


@needs("ttyrec")
def test_one_that_was_compressed_before_is_listed_as_its_file_is(counted: Asked, tmp_path: Path) -> None:
    path = tmp_path / "game.ttyrec.gz"
    path.write_bytes(gzip.compress(corpus("terminal", TTYREC).read_bytes()))
    archive(str(path), Store(counted.address))
    assert main(["verify", f"{counted.address}/{path.name}"]) == 0


def test_what_is_lost_is_found_by_who_verifies(
    counted: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shutil.copy(corpus("terminal", TTYREC), tmp_path)
    found_in(counted, path)
    store, name = Store(counted.address), Path(path).name
    index, packed = read_index(store, name), bytearray(store.whole(f"{name}.zst", 1 << 20))
    place = f"{counted.address}/{name}"
    assert main(["verify", place]) == 0
    packed[index.places[3] + 9] ^= 1
    store.remove(f"{name}.zst")
    store.create(f"{name}.zst", bytes(packed))
    capsys.readouterr()
    assert main(["verify", place]) == 3
    assert "not a frame" in capsys.readouterr().out
    with closing(open_recording(place)) as replay, open_archived(place) as file:
        assert isinstance(replay, Screencast)
        assert file.index.frames == index.frames
