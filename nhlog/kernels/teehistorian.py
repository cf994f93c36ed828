"""One pass over the messages of a teehistorian: where they end, ticks, positions and inputs (spec 1 to 3).

The state of the game is a list of numbers: those that the constants name, the number of messages of each kind from
`COUNTS` on, and from `CLIENTS` on `CLIENT` numbers for each client id: whether its tee is there, x and y, whether it
ever sent an input, and the ten numbers of its last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "ALL",
    "CLIENT",
    "CLIENTS",
    "COUNT",
    "COUNTS",
    "INPUT",
    "INPUTS",
    "KINDS",
    "LAST",
    "LENGTH",
    "LONGEST",
    "MOST_ARGS",
    "MOST_CLIENTS",
    "MOVE",
    "POSITIONS",
    "RARE",
    "STATE",
    "TICK",
    "UNTIL",
    "WHY",
    "walk",
]

TICK: Final = 0  # the current tick
LAST: Final = 1  # client id of the last player record in it
WHY: Final = 2  # why the last walk ended
LENGTH: Final = 3  # bytes of the message that it ended at; 0 if it is not whole, -1 if it is invalid
COUNTS: Final = 4
KINDS: Final = 12  # kinds of messages: the first bytes 0x40 to 0x4A, and movements
CLIENTS: Final = COUNTS + KINDS
CLIENT: Final = 14
INPUTS: Final = 10  # numbers of an input
_MOVEMENT: Final = COUNTS + KINDS - 1

END, UNTIL, RARE = 0, 1, 2
"""Values of `WHY`: the bytes end, perhaps inside a message; the next message is of a later tick, or for the caller."""

COUNT, STATE, POSITIONS, ALL = 0, 1, 2, 3
"""How much is done: count; keep the state; return movements, too, but ignore inputs; return both."""

MOVE: Final = 7  # numbers of a movement: tick, offset, client id, x, y, and x and y before
INPUT: Final = 3  # numbers of an input: tick, offset, client id; the ten are in a tuple of their own

LONGEST: Final = 1 << 20  # bytes of a message; DDNet's own are shorter than 64 KiB
MOST_ARGS: Final = 1024  # arguments of a console command; 16 until 2025, a few more since
MOST_CLIENTS: Final = 192  # DDNet has 128 slots, 64 until 2026; larger ids are rubbish

_CUT: Final = 1 << 40  # an offset behind everything: the bytes end inside a number
_FINISH, _SKIP, _NEW, _OLD, _INPUT_DIFF, _INPUT_NEW = 0x40, 0x41, 0x42, 0x43, 0x44, 0x45
_MESSAGE, _DROP, _COMMAND, _EX = 0x46, 0x48, 0x49, 0x4A
_TALL: Final = 0x80000000
_ALL_BITS: Final = 0xFFFFFFFF


def walk(
    data: bytes,
    at: i64,
    until: i64,
    depth: i64,
    base: i64,
    state: list[int],
    moves: list[int],
    inputs: list[int],
    pressed: list[tuple[int, ...]],
    order: list[int],
) -> int:
    """Apply the messages from offset `at` on to `state`, up to those of tick `until`.

    Returns the offset of the first one that was not applied; `WHY` and `LENGTH` of the state say what is with it.  At
    depths that return movements and inputs their numbers are appended to `moves`, `inputs` and `pressed`, with offsets
    counted from `base`, and to `order` a 0 for each movement and a 1 for each input.
    """
    size: i64 = len(data)
    tick: i64 = state[TICK]
    last: i64 = state[LAST]
    clients: i64 = (len(state) - CLIENTS) // CLIENT
    why: i64 = END
    length: i64 = 0
    movements: i64 = 0
    differences: i64 = 0
    skips: i64 = 0
    start: i64 = at
    head: i64 = 0
    cid: i64 = 0
    x: i64 = 0
    y: i64 = 0
    old_x: i64 = 0
    old_y: i64 = 0
    slot: i64 = 0
    field: i64 = 0
    appears: bool = False
    keeps: bool = depth in (STATE, ALL)
    if depth == COUNT:
        clients = MOST_CLIENTS
    while at < size:
        start = at
        head = data[at]
        if not head & 0x40:  # a movement
            if head < 0x40 and at + 2 < size and not (data[at + 1] | data[at + 2]) & 0x80:
                cid = head
                x = data[at + 1]
                y = data[at + 2]
                if x & 0x40:
                    x = 63 - x
                if y & 0x40:
                    y = 63 - y
                at += 3
            else:
                cid, at = _number(data, at, size)
                x, at = _number(data, at, size)
                y, at = _number(data, at, size)
                if at > size and cid < MOST_CLIENTS:
                    break
            slot = CLIENTS + cid * CLIENT
            if cid >= clients or (depth and not state[slot]):
                why = RARE
                break
            if cid <= last:
                if tick >= until:
                    why = UNTIL
                    break
                tick += 1
            last = cid
            movements += 1
            if depth:
                old_x = state[slot + 1]
                old_y = state[slot + 2]
                x += old_x
                y += old_y
                if x >= _TALL or x < -_TALL or y >= _TALL or y < -_TALL:
                    x = ((x + _TALL) & _ALL_BITS) - _TALL
                    y = ((y + _TALL) & _ALL_BITS) - _TALL
                state[slot + 1] = x
                state[slot + 2] = y
                if depth >= POSITIONS:
                    order.append(0)
                    moves.append(tick)
                    moves.append(base + start)
                    moves.append(cid)
                    moves.append(x)
                    moves.append(y)
                    moves.append(old_x)
                    moves.append(old_y)
        elif head == _INPUT_DIFF:
            if at + 1 < size and data[at + 1] < 0x40:
                cid = data[at + 1]
                at += 2
            else:
                cid, at = _number(data, at + 1, size)
            slot = CLIENTS + cid * CLIENT + 4
            if cid < 0 or cid >= MOST_CLIENTS or (keeps and (cid >= clients or not state[slot - 1])):
                why = RARE
                break
            if size - at < 5 * INPUTS and _after(data, at, size, INPUTS) > size:
                at = size + 1
                break
            if keeps:
                field = slot
                while field < slot + INPUTS:
                    y = data[at]
                    at += 1
                    if y:
                        if y & 0x80:
                            y, at = _number(data, at - 1, size)
                        elif y & 0x40:
                            y = 63 - y
                        x = state[field]
                        state[field] = ((x + y + _TALL) & _ALL_BITS) - _TALL
                    field += 1
                if depth == ALL:
                    order.append(1)
                    inputs.append(tick)
                    inputs.append(base + start)
                    inputs.append(cid)
                    pressed.append(tuple(state[slot : slot + INPUTS]))
            elif depth == POSITIONS and data[at : at + INPUTS].isascii():  # in plain Python the fastest way
                at += INPUTS
            else:
                field = INPUTS
                while field:
                    if data[at] & 0x80:
                        at = _after(data, at, size, 1)
                    else:
                        at += 1
                    field -= 1
            differences += 1
        elif head == _SKIP:
            x, at = _number(data, at + 1, size)
            if at > size:
                break
            if x < 0:
                why = RARE
                break
            if tick + x >= until:
                why = UNTIL
                break
            tick += x + 1
            last = -1
            skips += 1
        else:
            appears = head in (_NEW, _OLD)
            if keeps or head == _FINISH or (appears and depth == POSITIONS):
                why = RARE
                break
            at = _end(data, start, size)
            if at > size or at < 0:
                why = RARE
                break
            if appears:
                cid, x = _number(data, start + 1, size)
                if cid <= last:
                    tick += 1
                last = cid
            state[COUNTS + head - 0x40] += 1
    if why == RARE:
        at = _end(data, start, size)
        if at < 0:
            length = -1
        elif at <= size:
            length = at - start
    if why or at > size:
        at = start
    state[TICK] = tick
    state[LAST] = last
    state[WHY] = why
    state[LENGTH] = length
    state[_MOVEMENT] += movements
    state[COUNTS + _INPUT_DIFF - 0x40] += differences
    state[COUNTS + _SKIP - 0x40] += skips
    return at


def _number(data: bytes, at: i64, size: i64) -> tuple[i64, i64]:
    """The number at `at`, of at most five bytes, and the offset behind it; `_CUT` if the bytes end before."""
    if at >= size:
        return 0, _CUT
    byte: i64 = data[at]
    value: i64 = byte & 0x3F
    negative: i64 = byte & 0x40
    shift: i64 = 6
    at += 1
    while byte & 0x80 and shift <= 27:
        if at >= size:
            return 0, _CUT
        byte = data[at]
        at += 1
        if shift == 27:
            value |= (byte & 0x0F) << 27
        else:
            value |= (byte & 0x7F) << shift
        shift += 7
    if negative:
        value = -1 - value
    return value, at


def _after(data: bytes, at: i64, size: i64, count: i64) -> i64:
    """The offset behind so many numbers; `_CUT` if the bytes end before."""
    left: i64 = 0
    while count > 0:
        left = 4
        while at < size and left and data[at] & 0x80:
            at += 1
            left -= 1
        at += 1
        if at > size:
            return _CUT
        count -= 1
    return at


def _after_string(data: bytes, at: i64, size: i64) -> i64:
    while at < size and data[at]:
        at += 1
    return at + 1 if at < size else _CUT


def _after_sized(data: bytes, at: i64, size: i64) -> i64:
    """The offset behind a number and as many bytes as it says; -1 if it says what is impossible."""
    count: i64 = 0
    count, at = _number(data, at, size)
    if count < 0 or count > LONGEST:
        return -1
    return at + count if at + count <= size else _CUT


def _after_command(data: bytes, at: i64, size: i64) -> i64:
    """The offset behind client, flags, command and arguments; -1 if these are too many."""
    count: i64 = 0
    at = _after_string(data, _after(data, at, size, 2), size)
    count, at = _number(data, at, size)
    if count < 0 or count > MOST_ARGS:
        return -1
    while count > 0 and at < size:
        at = _after_string(data, at, size)
        count -= 1
    return at if not count else _CUT


def _end(data: bytes, start: i64, size: i64) -> i64:
    """The offset of the end of the message at `start`; more than `size` if it is not whole, -1 if it is invalid."""
    head: i64 = data[start]
    at: i64 = start + 1
    cid: i64 = 0
    if head >= 0xC0 or (head & 0x40 and head > _EX):
        cid, at = _number(data, start, size)
        return at if at > size else -1
    if head == _COMMAND:
        at = _after_command(data, at, size)
    elif head == _EX:
        at = _after_sized(data, at + 16, size)
    elif head == _SKIP:
        cid, at = _number(data, at, size)
        if cid < 0:
            return -1
    elif head != _FINISH:
        cid, at = _number(data, at if head & 0x40 else start, size)
        if cid < 0 or cid >= MOST_CLIENTS:
            return -1
        if head == _NEW or not head & 0x40:
            at = _after(data, at, size, 2)
        elif head in (_INPUT_DIFF, _INPUT_NEW):
            at = _after(data, at, size, INPUTS)
        elif head == _MESSAGE:
            at = _after_sized(data, at, size)
        elif head == _DROP:
            at = _after_string(data, at, size)
    return at if at > size or at - start <= LONGEST else -1
