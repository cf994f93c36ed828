"""The engine of a save, by the three words that every save begins with (save spec section 2.1).

NetHack 4.3's own saves are parsed, and those of two editions of FIQHack, told apart by the number of kinds; for others,
only the engine is identified.
"""

from functools import lru_cache
from typing import Final

from nhlog.errors import Unsupported
from nhlog.nethack4.save.wire import FIQHACK, FIQHACK_18, FIQHACK_21, NETHACK4, U32, BadSave, Layout
from nhlog.values import NamedTuple, pattern

__all__ = ["FIQHACK", "NETHACK4", "VERSION", "Version", "check_engine", "engine_of", "engine_of_log", "has_hero"]

_NETHACK4_NUMBER: Final = 0x04030000  # of all of 4.3, and of Fourk
_FIQHACK_NUMBER: Final = 0x04030100
_NETHACK4_SANITY: Final = 0x211B017D  # 33 artifacts, 432 kinds of objects, 381 species
_EDITIONS: Final = {
    (_NETHACK4_NUMBER, _NETHACK4_SANITY): NETHACK4,
    (_FIQHACK_NUMBER, 0x211B717C): FIQHACK_18,  # 33 artifacts, 439 kinds of objects, 380 species
    (_FIQHACK_NUMBER, 0x211B817C): FIQHACK_21,  # a kind more
}
_SIGNATURE_SIZE: Final = 4
_SIGNATURE: Final = pattern(rb"[A-Za-z0-9-]{4}")
# NetHack 4 itself never came to 4.3.1.
_LOG_VERSIONS: Final = {"4.003.000": NETHACK4, "4.003.001": FIQHACK}


class Version(NamedTuple):
    """The first three words; NetHack 4's `sanity` has the numbers of its artifacts, kinds of objects and species."""

    number: U32
    features: U32
    sanity: U32

    @property
    def artifacts(self) -> int:
        """The number of artifacts in the engine."""
        return self.sanity >> 24

    @property
    def kinds(self) -> int:
        """The number of kinds of objects."""
        return self.sanity >> 12 & 0xFFF

    @property
    def species(self) -> int:
        """The number of species of monsters."""
        return self.sanity & 0xFFF

    @property
    def engine(self) -> str:
        """The engine's name, or a description if it is unknown."""
        if self.number == _NETHACK4_NUMBER:
            if self.sanity == _NETHACK4_SANITY:
                return NETHACK4
            if self._letters:
                return f"an engine whose id begins with {self._letters}"
            return f"Fourk or the like ({NETHACK4} with {self.known})"
        if self.number == _FIQHACK_NUMBER:
            return FIQHACK
        return f"an engine with the version number {self.number:#010x}"

    @property
    def edition(self) -> str:
        """The edition, by which its layout and its numbers are found; empty for a save that is not parsed."""
        return _EDITIONS.get((self.number, self.sanity), "")

    @property
    def _letters(self) -> str:
        """The signature, if it is that of an engine for this program (see `nhlog.savehead`); else empty."""
        letters = self.sanity.to_bytes(_SIGNATURE_SIZE, "little")
        return letters.decode("ascii") if _SIGNATURE.fullmatch(letters) else ""

    @property
    def known(self) -> str:
        """The numbers of artifacts, kinds and species in words."""
        return f"{self.artifacts} artifacts, {self.kinds} kinds of objects, {self.species} species"


VERSION: Final = Layout(Version, 12)
_FIQHACKS_KINDS: Final = [Version(number, 0, sanity).kinds for number, sanity in _EDITIONS if number == _FIQHACK_NUMBER]


def engine_of(head: bytes) -> str:
    """The name of the engine that wrote a save; raises :class:`BadSave` for less than its first 12 bytes."""
    return _version(head).engine


def engine_of_log(version: str, head: bytes = b"") -> str:
    """The name of the engine of a log.

    By `head`, the first bytes of one of its saves, or if that is shorter than 12 bytes by `version`, that of the log's
    first line (``4.003.000``); Fourk's logs have the same one as NetHack 4's.  Knows only NetHack 4 and its forks; for
    logs of other engines see `nhlog.formats.nhgame.engine`.
    """
    if len(head) >= VERSION.size:
        return _version(head).engine
    return _LOG_VERSIONS.get(version, f"an engine of version {version}")


def has_hero(head: bytes) -> bool:
    """Whether the hero can be found in a save that begins so; True, too, if `head` is too short to tell."""
    return len(head) < VERSION.size or _has_hero(head[: VERSION.size])


@lru_cache(maxsize=4)  # all saves of a log have one
def _has_hero(version: bytes) -> bool:
    return _version(version).engine in (NETHACK4, FIQHACK)


def check_engine(data: bytes) -> Version:
    """The version of a save that can be parsed.

    Raises :class:`Unsupported` for another engine's, :class:`BadSave` for less than its first 12 bytes.
    """
    version = _version(data)
    if version.engine not in (NETHACK4, FIQHACK):
        raise Unsupported("save of another engine", offset=0, expected=f"{NETHACK4} or {FIQHACK}", found=version.engine)
    if not version.edition:
        raise Unsupported(
            f"{FIQHACK} of another version",
            offset=8,
            expected=f"{' or '.join(map(str, _FIQHACKS_KINDS))} kinds of objects",
            found=version.known if version.kinds in _FIQHACKS_KINDS else f"{version.kinds} kinds of objects",
        )
    return version


def _version(data: bytes) -> Version:
    if len(data) < VERSION.size:
        raise BadSave("version: cut short", offset=len(data), expected=f"{VERSION.size} bytes", found=len(data))
    return VERSION.read(data)
