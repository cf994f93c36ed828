"""Binary saves rebuilt from backups and diffs, as opaque bytes (log spec sections 6.12, 6.13 and 11.2).

The save at a place is the same whichever saves were asked for before.
A seek costs the diffs since the nearest known save: a backup, or a keyframe that was made on the way to another one.

The problem: from a backup to the next one there may be 2,900 diffs, and a save of a long game has 850 kB.  Of each
the line was found among all lines, and 60 pieces were spliced into the save, which takes 39 µs of the processor on a
busy machine; each 64th save was packed.  Now of the lines between only those of diffs are looked at.  Those of large
saves are read as one chain (:mod:`nhlog.kernels.mdiff_chain`), which takes 10 µs each, and large saves are kept further
apart; of small ones, the 142 diffs to the end of a game of 54 kB take 9 ms one by one, and 22 as chains.  Who shows a
log, and waits for its user, has more of them kept meanwhile (`prepare`): of a log of 40 MB that takes 2 s, and 0.3 MB
of the cache, and then any save takes 5 ms and not 16, at the 99th percentile 10 and not 50.

Rejected, with the figures of the same machine:

- To do so while a log is first read, which would take three times as long, for whoever wants only to know how a game
  ended.
- Other distances between large saves, and lengths of a chain: with 128, 256, 512 and 1,024 saves, and chains of at
  most 16,384, as many, twice and four times as many commands, any save of a log of 40 MB took 29, 24, 17 and 14 ms at
  the median, 99, 71, 58 and 53 at the 99th percentile; one of a log of 4 MB, most of them near one that was visited,
  3.6, 5.5, 5.5 and 6.5 ms at the median.  Measured once each.

Where a diff is broken, all saves after it are lost up to the next backup, unless somebody else can tell what one of
them was (`prove`): the diff that follows has the checksum of what it makes.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from itertools import pairwise

from nhlog.errors import Damaged, LockNotObtained, LogRecovered, NhlogError, Unsupported
from nhlog.log.columns import Columns
from nhlog.log.keyframes import Keyframes, Store, is_large
from nhlog.mdiff import Rebuild
from nhlog.mdiff.rebuild import FEW

__all__ = ["SaveChain"]

_AT_ONCE = 8  # saves that are kept in advance before one looks at the keys
_PROVED_BYTES = 8 << 20  # of saves that somebody else could tell


class SaveChain:
    """The saves of a log, by number; `payload` decodes the line of a save and raises :class:`Damaged` for a bad one.

    In what `store` gives, if it does, keyframes outlast this object.  `diffs` decodes those of the saves from one to
    another, quicker than one by one: some of them, up to one that is damaged or rare.
    """

    def __init__(
        self,
        columns: Columns,
        payload: Callable[[int], bytes],
        store: Callable[[], Store | None] = lambda: None,
        diffs: Callable[[int, int], list[bytes]] = lambda first, last: [],
    ) -> None:
        self._columns = columns
        self._payload = payload
        self._diffs = diffs
        self._keyframes = Keyframes(lambda number: self._proved.get(number) or payload(number), store)
        self._proved: dict[int, bytes] = {}
        self._ends: dict[int, int] = {}  # of broken chains, by their first save: the last one that is sound
        self._causes: dict[int, tuple[int, Damaged]] = {}  # the save after that one, and what is wrong with it
        self._walk: tuple[int, Rebuild] | None = None
        self._preparing = self._prepared()

    def save(self, number: int) -> bytes:
        """The whole binary save `number`; raises :class:`Damaged` if the chain to it is broken, saying where.

        The checksum of the chain's last diff covers all of it: those of the others are not computed.
        """
        try:
            return self._found(number)
        except Damaged as error:
            raise self._cause(number, error) from None

    def _found(self, number: int) -> bytes:
        """That save; raises :class:`Damaged` for where the chain cannot be followed, which may be behind the cause."""
        try:
            return self._rebuilt(number)
        except Damaged:
            if not self._keyframes.doubt(self._beginning(number)):
                raise
            self._walk = None
            return self._rebuilt(number)

    def _rebuilt(self, number: int) -> bytes:
        save = self._walked(number)
        self._keyframes.settle()
        return save

    def _walked(self, number: int) -> bytes:
        first = self._beginning(number)
        at, rebuild = self._nearest(first, number)
        self._walk = None  # until the walk has succeeded
        while at < number:
            at = self._followed(rebuild, at, min(number, self._keyframes.next_wanted(at, rebuild.size)))
            if self._keyframes.wants(at, rebuild.size):
                self._keep(first, at, rebuild)
        self._walk = (number, rebuild)
        try:
            return rebuild.save()
        except Damaged as error:
            raise self._broken(number, error) from None

    def _followed(self, rebuild: Rebuild, at: int, until: int) -> int:
        """Come from save `at` nearer to save `until`, by the diffs of many saves at once if there are as many."""
        diffs = self._diffs(at + 1, until) if until - at >= FEW else []
        while is_large(rebuild.size) and len(diffs) >= FEW and (number := rebuild.follow(diffs)):
            at += number
            del diffs[:number]
            if not diffs:
                return at
        for diff in diffs or [self._payload(at + 1)]:
            try:
                rebuild.apply(diff)
            except Damaged as error:
                self._walk = (at, rebuild)  # as it was: whoever asks for a later save comes to the same end
                raise self._broken(at + 1, error) from None
            at += 1
        return at

    def prepare(self) -> bool:
        """Keep some large saves where nobody was yet, for as long as a frame takes; False where none are left.

        It is for who waits for somebody else: it makes no save sooner that is asked for but once.
        """
        return next(self._preparing, False)

    def _prepared(self) -> Iterator[bool]:
        for first, end in pairwise([*self._columns.backups, len(self._columns.save_lines)]):
            with suppress(Damaged, Unsupported):  # which is told to who asks for such a save
                for count, number in enumerate(self._keyframes.missing(first, end), 1):
                    self._keyframes.keep(first, number, self._walked(number))
                    if count % _AT_ONCE == 0:
                        self._keyframes.settle()
                        yield True
            self._keyframes.settle()
            yield True

    def last_sound(self, number: int) -> int:
        """The latest save at or before `number` that can be rebuilt; -1 where there is none.

        A chain that is broken at one save is taken to be so up to the next backup; where is found once.
        """
        while (first := self._beginning(number)) >= 0:
            if first not in self._ends:
                if self._is_sound(number):
                    return number
                self._ends[first] = self._end(first, number)
            if self._ends[first] >= first:
                return min(number, self._ends[first])
            number = first - 1
        return -1

    def _cause(self, number: int, error: Damaged) -> Damaged:
        """What is wrong with the first save of a chain that is lost, which is why `number` is."""
        first = self._beginning(number)
        if first < 0:
            return error
        if first not in self._causes:
            if first not in self._ends:
                self._ends[first] = self._end(first, number)
            lost = self._ends[first] + 1
            self._causes[first] = lost, copy(self._error(lost) or error)  # without what raised it
        lost, cause = self._causes[first]
        return copy(cause) if lost <= number else error

    def _error(self, number: int) -> Damaged | None:
        """Why a save cannot be rebuilt."""
        try:
            self._found(number)
        except Damaged as error:
            return error
        return None

    def _end(self, first: int, bad: int) -> int:
        """The last sound save of a chain that begins with `first` and is broken at `bad`; before `first` if none is."""
        good = first - 1
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (middle, bad) if self._is_sound(middle) else (good, middle)
        return good

    def _is_sound(self, number: int) -> bool:
        try:
            self._found(number)
        except (LockNotObtained, LogRecovered):
            raise
        except NhlogError:
            return False
        return True

    def prove(self, number: int, before: bytes) -> bytes | None:
        """Save `number`, which cannot be rebuilt, if its diff is sound and `before` is the save that it was made from.

        From then on it can be read.  None if the diff proves nothing; raises :class:`Damaged` if its checksum proves
        that the save before was another.
        """
        rebuild = Rebuild(before)
        try:
            rebuild.apply(self._payload(number))
        except (Damaged, Unsupported):
            return None
        if not rebuild.vouched:
            return None
        try:
            save = rebuild.save()
        except Damaged as error:
            raise self._broken(number, error) from None
        _remember(self._proved, number, save)
        self._walk = (number, rebuild)
        return save

    def _beginning(self, number: int) -> int:
        """The save that the chain to `number` begins with: a backup, or one that was proved; -1 where there is none."""
        backups = self._columns.backups
        index = self._columns.backup_at(number)
        backup = backups[index] if index >= 0 else -1
        return max((at for at in self._proved if backup < at <= number), default=backup)

    def _nearest(self, first: int, number: int) -> tuple[int, Rebuild]:
        """The latest save in memory at or before `number`, in the chain that begins with `first`."""
        if first < 0:
            raise Damaged("no save backup comes before this")
        walk = self._walk if self._walk is not None and first <= self._walk[0] <= number else None
        keyframe = self._keyframes.latest(first, walk[0] if walk else first, number)
        save = self._keyframes.restore(first, keyframe) if keyframe is not None else None
        if keyframe is not None and save is not None:
            return keyframe, Rebuild(save)
        return walk or (first, Rebuild(self._keyframes.first(first)))

    def _keep(self, first: int, number: int, rebuild: Rebuild) -> None:
        """Keep a save on the way, unless its checksum is wrong."""
        try:
            save = rebuild.save()
        except Damaged:
            return
        self._keyframes.keep(first, number, save)

    def _broken(self, number: int, error: Damaged) -> Damaged:
        where = "" if error.offset is None else f" (byte {error.offset} of the diff)"
        what = f"the save diff cannot be applied: {error.what}{where}"
        return Damaged(what, offset=self._offset(number), expected=error.expected, found=error.found)

    def _offset(self, number: int) -> int:
        return self._columns.offsets[self._columns.save_lines[number]]


def _remember(saves: dict[int, bytes], number: int, save: bytes) -> None:
    """Add one, letting go of the oldest where there are too many."""
    saves[number] = save
    while len(saves) * len(save) > _PROVED_BYTES and len(saves) > 1:
        del saves[next(iter(saves))]
