"""nle's library, loaded into this process: one game, driven key by key.

It is loaded from the package as it is, without the package's own Python, which needs gymnasium and numpy.  The library
is a game's state, so a process loads it once, or copies of it.  What it calls for the time is replaced before a game
begins: names of shopkeepers, prices and more come from the moment of birth.  So is what it calls for its user.

The layouts are those of nle 1.3.0 (include/nletypes.h); what another version has there, the test game notices, which
ends this process or has another digest.
"""

import _ctypes
import ctypes
import os
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from nhlog.engines.nethack.machine.clock import OneUser, StandingClock
from nhlog.engines.nethack.machine.slots import slots_of
from nhlog.engines.nethack.machine.wire import FIELDS, MOST_LINE, SEEN
from nhlog.errors import Unsupported
from nhlog.files import read_whole

__all__ = ["DATA", "LARGEST", "LIBRARY", "NO_LEVELS", "Library", "last_line", "lay_out", "system_slots"]

LIBRARY: Final = "libnethack.so"
DATA: Final = "nethackdir"
XLOGFILE: Final = "xlogfile"
_SYMBOLS: Final = "symbols"  # the sets of them that an option names
_FILE: Final = "nethackrc"
_EMPTY: Final = ("perm", "record", "logfile", XLOGFILE)  # NetHack wants them to be there

NO_LEVELS: Final = (1 << 64) - 1
"""The seed of levels that have none of their own: the generator of the core makes them, as is nle's default."""
_CLOCK: Final = "time"
_ZONE: Final = "localtime"
_USER: Final = "getpwuid"
LARGEST: Final = 1 << 26  # bytes of the library: it has three million
_LINK_MAP: Final = 2  # RTLD_DI_LINKMAP of dlinfo(3)


class _Observation(ctypes.Structure):
    """What is asked of a step, where it is put, and what became of it; nowhere for what is not wanted."""

    _fields_ = (
        ("action", ctypes.c_int),
        ("done", ctypes.c_int),
        ("in_normal_game", ctypes.c_char),
        ("how_done", ctypes.c_int),
        *(
            (name, ctypes.c_void_p)
            for name in (
                *("glyphs", "chars", "colors", "specials", "blstats", "message", "program_state", "internal"),
                *("inv_glyphs", "inv_strs", "inv_letters", "inv_oclasses", "screen_descriptions"),
                *("tty_chars", "tty_colors", "tty_cursor", "misc"),
            )
        ),
    )


class _Seeds(ctypes.Structure):
    _fields_ = (
        ("core", ctypes.c_ulong),
        ("display", ctypes.c_ulong),
        ("reseed", ctypes.c_char),  # whether NetHack takes new seeds from the system now and then
        ("use_seeds", ctypes.c_bool),
        ("levels", ctypes.c_ulong),
        ("use_levels", ctypes.c_bool),
    )


class _Settings(ctypes.Structure):
    _fields_ = (
        ("hackdir", ctypes.c_char * 4096),
        ("scoreprefix", ctypes.c_char * 4096),
        ("options", ctypes.c_char * 32768),
        ("wizkit", ctypes.c_char * 4096),
        ("spawn_monsters", ctypes.c_int),
        ("ttyrecname", ctypes.c_char * 4096),
        ("seeds", _Seeds),
        ("fix_moon_phase", ctypes.c_bool),
        ("time_seed", ctypes.c_ulong),
        ("time_seed_is_set", ctypes.c_bool),
    )


class _LinkMap(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p),)


class Library:
    """The library in the file `path`, with its slots for the system (`system_slots`), and the game that it plays.

    What is seen is in `memory`, field by field as in `FIELDS`; `more` are addresses for further fields, by name.
    """

    def __init__(self, path: str, slots: Mapping[str, int], more: Mapping[str, int] = MappingProxyType({})) -> None:
        self._slots = slots
        try:
            self._library = ctypes.CDLL(path)
        except OSError as error:
            raise Unsupported("nle's library cannot be loaded", found=str(error)) from None
        self.memory = ctypes.create_string_buffer(sum(size for _, size in FIELDS))
        self._size = ctypes.sizeof(self.memory)
        self._screen = sum(size for name, size in FIELDS if name.startswith("tty_"))  # bytes, which come first
        self._before = ctypes.create_string_buffer(self._size)  # a key earlier; what is no screen: of the game
        self._observation = _Observation()
        at = ctypes.addressof(self.memory)
        for name, size in FIELDS:
            if hasattr(self._observation, name):
                setattr(self._observation, name, at)
            at += size
        for name, address in more.items():
            setattr(self._observation, name, address)
        for function in (self._library.nle_start, self._library.nle_step):
            function.restype = ctypes.c_void_p
            function.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Observation))
        self._library.nle_start.argtypes = (ctypes.POINTER(_Observation), ctypes.c_void_p, ctypes.POINTER(_Settings))
        self._library.nle_end.restype = None
        self._library.nle_end.argtypes = (ctypes.c_void_p,)
        self._step = self._library.nle_step
        self._held: list[object] = []  # what stands in for the system
        self._game: Any = None

    def begin(self, second: int, seeds: tuple[int, int, int], options: bytes, folder: str) -> bytes:
        """Start the game, in this folder, with the clock standing at `second`; returns what is seen.

        The seeds are those of the generators of the core, of what is displayed, and of levels.
        """
        self._held = _hold(self._library, self._slots, second)
        core, display, levels = seeds
        settings = _Settings(hackdir=os.fsencode(folder), options=_given(options, folder), spawn_monsters=1)
        settings.seeds = _Seeds(core, display, b"\0", True, levels, levels != NO_LEVELS)
        self._game = self._library.nle_start(ctypes.byref(self._observation), None, ctypes.byref(settings))
        ctypes.memmove(self._before, self.memory, self._size)
        return self.told()

    def press(self, keys: bytes) -> bytes:
        """Give these keys to the game, until it ends; returns what is seen."""
        taken = 0
        for key in keys:
            if self.is_over:
                break
            self.give(key)
            taken += 1
        return self.told(taken)

    def give(self, key: int) -> None:
        """Give a key to the game, which is not over."""
        observation = self._observation
        ctypes.memmove(self._before, self.memory, self._screen if observation.in_normal_game == b"\0" else self._size)
        observation.action = key
        self._step(self._game, observation)

    def told(self, taken: int = 0) -> bytes:
        """What is seen, as it is told to who uses a machine, with the number of keys that were taken at once.

        A game that ends no longer tells how it was, and at last NetHack clears the screen for the terminal's next user:
        then it is what was seen before.
        """
        observation, seen = self._observation, self.memory.raw
        if observation.done:
            seen = self._before.raw
        elif observation.in_normal_game == b"\0":
            seen = seen[: self._screen] + self._before.raw[self._screen :]
        return SEEN.pack(taken, self.is_over, self.is_normal, observation.how_done) + seen

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._observation.done)

    @property
    def is_normal(self) -> bool:
        """Whether a game is going on: it has begun, and not come to its end."""
        return bool(self._observation.in_normal_game != b"\0")

    @property
    def how_done(self) -> int:
        """How the game ended, by number."""
        return int(self._observation.how_done)

    def end(self) -> None:
        """End the game, and let go of the library; nothing may be called then."""
        if self._game is not None:
            self._library.nle_end(self._game)
            self._game = None
            _ctypes.dlclose(self._library._handle)


def _given(options: bytes, folder: str) -> bytes:
    """The options (see `options`) as NetHack takes them: a text of words, or the name of a file with statements.

    Of such a file the last word of a name counts, of the text the first.
    """
    words, *statements = options.split(b"\n")
    if not statements:
        return words
    path = os.path.join(folder, _FILE)
    lines = [b"OPTIONS=" + word for word in reversed(words.split(b","))]
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    try:
        os.write(file, b"\n".join((*lines, *statements, b"")))
    finally:
        os.close(file)
    return b"@" + _FILE.encode()


def lay_out(package: str, folder: str) -> None:
    """Make the files that NetHack wants in a folder; its data are those of the package."""
    os.symlink(os.path.join(package, DATA, "nhdat"), os.path.join(folder, "nhdat"))
    os.symlink(os.path.join(package, DATA, "dat", _SYMBOLS), os.path.join(folder, _SYMBOLS))
    for name in _EMPTY:
        os.close(os.open(os.path.join(folder, name), os.O_CREAT | os.O_WRONLY, 0o600))
    os.mkdir(os.path.join(folder, "save"))


def last_line(folder: str) -> bytes:
    """What NetHack wrote of the game that ended in a folder, if it did."""
    with suppress(OSError):
        file = os.open(os.path.join(folder, XLOGFILE), os.O_RDONLY)
        try:
            return os.read(file, MOST_LINE)
        finally:
            os.close(file)
    return b""


def system_slots(path: str) -> dict[str, int]:
    """Where the library in this file asks the system for the time, and who plays (see `slots`)."""
    return slots_of(read_whole(path, LARGEST), (_CLOCK, _ZONE, _USER))


def _hold(library: ctypes.CDLL, slots: Mapping[str, int], second: int) -> list[object]:
    """Have a loaded library call, through these slots, a clock that stands, and what gives one user.

    What is returned has to be kept as long as the library is loaded.  Whatever the time zone is, the library's is UTC.
    """
    system, told = ctypes.CDLL(None), ctypes.POINTER(_LinkMap)()
    if system.dlinfo(ctypes.c_void_p(library._handle), _LINK_MAP, ctypes.byref(told)):
        raise Unsupported("the system does not tell where a library was loaded to")
    kind = os.uname().machine
    clock, user = StandingClock(kind, second), OneUser(kind)
    zone = ctypes.cast(system.gmtime, ctypes.c_void_p).value
    for name, address in ((_CLOCK, clock.address), (_ZONE, zone), (_USER, user.address)):
        ctypes.c_void_p.from_address((told.contents.base or 0) + slots[name]).value = address
    return [clock, user]
