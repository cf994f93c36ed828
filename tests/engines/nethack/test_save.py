"""The bytes of a save give back what was seen, whatever it was; no NetHack is needed."""

import random

import pytest

from nhlog.engines.nethack.past import Start
from nhlog.engines.nethack.save import Saved, read_save, write_save
from nhlog.engines.nethack.seen import SIZE, Seen
from nhlog.errors import Damaged
from nhlog.mdiff.compact import encode
from tests.changed import flipped
from tests.doses import dose, spread

START = Start(1_700_000_000, (1, 1 << 63, 3), b"name:Ann")


def saved(seen: bytes, line: bytes = b"") -> Saved:
    return Saved(b"12345678", START, 17, 99, line, bytes(4) + seen[4:])


@pytest.mark.parametrize("number", range(4))
def test_what_is_written_is_read(number: int) -> None:
    dice = random.Random(number)
    seen = dice.randbytes(SIZE) if number % 2 else bytes(dice.choice(b"\0 .|-@f") for _ in range(SIZE))
    one = saved(seen, b"death=x" if number else b"")
    assert read_save(write_save(one)) == one


def test_a_save_of_any_bytes_tells_of_a_game_in_range() -> None:
    for number in range(dose("nethack.saves")):
        seen = Seen(random.Random(number).randbytes(SIZE))
        assert 1 <= seen.turn < 1 << 32
        assert 0 <= seen.square[0] < 79
        assert 0 <= seen.square[1] < 21
        assert 0 <= seen.cursor[0] < 80
        assert 0 <= seen.cursor[1] < 24
        told = [seen.message, seen.hunger, seen.burden, seen.place, *seen.conditions, *seen.map]
        assert all(text.isprintable() for text in told)
        assert all(item.caption.isprintable() or not item.caption for item in seen.inventory)


def test_every_changed_bit_is_found() -> None:
    whole = write_save(saved(bytes(SIZE)))
    for place in spread(range(len(whole))):
        with pytest.raises(Damaged):
            read_save(flipped(whole, place, 4))


def test_a_step_of_a_dog_changes_little() -> None:
    """Character, colour and picture of two squares, on the screen and on the map."""

    def at(dog: int) -> bytes:
        seen = bytearray(SIZE)
        for name, size, there, empty in (
            ("tty_chars", 1, b"d", b"."),
            ("tty_colors", 1, b"\x0f", b"\x07"),
            ("chars", 1, b"d", b"."),
            ("colors", 1, b"\x0f", b"\x07"),
            ("glyphs", 2, b"\x34\x12", b"\x78\x09"),
        ):
            from nhlog.engines.nethack.seen import place_of

            start, columns = place_of(name).start, 80 if name.startswith("tty") else 79
            for x in range(20, 60):
                square = start + size * (columns * (5 + name.startswith("tty")) + x)
                seen[square : square + size] = there if x == dog else empty
        return write_save(saved(bytes(seen)))

    assert len(encode(at(30), at(31))) <= 24
