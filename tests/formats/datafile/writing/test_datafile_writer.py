"""Writing datafiles, and converting them from one version to the other."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.formats.datafile.operations import ConvertOptions, convert, info
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.wire import Item
from nhlog.formats.datafile.writing.writer import CannotWrite, write_datafile
from nhlog.operations import as_record
from tests.corpus import SAMPLES
from tests.doses import dose
from tests.formats.datafile.made import map_bytes, opened

INTEGERS = st.lists(st.integers(-(1 << 31), (1 << 31) - 1), max_size=6).map(tuple)
TYPED = st.dictionaries(
    st.integers(0, 0xFFFF), st.lists(st.tuples(st.integers(0, 0xFFFF), INTEGERS), min_size=1, max_size=4), max_size=5
)


@settings(max_examples=dose("datafile.written"))
@given(TYPED, st.lists(st.binary(max_size=300), max_size=5), st.sampled_from([3, 4]))
def test_what_is_written_is_read(kinds: dict, data: list[bytes], version: int) -> None:
    items = [Item(type_id, number, integers) for type_id, rows in kinds.items() for number, integers in rows]
    datafile = opened(map_bytes(items, data, version))
    assert datafile.findings == ()
    assert list(datafile.items) == items
    assert [datafile.data(index) for index in range(datafile.num_data)] == data


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([Item(1, 0, ()), Item(2, 0, ()), Item(1, 1, ())], "items of type 1 in two places"),
        ([Item(1 << 16, 0, ())], "no type: 65536"),
        ([Item(1, -1, ())], "not an item id: expected 0 to 65535, found -1"),
    ],
)
def test_what_no_datafile_can_hold_is_refused(items: list[Item], words: str) -> None:
    with pytest.raises(CannotWrite, match=words):
        map_bytes(items, [])


def test_there_are_two_versions() -> None:
    with pytest.raises(Usage, match="expected 3 or 4, found 5"):
        list(write_datafile([], [], 5))


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "dm1.map"
    path.write_bytes((SAMPLES / "dm1.map").read_bytes())
    return path


def contents(path: Path) -> tuple[object, ...]:
    with open_datafile(str(path)) as datafile:
        return datafile.items, [datafile.data(index) for index in range(datafile.num_data)]


def test_there_and_back_again_nothing_is_lost(sample: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.map", tmp_path / "new.map"
    record = convert(str(sample), str(old), ConvertOptions(version=3))
    assert (record["from_version"], record["version"]) == (4, 3)
    assert record["size"] == old.stat().st_size > sample.stat().st_size
    assert convert(str(old), str(new))["version"] == 4
    assert contents(old) == contents(new) == contents(sample)
    for path, made in ((old, record), (new, as_record(info(str(new))))):
        assert {key: getattr(info(str(path)), key) for key in ("sha256", "crc32", "size")} == {
            key: made[key] for key in ("sha256", "crc32", "size")
        }


def test_nothing_is_replaced_unasked(sample: Path, tmp_path: Path) -> None:
    target = tmp_path / "there.map"
    target.write_bytes(b"mine")
    with pytest.raises(Usage, match=r"there.map: there is such a file already: expected --force"):
        convert(str(sample), str(target))
    assert target.read_bytes() == b"mine"
    convert(str(sample), str(target), force=True)
    assert contents(target) == contents(sample)


def test_a_map_may_be_written_over_itself(sample: Path) -> None:
    before = contents(sample)
    convert(str(sample), str(sample), ConvertOptions(version=3), force=True)
    assert contents(sample) == before


@pytest.mark.parametrize("at", [-3, 200])
def test_what_is_not_whole_is_not_converted(sample: Path, tmp_path: Path, at: int) -> None:
    data = sample.read_bytes()
    sample.write_bytes(data[:at])
    with pytest.raises(Damaged):
        convert(str(sample), str(tmp_path / "new.map"))
    assert not (tmp_path / "new.map").exists()


def test_where_nothing_can_be_written_is_said(sample: Path, tmp_path: Path) -> None:
    with pytest.raises(NhlogError, match="no such file or directory") as raised:
        convert(str(sample), str(tmp_path / "nowhere" / "new.map"))
    assert raised.value.file == str(tmp_path / "nowhere" / "new.map")
