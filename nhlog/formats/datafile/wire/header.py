"""Parsing of a datafile's header, and repair of a single impossible count from the others."""

from typing import Final

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.datafile.wire.values import (
    COUNTS_FROM,
    HEADER,
    HEADER_SIZE,
    ITEM_TYPE,
    MAGICS,
    MAX_COUNT,
    MAX_HEAD,
    VERSIONS,
    Finding,
    Header,
    Layout,
    layout_of,
)

__all__ = ["check_sizes", "head_size", "parse_header", "repair_counts"]


def parse_header(head: bytes) -> Header:
    """Parse the header at the start of `head`.

    Raises :class:`Unsupported` if it is no datafile or of an unknown version, :class:`Damaged` if it is incomplete.
    """
    if not head or not any(magic.startswith(head[:4]) for magic in MAGICS):
        raise Unsupported("not a datafile", offset=0, expected="DATA or ATAD", found=repr(head[:4]))
    if len(head) < HEADER_SIZE:
        raise Damaged("truncated in the header", offset=len(head), expected=f"{HEADER_SIZE} bytes", found=len(head))
    header = Header._make(HEADER.unpack_from(head))
    if header.version not in VERSIONS:
        raise Unsupported("unknown datafile version", offset=4, expected="3 or 4", found=header.version)
    return header


def head_size(header: Header, size: int) -> int:
    """The number of bytes that `parse_head` needs of a file of `size`; raises as :func:`repair_counts` does."""
    end = layout_of(repair_counts(header, size)[0]).data
    return min(end, size, MAX_HEAD)


_COUNTS: Final = ("num_item_types", "num_items", "num_data", "item_size", "data_size")


def repair_counts(header: Header, size: int) -> tuple[Header, list[Finding]]:
    """The header, with a single impossible count repaired from the others, and the findings.

    A count is impossible if it is negative, or too large for the file while `swaplen` contradicts it.  Raises
    :class:`Damaged` if more than one is.
    """
    if _agrees(header):
        return header, []
    widths: dict[str, int] = dict(zip(_COUNTS, (ITEM_TYPE.size, 4, 8 if header.version == 4 else 4, 1, 1), strict=True))
    room = size - HEADER_SIZE
    most = {name: min(room // width, MAX_COUNT) for name, width in widths.items()} | {"item_size": room}
    bad = [name for name in _COUNTS[:4] if not 0 <= getattr(header, name) <= most[name]]
    bad += ["data_size"] if header.data_size < 0 else []
    findings = [_count_finding(header, name) for name in bad]
    if not bad:
        return header, []
    known = sum(getattr(header, name) * widths[name] for name in _COUNTS[:4] if name not in bad)
    if bad == ["data_size"]:
        return header._replace(data_size=max(room - known, 0)), findings
    left = header.swaplen - (HEADER_SIZE - COUNTS_FROM) - known
    count, rest = divmod(left, widths[bad[0]])
    if len(bad) > 1 or rest or not 0 <= count <= most[bad[0]]:
        first = findings[0]
        raise Damaged(first.what, offset=first.offset, expected=first.expected, found=first.found)
    return header._replace(**{bad[0]: count}), findings


def _agrees(header: Header) -> bool:
    """Whether `swaplen` is consistent with the counts: then a file that is too small for them was truncated."""
    possible = all(0 <= count <= MAX_COUNT for count in header[4:7]) and header.item_size >= 0 <= header.data_size
    return possible and layout_of(header).data - COUNTS_FROM == header.swaplen


def _count_finding(header: Header, name: str) -> Finding:
    offset = COUNTS_FROM + 4 * _COUNTS.index(name)
    return Finding(offset, f"{name} cannot be", "a count that the file has room for", str(getattr(header, name)))


def check_sizes(stated: Header, header: Header, layout: Layout, size: int) -> list[Finding]:
    """Findings for `size` and `swaplen`; only notes if they lack the table of sizes, which an old writer forgot."""
    findings = []
    forgotten = 4 * header.num_data if header.version == 4 else 0
    end = layout.data + header.data_size
    for name, offset, right in (("size", 8, end), ("swaplen", 12, layout.data)):
        right -= COUNTS_FROM
        found = getattr(stated, name)
        if found == right:
            continue
        crude = found == right - forgotten
        what = f"{name} leaves out the data sizes, as an old writer did" if crude else f"wrong {name}"
        findings.append(Finding(offset, what, str(right), str(found), fault=not crude))
    if size < end:
        findings.append(Finding(size, "cut", f"{end} bytes", str(size)))
    elif size > end:
        findings.append(Finding(end, "bytes after the end", f"{end} bytes", str(size)))
    return findings
