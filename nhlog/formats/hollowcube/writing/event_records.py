"""Events heard again from their records: the way back of `record_of`, for what comes as JSON lines.

The table is the events' own: a field is heard by its type.  What cannot be written is refused here, by name.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from math import isfinite
from typing import Any, Final, NamedTuple, get_type_hints

from nhlog.errors import Usage
from nhlog.formats.hollowcube.wire.events import EVENTS, FLAGS, Event, Hand
from nhlog.formats.hollowcube.wire.nbt import MAX_DEPTH, Kind, NbtList, Tag
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector

__all__ = ["Move", "event_of", "tag_of"]


class Move(NamedTuple):
    """Where an entity is now, as the game knows it: not yet rounded, and no event of a recording.

    A recorder makes the smallest event of it that leads there.
    """

    entity: int
    position: Pos
    velocity: Vector = Vector(0.0, 0.0, 0.0)


_BITS: Final = {"run_time": 64}  # of whole numbers; all others have 32
_KINDS: Final[Mapping[str, Any]] = {kind.__name__: kind for kind in (*EVENTS, Move)}


def event_of(record: Any) -> Event | Move:
    """The event that a record tells of, its kind in `e`; raises :class:`Usage` for what is none.

    Items come back with the types that their plain values most likely have: a record does not keep these.
    """
    kind = _KINDS.get(record.get("e", "")) if isinstance(record, dict) else None
    if kind is None:
        raise Usage("no event", expected=f"e: one of {', '.join(_KINDS)}", found=f"{record!r:.80}")
    try:
        event: Event | Move = kind._make([hear(record) for hear in _EARS[kind]])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Usage(f"no {kind.__name__}: {error}", found=f"{record!r:.80}") from None
    return event


def _ears(kind: type[Any]) -> tuple[Callable[[dict[str, Any]], Any], ...]:
    """How each field of an event is heard."""
    names = [field.name for field in EVENTS[kind]] if kind in EVENTS else ["entityId", "position", "velocity"]
    return tuple(
        _ear(told, name, type_) for told, (name, type_) in zip(names, get_type_hints(kind).items(), strict=True)
    )


def _ear(told: str, name: str, kind: Any) -> Callable[[dict[str, Any]], Any]:
    if told == "flags":
        return lambda record: sum(bit for flag, bit in FLAGS.items() if record.get(flag))
    if told == "velocity":
        return lambda record: _floats(Vector, record.get(told, (0.0, 0.0, 0.0)))
    if kind is int:
        limit = 1 << _BITS.get(name, 32) - 1
        return lambda record: _whole(record[told], limit)
    if kind is Pos:
        return lambda record: _floats(Pos, record[told])
    if kind is BlockPosition:
        return lambda record: BlockPosition(*(_whole(number, 1 << 31) for number in record[told]))
    if kind is str:
        return lambda record: _text(record[told])
    if kind == Hand | None:
        return lambda record: None if record[told] is None else Hand[record[told]]
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return lambda record: kind[record[told]]
    return lambda record: {_whole(int(slot), 1 << 31): _item(item) for slot, item in record[told].items()}


_EARS: Final = {kind: _ears(kind) for kind in (*EVENTS, Move)}


def _whole(value: object, limit: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -limit <= value < limit:
        raise ValueError(f"{value!r} is no whole number of {limit.bit_length()} bits")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _floats(kind: type[Any], values: Any) -> Any:
    numbers = [float(value) for value in values]
    if not all(map(isfinite, numbers)):
        raise ValueError("a number that is not finite")
    return kind(*numbers)


def _item(record: Mapping[str, Any]) -> Tag:
    """An item; a count of 1 is left out, as the game does."""
    return tag_of({name: value for name, value in record.items() if (name, value) not in (("count", 1), ("id", ""))})


def tag_of(value: Any, depth: int = 1) -> Tag:
    """What plain JSON most likely means in NBT: whole numbers are ints, or longs where they must, others doubles.

    Raises :class:`Usage` for null, and for a list of unlike elements: NBT has neither.
    """
    if depth > MAX_DEPTH:
        raise Usage("NBT is too deep", expected=MAX_DEPTH)
    match value:
        case bool():
            return Tag(Kind.BYTE, int(value))
        case int() if -(1 << 63) <= value < 1 << 63:
            return Tag(Kind.INT if -(1 << 31) <= value < 1 << 31 else Kind.LONG, value)
        case float():
            return Tag(Kind.DOUBLE, value)
        case str():
            return Tag(Kind.STRING, value)
        case dict():
            return Tag(Kind.COMPOUND, {str(name): tag_of(inner, depth + 1) for name, inner in value.items()})
        case list():
            return Tag(Kind.LIST, _list(value, depth + 1))
    raise Usage("NBT has no such value", found=f"{value!r:.60}")


_WIDER: Final = (Kind.INT, Kind.LONG, Kind.DOUBLE)  # a list of numbers takes the widest of its elements


def _list(values: list[Any], depth: int) -> NbtList:
    tags = [tag_of(value, depth) for value in values]
    kinds = {tag.kind for tag in tags}
    if kinds and kinds <= set(_WIDER):
        widest = max(kinds, key=_WIDER.index)
        as_kind = float if widest is Kind.DOUBLE else int
        return NbtList(widest, tuple(Tag(widest, as_kind(tag.value)) for tag in tags))
    if len(kinds) > 1:
        raise Usage("a list of NBT has elements of one type", found=f"{values!r:.60}")
    return NbtList(kinds.pop() if kinds else Kind.END, tuple(tags))
