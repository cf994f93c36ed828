"""The three header lines, byte by byte (log spec sections 2 to 4)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nhlog.log.wire.blob import Blob
from nhlog.log.wire.header import (
    IDENTIFICATION_SIZE,
    MAX_HEADER,
    MODES,
    STATE_OFFSET,
    STATE_WIDTH,
    STATUS_OFFSET,
    SUMMARY_OFFSET,
    BadHeader,
    Header,
    HeaderTooShort,
    Identification,
    NotALog,
    format_state,
    parse_header,
    parse_identification,
)
from tests.builders import START, Game, summary
from tests.logs import SAMPLE_LOGS, every_log
from tests.outcomes import error_of

FIRST = b"NHGAME save 00000001 4.003.000\n"
SECOND = b"(new game)".rjust(78) + b"\n"
THIRD = b"660b6e98fc26c 0 2 d2l6YXJk Tou hum fem neu\n"
NEW = FIRST + SECOND + THIRD


def parse(*, first: bytes = FIRST, second: bytes = SECOND, third: bytes = THIRD) -> Header:
    return parse_header(first + second + third)


def test_a_new_game_has_the_bytes_of_the_specification() -> None:
    header = Header(
        identification=Identification("save", 1, "4.003.000"),
        state="(new game)",
        start=0x660B6E98FC26C,
        unused=0,
        mode=2,
        name=Blob.of(b"wizard"),
        role="Tou",
        race="hum",
        gender="fem",
        alignment="neu",
        length=153,
    )
    assert header.format() == NEW
    assert parse_header(NEW) == header


@pytest.mark.parametrize(("status", "told"), [(b"save", "live"), (b"done", "finished")])
def test_a_game_is_live_or_finished(status: bytes, told: str) -> None:
    assert parse(first=FIRST.replace(b"save", status)).status == told


def test_of_an_empty_file_the_header_is_missing_from_its_first_byte_on() -> None:
    with pytest.raises(HeaderTooShort) as error:
        parse_header(b"")
    assert (error.value.what, error.value.offset) == ("empty file", 0)


@pytest.mark.parametrize(("size", "error"), [(29, HeaderTooShort), (30, BadHeader)])
def test_a_first_line_is_cut_short_until_all_of_it_but_its_newline_is_there(size: int, error: type) -> None:
    with pytest.raises(BadHeader) as found:
        parse_identification(b"NHGAME what".ljust(size, b"x"))
    assert type(found.value) is error


def test_what_is_rewritten_in_place_stands_where_the_specification_says() -> None:
    assert (IDENTIFICATION_SIZE, STATUS_OFFSET, STATE_OFFSET, STATE_WIDTH, SUMMARY_OFFSET) == (31, 7, 31, 78, 110)
    assert NEW[STATUS_OFFSET : STATUS_OFFSET + 4] == b"save"


def test_every_real_header_is_formatted_as_it_was() -> None:
    for path in every_log():
        data = path.read_bytes()
        try:
            header = parse_header(data[:MAX_HEADER])
        except BadHeader:
            assert data.count(b"\n") < 3, path
            continue
        assert header.format() == data[: header.length], path


def test_the_words_of_a_header() -> None:
    header = parse_header(NEW)
    assert (header.player, header.mode_word, header.finished) == ("wizard", "wizard", False)
    assert header.words == {"role": "Tourist", "race": "human", "gender": "female", "alignment": "neutral"}
    assert header.start == START


@pytest.mark.parametrize("mode", range(4))
def test_the_play_mode_is_decimal(mode: int) -> None:
    header = parse(third=summary(mode=mode) + b"\n")
    assert (header.mode, header.mode_word) == (mode, MODES[mode])


def test_a_mode_the_game_does_not_have_is_told_as_a_number() -> None:
    assert parse(third=summary(mode=10) + b"\n").mode_word == "mode 10"


def test_a_role_the_game_does_not_have_stands_as_it_is() -> None:
    assert parse(third=b"1 0 0 QW5u Bun hum fem law\n").words["role"] == "Bun"


@pytest.mark.parametrize(
    ("encoded", "name"),
    [
        (b"YQ==", "a"),
        (b"YWI=", "ab"),
        (b"YWJj", "abc"),
        (b"$31$eNpLTMQLALwPC8A=", "a" * 31),  # the game compresses names like everything else
        (b"/w==", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_name_may_be_padded_and_compressed(encoded: bytes, name: str) -> None:
    header = parse(third=summary(encoded) + b"\n")
    assert header.player == name
    assert header.format().endswith(summary(encoded) + b"\n")


@pytest.mark.parametrize("encoded", [b"YQ", b"$31$eNp", b"$30$eNpLTMQLALwPC8A=", b"!!!!", b"#31#abcd", b"$" * 9])
def test_a_name_that_does_not_decode_makes_the_header_bad(encoded: bytes) -> None:
    with pytest.raises(BadHeader, match="bad player name") as error:
        parse(third=summary(encoded) + b"\n")
    assert error.value.offset == SUMMARY_OFFSET


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"", b" " * 78),
        (b"x" * 77, b" " + b"x" * 77),
        (b"x" * 78, b"x" * 78),
        (b"x" * 79, b"x" * 78),
        (b"quit  ", b" " * 72 + b"quit  "),
        (b"\xe9t\xe9", b" " * 75 + b"\xe9t\xe9"),
    ],
)
def test_line_2_is_padded_on_the_left_and_cut_at_78_bytes(text: bytes, line: bytes) -> None:
    assert format_state(text.decode("latin-1")) == line
    header = parse(second=line + b"\n")
    assert header.state == text[:78].decode("latin-1").lstrip(" ")
    assert header.format() == FIRST + line + b"\n" + THIRD


@pytest.mark.parametrize(
    ("text", "line"), [("killed by Ωmega", b"killed by ?mega"), ("a\nb\0c", b"a?b?c"), ("\ud800", b"?")]
)
def test_line_2_stays_one_line_of_latin_1_whatever_it_is_told(text: str, line: bytes) -> None:
    assert format_state(text) == line.rjust(78)


@pytest.mark.parametrize("line", [b"x" * 77, b"x" * 79, b"", b"x" * 40 + b"\0" + b"x" * 37])
def test_line_2_of_another_width_or_with_a_nul_is_bad(line: bytes) -> None:
    with pytest.raises(BadHeader, match="bad second line") as error:
        parse(second=line + b"\n")
    assert error.value.offset == STATE_OFFSET


@pytest.mark.parametrize(
    ("line", "identification"),
    [
        (b"NHGAME save 00000001 4.003.000", Identification("save", 1, "4.003.000")),
        (b"NHGAME done ffffffff 4.003.000", Identification("done", 0xFFFFFFFF, "4.003.000")),
        (b"NHGAME save ABCDEF 4.3.0", Identification("save", 0xABCDEF, "4.3.0")),
        (b"NHGAME  done\t7  5.999.1 and more", Identification("done", 7, "5.999.1")),
        (b"NHGAME save 00000001 4.003.0001", Identification("save", 1, "4.003.000")),
    ],
)
def test_line_1_is_read_as_scanf_would(line: bytes, identification: Identification) -> None:
    assert parse_identification(line) == identification


@pytest.mark.parametrize(
    "line",
    [
        b"NHGAME SAVE 00000001 4.003.000",
        b"NHGAME gone 00000001 4.003.000",
        b"NHGAME save 0000000g 4.003.000",
        b"NHGAME save -0000001 4.003.000",
        b"NHGAME save 00000001 4.003     ",
        b"NHGAME save                 4.003.000",
    ],
)
def test_line_1_with_another_status_or_without_its_numbers_is_bad(line: bytes) -> None:
    with pytest.raises(BadHeader, match="bad first line"):
        parse(first=line + b"\n")


@pytest.mark.parametrize("line", [b"nhgame save 00000001 4.003.000", b"\x7fELF", b"\n", b"NHGAMY save", b"\0" * 31])
def test_what_does_not_begin_with_the_magic_is_no_log(line: bytes) -> None:
    with pytest.raises(NotALog, match="not a NetHack 4 log") as error:
        parse_header(line + b"\n" + SECOND + THIRD)
    assert error.value.exit_code == 4


def test_an_empty_file_is_named_as_such() -> None:
    with pytest.raises(BadHeader, match="empty file"):
        parse_header(b"")


@pytest.mark.parametrize("size", range(1, len(NEW)))
def test_every_beginning_of_a_header_is_a_header_cut_short(size: int) -> None:
    with pytest.raises(BadHeader, match="cut short") as error:
        parse_header(NEW[:size])
    assert error.value.offset == size


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"660b6e98fc26c 0 2 d2l6YXJk Tou hum fem",
        b"660b6e98fc26c 0 2 d2l6YXJk Tou hum fem neu law",
        b"660b6e98fc26c 0 2  Tou hum fem neu",
        b"xyz 0 2 d2l6YXJk Tou hum fem neu",
        b"660b6e98fc26c 0 two d2l6YXJk Tou hum fem neu",
        b"10000000000000000 0 2 d2l6YXJk Tou hum fem neu",
        b"660b6e98fc26c 0 2 %s Tou hum fem neu" % (b"YWFh" * 17),
        b"660b6e98fc26c 0 2 d2l6YXJk Touristin hum fem neu",
        b" " * 5000 + b"660b6e98fc26c 0 2 d2l6YXJk Tou hum fem neu",
    ],
    ids=lambda line: repr(line[:12]),
)
def test_line_3_has_all_its_fields_in_their_forms(line: bytes) -> None:
    with pytest.raises(BadHeader, match="bad third line") as error:
        parse(third=line + b"\n")
    assert error.value.offset == SUMMARY_OFFSET


def test_the_start_takes_all_64_bits() -> None:
    assert parse(third=summary(start=2**64 - 1) + b"\n").start == 2**64 - 1


def test_the_status_alone_tells_that_a_game_is_over() -> None:
    game = Game().over(b"quit")
    header = parse_header(bytes(game.data))
    assert (header.finished, header.state) == (True, "quit")


@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda data: FIRST + SECOND + data))
@example(b"NHGAME save 1 4.3.0\n" + SECOND + THIRD)
def test_no_bytes_give_anything_but_a_header_or_an_error_of_ours(data: bytes) -> None:
    error = error_of(lambda: parse_header(data))
    assert isinstance(error, BadHeader | NotALog | None)
    assert "\n" not in str(error)
    if error is None:
        header = parse_header(data)
        assert parse_header(header.format()).player == header.player


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_a_changed_byte_of_a_real_header_gives_a_header_or_an_error_of_ours(path) -> None:
    data = path.read_bytes()[:200]
    for at in range(160):
        for byte in (0, 10, 32, data[at] ^ 1, data[at] ^ 0x80):
            changed = bytearray(data)
            changed[at] = byte
            assert isinstance(
                error_of(lambda changed=changed: parse_header(bytes(changed))), BadHeader | NotALog | None
            )
