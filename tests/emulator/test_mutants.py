"""Bytes that no program writes: the emulator takes 200 MB of them, and neither falls nor grows."""

import resource
import subprocess
import sys
from pathlib import Path

from nhlog.emulator.emulated import Emulated
from tests.corpus import ROOT
from tests.doses import dose, seeded
from tests.vt.truth import FILES, truth

MUTANTS = dose("vt.mutants") << 20  # bytes
BLOCK = 1 << 16
GROWTH = 24 << 10  # KiB of memory over what a quarter of them needs


def mutants(seed: int) -> bytes:
    """Some real output, a byte in a hundred of it another one; or sequences with numbers beyond all bounds."""
    chance = seeded(seed)
    if seed % 8 == 7:
        return b"".join(
            b"\x1b[%d;%d%c" % (chance.randrange(9), chance.randrange(1 << 20), chance.choice(FINALS))
            for _ in range(dose("vt.numbers"))
        )
    parts = truth(chance.choice(RECORDINGS)).parts
    first = chance.randrange(len(parts))
    data = bytearray(b"".join(part for part in parts[first : first + 400] if isinstance(part, bytes))[:BLOCK])
    for _ in range(len(data) // 100):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


RECORDINGS = [name for name in FILES if any(isinstance(part, bytes) and part for part in truth(name).parts)]
FINALS = b"ABCDEFGHIJKLMPSTXZ@`dfghlmnqrsu"  # but for the one that repeats, which takes its time


def feed() -> None:
    """Print how much memory is needed after a quarter of the mutants, and after all of them."""
    blocks, chance = [mutants(seed) for seed in range(dose("vt.blocks"))], seeded(1)
    terminal, fed, told = Emulated(80, 24), 0, False
    while fed < MUTANTS:
        block = chance.choice(blocks)
        terminal.feed(block)
        fed += len(block)
        if chance.random() < 0.02:
            terminal.resize(chance.randrange(1, 300), chance.randrange(1, 120))
            terminal.snapshot()
            terminal.look()
        if not told and fed > MUTANTS // 4:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
            told = True
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def test_it_takes_whatever_comes() -> None:
    """In a process of its own, which a fault of the library would end."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.emulator.test_mutants"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    quarter, whole = map(int, done.stdout.split())
    assert whole - quarter < GROWTH


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    feed()
