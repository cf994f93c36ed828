"""The game's flags and the few options that a save has (save spec section 2.2)."""

from typing import Annotated, Final

from nhlog.nethack4.save.wire import I8, I16, I32, I64, Cursor, Layout, check
from nhlog.values import NamedTuple

__all__ = ["Flags", "FlagsParts", "passed_of_flags", "read_flags", "skip_flags"]

_ENCODINGS: Final = range(3)
_CLASSES: Final = range(18)
_RULE: Final = 44
_TRAVEL: Final = 2
_SECTION: Final = "flags"


class _Record(NamedTuple):
    turntime: I64
    djinni_count: I32
    ghost_count: I32
    timezone: I32
    polyinit_mnum: I32
    ident: I32
    last_cmd: I32
    moonphase: I32
    no_of_wizards: I32
    pickup_burden: I32
    recently_broken_otyp: I32
    autodig: I8
    autodigdown: I8
    autoquiver: I8
    beginner: I8
    bones_enabled: I8
    cblock: I8
    corridorbranch: I8
    debug: I8
    desync: I8
    explore: I8
    elbereth: I8
    end_disclose: I8
    friday13: I8
    incomplete: I8
    interaction_mode: I8
    interrupted: I8
    legacy: I8
    made_amulet: I8
    menu_style: I8
    mon_generation: I8
    mon_moving: I8
    mon_polycontrol: I8
    occupation: I8
    permablind: I8
    permahallu: I8
    pickup: I8
    pickup_thrown: I8
    prayconfirm: I8
    pushweapon: I8
    rogue_enabled: I8
    seduce: I8
    showrace: I8
    show_uncursed: I8
    sortpack: I8
    sparkle: I8
    tombstone: I8
    travel_interrupt: I8
    verbose: I8
    last_argtype: I32
    last_dir: I32
    last_x: I16
    last_y: I16
    last_invlet: I8
    last_spelllet: I8
    last_limit: I32
    actions: I8
    save_encoding: I8
    hide_implied: I8
    servermail: I8
    padding: Annotated[bytes, "108s"]
    seed: Annotated[bytes, "16s"]
    class_order: Annotated[bytes, "18s"]
    last_string: bytes
    autopickup_rules: bytes
    travel: tuple[int, int]


class Flags(_Record):
    """The flags by their names in the game; `turntime` is in microseconds since 1970.

    `save_encoding` says what counters are relative to: 0 nothing, 1 the turn, 2 their level's last turn.
    `autopickup_rules` has 44 bytes for each rule.
    """

    __slots__ = ()

    @property
    def inv_order(self) -> bytes:
        """Object classes in the order of the inventory; missing ones are not listed."""
        return self.class_order.partition(b"\0")[0]

    @property
    def revision(self) -> int:
        """The number of the layout, which FIQHack stores where NetHack 4 has `servermail` and zeros."""
        return self.servermail & 0xFF | int.from_bytes(self.padding[:3], "little") << 8

    def relative(self, turn: int) -> int:
        """The number that the hero's counters were stored relative to at this turn."""
        return -turn if self.save_encoding else 0


_FLAGS: Final = Layout(Flags, 250)


class FlagsParts(NamedTuple):
    """The offsets of the flags and of what follows them: two arrays of varying length and a position."""

    at: int
    last_string: slice
    autopickup_rules: slice
    travel_at: int


def skip_flags(cursor: Cursor) -> FlagsParts:
    """Move the cursor over the flags; raises :class:`BadSave`."""
    return FlagsParts(
        cursor.skip(_FLAGS.size, _SECTION),
        cursor.rows(1, "flags: last string"),
        cursor.rows(_RULE, "flags: autopickup rules"),
        cursor.skip(_TRAVEL, "flags: travel target"),
    )


def passed_of_flags(parts: FlagsParts) -> tuple[slice, ...]:
    """What :func:`skip_flags` passes over without a look."""
    at, last_string, rules, travel = parts
    return slice(at, at + _FLAGS.size), last_string, rules, slice(travel, travel + _TRAVEL)


def read_flags(data: bytes, parts: FlagsParts) -> Flags:
    """Read the flags at the offsets that `skip_flags` returned."""
    at, last_string, rules, travel = parts
    flags = _FLAGS.extended(data, at, data[last_string], data[rules], (data[travel], data[travel + 1]))
    check(flags.save_encoding, _ENCODINGS, "flags: save encoding", at)
    check(max(flags.class_order), _CLASSES, "flags: class order", at)
    return flags
