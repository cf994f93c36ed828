"""The machine as its user sees it: NetHack, which plays one game as it is given keys, in a process that may fall.

Nothing that it sends is trusted: an answer has a greatest length, and who reads what is seen checks it.
"""

import os
from hashlib import blake2b
from importlib.util import find_spec
from typing import Final

from nhlog.confined.worker import Worker
from nhlog.engines.nethack.machine.folder import Folder
from nhlog.engines.nethack.machine.wire import ANSWER, BEGIN, COMMAND, LONGEST, MOST_OPTIONS, Command, Outcome
from nhlog.errors import NhlogError, Unsupported
from nhlog.files import CannotOpen, read_whole
from nhlog.values import NamedTuple

__all__ = ["INSTALL", "Build", "Machine", "NotReproducible", "build"]

INSTALL: Final = "pip install 'nhlog[nethack]'"
"""What has to be done where NetHack is not installed."""

_WORKER: Final = "nhlog.engines.nethack.machine.worker"
_TESTED: Final = bytes.fromhex("fac9b69fd68f7da6cabe6c3abef0faf1")
"""The digest of the test game (see `worker`), as NetHack 3.6.7 of nle 1.3.0 played it."""
_LARGEST: Final = 1 << 26  # bytes of each of the package's files
_AT_ONCE: Final = 20_000  # keys given at once: half a second
_SYSTEM: Final = {"TZ": "UTC0", "LC_ALL": "C"}  # what the system's clock and words depend on


class NotReproducible(Unsupported):
    """NetHack plays otherwise here than where its logs come from."""


class Build(NamedTuple):
    """NetHack as it is installed: the folder of nle, and a digest of the library and the data."""

    package: str
    digest: bytes


def build() -> Build:
    """NetHack as it is installed; raises :class:`Unsupported` where it is not."""
    spec = find_spec("nle")  # which imports nothing of it
    if spec is None or spec.origin is None:
        raise Unsupported(f"NetHack is not installed: {INSTALL} gets it")
    package = os.path.dirname(spec.origin)
    digest = blake2b(digest_size=8)
    try:
        for name in ("libnethack.so", os.path.join("nethackdir", "nhdat")):
            digest.update(read_whole(os.path.join(package, name), _LARGEST))
    except CannotOpen as error:
        raise Unsupported("nle is not whole", found=str(error)) from None
    return Build(package, digest.digest())


class Machine:
    """A game of NetHack; `seen` is what is seen now (see `wire`).

    All methods raise :class:`~nhlog.confined.worker.Ended` where the process fell, and :class:`NhlogError` where it
    tells why it cannot do what it is asked for; making one raises :class:`NotReproducible`, too.
    """

    def __init__(self, package: str, second: int, seeds: tuple[int, int, int], options: bytes) -> None:
        """Begin a game with these seeds, of the core, the display, and the levels; the clock stands at `second`."""
        if len(options) > MOST_OPTIONS:
            raise NhlogError("too many options", expected=f"at most {MOST_OPTIONS} bytes", found=len(options))
        self._folder = Folder()
        try:
            self._worker = Worker(
                _WORKER,
                self._folder.path,
                str(self._folder.lock),
                package,
                called="NetHack",
                most=LONGEST + ANSWER.size,
                environment=_SYSTEM,
                keeps=(self._folder.lock,),
            )
        except NhlogError:
            self._folder.remove()
            raise
        try:
            tested = self._answer()
            if tested != _TESTED:
                raise NotReproducible(
                    "not reproducible here: NetHack plays a known game otherwise",
                    expected=_TESTED.hex(),
                    found=tested.hex(),
                )
            self.seen = self._asked(Command.BEGIN, BEGIN.pack(second, *seeds) + options)
        except BaseException:
            self.end()
            raise

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._worker.pid

    def press(self, keys: bytes) -> bytes:
        """Give keys to the game, a byte each; returns what is seen then."""
        for start in range(0, len(keys), _AT_ONCE):
            self.seen = self._asked(Command.PRESS, keys[start : start + _AT_ONCE])
        return self.seen

    def end(self) -> None:
        """End it; the game can be begun again with the same seeds and keys."""
        self._worker.end()
        self._folder.remove()

    def disown(self) -> None:
        """Forget it, as a process that was forked from its user has to."""
        self._worker.disown()
        self._folder.leave()

    def _asked(self, command: Command, body: bytes) -> bytes:
        self._worker.send(COMMAND.pack(command, len(body)) + body)
        return self._answer()

    def _answer(self) -> bytes:
        try:
            outcome, size = ANSWER.unpack(self._worker.receive(ANSWER.size))
            if size > LONGEST:
                raise NhlogError("NetHack sends too much", expected=f"at most {LONGEST} bytes", found=size)
            told = self._worker.receive(size)
        except BaseException:  # the rest of an answer would be taken for the next one
            self._worker.end()
            raise
        if outcome != Outcome.DONE:
            raise NhlogError(told.decode(errors="replace"))
        return told
