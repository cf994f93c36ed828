"""The fifteen events in one table: their IDs and fields, and how each is read, written and made a record (spec 5).

An event is stored as its ID, a var int, and its fields, without a length: after an unknown ID nothing can be read.
Events are tuples: two events of different types may be equal, so compare their types, too.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, Final, Generic, TypeAlias, TypeVar

from nhlog.errors import Damaged, Usage
from nhlog.formats.hollowcube.wire.enums import FLAGS, End, Hand, Pose, Reset
from nhlog.formats.hollowcube.wire.nbt import Tag, plain, read_nbt, write_nbt
from nhlog.formats.hollowcube.wire.primitives import (
    BlockPosition,
    Incomplete,
    Pos,
    Vector,
    read_block_position,
    read_lp_pos,
    read_lp_vector,
    read_pos,
    read_string,
    read_var_int,
    read_var_long,
    write_block_position,
    write_lp_pos,
    write_lp_vector,
    write_pos,
    write_string,
    write_var_int,
    write_var_long,
)
from nhlog.values import NamedTuple

__all__ = [
    "EVENTS",
    "FLAGS",
    "PLAYER",
    "RUN_EVENTS",
    "AbsoluteMove",
    "ChangeHeldSlot",
    "CheckpointReached",
    "CheckpointReset",
    "ClearGhostBlocks",
    "DeltaMove",
    "DestroyEntity",
    "End",
    "EntityState",
    "Event",
    "Hand",
    "HandAnimation",
    "ItemUse",
    "Pose",
    "Reset",
    "RunEnd",
    "RunStart",
    "SetBlock",
    "SetItem",
    "SpawnEntity",
    "item_record",
    "read_event",
    "record_of",
    "write_event",
]

PLAYER: Final = 0  # the entity of who is recorded: always there, never spawned


class DeltaMove(NamedTuple):
    """A move relative to the entity's position; yaw and pitch are absolute."""

    entity: int
    delta: Pos
    velocity: Vector


class AbsoluteMove(NamedTuple):
    """A move to an absolute position."""

    entity: int
    position: Pos
    velocity: Vector


class EntityState(NamedTuple):
    """Pose and `FLAGS` of an entity."""

    entity: int
    pose: Pose
    flags: int


class HandAnimation(NamedTuple):
    """A hand was swung."""

    entity: int
    hand: Hand


class ItemUse(NamedTuple):
    """The item in this hand is in use; with None, no item is any longer."""

    entity: int
    hand: Hand | None


class SetItem(NamedTuple):
    """The new items of some slots, by slot number; each item is a compound of `id`, `count` and more."""

    entity: int
    items: Mapping[int, Tag]


class ChangeHeldSlot(NamedTuple):
    """The number of the slot that the entity holds in its hand."""

    entity: int
    slot: int


class SetBlock(NamedTuple):
    """A block is set to a state, a number that depends on the game's data version."""

    position: BlockPosition
    block: int


class SpawnEntity(NamedTuple):
    """An entity appears, and replaces any with the same number."""

    entity: int
    entity_type: int
    position: Pos


class DestroyEntity(NamedTuple):
    """An entity disappears."""

    entity: int


class RunStart(NamedTuple):
    """A run starts, and its clock with it."""


class CheckpointReached(NamedTuple):
    """A checkpoint was reached, `run_time` milliseconds into the run."""

    checkpoint: str
    run_time: int


class CheckpointReset(NamedTuple):
    """The player was put back to the last checkpoint, `run_time` milliseconds into the run."""

    reason: Reset
    run_time: int


class RunEnd(NamedTuple):
    """The run ended after `run_time` milliseconds."""

    reason: End
    run_time: int


class ClearGhostBlocks(NamedTuple):
    """All blocks that were set become those of the world again."""


Event: TypeAlias = (
    DeltaMove
    | AbsoluteMove
    | EntityState
    | HandAnimation
    | ItemUse
    | SetItem
    | ChangeHeldSlot
    | SetBlock
    | SpawnEntity
    | DestroyEntity
    | RunStart
    | CheckpointReached
    | CheckpointReset
    | RunEnd
    | ClearGhostBlocks
)

RUN_EVENTS: Final = (RunStart, CheckpointReached, CheckpointReset, RunEnd)
"""The events of a run; they do not change the scene."""

T = TypeVar("T")
E = TypeVar("E", bound=IntEnum)


class Codec(NamedTuple, Generic[T]):
    """The functions that read, write and convert to JSON one type of field."""

    read: Callable[[bytes, int], tuple[T, int]]
    write: Callable[[T], bytes]
    to_json: Callable[[T], Any] | None = None


class Field(NamedTuple):
    """A field's name in records, and its codec."""

    name: str
    codec: Codec[Any]


def _enum(kind: type[E]) -> Codec[E]:
    members = tuple(kind)

    def read(data: bytes, offset: int) -> tuple[E, int]:
        ordinal, end = read_var_int(data, offset)
        if not 0 <= ordinal < len(members):
            raise Damaged(f"unknown {kind.__name__}", offset=offset, expected=f"0 to {len(members) - 1}", found=ordinal)
        return members[ordinal], end

    return Codec(read, write_var_int, lambda member: member.name)


def _read_byte(data: bytes, offset: int) -> tuple[int, int]:
    try:
        return data[offset], offset + 1
    except IndexError:
        raise Incomplete("the data ends before a byte", offset=offset) from None


def _write_byte(value: int) -> bytes:
    return value.to_bytes(1, "big")


def _read_hand(data: bytes, offset: int) -> tuple[Hand | None, int]:
    present, start = _read_byte(data, offset)
    if present > 1:
        raise Damaged("neither true nor false", offset=offset, expected="0 or 1", found=present)
    return _HAND.read(data, start) if present else (None, start)


def _write_hand(hand: Hand | None) -> bytes:
    return b"\0" if hand is None else b"\1" + _HAND.write(hand)


def _read_items(data: bytes, offset: int) -> tuple[dict[int, Tag], int]:
    count, end = read_var_int(data, offset)
    if count < 0:
        raise Damaged("a negative number of items", offset=offset, found=count)
    items = {}
    for _ in range(count):  # each takes bytes, so their end stops a count that is too high
        slot, end = read_var_int(data, end)
        items[slot], end = read_nbt(data, end)
    return items, end


def _write_items(items: Mapping[int, Tag]) -> bytes:
    parts = [write_var_int(slot) + write_nbt(item) for slot, item in items.items()]
    return write_var_int(len(items)) + b"".join(parts)


def item_record(item: Tag) -> dict[str, Any]:
    """An item as plain values; a missing count is 1."""
    values = plain(item)
    return {"id": values.pop("id", ""), "count": values.pop("count", 1), **values}


def _items_record(items: Mapping[int, Tag]) -> dict[str, Any]:
    return {str(slot): item_record(item) for slot, item in items.items()}


def _flags_record(flags: int) -> dict[str, bool]:
    return {name: bool(flags & bit) for name, bit in FLAGS.items()}


_HAND: Final = _enum(Hand)
_INT: Final = Codec(read_var_int, write_var_int)
_LONG: Final = Codec(read_var_long, write_var_long)
_STRING: Final = Codec(read_string, write_string)
_LP_POS: Final = Codec(read_lp_pos, write_lp_pos, list)
_POS: Final = Codec(read_pos, write_pos, list)
_VECTOR: Final = Codec(read_lp_vector, write_lp_vector, list)
_BLOCK_POSITION: Final = Codec(read_block_position, write_block_position, list)
_FLAGS: Final = Codec(_read_byte, _write_byte, _flags_record)
_OPTIONAL_HAND: Final = Codec(_read_hand, _write_hand, lambda hand: None if hand is None else hand.name)
_ITEMS: Final = Codec(_read_items, _write_items, _items_record)

_ENTITY: Final = Field("entityId", _INT)
_RUN_TIME: Final = Field("runTime", _LONG)

EVENTS: Final[Mapping[type[Any], tuple[Field, ...]]] = {
    DeltaMove: (_ENTITY, Field("delta", _LP_POS), Field("velocity", _VECTOR)),
    AbsoluteMove: (_ENTITY, Field("position", _POS), Field("velocity", _VECTOR)),
    EntityState: (_ENTITY, Field("pose", _enum(Pose)), Field("flags", _FLAGS)),
    HandAnimation: (_ENTITY, Field("hand", _HAND)),
    ItemUse: (_ENTITY, Field("hand", _OPTIONAL_HAND)),
    SetItem: (_ENTITY, Field("items", _ITEMS)),
    ChangeHeldSlot: (_ENTITY, Field("slot", _INT)),
    SetBlock: (Field("position", _BLOCK_POSITION), Field("block", _INT)),
    SpawnEntity: (_ENTITY, Field("entityType", _INT), Field("position", _POS)),
    DestroyEntity: (_ENTITY,),
    RunStart: (),
    CheckpointReached: (Field("checkpointId", _STRING), _RUN_TIME),
    CheckpointReset: (Field("reason", _enum(Reset)), _RUN_TIME),
    RunEnd: (Field("reason", _enum(End)), _RUN_TIME),
    ClearGhostBlocks: (),
}
"""The fields of each event, in the order of their IDs from 0 on; new events are added at the end."""

_IDS: Final = {kind: number for number, kind in enumerate(EVENTS)}
_READERS: Final = [(kind, tuple(field.codec.read for field in fields)) for kind, fields in EVENTS.items()]
_WRITERS: Final = {
    kind: (write_var_int(_IDS[kind]), tuple(field.codec.write for field in fields)) for kind, fields in EVENTS.items()
}


_WITHOUT_FIELDS: Final = {kind: kind() for kind, fields in EVENTS.items() if not fields}  # one of each is enough


def read_event(data: bytes, offset: int) -> tuple[Event, int]:
    """Read the event at `offset`; returns it and the offset behind it.

    Raises :class:`Incomplete` if the data ends inside it, :class:`Damaged` for an unknown ID or an invalid value.
    """
    number, end = read_var_int(data, offset)
    if not 0 <= number < len(_READERS):
        raise Damaged("unknown event ID", offset=offset, expected=f"0 to {len(_READERS) - 1}", found=number)
    kind, readers = _READERS[number]
    if not readers:
        return _WITHOUT_FIELDS[kind], end
    values = []
    for read in readers:
        value, end = read(data, end)
        values.append(value)
    event: Event = kind._make(values)
    return event, end


def write_event(event: Event) -> bytes:
    """The bytes of an event, the inverse of :func:`read_event`; raises :class:`Usage` for values out of range."""
    number, writers = _WRITERS[type(event)]
    try:
        return number + b"".join([write(value) for write, value in zip(writers, event, strict=True)])
    except (OverflowError, ValueError) as error:
        raise Usage(f"this {type(event).__name__} cannot be written: {error}") from None


def record_of(event: Event) -> dict[str, Any]:
    """The event as a record: its ID, its name as `e`, and its fields."""
    kind = type(event)
    record: dict[str, Any] = {"id": _IDS[kind], "e": kind.__name__}
    for field, value in zip(EVENTS[kind], event, strict=True):
        if field.codec.to_json is None:
            record[field.name] = value
        elif field.codec is _FLAGS:
            record |= field.codec.to_json(value)
        else:
            record[field.name] = field.codec.to_json(value)
    return record
