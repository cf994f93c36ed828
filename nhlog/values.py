"""Values that cost next to nothing until they are asked for: frozen, slotted dataclasses, and computed sequences.

`dataclasses` compiles the methods of a class when the class is made: a third of a millisecond each, which is most of
what importing a module costs that has ten of them.  Most programs use few of the classes that they import, so here it
is asked for them with the first value, or when `fields`, `replace`, `inspect.signature` or a subclass wants to know.

Rejected: `msgspec.Struct(frozen=True)`.  A class with eight fields is made in 0.017 ms, and here in 0.030 (by
`dataclasses` in 0.9, all on one busy machine): for the 220 classes of all packages that saves 3 ms.  To import msgspec
takes 18, and `nhlog info` and `show` need it for nothing else; and a struct is no dataclass for those who call `fields`
and `replace` on values of ours.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Sequence
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

__all__ = ["LazySequence", "dataclass"]

T = TypeVar("T")

_COMPILED = ("__dataclass_params__", "__match_args__", "__repr__", "__eq__", "__hash__", "__dataclass_fields__")

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Callable[[type], type]:
        """The same as :func:`dataclasses.dataclass`; only for what is frozen and has slots.

        It differs in that not even an undecorated subclass can have attributes that are set.
        """
        if not (frozen and slots):
            raise TypeError("only for frozen, slotted dataclasses")

        def later(cls: type) -> type:
            body = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
            own = body.get("__annotations__", ())

            def compiled() -> type:
                """Let the class have its methods; at the same time in two threads, it is given the same ones twice."""
                whole = type(cls)(cls.__name__, cls.__bases__, dict(body))
                whole = dataclasses.dataclass(frozen=True, kw_only=kw_only)(whole)
                for name in (*_COMPILED, "__init__"):
                    setattr(made, name, getattr(whole, name))
                return made

            def first(self: Any, *arguments: Any, **named: Any) -> None:
                compiled().__init__(self, *arguments, **named)

            put_off = {
                "__init__": first,
                "__dataclass_fields__": _Fields(compiled),
                "__signature__": _Signature(compiled),
            }
            kept = {name: value for name, value in body.items() if name not in own}
            slots = {"__slots__": tuple(name for name in own if not _is_slot(cls, name))}
            made = type(cls)(cls.__name__, cls.__bases__, {**_FROZEN, **kept, **slots, **put_off})
            made.__qualname__ = cls.__qualname__
            return made

        return later


class _Fields:
    """Stands for ``__dataclass_fields__`` until somebody asks for them."""

    def __init__(self, compiled: Callable[[], type]) -> None:
        self._compiled = compiled

    def __get__(self, value: object, owner: type) -> Any:
        return self._compiled().__dict__["__dataclass_fields__"]


class _Signature:
    """What :func:`inspect.signature` finds; makes the class's ``__init__`` when it is asked for."""

    def __init__(self, compiled: Callable[[], type]) -> None:
        self._compiled = compiled

    def __get__(self, value: object, owner: type) -> Any:
        from inspect import signature

        whole = signature(vars(self._compiled())["__init__"])
        return whole.replace(parameters=[*whole.parameters.values()][1:])


def _is_slot(cls: type, name: str) -> bool:
    """Whether a class above has such a slot."""
    return any(isinstance(vars(base).get(name), MemberDescriptorType) for base in cls.__mro__[1:])


def _set(value: object, name: str, _: object) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(value: object, name: str) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in dataclasses.fields(value)]


def _restore(value: Any, state: list[Any]) -> None:
    for field, item in zip(dataclasses.fields(value), state, strict=True):
        object.__setattr__(value, field.name, item)


_FROZEN = {"__setattr__": _set, "__delattr__": _delete, "__getstate__": _state, "__setstate__": _restore}


class LazySequence(Sequence[T]):
    """A sequence with a length, and with `_item` to compute one of its items."""

    @abstractmethod
    def _item(self, index: int) -> T:
        """The item at `index`, which is at least 0 and below the length."""

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self._item(each) for each in range(*index.indices(len(self)))]
        length = len(self)
        if not -length <= index < length:
            raise IndexError(index)
        return self._item(index if index >= 0 else index + length)
