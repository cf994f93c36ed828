"""Bots that play NetHack by its keys, from what is seen: one at random, and one that survives for long.

The survivor travels to the stairs down while it is strong enough, fights what stands beside it, rests, and prays when
it is weak from hunger or near death; in explore mode it declines to die.  Neither knows more than a player does.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from nhlog.engines.nethack.seen import Seen

__all__ = ["BOTS", "Bot", "at_random", "survivor"]

Bot = Callable[[Seen], bytes]
"""The keys after what is seen; empty for none."""

_DIRECTIONS: Final = {(-1, 0): b"h", (0, 1): b"j", (0, -1): b"k", (1, 0): b"l"} | {
    (-1, -1): b"y",
    (1, -1): b"u",
    (-1, 1): b"b",
    (1, 1): b"n",
}
_MONSTERS: Final = 381  # pictures of monsters that are not tame: NUMMONS of NetHack 3.6
_FIRST_PRAYER: Final = 300  # turns, after which gods listen
_PATIENCE: Final = 1000  # turns between two prayers
_DOWN: Final = b"_>.>"  # travel to the stairs, and go down
_SURVIVES: Final = 1  # levels deeper than the hero is experienced
_ACTS: Final = (b"i", b",", b"o", b"e", b"q", b"r", b"z", b"W", b"T", b"w", b"d", b"t", b"#", b":", b"\x04", b"_", b"O")


def _answered(seen: Seen, dice: Random) -> bytes:
    """The key after a question, or a page that waits; empty if there is none."""
    yes_no, line, waits = seen.asks
    if waits:
        return b"\r"
    if line:
        return b"\x1b"
    if yes_no:
        return b"n" if "Die?" in seen.message else b"y" if "pray" in seen.message else dice.choice((b"\x1b", b"n"))
    return b""


def at_random(dice: Random) -> Bot:
    """Mostly walks; now and then something else, and escape, without which it stays in some menu."""

    def keys(seen: Seen) -> bytes:
        if answer := _answered(seen, dice):
            return answer if dice.random() < 0.8 else bytes((dice.randrange(256),))
        draw = dice.random()
        if draw < 0.1:
            return b"\x1b"
        if draw < 0.2:
            return dice.choice(_ACTS) + bytes((dice.randrange(33, 127),))
        return dice.choice("hjklyubnHJKLYUBN>s.").encode() if draw < 0.97 else bytes((dice.randrange(256),))

    return keys


def survivor(dice: Random) -> Bot:
    """Plays on for as long as it can."""
    prayed = _FIRST_PRAYER - _PATIENCE

    def keys(seen: Seen) -> bytes:
        nonlocal prayed
        if answer := _answered(seen, dice):
            return answer
        status = seen.status
        hp, most, level, depth = status[10], status[11], status[18], status[12]
        hungry = seen.hunger in ("hungry", "weak", "fainting")
        if hungry and (food := [item.letter for item in seen.inventory if item.kind == "food"]):
            return b"\x1be" + food[0].encode()
        if (hp * 7 < most or hp < 6 or seen.hunger in ("weak", "fainting")) and seen.turn > prayed + _PATIENCE:
            prayed = seen.turn
            return b"\x1b#pray\r"
        if enemies := [*_beside(seen)]:
            return b"F" + dice.choice(enemies)
        if hp * 2 < most:
            return b"20s"
        if dice.random() < 0.1:
            return b"\x1b"
        if depth < level + _SURVIVES and dice.random() < 0.2:
            return _DOWN
        draw = dice.random()
        return b"20s" if draw < 0.25 else dice.choice("hjklyubnHJKLYUBN").encode() if draw < 0.95 else b"_<."

    return keys


def _beside(seen: Seen) -> Iterator[bytes]:
    """The directions of monsters beside the hero that are not tame."""
    x, y = seen.square
    pictures = seen.glyphs
    for (right, down), key in _DIRECTIONS.items():
        row, column = y + down, x + right
        is_there = 0 <= row < len(pictures) and 0 <= column < len(pictures[0])
        if is_there and 0 <= pictures[row][column] < _MONSTERS:
            yield key


BOTS: Final[dict[str, Callable[[Random], Bot]]] = {"random": at_random, "survivor": survivor}
