"""Binary saves rebuilt from backups and diffs, as opaque bytes (log spec sections 6.12, 6.13 and 11.2).

A save does not depend on which ones were requested before.  A request costs the diffs since the nearest known save; the
memory for known saves is bounded.
"""

from bisect import bisect_right
from collections.abc import Callable

from nhlog.errors import Damaged
from nhlog.log.columns import Columns
from nhlog.mdiff import Rebuild

__all__ = ["SaveChain"]

_SPACING = 16  # diffs between the saves kept while walking on
_KEPT_BYTES = 8 << 20  # of kept saves


class SaveChain:
    """The saves of a log, by number; `payload` decodes the line of a save and raises :class:`Damaged` for a bad one."""

    def __init__(self, columns: Columns, payload: Callable[[int], bytes]) -> None:
        self._columns = columns
        self._payload = payload
        self._kept: dict[int, bytes] = {}
        self._walk: tuple[int, Rebuild] | None = None

    def save(self, number: int) -> bytes:
        """The whole binary save `number`; raises :class:`Damaged` if the chain to it is broken.

        The checksum of the chain's last diff covers all of it: those of the others are not computed.
        """
        at, rebuild = self._nearest(number)
        self._walk = None  # until the walk has succeeded
        while at < number:
            at += 1
            diff = self._payload(at)
            try:
                rebuild.apply(diff)
            except Damaged as error:
                raise self._broken(at, error) from None
            if at % _SPACING == 0:
                self._keep(at, rebuild)
        try:
            save = rebuild.save()
        except Damaged as error:
            raise self._broken(number, error) from None
        self._walk = (number, rebuild)
        return save

    def _nearest(self, number: int) -> tuple[int, Rebuild]:
        """The nearest known save at or before `number`."""
        backups = self._columns.backups
        index = bisect_right(backups, number) - 1
        if index < 0:
            raise Damaged("no save backup comes before this")
        best = backups[index]
        if self._walk is not None and best <= self._walk[0] <= number:
            best = self._walk[0]
        kept = max((at for at in self._kept if best < at <= number), default=None)
        if kept is not None:
            return kept, Rebuild(self._kept[kept])
        if self._walk is not None and best == self._walk[0]:
            return self._walk
        return best, Rebuild(self._payload(best))

    def _keep(self, number: int, rebuild: Rebuild) -> None:
        """Keep a save on the way, unless its checksum is wrong, and drop the oldest ones beyond `_KEPT_BYTES`."""
        try:
            save = self._kept.get(number) or rebuild.save()
        except Damaged:
            return
        self._kept[number] = save
        while len(self._kept) * len(save) > _KEPT_BYTES:
            del self._kept[next(iter(self._kept))]

    def _broken(self, number: int, error: Damaged) -> Damaged:
        where = "" if error.offset is None else f" (byte {error.offset} of the diff)"
        what = f"the save diff cannot be applied: {error.what}{where}"
        return Damaged(what, offset=self._offset(number), expected=error.expected, found=error.found)

    def _offset(self, number: int) -> int:
        return self._columns.offsets[self._columns.save_lines[number]]
