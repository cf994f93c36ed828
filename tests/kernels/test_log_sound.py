"""Sound lines of a log are passed over as far as who looks at each would find nothing to say, on both builds."""

import re
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import NhlogError
from nhlog.log.stretches import signed
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import parse_line, time_delta
from nhlog.log.wire.lines import (
    Command,
    DirectionAnswer,
    KeyAnswer,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)
from nhlog.mdiff import Rebuild, compact, reference
from nhlog.savehead import parse_save_head
from tests.builders import START, binary_save
from tests.kernels.builds import BUILDS, build
from tests.kernels.test_log_lines import rules

NAME = re.compile("[a-z][a-z0-9]{0,15}")
ANSWERS = PositionAnswer | DirectionAnswer | KeyAnswer | YesNoAnswer | MenuAnswer | ObjectMenuAnswer
SIZES = (96, 5000)  # of saves: of the second kind a few bytes are looked at, of the first all
SAVES = {size: [binary_save(turn, START + turn, size=size) for turn in (5, 6, 7)] for size in SIZES}


def plain(lines: list[bytes], save: bytes, clock: int, turn: int, *, known: bool) -> tuple:
    """What `passed` is to find: how many lines and saves, the save, clock and turn, and whether the save is odd."""
    number = saves = 0
    while number < len(lines):
        line, after = lines[number], lines[number + 1 : number + 2]
        if line.startswith(b"~"):
            made = Rebuild(save)
            try:
                made.apply(Blob(line[1:]).decode())
                if not (known and made.vouched):
                    break
                save = made.save()
            except NhlogError:
                break
            number, saves = number + 1, saves + 1
            head = parse_save_head(save)
            if head is not None:
                if clock < 0 or head.clock != clock or head.turn < turn:
                    return number, saves, save, clock, turn, True
                turn = head.turn
            continue
        timed = [line] if line.startswith(b"+") else [line, *after]
        delta = time_delta(timed[-1])
        if delta is None or (len(timed) == 2 and not is_passed(line)):
            break
        clock = signed(clock + delta)
        number += len(timed)
    return number, saves, save, clock, turn, False


def is_passed(data: bytes) -> bool:
    """Whether a line is an input of which nothing is to be said, and no rare one."""
    try:
        match line := parse_line(data):
            case Command(name, arguments, rest):
                texts = [argument.value for argument in arguments if isinstance(argument.value, Blob)]
                return not rest and bool(NAME.fullmatch(name)) and all(map(is_decoded, texts))
            case TextAnswer(text):
                return is_decoded(text)
        return isinstance(line, ANSWERS)
    except NhlogError:
        return False


def is_decoded(text: Blob) -> bool:
    text.decode()
    return bool(text.text) and not text.text.startswith(b"#")  # LZ4 is rare


def line_of(old: bytes, new: bytes, encode=compact.encode) -> bytes:
    return b"~" + Blob.of(encode(old, new)).text


def without_checksum(old: bytes, new: bytes) -> bytes:
    """A beta1 diff: all bytes as they are, and the end."""
    words = [new[at : at + 100] for at in range(0, len(new), 100)]
    assert old
    return b"".join((0x8000 | len(word)).to_bytes(2, "little") + word for word in words) + b"\0\0"


def diffs(saves: list[bytes]) -> list[bytes]:
    one, two, three = saves
    strange = b"????" + two[4:]
    wrong = line_of(one, two[:-1] + b"?")
    return [
        line_of(one, two),
        line_of(two, three),
        line_of(three, one, reference.encode),
        line_of(one, one + bytes(range(100))),
        line_of(two, strange),
        line_of(strange, three),
        line_of(one, two, without_checksum),
        wrong[:-6] + b"AAAA" + wrong[-2:],
        b"~",
        b"~AAA",
        b"~#1#AAAA",
    ]


LINES = {
    size: st.lists(
        st.sampled_from(
            [
                *(diffs(saves) * 2),
                *[b"search", b"move D3", b"wait L9", b"D4", b"a" * 16, b"+1", b"+0", b"+f"] * 3,
                *[b"a" * 17, b"move D12", b"move  D3", b"move P1,2", b"D", b"D10", b"K5", b"", b"+", b"+00", b"+G"],
                *[b"K-1,20", b"P3,4.", b"M", b"M9:a1", b"O", b"O1,2:3", b"Yy", b"LGwA=", b"apply Ia D4", b"name TGwA="],
                *[b"+" + b"8" * 16, b"+" + b"1" * 17, b"Q", b"*00000000 AAAA", b"D4 ", b"a D", b"9", b"\xff"],
            ]
        ),
        max_size=12,
    )
    for size, saves in SAVES.items()
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", BUILDS)
@given(
    data=st.data(), known=st.booleans(), before=st.sampled_from([b"", b"Q\n"]), clock=st.sampled_from([START, 2, -9])
)
def test_what_is_passed_is_what_has_nothing_to_be_said_of(kind: str, size: int, data, known, before, clock) -> None:
    lines, turn = data.draw(LINES[size]), data.draw(st.sampled_from([0, 6, 9]))
    begun = data.draw(st.sampled_from(SAVES[size]))
    number, saves, *expected = plain(lines, begun, clock, turn, known=known)
    pages, text = build("mdiff_pages", kind).paged(begun), before + b"".join(line + b"\n" for line in lines)
    end, *passed, crc, now, then, odd = build("log_sound", kind).passed(
        text, len(before), pages, crc32(begun) if known else -1, clock, turn, rules(kind)
    )
    assert text[len(before) : end] == b"".join(line + b"\n" for line in lines[:number])
    assert (passed, [b"".join(pages), now, then, odd]) == ([number, saves], expected)
    assert crc == (crc32(b"".join(pages)) if known else -1)


PARTS = [b"", b"0", b"1", b"-1", b"-0", b"-", b"9" * 10, b"9" * 11, b"10", b"11", b"05", b"3,4", b"-3,-4", b"a1", b"0a"]
PARTS += [
    b"F" * 3,
    b"f" * 8,
    b"f" * 9,
    b"1,0",
    b"1,-1",
    b"1,01",
    b"!",
    b"y",
    b"\xff",
    b"GwA=",
    b"GwA",
    b"$1$eJwDAAAAAAE=",
]
PARTS += [b"$3$" + Blob.of(bytes(200)).text[5:], Blob.of(bytes(200)).text, b"#1#EAA="]
"""What may stand in an input, and what may not."""


@st.composite
def inputs(draw: st.DrawFn) -> bytes:
    """A command with arguments, or an answer; of some of them something is wrong."""
    kinds = st.sampled_from([b"D", b"P", b"I", b"T", b"S", b"L", b"K", b"M", b"O", b"Y", b"B", b"R", b"Q", b"X"])
    value = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3)
    between, end = st.sampled_from([b"", b",", b":"]), st.sampled_from([b"", b"", b".", b";", b"!", b" "])
    arguments = [draw(kinds) + draw(between).join(draw(value)) + draw(end) for _ in range(draw(st.integers(1, 3)))]
    name = draw(st.sampled_from([b"", b"", b"run ", b"a" * 16 + b" ", b"a" * 17 + b" ", b"z9 ", b"9 ", b"run  "]))
    return name + b" ".join(arguments[: len(arguments) if name else 1])


@pytest.mark.parametrize("kind", BUILDS)
@given(inputs())
def test_inputs_are_passed_that_can_be_parsed(kind: str, line: bytes) -> None:
    text = line + b"\n+1\n"
    end, *_ = build("log_sound", kind).passed(text, 0, [b""], -1, START, 0, rules(kind))
    assert end == (len(text) if is_passed(line) else 0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", BUILDS)
def test_turns_are_passed_and_the_save_is_the_last_one(kind: str, size: int) -> None:
    one, two, three = SAVES[size]
    text = b"\n".join([b"search", b"+1", line_of(one, two), b"move D3", b"+1", line_of(two, three), b"Q", b""])
    pages = build("mdiff_pages", kind).paged(one)
    found = build("log_sound", kind).passed(text, 0, pages, crc32(one), START + 5, 5, rules(kind))
    assert found == (text.index(b"Q\n"), 6, 2, crc32(three), START + 7, 7, False)
    assert b"".join(pages) == three
