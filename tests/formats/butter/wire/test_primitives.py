"""The numbers of the format against vectors that the reference made."""

import json
import math
import struct
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.echoreplay.format import shortest_floats
from nhlog.formats.butter.wire.primitives import read_steps, read_varint, singles, varint_bytes
from nhlog.formats.butter.wire.rotations import axes_of, multiply, quaternion
from tests.corpus import WHOLE, text
from tests.doses import dose, seeded


@cache
def vectors() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for line in text("butter", "vectors.jsonl").splitlines():
        vector = json.loads(line)
        found.setdefault(vector["k"], []).append(vector)
    return found


def floats(digits: list[str]) -> list[float]:
    return [struct.unpack(">f", bytes.fromhex(eight))[0] for eight in digits]


def hexes(values: Any) -> list[str]:
    """The bits of float32, any NaN as the reference has its own."""
    return ["ffc00000" if value != value else struct.pack(">f", value).hex() for value in values]


def little(bits: int, size: int) -> str:
    return bits.to_bytes(size, "little").hex()


def test_all_kinds_of_vectors_are_there() -> None:
    counts = Counter({kind: len(found) for kind, found in vectors().items()})
    assert set(counts) == {"half", "half_table", "rot", "unrot", "bonepos", "bonerot", "varuint"}
    assert min(counts["half"], counts["rot"], counts["unrot"], counts["bonepos"], counts["bonerot"]) >= (
        1000 if WHOLE else 250
    )


def test_every_half_has_its_float() -> None:
    (table,) = vectors()["half_table"]
    wanted = struct.unpack(">65536f", bytes.fromhex(table["out"]))
    for bits, value in enumerate(wanted):
        (found,) = struct.unpack("<e", bits.to_bytes(2, "little"))
        assert struct.pack(">f", found) == struct.pack(">f", value) or (found != found and value != value)


@pytest.mark.parametrize("kind", ["rot", "unrot"])
def test_rotations(kind: str) -> None:
    for vector in vectors()[kind]:
        unpacked = quaternion(int.from_bytes(bytes.fromhex(vector["le"]), "little"))
        assert hexes(unpacked) == hexes(floats(vector["dq"]))
        for found, wanted in zip(axes_of(unpacked), (vector["dfwd"], vector["dleft"], vector["dup"]), strict=True):
            assert hexes(found) == hexes(floats(wanted))


def test_positions_of_bones() -> None:
    for vector in vectors()["bonepos"]:
        data = bytes.fromhex(vector["bytes"])
        values, end = read_steps(data, 0, 3)
        assert (hexes(values), end) == (vector["out"], len(data))


def test_rotations_of_bones() -> None:
    for vector in vectors()["bonerot"]:
        difference = quaternion(int.from_bytes(bytes.fromhex(vector["le"]), "little"))
        assert hexes(multiply(difference, tuple(floats(vector["last"])))) == vector["out"]


def test_numbers_of_variable_length() -> None:
    for vector in vectors()["varuint"]:
        data = varint_bytes(int(vector["in"]))
        assert data.hex() == vector["bytes"]
        assert read_varint(data, 0) == (int(vector["out"]), len(data))


def edges() -> Iterator[int]:
    for edge in (0, 240, 2287, 67823, 1 << 24, 1 << 32, 1 << 40, 1 << 56, (1 << 64) - 1):
        yield from (number for number in (edge - 1, edge, edge + 1) if 0 <= number < 1 << 64)


@pytest.mark.parametrize("number", [*edges()])
def test_a_number_comes_back_and_is_damaged_where_it_is_cut_off(number: int) -> None:
    data = varint_bytes(number)
    assert read_varint(b"\xff" + data + b"\0", 1) == (number, 1 + len(data))
    for size in range(len(data)):
        with pytest.raises(Damaged):
            read_varint(data[:size], 0)


@pytest.mark.parametrize("told", [8.05276e-39, 1e-45, 9.78762e-4, 9.66703e-07, 9.97664e9, 9.23331e18])
def test_so_are_those_whose_seventh_digit_means_nothing(told: float) -> None:
    """Below the normal numbers, and just above a power of two."""
    wanted = singles((told, -told, 0.25))
    assert shortest_floats(wanted) == [told, -told, 0.25]


def test_floats_are_told_in_the_fewest_digits_that_mean_them() -> None:
    chance = seeded(32)
    for _ in range(dose("butter.floats")):
        (value,) = struct.unpack("<f", chance.randbytes(4))
        (told,) = shortest_floats((value,))
        if isinstance(told, str):
            assert not math.isfinite(value)
            continue
        assert struct.pack("<f", told) == struct.pack("<f", value)
        digits = len(f"{told!r}".partition("e")[0].strip("-0").replace(".", "").strip("0"))
        assert digits < 2 or struct.pack("<f", float(f"{value:.{digits - 1}g}")) != struct.pack("<f", value)
    assert shortest_floats((0.1, math.nan, math.inf, -math.inf, -0.0)) == [0.1, "NaN", "Infinity", "-Infinity", -0.0]
