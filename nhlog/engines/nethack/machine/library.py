"""nle's library, loaded into this process: one game, driven key by key.

It is loaded from the package as it is, without the package's own Python, which needs gymnasium and numpy.  The library
is a game's state, so a process loads it once.  What it calls for the time is replaced before a game begins: names of
shopkeepers, prices and more come from the moment of birth.

The layouts are those of nle 1.3.0 (include/nletypes.h); what another version has there, the test game notices, which
ends this process or has another digest.
"""

import ctypes
import os
from typing import Any, Final

from nhlog.engines.nethack.machine.clock import StandingClock
from nhlog.engines.nethack.machine.slots import slots_of
from nhlog.engines.nethack.machine.wire import FIELDS, SEEN
from nhlog.errors import Unsupported
from nhlog.files import read_whole

__all__ = ["Library"]

_CLOCK: Final = "time"
_LARGEST: Final = 1 << 26  # bytes of the library: it has three million
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
    """The library at `path`, and the game that it plays, in the current folder."""

    def __init__(self, path: str) -> None:
        self._slots = slots_of(read_whole(path, _LARGEST), (_CLOCK,))
        try:
            self._library = ctypes.CDLL(path)
        except OSError as error:
            raise Unsupported("nle's library cannot be loaded", found=str(error)) from None
        self._seen = ctypes.create_string_buffer(sum(size for _, size in FIELDS))
        self._screen = sum(size for name, size in FIELDS if name.startswith("tty_"))  # bytes, which come first
        self._before = ctypes.create_string_buffer(ctypes.sizeof(self._seen))
        self._observation = _Observation()
        at = ctypes.addressof(self._seen)
        for name, size in FIELDS:
            if hasattr(self._observation, name):
                setattr(self._observation, name, at)
            at += size
        for function in (self._library.nle_start, self._library.nle_step):
            function.restype = ctypes.c_void_p
            function.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Observation))
        self._library.nle_start.argtypes = (ctypes.POINTER(_Observation), ctypes.c_void_p, ctypes.POINTER(_Settings))
        self._clock: StandingClock | None = None
        self._game: Any = None

    def begin(self, second: int, seeds: tuple[int, int, int], options: bytes) -> bytes:
        """Start the game, with the clock standing at `second`; returns what is seen.

        The seeds are those of the generators of the core, of what is displayed, and of levels.
        """
        self._hold_clock(second)
        core, display, levels = seeds
        settings = _Settings(hackdir=os.fsencode(os.getcwd()), options=options, spawn_monsters=1)
        settings.seeds = _Seeds(core, display, b"\0", True, levels, True)
        self._game = self._library.nle_start(ctypes.byref(self._observation), None, ctypes.byref(settings))
        return self._told(0)

    def press(self, keys: bytes) -> bytes:
        """Give these keys to the game, until it ends; returns what is seen.

        A game that ends is no longer told of, and at last NetHack clears the screen for the terminal's next user: what
        was seen before is kept.
        """
        step, game, observation = self._library.nle_step, self._game, self._observation
        seen, before, copy, size = self._seen, self._before, ctypes.memmove, ctypes.sizeof(self._seen)
        taken = 0
        for key in keys:
            if observation.done:
                break
            observation.action = key
            copy(before, seen, size)
            step(game, observation)
            if observation.done:
                copy(seen, before, size)
            elif observation.in_normal_game == b"\0":
                copy(ctypes.byref(seen, self._screen), ctypes.byref(before, self._screen), size - self._screen)
            taken += 1
        return self._told(taken)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._observation.done)

    def _told(self, taken: int) -> bytes:
        seen = self._observation
        return SEEN.pack(taken, bool(seen.done), seen.in_normal_game != b"\0", seen.how_done) + self._seen.raw

    def _hold_clock(self, second: int) -> None:
        """Have the library call a clock that stands in place of the system's."""
        self._clock = StandingClock(os.uname().machine, second)
        told = ctypes.POINTER(_LinkMap)()
        if ctypes.CDLL(None).dlinfo(ctypes.c_void_p(self._library._handle), _LINK_MAP, ctypes.byref(told)):
            raise Unsupported("the system does not tell where a library was loaded to")
        slot = (told.contents.base or 0) + self._slots[_CLOCK]
        ctypes.c_void_p.from_address(slot).value = self._clock.address
