"""Diffs of the three formats read: which bytes of the base are replaced, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

COPYEDIT: Final = 0
COPY: Final = 1
EDIT: Final = 2
SEEK: Final = 3
WIDER: Final = 4
EOF: Final = 5
COORD: Final = 6
ERASE: Final = 7
INCREMENT: Final = 8
COPYEDIT1: Final = 9
EOF_CRC32: Final = 10
RLE: Final = 11
NOTHING: Final = -1

NO_CRC: Final = -1

LEAST: Final = bytes((12, 6, 4, 8, 0, 12, 1, 7, 12, 4, 12, 2))
"""By command: the least bits of arg1."""
ARG2: Final = bytes((2, 0, 0, 0, 0, 0, 3, 3, 0, 0, 32, 0))
"""By command: the bits of arg2."""
ORDER: Final = 0xBA9876543210
"""In which the codes mean the commands at first: four bits for each, the lowest for the shortest code."""
NIBBLE: Final = 4
BITS: Final = bytes((2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 6, 6))
CODES: Final = bytes((0, 1, 8, 9, 10, 11, 48, 49, 50, 51, 52, 53))
"""By place in the order: the bits of the code, and the code."""
INDEXES: Final = bytes(
    [*([0] * 64), *([1] * 64), *[2 + at // 16 for at in range(64)], *[6 + at // 4 for at in range(64)]]
)
"""By eight bits that begin with a code: its place; from 12 on for no code."""
WIDTHS: Final = bytes([LEAST[c] + -(b + ARG2[c] + LEAST[c]) % 8 for c in range(12) for b in range(8)])
LENGTHS: Final = bytes([(b + ARG2[c] + WIDTHS[8 * c + b]) // 8 for c in range(12) for b in range(8)])
"""By command and bits of its code, without prefixes: the bits of arg1, and the bytes of the command."""

MOST_WIDER: Final = 3
LONGEST: Final = 8
"""What is read here: so many prefixes of a command, and bytes without its data.  Saves of 4 GB have no longer ones."""

UNIT: Final = 85  # bytes that coord counts in
DX: Final = bytes((255, 255, 0, 1, 1, 1, 0, 255))
DY: Final = bytes((0, 255, 255, 255, 0, 1, 1, 1))
"""By direction: what coord adds to a byte, and to the next one if that is not 0."""

BYTES: Final = [bytes((byte,)) for byte in range(256)]
ZEROS: Final = [bytes(count) for count in range(11)]


def splices(
    diff: bytes, base: bytes | bytearray, most: i64, most_commands: i64
) -> tuple[list[int], list[int], list[bytes], int] | None:
    """The starts and ends of the ranges of `base` to replace, in order, what replaces each, and the CRC or `NO_CRC`.

    None if the diff is damaged, reads outside the base, makes more than `most` bytes or has more than `most_commands`
    commands, or one that is longer than any of a real diff: what to say of it is left to who reads it word by word.
    Bytes of the base that are copied out of order are replaced by themselves, as if they were written in the diff.
    """
    size: i64 = len(diff)
    old: i64 = len(base)
    order: i64 = ORDER
    starts: list[int] = []
    ends: list[int] = []
    pieces: list[bytes] = []
    crc: int = NO_CRC
    beta3, beta2, at = begun(diff)
    position: i64 = 0  # in the base
    length: i64 = 0  # of the save
    anchor: i64 = 0
    used: i64 = 0  # the base up to here is kept or replaced
    kept: i64 = 0  # the end of the last range that is kept
    count: i64 = 0
    while count < most_commands:
        count += 1
        command, copy, added, arg2, at, order = step(diff, at, order, beta3, beta2)
        if command == NOTHING:
            return None
        if command == SEEK:
            position -= copy
            if position < 0 and not beta3 and not beta2:
                return None
            continue
        data = b""
        if added:
            at += added
            if at > size:
                return None
            data = diff[at - added : at]
        elif command == COPY:
            anchor = length + copy
        elif command == EOF_CRC32:
            crc = arg2 & 0xFFFFFFFF
        elif command in (COORD, ERASE, INCREMENT):
            if command == COORD:
                copy = copy * UNIT + (anchor - length) % UNIT
            data = written(command, arg2, base, position + copy)
            added = written_size(command, arg2)
            if len(data) < added:
                return None
        elif command == RLE:
            return None
        length += copy + added
        if length > most or (copy and (position < 0 or position + copy > old)):
            return None
        if copy:
            if position < kept:
                starts.append(used)
                ends.append(used)
                pieces.append(bytes(base[position : position + copy]))
                position += copy
            else:
                if position > used:
                    starts.append(used)
                    ends.append(position)
                    pieces.append(b"")
                elif position < used:
                    keep(starts, ends, position)
                position += copy
                used = kept = position
        if data:
            starts.append(used)
            position += len(data)
            if used < position:
                used = position if position < old else old
            ends.append(used)
            pieces.append(data)
        if command in (EOF, EOF_CRC32):
            if used < old:
                starts.append(used)
                ends.append(old)
                pieces.append(b"")
            return starts, ends, pieces, crc
    return None


def head(diff: bytes, base: bytes, wanted: i64, most: i64, most_commands: i64) -> bytes | None:
    """The first `wanted` bytes of the save that the diff makes of one that begins with `base`.

    Fewer where that would have to be longer.  None if the diff is damaged up to there, or one that `splices` leaves.
    """
    size: i64 = len(diff)
    old: i64 = len(base)
    order: i64 = ORDER
    beta3, beta2, at = begun(diff)
    parts: list[bytes] = []
    position: i64 = 0
    length: i64 = 0
    anchor: i64 = 0
    count: i64 = 0
    while count < most_commands:
        count += 1
        command, copy, added, arg2, at, order = step(diff, at, order, beta3, beta2)
        if command == NOTHING:
            return None
        if command == SEEK:
            position -= copy
            if position < 0 and not beta3 and not beta2:
                return None
            continue
        data = b""
        cut = False
        if added:
            at += added
            if at > size:
                return None
            data = diff[at - added : at]
        elif command == COPY:
            anchor = length + copy
        elif command in (COORD, ERASE, INCREMENT):
            if command == COORD:
                copy = copy * UNIT + (anchor - length) % UNIT
            data = written(command, arg2, base, position + copy)
            added = written_size(command, arg2)
            cut = len(data) < added
        elif command == RLE:
            return None
        length += copy + added
        if length > most:
            return None
        if copy:
            if position < 0 or position >= old:
                return b"".join(parts)[:wanted]
            parts.append(base[position : position + copy])
            position += copy
            if position > old:
                return b"".join(parts)[:wanted]
        if data:
            parts.append(data)
            position += len(data)
        if cut or length >= wanted or command in (EOF, EOF_CRC32):
            return b"".join(parts)[:wanted]
    return None


def begun(diff: bytes) -> tuple[bool, bool, i64]:
    """Whether the diff is of the newest or the second form, and where its commands begin."""
    of_ours = len(diff) >= 2 and diff[0] == 1
    beta3 = of_ours and diff[1] == 0x43
    beta2 = of_ours and diff[1] == 0x40
    return beta3, beta2, 2 if beta3 or beta2 else 0


def written_size(command: i64, arg2: i64) -> i64:
    """How many bytes coord, erase or increment writes."""
    if command == COORD:
        return 2 if DY[arg2 & 7] else 1
    return (arg2 & 7) + 3 if command == ERASE else 1


def written(command: i64, arg2: i64, base: bytes | bytearray, target: i64) -> bytes:
    """What coord, erase or increment writes over these bytes of the base; less if it does not have all of them."""
    if command == ERASE:
        return ZEROS[(arg2 & 7) + 3]
    old: i64 = len(base)
    if target < 0 or target >= old:
        return b""
    if command == INCREMENT:
        return BYTES[base[target] + 1 & 255]
    data = BYTES[base[target] + DX[arg2 & 7] & 255]
    dy: i64 = DY[arg2 & 7]
    if dy and target + 1 < old:
        data = data + BYTES[base[target + 1] + dy & 255]
    return data


def step(diff: bytes, at: i64, order: i64, beta3: bool, beta2: bool) -> tuple[i64, i64, i64, i64, i64, i64]:
    """The command there: the bytes to copy, those of its data that follow, arg2, where these begin, and the new order.

    `NOTHING` for none that is read here.  A seek has the number of bytes that it goes back instead of those to copy.
    """
    if not beta3:
        command, copy, added, at = older(diff, at, beta2)
        return command, copy, added, 0, at, order
    size: i64 = len(diff)
    if at >= size:
        return NOTHING, 0, 0, 0, 0, 0
    octet: i64 = diff[at]
    index: i64 = INDEXES[octet]
    if index >= 12:
        return NOTHING, 0, 0, 0, 0, 0
    bits: i64 = BITS[index]
    command = order >> NIBBLE * index & 15
    if index:
        order = moved_to_front(order, index)
    width: i64
    body: i64
    if command == WIDER:
        command, bits, width, order = widened(diff, at, bits, order)
        body = at + (bits + width >> 3)
        if command == NOTHING or body > at + LONGEST:
            return NOTHING, 0, 0, 0, 0, 0
    else:
        width = WIDTHS[8 * command + bits]
        body = at + LENGTHS[8 * command + bits]
    if body > size:
        return NOTHING, 0, 0, 0, 0, 0
    head: i64 = octet & 63  # the rest are bits of the code
    at += 1
    while at < body:
        head = head << 8 | diff[at]
        at += 1
    arg2: i64 = head >> width
    copy = head - (arg2 << width)
    added = 0
    if command == COPYEDIT1:
        added = 1
    elif command == COPYEDIT:
        added = (arg2 & 3) + 1
    elif command == EDIT:
        added = copy + 1
        copy = 0
    elif command == SEEK and copy >> width - 1:
        copy -= 2 * (copy >> (width - 1) << (width - 1))
    return command, copy, added, arg2, at, order


def moved_to_front(order: i64, index: i64) -> i64:
    """The order after the command at this place was used."""
    low: i64 = NIBBLE * index
    used: i64 = order >> low
    above: i64 = used >> NIBBLE << low + NIBBLE
    return above | (order - (used << low)) << NIBBLE | used & 15


def widened(diff: bytes, at: i64, bits: i64, order: i64) -> tuple[i64, i64, i64, i64]:
    """The command behind a prefix of `bits` bits, the bits of its codes and arg2, those of arg1, and the new order."""
    wider: i64 = 0
    while wider < MOST_WIDER:
        wider += 1
        whole: i64 = at + (bits >> 3)
        if whole >= len(diff):
            break
        two: i64 = diff[whole]
        two = two << 8
        if whole + 1 < len(diff):
            two |= diff[whole + 1]
        index: i64 = INDEXES[two >> 8 - (bits & 7) & 255]
        if index >= 12:
            break
        bits += BITS[index]
        command: i64 = order >> NIBBLE * index & 15
        order = moved_to_front(order, index)
        if command != WIDER:
            bits += ARG2[command]
            width: i64 = 8 * wider + LEAST[command]
            return command, bits, width + (-(bits + width) & 7), order
    return NOTHING, 0, 0, 0


def older(diff: bytes, at: i64, beta2: bool) -> tuple[i64, i64, i64, i64]:
    """Of a word of beta1 or beta2: seek, eof or else copyedit; the bytes to copy, those of its data, and where it ends.

    Both end with the data, as if zeros came behind it.
    """
    size: i64 = len(diff)
    low: i64 = diff[at] if at < size else 0
    high: i64 = diff[at + 1] if at + 1 < size else 0
    if not low and not high:
        return EOF, 0, 0, at
    if not beta2:
        after: i64 = at + 2 if at + 2 < size else size
        kind: i64 = high >> 6
        count: i64 = (high & 63) << 8 | low
        if kind == 0:
            return SEEK, count - 2 * (count & 0x2000), 0, after
        if kind == 1:
            return NOTHING, 0, 0, at
        return (COPYEDIT, 0, count, after) if kind == 2 else (COPYEDIT, count, 0, after)
    kind = low >> 5
    after = at + (2 if kind < 4 or kind == 7 else 4)
    if after > size:
        return NOTHING, 0, 0, at
    head: i64 = low << 8 | high
    if kind < 4:
        return COPYEDIT, head & 0x1FFF, (head >> 13) + 1, after
    if kind == 7:
        return SEEK, (head & 0x1FFF) - 2 * (head & 0x1000), 0, after
    head = head << 16 | diff[at + 2] << 8 | diff[at + 3]
    if kind == 4:
        return COPYEDIT, head & 0x1FFFFFF, head >> 25 & 15, after
    if kind == 5:
        return COPYEDIT, 0, head & 0x1FFFFFFF, after
    return SEEK, (head & 0x1FFFFFFF) - 2 * (head & 0x10000000), 0, after


def keep(starts: list[int], ends: list[int], position: i64) -> None:
    """Lets the base from `position` on be kept: what was written since was not instead of it, but before it."""
    nth: i64 = len(ends) - 1
    while nth >= 0 and ends[nth] > position:
        ends[nth] = position
        if starts[nth] > position:
            starts[nth] = position
        nth -= 1


def spliced(base: bytes, starts: list[int], ends: list[int], pieces: list[bytes]) -> bytes:
    """`base` with each of its ranges replaced by a piece."""
    parts: list[bytes] = []
    at: i64 = 0
    for nth, piece in enumerate(pieces):
        start: i64 = starts[nth]
        if at < start:
            parts.append(base[at:start])
        parts.append(piece)
        at = ends[nth]
    parts.append(base[at:])
    return b"".join(parts)


def join_moved(base: bytes | bytearray, starts: list[int], ends: list[int], pieces: list[bytes]) -> None:
    """Makes one splice of those between which the bytes of `base` move: most often those behind them stay."""
    first: i64 = -1
    last: i64 = -1
    for nth, piece in enumerate(pieces):
        if len(piece) != ends[nth] - starts[nth]:
            if first < 0:
                first = nth
            last = nth
    if first == last:
        return
    parts: list[bytes] = [pieces[first]]
    at: i64 = first
    while at < last:
        parts.append(bytes(base[ends[at] : starts[at + 1]]))
        at += 1
        parts.append(pieces[at])
    del starts[first + 1 : last + 1]
    del ends[first:last]
    pieces[first : last + 1] = [b"".join(parts)]
