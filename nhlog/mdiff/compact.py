"""compact"""

from collections.abc import Callable
from typing import Final

from nhlog.mdiff.align import Saves, Stretch, align
from nhlog.mdiff.choose import choose, zeros_apart
from nhlog.mdiff.commands import BETA3, ORDER
from nhlog.mdiff.commands import encode as encode_command
from nhlog.mdiff.prices import BYTES, Deflated, Frequencies, Tariff

__all__ = ["encode"]

TURN=5.0
CALM=40.0
COMPRESSIBLE=128
LEVEL=2000
ROUNDS=1;E1=1200;E2=1200

def encode(base: bytes, new: bytes, cost: Callable[[bytes], int] = len) -> bytes:
    saves = Saves(base, new)
    stretches = align(saves, TURN)
    diff = _diff(saves, zeros_apart(new, stretches), BYTES)
    if len(diff) < COMPRESSIBLE:
        return diff
    calm = align(saves, CALM, Deflated() if len(diff) > LEVEL else len)
    rival = _diff(saves, calm, BYTES)
    least = cost(diff)
    c = cost(rival)
    if c<least: diff, least, stretches = rival, c, calm
    for _ in range(ROUNDS):
        rival = _diff(saves, stretches, Frequencies(diff))
        c = cost(rival)
        if c>=least: break
        diff, least = rival, c
    return diff

def _diff(saves, stretches, tariff):
    diff = bytearray(BETA3)
    order = ORDER
    for number, arg1, arg2, data in choose(saves.base, saves.new, stretches, tariff, E1 if tariff is BYTES else E2):
        code, order = encode_command(order, number, arg1, arg2)
        diff += code + data
    return bytes(diff)
