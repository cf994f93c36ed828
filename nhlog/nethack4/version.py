"""Whose save it is: the three words that every save begins with (save spec section 2.1).

Only NetHack 4.3's own saves are parsed; others are named as far as these words tell.
"""

from typing import Final, NamedTuple

from nhlog.errors import Unsupported
from nhlog.nethack4.wire import U32, BadSave, Layout

__all__ = [
    "NETHACK4",
    "Version",
    "check_engine",
    "engine_of",
    "engine_of_log",
]

NETHACK4: Final = "NetHack 4.3"
_FIQHACK: Final = "FIQHack"
_NETHACK4_NUMBER: Final = 0x04030000  # of all of 4.3, and of Fourk
_FIQHACK_NUMBER: Final = 0x04030100
_NETHACK4_SANITY: Final = 0x211B017D  # 33 artifacts, 432 kinds of objects, 381 species
# NetHack 4 itself never came to 4.3.1.
_LOG_VERSIONS: Final = {"4.003.000": NETHACK4, "4.003.001": _FIQHACK}


class Version(NamedTuple):
    """The words; `sanity` counts what the engine knows: artifacts, kinds of objects, species."""

    number: U32
    features: U32
    sanity: U32

    @property
    def artifacts(self) -> int:
        """How many artifacts the engine knows."""
        return self.sanity >> 24

    @property
    def kinds(self) -> int:
        """How many kinds of objects."""
        return self.sanity >> 12 & 0xFFF

    @property
    def species(self) -> int:
        """How many species of monsters."""
        return self.sanity & 0xFFF

    @property
    def engine(self) -> str:
        """The engine's name, or what can be said of it."""
        if self.number == _NETHACK4_NUMBER:
            if self.sanity == _NETHACK4_SANITY:
                return NETHACK4
            return f"Fourk or the like ({NETHACK4} with {self._known})"
        if self.number == _FIQHACK_NUMBER:
            return _FIQHACK
        return f"an engine with the version number {self.number:#010x}"

    @property
    def _known(self) -> str:
        return f"{self.artifacts} artifacts, {self.kinds} kinds of objects, {self.species} species"


VERSION: Final = Layout(Version, 12)


def engine_of(head: bytes) -> str:
    """The engine that wrote the save which begins so; raises :class:`BadSave` for less than its first 12 bytes."""
    return _version(head).engine


def engine_of_log(version: str, head: bytes = b"") -> str:
    """The engine of a log by the first bytes of one of its saves.

    Where no save can be decoded, all that tells is the version in the log's first line ("4.003.000"); Fourk's logs have
    the same one as NetHack 4's.
    """
    if len(head) >= VERSION.size:
        return _version(head).engine
    return _LOG_VERSIONS.get(version, f"an engine of version {version}")


def check_engine(data: bytes) -> Version:
    """The version of a save that can be parsed; raises :class:`Unsupported` for another engine's."""
    version = _version(data)
    if version.engine != NETHACK4:
        raise Unsupported("save of another engine", offset=0, expected=NETHACK4, found=version.engine)
    return version


def _version(data: bytes) -> Version:
    if len(data) < VERSION.size:
        raise BadSave("version: cut short", offset=len(data), expected=f"{VERSION.size} bytes", found=len(data))
    return VERSION.read(data)
