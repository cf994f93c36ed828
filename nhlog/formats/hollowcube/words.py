"""Events as one line of text each; unprintable characters in texts of a recording are replaced."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from nhlog.formats.hollowcube.wire.enums import FLAGS, End, Hand, Pose
from nhlog.formats.hollowcube.wire.events import (
    PLAYER,
    AbsoluteMove,
    ChangeHeldSlot,
    CheckpointReached,
    CheckpointReset,
    ClearGhostBlocks,
    DeltaMove,
    DestroyEntity,
    EntityState,
    Event,
    HandAnimation,
    ItemUse,
    RunEnd,
    RunStart,
    SetBlock,
    SetItem,
    SpawnEntity,
    item_record,
)
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.wire.primitives import Pos

__all__ = ["event_words", "flag_words", "item_words", "one_line", "pose_words", "run_clock", "slot_words"]

_FLAG_WORDS: Final = {
    "onFire": "on fire",
    "riptideSpinAttack": "riptide spin attack",
    "flyingWithElytra": "flying with elytra",
}
_SLOTS: Final = {41: "head", 42: "chest", 43: "legs", 44: "feet", 45: "off hand"}
_HOTBAR: Final = range(9)
_HANDS: Final = {Hand.MAIN: "the main hand", Hand.OFF: "the off hand"}
_NUMBER: Final = 1e9  # what is larger is written with its power of ten


def one_line(text: str) -> str:
    """A text of the recording, with unprintable characters, line breaks among them, replaced by U+FFFD."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def run_clock(milliseconds: int) -> str:
    """The time of a run as text: ``1:22.450``."""
    sign, value = ("-", -milliseconds) if milliseconds < 0 else ("", milliseconds)
    seconds, rest = divmod(value, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
    return f"{sign}{whole}.{rest:03d}"


def flag_words(flags: int) -> list[str]:
    """The names of the flags that are set."""
    return [_FLAG_WORDS.get(name, name) for name, bit in FLAGS.items() if flags & bit]


def pose_words(pose: Pose) -> str:
    """A pose in lower case."""
    return pose.name.lower().replace("_", " ")


def slot_words(slot: int) -> str:
    """The name of an inventory slot."""
    if slot in _HOTBAR:
        return f"hotbar {slot + 1}"
    return _SLOTS.get(slot, f"slot {slot}")


def item_words(item: Tag) -> str:
    """An item as text: ``12 diamond``; empty for an empty slot."""
    record = item_record(item)
    name = one_line(str(record["id"]).removeprefix("minecraft:").replace("_", " "))
    if name in ("air", ""):
        return ""
    return f"{record['count']} {name}" if record["count"] != 1 else name


def _who(number: int) -> str:
    return "player" if number == PLAYER else f"entity {number}"


def coordinate(value: float) -> str:
    """A coordinate to a tenth of a block; zero has no sign."""
    return f"{round(value, 1) + 0.0:.1f}" if abs(value) < _NUMBER else f"{value:.2g}"


def _place(position: Pos) -> str:
    return " ".join(map(coordinate, position[:3]))


def _state_words(event: EntityState) -> str:
    return f"{_who(event.entity)} is {', '.join([pose_words(event.pose), *flag_words(event.flags)])}"


def _items_words(event: SetItem) -> str:
    items = [f"{item_words(item) or 'nothing'} in {slot_words(slot)}" for slot, item in event.items.items()]
    return f"{_who(event.entity)} has {', '.join(items) or 'no other items'}"


def _use_words(event: ItemUse) -> str:
    who = _who(event.entity)
    return f"{who} stops using an item" if event.hand is None else f"{who} uses the item in {_HANDS[event.hand]}"


def _end_words(event: RunEnd) -> str:
    how = "finished in" if event.reason is End.FINISH else "given up after"
    return f"run {how} {run_clock(event.run_time)}"


def _reset_words(event: CheckpointReset) -> str:
    reason = event.reason.name.lower().replace("_", " ")
    return f"back to the last checkpoint after {run_clock(event.run_time)} ({reason})"


_WORDS: Mapping[type[Any], Callable[[Any], str]] = {
    DeltaMove: lambda event: f"{_who(event.entity)} moves by {_place(event.delta)}",
    AbsoluteMove: lambda event: f"{_who(event.entity)} is at {_place(event.position)}",
    EntityState: _state_words,
    HandAnimation: lambda event: f"{_who(event.entity)} swings {_HANDS[event.hand]}",
    ItemUse: _use_words,
    SetItem: _items_words,
    ChangeHeldSlot: lambda event: f"{_who(event.entity)} holds {slot_words(event.slot)}",
    SetBlock: lambda event: f"block {' '.join(map(str, event.position))} is set to state {event.block}",
    SpawnEntity: lambda event: f"{_who(event.entity)} of type {event.entity_type} appears at {_place(event.position)}",
    DestroyEntity: lambda event: f"{_who(event.entity)} is gone",
    RunStart: lambda event: "run starts",
    CheckpointReached: lambda event: (
        f"checkpoint {one_line(event.checkpoint) or 'without a name'} after {run_clock(event.run_time)}"
    ),
    CheckpointReset: _reset_words,
    RunEnd: _end_words,
    ClearGhostBlocks: lambda event: "all blocks that were set are taken back",
}


def event_words(event: Event) -> str:
    """The event as one line of text."""
    return _WORDS[type(event)](event)
