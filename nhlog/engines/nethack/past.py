"""What makes a game: how it was begun, and the keys since then."""

import re
import zlib
from hashlib import blake2b
from typing import Final, Self

from nhlog.engines.nethack.machine.wire import MOST_OPTIONS
from nhlog.engines.nethack.options import first_of_each, read_options
from nhlog.engines.nethack.roles import allows
from nhlog.engines.protocol import NewGame
from nhlog.errors import Usage
from nhlog.values import dataclass

__all__ = ["Past", "Start", "seeds_of", "start_of"]

_SECOND: Final = 1_000_000  # microseconds
_LATEST: Final = 1 << 31  # NetHack has days of four-digit years, and so have we
_MODES: Final = ("", "explore", "debug", "")  # as NetHack calls those of a log's header
_FIXED: Final = ("nobones", "!mail", "runmode:teleport")
"""What is set in every game: nothing may come from elsewhere (bones, mail), nor be animated."""
_USUAL: Final = (
    *("color", "!autopickup", "pickup_types:$", "showexp", "time", "hilite_pet", "mention_walls"),
    *("!legacy", "disclose:+i +a +v +g +c +o"),
)
"""What is set unless the player's own options say otherwise."""
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_. ]")
_ASKED: Final = ("play", "game")  # NetHack asks for another name in place of one that begins so
_LONGEST: Final = 31  # characters of a name


@dataclass(frozen=True, slots=True)
class Start:
    """How a game was begun: the second at which its clock stands, the seeds of NetHack's generators, its options."""

    second: int
    seeds: tuple[int, int, int]
    options: bytes


def start_of(options: NewGame) -> Start:
    """How a new game is begun; raises :class:`Usage` for a hero that there is not, and for too many options."""
    if not allows(options.role, options.race, options.gender, options.alignment):
        hero = f"{options.alignment} {options.gender} {options.race} {options.role}"
        raise Usage("there is no such hero in NetHack", found=hero)
    who = (
        f"name:{_plain(options.name)}",
        f"role:{options.role}",
        f"race:{options.race}",
        f"gender:{options.gender}",
        f"align:{options.alignment}",
    )
    mode = _MODES[options.mode] if 0 <= options.mode < len(_MODES) else ""
    own = read_options(options.own_options)
    words = first_of_each([*_FIXED, *who, *([f"playmode:{mode}"] if mode else []), *own.words, *_USUAL])
    text = "\n".join((",".join(words), *own.statements)).encode()
    if len(text) > MOST_OPTIONS:
        raise Usage("too many options", expected=f"at most {MOST_OPTIONS} bytes", found=f"{len(text)} bytes")
    return Start(min(max(options.start // _SECOND, 0), _LATEST), seeds_of(options.seed), text)


def seeds_of(seed: int) -> tuple[int, int, int]:
    """The seeds of NetHack's generators for a game that begins with this seed."""
    digest = blake2b(b"%d" % seed, digest_size=24).digest()
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:16]), int.from_bytes(digest[16:])


def _plain(name: str) -> str:
    """A name that NetHack takes as it is."""
    plain = _UNSAFE.sub("_", name).strip()[:_LONGEST] or "nobody"
    return plain.capitalize() if plain.startswith(_ASKED) else plain


class Past:
    """An immutable past: a `start`, and `count` keys; `name` is a checksum of both, by which a save names it.

    One that was made of another by a key shares that one's bytes, so that a long game has them once.
    """

    __slots__ = ("_keys", "count", "name", "start")

    def __init__(self, start: Start, keys: bytes = b"") -> None:
        self.start = start
        self.count = len(keys)
        self.name = zlib.crc32(keys, zlib.crc32(repr((start.second, start.seeds, start.options)).encode()))
        self._keys = bytearray(keys)

    def then(self, keys: bytes) -> Self:
        """This past and some keys more."""
        longer = type(self).__new__(type(self))
        longer.start = self.start
        longer.count = self.count + len(keys)
        longer.name = zlib.crc32(keys, self.name)
        if len(self._keys) == self.count:
            self._keys += keys
            longer._keys = self._keys
        else:  # it went on otherwise before
            longer._keys = self._keys[: self.count] + keys
        return longer

    def since(self, earlier: "Past") -> bytes | None:
        """The keys since an earlier past; None if that one does not lead here."""
        if earlier.start != self.start or earlier.count > self.count:
            return None
        if earlier._keys is not self._keys and earlier.keys != bytes(self._keys[: earlier.count]):
            return None
        return bytes(self._keys[earlier.count : self.count])

    @property
    def keys(self) -> bytes:
        """All keys."""
        return bytes(self._keys[: self.count])
