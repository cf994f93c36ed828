"""The state at a tick: entities and blocks, computed by applying events in order.

Only a `Scene` is mutable; the `FrozenScene` that it returns never changes.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from nhlog.formats.hollowcube.wire.enums import End, Hand, Pose
from nhlog.formats.hollowcube.wire.events import (
    PLAYER,
    AbsoluteMove,
    ChangeHeldSlot,
    ClearGhostBlocks,
    DeltaMove,
    DestroyEntity,
    EntityState,
    Event,
    ItemUse,
    SetBlock,
    SetItem,
    SpawnEntity,
)
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector
from nhlog.values import NamedTuple, dataclass

__all__ = ["NOTHING", "PLAYER_TYPE", "Entity", "FrozenScene", "RecordingState", "Run", "Scene", "Split"]

PLAYER_TYPE: Final = -1  # of the player, whom no event spawns


class Entity(NamedTuple):
    """An entity; values that no event has set are None.  `kind` is the number of its type, `using` the hand in use."""

    kind: int
    position: Pos
    velocity: Vector
    pose: Pose | None = None
    flags: int | None = None
    items: Mapping[int, Tag] = {}
    held: int | None = None
    using: Hand | None = None


_ORIGIN: Final = Pos(0.0, 0.0, 0.0, 0.0, 0.0)
_STILL: Final = Vector(0.0, 0.0, 0.0)


class FrozenScene(NamedTuple):
    """An immutable scene: entities by number, and the blocks that were set, by position."""

    entities: Mapping[int, Entity]
    blocks: Mapping[BlockPosition, int]


NOTHING: Final = FrozenScene({PLAYER: Entity(PLAYER_TYPE, _ORIGIN, _STILL)}, {})
"""The scene before the first event: only the player."""


class Split(NamedTuple):
    """A checkpoint that was reached: its tick, its name, and the time of the run in milliseconds."""

    tick: int
    checkpoint: str
    run_time: int


@dataclass(frozen=True, slots=True)
class Run:
    """A run: the tick in which it started, the checkpoints reached, and the tick, reason and run time of its end.

    `resets` is the number of resets to a checkpoint.  All values are None or empty before the first run.
    """

    started: int | None = None
    splits: tuple[Split, ...] = ()
    resets: int = 0
    ended: int | None = None
    end: End | None = None
    run_time: int | None = None  # at its end


@dataclass(frozen=True, slots=True)
class RecordingState:
    """The state at the end of tick `step`.

    `run` is None if finding it would take reading every chunk.  `fault` says why anything else is not known.
    """

    step: int
    entities: Mapping[int, Entity]
    blocks: Mapping[BlockPosition, int]
    run: Run | None = None
    fault: str = ""

    @property
    def player(self) -> Entity:
        """The recorded player."""
        return self.entities[PLAYER]


class Scene:
    """A mutable scene, changed by applying events."""

    def __init__(self, scene: FrozenScene = NOTHING) -> None:
        self._entities = dict(scene.entities)
        self._blocks = dict(scene.blocks)
        self._entities_lent = self._blocks_lent = False

    def freeze(self) -> FrozenScene:
        """An immutable copy of the scene as it is now."""
        self._entities_lent = self._blocks_lent = True
        return FrozenScene(self._entities, self._blocks)

    def apply(self, event: Event) -> None:
        """Apply an event; one about an unknown entity does nothing."""
        change = _CHANGES.get(type(event))
        if change is not None:
            change(self, event)

    def snapshot(self) -> Iterator[Event]:
        """The events that create this scene from an empty one."""
        for number, entity in self._entities.items():
            if number != PLAYER or entity.kind != PLAYER_TYPE:
                yield SpawnEntity(number, entity.kind, entity.position)
            if number == PLAYER or entity.velocity != _STILL:
                yield AbsoluteMove(number, entity.position, entity.velocity)
            if entity.pose is not None:
                yield EntityState(number, entity.pose, entity.flags or 0)
            if entity.items:
                yield SetItem(number, entity.items)
            if entity.held is not None:
                yield ChangeHeldSlot(number, entity.held)
            if entity.using is not None:
                yield ItemUse(number, entity.using)
        for position, block in self._blocks.items():
            yield SetBlock(position, block)

    def entity(self, number: int) -> Entity | None:
        """An entity as it is now; None if there is none of that number."""
        return self._entities.get(number)

    def position_of(self, number: int) -> Pos | None:
        """The position of an entity; None if there is none of that number."""
        entity = self._entities.get(number)
        return None if entity is None else entity.position

    def _own_entities(self) -> dict[int, Entity]:
        if self._entities_lent:
            self._entities, self._entities_lent = dict(self._entities), False
        return self._entities

    def _own_blocks(self) -> dict[BlockPosition, int]:
        if self._blocks_lent:
            self._blocks, self._blocks_lent = dict(self._blocks), False
        return self._blocks

    def _update(self, number: int, **values: Any) -> None:
        entities = self._own_entities()
        entity = entities.get(number)
        if entity is not None:
            entities[number] = entity._replace(**values)

    def _delta_move(self, event: DeltaMove) -> None:
        at = self.position_of(event.entity)
        if at is not None:
            x, y, z, yaw, pitch = event.delta
            position = Pos(at.x + x, at.y + y, at.z + z, yaw, pitch)
            self._update(event.entity, position=position, velocity=event.velocity)

    def _absolute_move(self, event: AbsoluteMove) -> None:
        self._update(event.entity, position=event.position, velocity=event.velocity)

    def _entity_state(self, event: EntityState) -> None:
        self._update(event.entity, pose=event.pose, flags=event.flags)

    def _item_use(self, event: ItemUse) -> None:
        self._update(event.entity, using=event.hand)

    def _set_item(self, event: SetItem) -> None:
        entity = self._entities.get(event.entity)
        if entity is not None:
            self._update(event.entity, items={**entity.items, **event.items})

    def _change_held_slot(self, event: ChangeHeldSlot) -> None:
        self._update(event.entity, held=event.slot)

    def _set_block(self, event: SetBlock) -> None:
        self._own_blocks()[event.position] = event.block

    def _spawn_entity(self, event: SpawnEntity) -> None:
        self._own_entities()[event.entity] = Entity(event.entity_type, event.position, _STILL)

    def _destroy_entity(self, event: DestroyEntity) -> None:
        if event.entity != PLAYER:
            self._own_entities().pop(event.entity, None)

    def _clear_ghost_blocks(self, event: ClearGhostBlocks) -> None:
        self._blocks, self._blocks_lent = {}, False


_CHANGES: Final[Mapping[type[Any], Callable[[Scene, Any], None]]] = {
    DeltaMove: Scene._delta_move,
    AbsoluteMove: Scene._absolute_move,
    EntityState: Scene._entity_state,
    ItemUse: Scene._item_use,
    SetItem: Scene._set_item,
    ChangeHeldSlot: Scene._change_held_slot,
    SetBlock: Scene._set_block,
    SpawnEntity: Scene._spawn_entity,
    DestroyEntity: Scene._destroy_entity,
    ClearGhostBlocks: Scene._clear_ghost_blocks,
}
"""The types of events that change the scene, and the methods that apply them."""
