"""What is known of a recording by playing it: snapshots of the terminal at some places, and what cannot be shown.

All who play the same recording share it, and go on from the same snapshots (see `tape` for why that matters).

A snapshot leaves one thing out: a terminal that was restored forgets other lines of those that scrolled off, and
another size pulls some of them back.  Who had sought saw then another screen than who had played, in two or three of a
thousand random recordings with many sizes.  So snapshots stand at places that depend on the recording alone, and what
gets another size is made of the snapshot before it, for everybody.

A change must keep that: no snapshot where somebody happened to stop, and none inside a part.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from nhlog.compression import ZSTD, decompress
from nhlog.errors import Damaged
from nhlog.vt.size import USUAL_SIZE, Size
from nhlog.vt.terminal import EmulatorFailed, Part, Terminal

__all__ = ["WHOLE_SCREEN", "Drawn", "Gap", "Snapshots", "TooSlow"]

WHOLE_SCREEN: Final = re.compile(rb"\x1bc|\x1b\[2J|\x1b\[\?(?:47|1047|1049)h|\x1b\[(?:1;1)?H\x1b\[0?J")
"""What clears the screen, so that it does not matter what was there."""


class TooSlow(Damaged):
    """The output takes far longer to emulate than what programs write."""


@dataclass(slots=True)
class Gap:
    """Parts that cannot be shown, from `first` on, where the emulator falls: up to, not with, `last`, a whole screen.

    `size` is the terminal's there; without `last` nothing was found yet in the parts up to `sought`.  Where it is
    `whole`, that screen came in the part before.
    """

    first: int
    fault: EmulatorFailed
    size: Size = USUAL_SIZE
    sought: int = 0
    last: int | None = None
    whole: bool = False

    def hides(self, parts: int) -> bool:
        """Whether what is shown after so many parts is what was shown before the gap."""
        return self.first < parts and (self.last is None or parts < self.last + (not self.whole))

    def seek(self, parts: Iterable[Part]) -> None:
        """Look on for its end in these."""
        for part in parts:
            if isinstance(part, Size):
                self.size = part
            elif WHOLE_SCREEN.search(part):
                self.last = self.sought
                return
            self.sought += 1


@dataclass(slots=True)
class Snapshots:
    """What is known of a recording by playing it: `states` after so many parts each, as `keys` has them.

    `known` parts were fed so far, which took `spent` seconds of the processor for `size` bytes; where there is a
    `fault`, no more can be.  What is in `gaps` was left out.
    """

    keys: list[int] = field(default_factory=list)
    states: list[bytes] = field(default_factory=list)
    known: int = 0
    size: int = 0
    spent: float = 0.0
    slow: TooSlow | None = None
    gaps: list[Gap] = field(default_factory=list)

    @property
    def fault(self) -> Damaged | None:
        """Why no more can be fed, as far as is known."""
        return self.slow or (self.gaps[-1].fault if self.gaps and self.gaps[-1].last is None else None)

    def terminal(self, number: int) -> Terminal:
        """The terminal of one of them."""
        return Terminal.restored(decompress(self.states[number], ZSTD).data)

    def drop(self, number: int) -> None:
        """Have one of them no more."""
        del self.keys[number], self.states[number]


@dataclass(slots=True)
class Drawn(Snapshots):
    """Those of all of a recording as what terminals of these `sizes` are fed, which may come from anybody.

    The emulator trusts snapshots: what is wrong in one of its own ends the process.
    """

    sizes: list[Size] = field(default_factory=list)

    def terminal(self, number: int) -> Terminal:
        """The terminal of one of them."""
        terminal = Terminal(self.sizes[number])
        terminal.feed(self.states[number])
        return terminal

    def drop(self, number: int) -> None:
        """Have one of them no more."""
        Snapshots.drop(self, number)  # super() knows no class with slots
        del self.sizes[number]
