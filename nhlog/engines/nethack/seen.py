"""What NetHack tells of itself after a key, as values; the bytes are those of a machine (`machine.wire`).

It may come from a process that fell, or from a save that somebody made: whatever the bytes are, the values are in range
and the texts printable.
"""

import struct
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final

from nhlog.engines.nethack.machine.wire import CAPTION, COLUMNS, FIELDS, INVENTORY, MAP, ROWS, SEEN, SHOWN, STATUS
from nhlog.values import NamedTuple

__all__ = ["CONDITIONS", "ENDINGS", "HUNGER", "KINDS", "SIZE", "Item", "Seen", "characters_of", "place_of"]

SIZE: Final = SEEN.size + sum(size for _, size in FIELDS)
"""The bytes of what is seen."""

_STARTS: Final = tuple(accumulate((size for _, size in FIELDS), initial=SEEN.size))
_PLACES: Final = {name: slice(start, start + size) for (name, size), start in zip(FIELDS, _STARTS, strict=False)}
_STATUS: Final = struct.Struct(f"<{STATUS}q")
_INTERNAL: Final = struct.Struct("<9i")
_MISC: Final = struct.Struct("<3i")
_DUNGEONS: Final = ("Dungeons", "Gehennom", "Mines", "Quest", "Sokoban", "Ludios", "Vlad", "Planes")
_MOST_TURN: Final = (1 << 32) - 1

HUNGER: Final = ("satiated", "", "hungry", "weak", "fainting", "fainted", "starved")
_BURDEN: Final = ("", "burdened", "stressed", "strained", "overtaxed", "overloaded")
CONDITIONS: Final = (
    *("petrifying", "slimed", "strangled", "food poisoning", "ill", "blind", "deaf", "stunned", "confused"),
    *("hallucinating", "levitating", "flying", "riding"),
)
"""The conditions of the hero, from the lowest bit up."""
ENDINGS: Final = (
    *("died", "choked", "poisoned", "starved", "drowned", "burned", "dissolved in lava", "crushed", "petrified"),
    *("turned to slime", "genocided", "panic", "trickery", "quit", "escaped", "ascended"),
)
"""How a game ends, by its number."""
KINDS: Final = (
    *("random", "illegal object", "weapon", "armor", "ring", "amulet", "tool", "food", "potion", "scroll"),
    *("spellbook", "wand", "gold", "gem", "boulder", "ball", "chain", "venom"),
)
_DEC: Final = dict(enumerate("◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·", 0xE0))
_LATIN: Final = [chr(code) for code in range(256)]
_TERMINAL: Final = "".join(_DEC.get(code, char) for code, char in enumerate(_LATIN))
_IBM: Final = "".join(_LATIN[:0x80]) + bytes(range(0x80, 256)).decode("cp437")
_IBM_SETS: Final = b"symset:IBM"


def place_of(name: str) -> slice:
    """Where a field (see `FIELDS`) stands in what is seen."""
    return _PLACES[name]


class Item(NamedTuple):
    """A thing that the hero carries: its letter, what it is called, its class, and the number of its picture."""

    letter: str
    caption: str
    kind: str
    glyph: int


class Seen:
    """What is seen; `data` are the bytes of a machine, of which `SIZE` are needed, `options` those of the game."""

    def __init__(self, data: bytes, options: bytes = b"") -> None:
        _, done, normal, how = SEEN.unpack_from(data)
        self.is_over = bool(done)
        self.is_normal = bool(normal)
        self.how = how
        self.data = data
        self._characters = characters_of(options)

    def _field(self, name: str) -> bytes:
        return self.data[_PLACES[name]]

    @cached_property
    def status(self) -> tuple[int, ...]:
        """The 27 numbers of the status, as nle has them."""
        return _STATUS.unpack(self._field("blstats"))

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return min(max(self.status[20], 1), _MOST_TURN)

    @property
    def place(self) -> str:
        """The level: ``Dungeons:2``."""
        number = self.status[23]
        dungeon = _DUNGEONS[number] if 0 <= number < len(_DUNGEONS) else "Elsewhere"
        return f"{dungeon}:{max(self.status[24], 0) % 1000}"

    @property
    def square(self) -> tuple[int, int]:
        """The hero's column and row on the map."""
        return min(max(self.status[0], 0), MAP[0] - 1), min(max(self.status[1], 0), MAP[1] - 1)

    @property
    def message(self) -> str:
        """What NetHack says in its first row, whole."""
        return _text(self._field("message"))

    @property
    def cursor(self) -> tuple[int, int]:
        """The column and the row of the cursor."""
        row, column = self._field("tty_cursor")
        return min(column, COLUMNS - 1), min(row, ROWS - 1)

    @property
    def rows(self) -> list[tuple[str, bytes]]:
        """The characters of each row of the screen, and their colours: 0 to 15, and 16 more in reverse."""
        chars, colors = self._drawn(self._field("tty_chars")), self._field("tty_colors")
        return [(chars[at : at + COLUMNS], colors[at : at + COLUMNS]) for at in range(0, SHOWN, COLUMNS)]

    def _drawn(self, chars: bytes) -> str:
        """Characters of the screen or the map, as they are drawn."""
        return chars.replace(b"\0", b" ").decode("latin-1").translate(self._characters)

    @property
    def asks(self) -> tuple[bool, bool, bool]:
        """Whether NetHack asks for one of a few letters, for a line of text, or waits for a key."""
        yes_no, line, space = _MISC.unpack(self._field("misc"))
        return bool(yes_no), bool(line), bool(space)

    @property
    def deepest(self) -> int:
        """The deepest level that was reached."""
        deepest: int = _INTERNAL.unpack(self._field("internal"))[0]
        return deepest

    @property
    def hunger(self) -> str:
        """How hungry the hero is, in a word; empty if not."""
        return _word(HUNGER, self.status[21])

    @property
    def burden(self) -> str:
        """How much the hero carries, in a word; empty if not too much."""
        return _word(_BURDEN, self.status[22])

    @property
    def conditions(self) -> list[str]:
        """What is wrong with the hero, and what carries them, in words."""
        return [word for bit, word in enumerate(CONDITIONS) if self.status[25] >> bit & 1]

    @property
    def captions(self) -> list[str]:
        """What the things that the hero carries are called."""
        texts, count = self._field("inv_strs"), len(self._field("inv_letters").rstrip(b"\0"))
        slots = (texts[start : start + CAPTION] for start in range(0, count * CAPTION, CAPTION))
        return [slot.partition(b"\0")[0].decode("latin-1") for slot in slots]

    @property
    def inventory(self) -> Iterator[Item]:
        """What the hero carries."""
        letters, kinds, texts = self._field("inv_letters"), self._field("inv_oclasses"), self._field("inv_strs")
        glyphs = struct.unpack(f"<{INVENTORY}h", self._field("inv_glyphs"))
        for number, letter in enumerate(letters):
            if letter:
                text = _text(texts[number * CAPTION : (number + 1) * CAPTION])
                yield Item(_text(bytes((letter,))), text, _word(KINDS, kinds[number]), glyphs[number])

    @property
    def glyphs(self) -> list[tuple[int, ...]]:
        """The numbers of the pictures of the map, row by row."""
        found = struct.unpack(f"<{MAP[0] * MAP[1]}h", self._field("glyphs"))
        return [found[at : at + MAP[0]] for at in range(0, len(found), MAP[0])]

    @property
    def map(self) -> list[str]:
        """The characters of the map, row by row, also of what is covered on the screen."""
        chars = self._drawn(self._field("chars"))
        rows = [chars[at : at + MAP[0]] for at in range(0, len(chars), MAP[0])]
        return ["".join(char if char.isprintable() else "?" for char in row) for row in rows]


def _word(words: tuple[str, ...], number: int) -> str:
    return words[number] if 0 <= number < len(words) else ""


def _text(data: bytes) -> str:
    """The text up to a zero byte, with a question mark for what is not printable."""
    text = data.partition(b"\0")[0].decode("latin-1")
    return "".join(char if " " <= char <= "~" else "?" for char in text)


def characters_of(options: bytes) -> str:
    """The character of each byte on the screen of a game with these options: of IBM's sets as they are there, else as
    the terminals of DEC draw lines.
    """
    return _IBM if _IBM_SETS in options else _TERMINAL
