"""What is cut off a recording is on the disk before the recording is cut."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.files import CannotWrite, Stamp, atomic, is_being_written, stamp_of
from nhlog.files.cuts import CutRefused, cut_tail, keep, kept_of, replace_whole


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "a.tee"
    path.write_bytes(b"0123456789")
    return str(path)


def stamp(path: str) -> Stamp:
    found = stamp_of(path)
    assert found is not None
    return found


def test_a_tail_is_cut_and_kept(path: str) -> None:
    kept = cut_tail(path, 4, stamp(path))
    assert kept == f"{path}.cut-00000001"
    assert (Path(path).read_bytes(), Path(kept).read_bytes()) == (b"0123", b"456789")
    assert cut_tail(path, 2, stamp(path)) == f"{path}.cut-00000002"
    assert cut_tail(path, 1, stamp(path), keeping=False) is None
    assert kept_of(path) == {f"{path}.cut-00000001": 1, f"{path}.cut-00000002": 2}


def test_a_cut_has_a_higher_number_than_all_that_are_left(path: str) -> None:
    for offset in (8, 6):
        cut_tail(path, offset, stamp(path))
    os.unlink(f"{path}.cut-00000001")
    assert cut_tail(path, 4, stamp(path)) == f"{path}.cut-00000003"


def test_a_file_that_is_replaced_is_kept_whole(path: str) -> None:
    kept = replace_whole(path, [b"01"], stamp(path))
    assert kept == f"{path}.cut-00000001"
    assert (Path(path).read_bytes(), Path(kept).read_bytes()) == (b"01", b"0123456789")


def test_what_is_kept_is_named_as_the_recording_was(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(path).parent)
    assert cut_tail("a.tee", 4, stamp("a.tee")) == "a.tee.cut-00000001"
    assert replace_whole("a.tee", [b"01"], stamp("a.tee")) == "a.tee.cut-00000002"
    assert [*kept_of("a.tee")] == [f"{path}.cut-00000001", f"{path}.cut-00000002"]


def test_names_that_are_taken_get_another_part(path: str) -> None:
    names = [keep(path, lambda: [b"x"], 2, written=0) for _ in range(3)]
    assert names == [f"{path}.cut-00000002", f"{path}.cut-00000002-2", f"{path}.cut-00000002-3"]
    assert list(kept_of(path).items()) == [(name, 2) for name in names]
    Path(f"{path}.cut-00000003.txt").touch()
    Path(f"{path}x.cut-00000004").touch()
    assert len(kept_of(path)) == 3


def test_a_file_that_is_being_written_is_left_alone(path: str) -> None:
    seen = stamp(path)
    with open(path, "ab"):
        assert is_being_written(path)
        for refused in (lambda: cut_tail(path, 4, seen), lambda: replace_whole(path, [], seen)):
            with pytest.raises(CutRefused, match="open for writing"):
                refused()
    with open(path, "rb"):
        assert not is_being_written(path)
    assert os.listdir(os.path.dirname(path)) == ["a.tee"]


def test_a_file_that_changed_since_it_was_looked_at_is_left_alone(path: str) -> None:
    seen = stamp(path)
    with open(path, "ab") as file:
        file.write(b"x")
    for refused in (lambda: cut_tail(path, 4, seen), lambda: replace_whole(path, [], seen)):
        with pytest.raises(CutRefused, match="changed meanwhile"):
            refused()
    assert (Path(path).read_bytes(), kept_of(path)) == (b"0123456789x", {})


def test_where_the_rest_cannot_be_kept_nothing_is_cut(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(name: str, parts: Iterator[bytes]) -> None:
        raise OSError(28, "No space left on device", name)

    monkeypatch.setattr(atomic, "create", full)
    with pytest.raises(CannotWrite, match=r"a\.tee\.cut-00000001: no space left"):
        cut_tail(path, 4, stamp(path))
    assert Path(path).read_bytes() == b"0123456789"


def test_where_nothing_was_replaced_nothing_is_kept(path: str) -> None:
    def parts() -> Iterator[bytes]:
        yield b"01"
        raise OSError(28, "No space left on device")

    with pytest.raises(CannotWrite, match="no space left"):
        replace_whole(path, parts(), stamp(path))
    assert Path(path).read_bytes() == b"0123456789"
    assert os.listdir(os.path.dirname(path)) == ["a.tee"]
