"""Maps whose info names data items that are not there: every verb tells."""

from pathlib import Path

from nhlog.formats.datafile.operations import dump, info, listing, verify
from nhlog.formats.datafile.wire import Item
from nhlog.replay import Status
from tests.formats.datafile.made import game_layer, map_bytes, tiles


def test_an_info_item_that_names_missing_data_is_damage(nhlog, tmp_path: Path) -> None:
    items = [
        Item(0, 0, (1,)),
        Item(1, 0, (1, 8388607, -1, -1, -1)),
        Item(4, 0, (3, 0, 0, 100, 100, 0, 1, 0, 0, 0, 0, 0, *game_layer(1, 1, 0)[-3:])),
        Item(5, 0, game_layer(2, 2, 0)),
    ]
    path = tmp_path / "x.map"
    path.write_bytes(map_bytes(items, [tiles("00", "00")]))
    *findings, report = verify(str(path))
    assert not report["sound"]
    assert ("no data item 8388607", True) in [(one["what"], one["fault"]) for one in findings]
    assert info(str(path)).health == "no data item 8388607"
    assert listing(str(path)).status is Status.DAMAGED
    assert [record["error"] for record in dump(str(path)) if "error" in record] == ["no data item 8388607"]
    done = nhlog("events", path)
    assert (done.code, done.err) == (3, f"nhlog: {path}: no data item 8388607\n")
