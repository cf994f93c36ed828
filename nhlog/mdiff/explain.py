"""List the commands of a diff, for people.

Invariant: lists what is coded, in any of the formats, without the base; raises an error at the first malformed command.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal

from nhlog.mdiff.syntax import read
from nhlog.mdiff.table import BETA2, BETA3, FORMS
from nhlog.values import NamedTuple

__all__ = ["Command", "commands"]

_CODES: Final = re.compile(r"0.|10..|110...|.+")
"""One move-to-front code; wider prefixes give a command several. The codes of beta1 and beta2 are never split."""


class Command(NamedTuple):
    """One command of a diff, with its wider prefixes."""

    name: str
    offset: int
    """The offset of its first byte in the diff."""
    bits: str
    """Codes, arg2 if there is one, and arg1, as binary digits with spaces between them (beta1: of the 16-bit word)."""
    arg1: int
    """As coded: usually the number of bytes to copy or edit (spec 2, 3, 4.1)."""
    arg2: int
    data: bytes
    """The literal bytes that follow."""


def commands(diff: bytes) -> Iterator[Command]:
    """The commands of `diff` in order; raises :class:`MdiffError` at the first malformed one."""
    byteorder: Literal["big", "little"] = "big" if diff.startswith((BETA2, BETA3)) else "little"
    for offset, body, end, command, arg1, arg2, fields in read(diff):
        bits = f"{int.from_bytes(diff[offset:body], byteorder):0{sum(fields)}b}"
        code_bits, _, arg1_bits = fields
        parts = (*_CODES.findall(bits[:code_bits]), bits[code_bits:-arg1_bits], bits[-arg1_bits:])
        yield Command(FORMS[command].name, offset, " ".join(filter(None, parts)), arg1, arg2, diff[body:end])
