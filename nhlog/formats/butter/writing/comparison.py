"""Two recordings of a session, side by side: the records of `nhlog diff`."""

from collections.abc import Iterator
from typing import Any

from nhlog.formats.butter.reading.stream import open_flow
from nhlog.formats.butter.writing.compare import Differences, in_pairs

__all__ = ["diff"]


def diff(a: str, b: str) -> Iterator[dict[str, Any]]:
    """A record for each field that both recordings have, and at last one about their frames."""
    differences = Differences()
    only_a = only_b = 0
    with open_flow(a) as one, open_flow(b) as other:
        for left, right in in_pairs(one.frames(), other.frames()):
            if left is None:
                only_b += 1
            elif right is None:
                only_a += 1
            else:
                differences.add(left, right)
        fields = [*differences.records()]
        yield from fields
        yield {
            "frames": differences.frames,
            "only_a": only_a,
            "only_b": only_b,
            "differing": sum(field["largest"] != 0 for field in fields),
            "error_a": one.faults.told(),
            "error_b": other.faults.told(),
        }
