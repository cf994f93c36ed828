"""The lines of a log's body, from bytes to values and back (log spec section 6)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import backup_pointer, kind_of, parse_line
from nhlog.log.wire.lines import (
    Argument,
    Backup,
    BadLine,
    Bones,
    Command,
    Diff,
    DirectionAnswer,
    GameOver,
    KeyAnswer,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    ScoreLookup,
    TextAnswer,
    Time,
    YesNoAnswer,
)
from tests.builders import EVERY_KIND
from tests.logs import body_lines, every_log

LINES = {
    b"search": Command("search"),
    b"move D4": Command("move", (Argument("D", 4),)),
    b"search L5": Command("search", (Argument("L", 5),)),
    b"travel P12,7": Command("travel", (Argument("P", (12, 7)),)),
    b"wear Ia": Command("wear", (Argument("I", "a"),)),
    b"wear I ": Command("wear", (Argument("I", " "),)),
    b"wear I\xff": Command("wear", (Argument("I", "\xff"),)),
    b"cast Sb D2": Command("cast", (Argument("S", "b"), Argument("D", 2))),
    b"name TRmlkbwA=": Command("name", (Argument("T", Blob(b"RmlkbwA=")),)),
    b"name T": Command("name", (Argument("T", Blob(b"")),)),
    b"kick D-1": Command("kick", (Argument("D", -1),)),
    b"count L1 K97": Command("count", (Argument("L", 1), Argument("K", 97))),  # FIQHack
    b"move D4D5": Command("move", (Argument("D", 4),), b"D5"),  # readers ignore what follows an argument
    b"x" * 60: Command("x" * 60),
    b"+0": Time(0),
    b"+1f271e": Time(0x1F271E),
    b"+ffffffffffffffff": Time(2**64 - 1),
    b"P!": PositionAnswer(None),
    b"P42,17.": PositionAnswer((42, 17, ".")),
    b"P0,0,": PositionAnswer((0, 0, ",")),
    b"P-1,-1:": PositionAnswer((-1, -1, ":")),
    b"P1,2;": PositionAnswer((1, 2, ";")),
    b"D-1": DirectionAnswer(-1),
    b"D0": DirectionAnswer(0),
    b"D10": DirectionAnswer(10),
    b"K97": KeyAnswer(97),
    b"K97,-1": KeyAnswer(97, -1),
    b"K97,20": KeyAnswer(97, 20),
    b"Yn": YesNoAnswer("n"),
    b"Y\x1b": YesNoAnswer("\x1b"),
    b"Y\xff": YesNoAnswer("\xff"),
    b"M": MenuAnswer(()),
    b"M!": MenuAnswer(None),
    b"M5": MenuAnswer((1,)),
    b"M2": MenuAnswer((-2,)),
    b"Mffffffff": MenuAnswer((-5,)),
    b"M0:4:7fffffff:80000003:80000004": MenuAnswer((-4, 0, 2**31 - 5, 2**31 - 1, -(2**31))),
    b"O": ObjectMenuAnswer(()),
    b"O!": ObjectMenuAnswer(None),
    b"O11": ObjectMenuAnswer(((13, -1),)),
    b"O5,3:7:8,0": ObjectMenuAnswer(((1, 3), (3, -1), (4, 0))),
    b"LaGVsbG8gd29ybGQA": TextAnswer(Blob.of(b"hello world\0")),
    b"LGwA=": TextAnswer(Blob.of(b"\x1b\0")),
    b"LAA==": TextAnswer(Blob.of(b"\0")),
    b"L": TextAnswer(Blob(b"")),
    b"B!": Bones(None),
    b"BYm9uZXM=": Bones(Blob.of(b"bones")),
    b"R!": ScoreLookup(b"!"),
    b"RValhumfemlawQW5u": ScoreLookup(b"ValhumfemlawQW5u"),
    b"Q": GameOver(),
    b"*00000099 YQ==": Backup(0x99, Blob(b"YQ==")),
    b"*ffffffff $1$x": Backup(0xFFFFFFFF, Blob(b"$1$x")),
    b"~AUM=": Diff(Blob(b"AUM=")),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: repr(line[:24]))
def test_a_line_has_one_value_and_the_value_these_bytes(line: bytes) -> None:
    assert parse_line(line) == LINES[line]
    assert LINES[line].format() == line


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"A",
        b"0",
        b"\x1b",
        b"Search",
        b"Z",
        b"#",
        b"x" * 61,
        b"search ",
        b"search X1",
        b"search  L1",
        b"search D",
        b"search Dx",
        b"search P1",
        b"search P1;2",
        b"search I",
        b"search S",
        b"search L",
        b"+",
        b"+g",
        b"+1F",
        b"+1 ",
        b"+00000000000000001",
        b"P",
        b"P1,2",
        b"P1,2!",
        b"P1.",
        b"P1,2..",
        b"P!.",
        b"D",
        b"D11",
        b"D-2",
        b"D4 ",
        b"Dx",
        b"K",
        b"Ka",
        b"K1,",
        b"K1,2,3",
        b"Y",
        b"Yes",
        b"Mx",
        b"MA",
        b"M5,3",
        b"M!5",
        b"M100000000",
        b"O5,",
        b"O5,-1",
        b"Oz",
        b"O,5",
        b"Q!",
        b"*",
        b"*0000009",
        b"*00000099",
        b"*0000009g x",
        b"*000000099 x",
        b"*00000099\tx",
        b"*00000099 ",
        b"~",
    ],
    ids=lambda line: repr(line[:24]),
)
def test_a_line_that_breaks_the_grammar_is_bad_and_says_where(line: bytes) -> None:
    with pytest.raises(BadLine) as error:
        parse_line(line)
    assert error.value.offset is not None
    assert 0 <= error.value.offset <= len(line)
    assert error.value.expected is not None


_INPUT = st.sampled_from([*LINES, *EVERY_KIND])
_NOISE = st.binary(max_size=24).map(lambda data: data.replace(b"\n", b""))
_KIND = st.sampled_from([bytes((kind,)) for kind in b"az+PDKYMOLBRQ*~"])
_BODY = st.text("0123456789abcdefg,.:;!-+ DPITSLK$=*", max_size=16).map(str.encode)


@st.composite
def damaged_lines(draw: st.DrawFn) -> bytes:
    """A good line with one byte changed, inserted or dropped."""
    line = bytearray(draw(_INPUT))
    at = draw(st.integers(0, len(line)))
    line[at : at + draw(st.integers(0, 1))] = draw(_NOISE)[:1]
    return bytes(line)


@given(damaged_lines() | _NOISE | st.tuples(_KIND, _BODY | _NOISE).map(b"".join))
@example(b"a D0123")
@example(b"a D-0")
@example(b"a P1,2,3 Ia")
@example(b"D-0")
@example(b"K-0")
@example(b"M0000000005")
@example(b"O0,00")
def test_whatever_has_a_value_is_formatted_as_it_was(line: bytes) -> None:
    try:
        value = parse_line(line)
    except BadLine:
        return
    assert value.format() == line


def test_every_line_of_every_real_log_is_formatted_as_it_was() -> None:
    lines = 0
    for path in every_log():
        for line in body_lines(path.read_bytes()):
            assert parse_line(line).format() == line, path
            lines += 1
    assert lines > 1500


def test_the_first_byte_tells_the_kind_and_there_are_no_other_kinds() -> None:
    kinds = {
        "+": "time",
        "P": "position",
        "D": "direction",
        "K": "key",
        "Y": "yes_no",
        "M": "menu",
        "O": "object_menu",
        "L": "text",
        "B": "bones",
        "R": "score_lookup",
        "Q": "game_over",
        "*": "backup",
        "~": "diff",
    }
    for byte in range(256):
        char = chr(byte)
        expected = "command" if "a" <= char <= "z" else kinds.get(char, "unreadable")
        assert kind_of(bytes((byte,)) + b"rest") == expected
    assert kind_of(b"") == "unreadable"


@pytest.mark.parametrize(
    ("head", "pointer"),
    [
        (b"*00000099 $", 0x99),
        (b"*00000000 ", 0),
        (b"*ffffffff ", 0xFFFFFFFF),
        (b"*00000099", None),
        (b"~00000099 ", None),
        (b"*0000009g ", None),
        (b"*0000 099 ", None),
        (b"*-0000099 ", None),
        (b"*0x000099 ", None),
        (b"", None),
    ],
)
def test_ten_bytes_tell_whether_a_backup_begins_here(head: bytes, pointer: int | None) -> None:
    assert backup_pointer(head) == pointer


def test_values_can_be_compared_and_not_changed() -> None:
    line = parse_line(b"search L5")
    assert line == parse_line(b"search L5")
    assert hash(line) == hash(parse_line(b"search L5"))
    with pytest.raises(AttributeError):
        line.name = "rest"
