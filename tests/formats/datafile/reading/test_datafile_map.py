"""What the integers and bytes of a map mean."""

from pathlib import Path
from uuid import UUID

import pytest

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.datafile.reading.map import Map
from nhlog.formats.datafile.terrain import FINISH, START, Terrain, overlay
from nhlog.formats.datafile.verify import verify
from nhlog.formats.datafile.wire import Item
from nhlog.formats.datafile.wire.map_items import (
    AutoMapper,
    Envelope,
    EnvelopePoint,
    Group,
    Image,
    MapInfo,
    MapVersion,
    OtherLayer,
    QuadLayer,
    Sound,
    SoundLayer,
    TileLayer,
    UuidIndex,
    decode_name,
    envelope_points,
    parse_map_item,
)
from nhlog.formats.datafile.wire.tiles import Grid, decode_grid, expand
from tests.formats.datafile.made import (
    AUTO_MAPPER,
    UUID_TYPE,
    every_kind,
    game_layer,
    map_bytes,
    name_ints,
    opened,
    small_map,
    tiles,
)


def test_a_name_is_in_integers() -> None:
    assert decode_name(name_ints("Freeze")) == "Freeze"
    assert decode_name(name_ints("twelve bytes")) == "twelve byte"
    assert decode_name((-2139062144, -2139062144, -2139062272)) == ""


def test_every_kind_of_item_has_its_value() -> None:
    parts = Map(opened(every_kind()))
    values = {type(part): part for part in parts.map_items}
    assert values[MapVersion] == MapVersion(1)
    assert values[MapInfo] == MapInfo(1, author=9, map_version=10, credits=-1, license=11, settings=12)
    assert values[Image] == Image(1, 64, 64, external=1, name=13, data=-1)
    assert values[Envelope] == Envelope(2, channels=4, start_point=0, num_points=1, name="Fade", synchronized=1)
    assert values[Group] == Group(3, 0, 0, 100, 100, 0, 10, clip=(1, 2, 3, 4), name="Game")
    assert values[QuadLayer] == QuadLayer(0, 2, num_quads=1, data=7, image=-1, name="Quads")
    assert values[SoundLayer] == SoundLayer(0, 2, num_sources=1, data=8, sound=0, name="Sounds")
    assert values[OtherLayer] == OtherLayer(0, type=12)
    assert values[Sound] == Sound(1, external=0, name=14, data=15, size=3)
    assert values[AutoMapper] == AutoMapper(1, group=0, layer=6, config=-1, seed=7, flags=1)
    assert values[UuidIndex] == UuidIndex(UUID_TYPE, AUTO_MAPPER)
    assert parts.points == [EnvelopePoint(0, 1, (1024,) * 4)]
    assert parts.faults == []
    assert [placed.layer.kind for placed in parts.layers] == [
        *("game", "tele", "speedup", "front", "switch", "tune", "tiles", "quads", "sounds", "type 12")
    ]


def test_texts_end_with_nul() -> None:
    parts = Map(opened(every_kind()))
    assert [parts.text(index) for index in (9, 10, 11, -1)] == ["Ann", "1.0", "CC-BY-SA", ""]
    assert parts.texts(12) == ["sv_team 1", "tune gravity 0.5"]


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ((1, -1, -1, -1, -1), MapInfo(1, -1, -1, -1, -1)),
        ((1, -1, -1, -1, -1, 3), MapInfo(1, -1, -1, -1, -1, 3)),
    ],
)
def test_an_info_has_five_or_six_integers(data: tuple[int, ...], value: MapInfo) -> None:
    assert parse_map_item(Item(1, 0, data), {}) == value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ((1, 4, 2, 7), Envelope(1, 4, 2, 7)),
        ((1, 4, 2, 7, 0), Envelope(1, 4, 2, 7)),
        ((1, 4, 2, 7, *name_ints("a", 8)), Envelope(1, 4, 2, 7, "a")),
        ((2, 4, 2, 7, *name_ints("a", 8), 1), Envelope(2, 4, 2, 7, "a", 1)),
    ],
)
def test_an_envelope_has_four_to_thirteen_integers(data: tuple[int, ...], value: Envelope) -> None:
    assert parse_map_item(Item(3, 0, data), {}) == value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ((1, 0, 0, 100, 100, 2, 3), Group(1, 0, 0, 100, 100, 2, 3)),
        ((2, 0, 0, 100, 100, 2, 3, 0, 5, 6, 7, 8), Group(2, 0, 0, 100, 100, 2, 3)),
        ((2, 0, 0, 100, 100, 2, 3, 1, 5, 6, 7, 8), Group(2, 0, 0, 100, 100, 2, 3, (5, 6, 7, 8))),
    ],
)
def test_a_group_has_seven_twelve_or_fifteen_integers(data: tuple[int, ...], value: Group) -> None:
    assert parse_map_item(Item(4, 0, data), {}) == value


TILES = (0, 2, 1, 2, 20, 10, 2, 255, 128, 64, 32, -1, 0, 3, 4)


@pytest.mark.parametrize(
    ("tail", "version", "extra", "name"),
    [
        ((), 2, {}, ""),
        ((7, 8), 2, {"tele": 7, "speedup": 8}, ""),
        ((7, 8, 9, 10, 11), 2, {"tele": 7, "speedup": 8, "front": 9, "switch": 10, "tune": 11}, ""),
        (name_ints("Tele"), 3, {}, "Tele"),
        ((*name_ints("Tele"), 7, -1), 3, {"tele": 7, "speedup": -1}, "Tele"),
    ],
)
def test_the_tail_of_a_tile_layer_has_names_and_further_data(
    tail: tuple[int, ...], version: int, extra: dict[str, int], name: str
) -> None:
    layer = parse_map_item(Item(5, 0, (*TILES[:3], version, *TILES[4:], *tail)), {})
    assert isinstance(layer, TileLayer)
    assert (layer.flags, layer.version, layer.width, layer.height) == (1, version, 20, 10)
    assert (layer.color, layer.image, layer.data) == ((255, 128, 64, 32), 3, 4)
    assert (layer.kind, layer.extra, layer.name, layer.tiles) == ("tele", extra, name, extra.get("tele", 4))


@pytest.mark.parametrize(("type_id", "least"), [(0, 1), (1, 5), (2, 6), (3, 4), (4, 7), (5, 3), (7, 4), (0xFFFF, 4)])
def test_an_item_that_is_too_short_is_named(type_id: int, least: int) -> None:
    with pytest.raises(Damaged, match=f"is too short: expected {least} integers, found {least - 1}"):
        parse_map_item(Item(type_id, 3, (0,) * (least - 1)), {})


def test_unknown_items_stay_integers() -> None:
    item = Item(99, 0, (1, 2, 3))
    assert parse_map_item(item, {}) is item
    assert parse_map_item(item, {99: UUID(int=1)}) is item


def test_points_of_version_3_have_tangents() -> None:
    short, long = Item(6, 0, tuple(range(12))), Item(6, 0, tuple(range(22)))
    assert [point.values for point in envelope_points(short, 2)] == [(2, 3, 4, 5), (8, 9, 10, 11)]
    assert envelope_points(long, 3) == [EnvelopePoint(0, 1, (2, 3, 4, 5), tuple(range(6, 22)))]
    with pytest.raises(Damaged, match="half an envelope point"):
        envelope_points(long, 2)


# tiles


def test_equal_tiles_are_stored_once_from_version_4_on() -> None:
    stored = bytes((1, 8, 2, 0, 0, 0, 0, 0, 9, 0, 255, 0))
    assert expand(stored, 6) == bytes((1, 8, 0, 0)) * 3 + bytes(4) + bytes((9, 0, 0, 0)) * 2
    assert expand(stored, 0) == b""
    layer = parse_map_item(Item(5, 0, (0, 2, 0, 4, 3, 2, 1, 0, 0, 0, 0, -1, 0, -1, 0)), {})
    assert decode_grid(layer, stored).tiles == bytes((1, 1, 1, 0, 9, 9))


def test_missing_tiles_are_named() -> None:
    for version in (3, 4):
        layer = parse_map_item(Item(5, 0, (0, 2, 0, version, 3, 2, 1, 0, 0, 0, 0, -1, 0, -1, 0)), {})
        with pytest.raises(Damaged, match="too few tiles in a game layer: expected 6, found 5"):
            decode_grid(layer, bytes(20))


def test_physics_layers_have_types_and_numbers() -> None:
    grids = Map(opened(every_kind())).terrain.grids
    assert {kind: (grid.tiles, grid.numbers) for kind, grid in grids.items()} == {
        "game": (bytes((1, 0, 0, 0)), b""),
        "tele": (bytes((26, 0, 27, 0)), bytes((5, 0, 7, 0))),
        "speedup": (bytes((3, 0, 0, 8)), bytes((10, 0, 0, 20))),
        "front": (bytes((0, 9, 0, 0)), b""),
        "switch": (bytes((24, 0, 0, 0)), bytes((3, 0, 0, 0))),
        "tune": (bytes((68, 0, 0, 0)), bytes((1, 0, 0, 0))),
    }


def test_what_is_over_hides_what_is_under() -> None:
    terrain = Map(opened(every_kind())).terrain
    assert terrain.all.tiles == bytes((1, 9, 27, 28))
    assert overlay(b"\1\0\2\0", b"\3\4\0\0") == b"\1\4\2\0"


def test_the_map_goes_on_beyond_its_border() -> None:
    grid = Grid("game", "", 2, 2, bytes((1, 2, 3, 4)))
    assert [grid.at(x, y) for x, y in ((0, 0), (31, 31), (32, 0), (0, 32), (63, 63))] == [1, 1, 2, 3, 4]
    assert [grid.at(x, y) for x, y in ((-1, -999), (64, 0), (-9, 999), (10**9, 10**9))] == [1, 2, 3, 4]


def test_lines_are_those_of_game_and_front() -> None:
    game = Grid("game", "", 4, 1, bytes((START, 1, 0, 40)))
    front = Grid("front", "", 4, 1, bytes((9, FINISH, 35, FINISH)))
    assert Terrain.of({"game": game, "front": front}).lines.tiles == bytes((START, FINISH, 35, 40))


# maps that are not as they should be


def test_a_datafile_without_a_version_is_no_map() -> None:
    for items in ([], [Item(1, 0, (1, -1, -1, -1, -1))], [Item(0, 0, (2,))], [Item(0, 0, ())]):
        parts = Map(opened(map_bytes(items, [])))
        assert (parts.is_map, parts.map_items, parts.layers) == (False, (), [])
        with pytest.raises(Unsupported, match="not a map"):
            parts.terrain  # noqa: B018


def test_without_a_game_layer_there_is_no_terrain() -> None:
    with pytest.raises(Damaged, match="no game layer"):
        Map(opened(map_bytes([Item(0, 0, (1,))], []))).terrain  # noqa: B018


def test_a_broken_layer_keeps_its_number() -> None:
    data = small_map("11", "11", layers=[(0, 2, 0), (0, 3, 0, 2, 0, -1, -1)])
    parts = Map(opened(data))
    assert [placed.layer.kind for placed in parts.layers] == ["game", "type -1", "quads"]
    assert parts.faults == ["layer item 1 is too short: expected 15 integers, found 3"]


def test_a_layer_is_in_the_first_group_that_has_it() -> None:
    spans = [(0, 1), (0, 2), (3, -9), (9, 9), (-5, 7), (2, 1 << 30)]
    groups = [Item(4, n, (1, 0, 0, 0, 0, start, count)) for n, (start, count) in enumerate(spans)]
    layers = [Item(5, n, (0, 99, 0)) for n in range(4)]
    parts = Map(opened(map_bytes([Item(0, 0, (1,)), *groups, *layers], [])))
    assert [placed.group for placed in parts.layers] == [0, 1, 5, 5]


@pytest.mark.parametrize(
    ("width", "height", "what"),
    [
        (0, 2, "of impossible size: expected 1 to 33554432 tiles, found 0 by 2"),
        (-1, -1, "of impossible size"),
        (1 << 30, 1 << 30, "of impossible size"),
        (3, 1, "too few tiles in a game layer: expected 3, found 2"),
    ],
)
def test_a_layer_of_impossible_size_is_named(width: int, height: int, what: str) -> None:
    layer = (0, 2, 0, 3, width, height, 1, 0, 0, 0, 0, -1, 0, -1, 0)
    parts = Map(opened(map_bytes([Item(0, 0, (1,)), Item(5, 0, layer)], [tiles("11")])))
    with pytest.raises(Damaged) as raised:
        parts.grid(parts.layers[0].layer)
    assert what in str(raised.value)


def test_of_more_data_than_tiles_the_rest_is_ignored() -> None:
    for version in (3, 4):
        layer = game_layer(1, 1, 0, version)
        parts = Map(opened(map_bytes([Item(0, 0, (1,)), Item(5, 0, layer)], [tiles("123") + bytes(1 << 20)])))
        assert parts.grid(parts.layers[0].layer).tiles == b"\1"


def test_a_physics_layer_of_another_size_is_left_out_and_verify_tells(tmp_path: Path) -> None:
    tele = (0, 2, 0, 3, 1, 1, 2, 0, 0, 0, 0, -1, 0, -1, 1, *name_ints(""), 1)
    data = small_map("11", layers=[tele], data=[bytes(2)])
    terrain = Map(opened(data)).terrain
    assert list(terrain.grids) == ["game"]
    assert terrain.faults == ("tele layer: not of the game layer's size",)
    (tmp_path / "small.map").write_bytes(data)
    *findings, report = verify(str(tmp_path / "small.map"))
    told = ("tele layer: not of the game layer's size", "2 by 1", "1 by 1")
    assert told in {(finding["what"], finding["expected"], finding["found"]) for finding in findings}
    assert not report["sound"]
