"""The first words of a save."""

import pytest

from nhlog.savehead import HEAD_SIZE, SaveHead, format_save_head, parse_save_head, signature_of


@pytest.mark.parametrize("clock", [0, 1_795_189_604_815_186, -1, 2**63 - 1, -(2**63)])
def test_a_head_is_read_as_it_was_written(clock: int) -> None:
    head = SaveHead(turn=7, clock=clock, zone=-3600, signature=signature_of("delve"))
    data = format_save_head(head)
    assert len(data) == HEAD_SIZE
    assert parse_save_head(data + b"more") == head


def test_a_clock_is_taken_modulo_64_bits() -> None:
    assert parse_save_head(format_save_head(SaveHead(1, 2**64 + 5, 0, 0))).clock == 5
    assert parse_save_head(format_save_head(SaveHead(1, 2**64 - 5, 0, 0))).clock == -5


def test_what_is_too_short_or_of_a_fork_has_no_head() -> None:
    data = format_save_head(SaveHead(1, 0, 0, 0))
    assert parse_save_head(data[:-1]) is None
    assert parse_save_head(b"\0\2" + data[2:]) is None


def test_a_signature_is_four_letters_of_the_engines_id() -> None:
    assert signature_of("delve").to_bytes(4, "little") == b"delv"
    assert signature_of("delve") == 0x766C6564
