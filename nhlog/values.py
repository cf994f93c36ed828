"""Values that cost next to nothing until they are asked for: frozen, slotted dataclasses, named tuples, patterns, and
computed sequences.

`dataclasses` compiles seven methods of a class when the class is made: 0.6 to 1.2 ms each, which is most of what
importing a module costs that has ten of them.  Most programs use few of the classes that they import, and of most they
make one value, so here a class has its fields with the first value, or when `fields`, `replace` or a subclass wants to
know, and one method alone is compiled, `__init__` (0.1 to 0.3 ms).  All others are the same functions for all classes.

A named tuple of `typing` costs 0.06 to 0.15 ms, most of it to compile its `__new__`, which here waits for the first
value; one that is made of items (`_make`), as what is read from bytes is, never needs it.  A pattern costs as much as a
dataclass, and most modules that have some are imported for something else.

`dataclasses` itself is imported, and with it `inspect`, when the first value of one is made.

What a change must keep: who asks for anything that `dataclasses`, `typing` and `re` give a class or a pattern finds it.

Rejected: `msgspec.Struct(frozen=True)`.  A class with eight fields is made in 0.017 ms, and here in 0.030 (by
`dataclasses` in 0.9, all on one busy machine): for the 220 classes of all packages that saves 3 ms.  To import msgspec
takes 18, and `nhlog info` and `show` need it for nothing else; and a struct is no dataclass for those who call `fields`
and `replace` on values of ours.
"""

import re
from abc import abstractmethod
from collections import _tuplegetter, namedtuple  # type: ignore[attr-defined]  # in C: what a field of a tuple is
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, AnyStr, NoReturn, TypeVar, overload

__all__ = ["LazySequence", "NamedTuple", "dataclass", "pattern"]

T = TypeVar("T")

if TYPE_CHECKING:
    import dataclasses
    from dataclasses import dataclass
    from re import compile as pattern
    from typing import NamedTuple
else:

    class _Pattern:
        """The same as :func:`re.compile`, which is called when the pattern is first used."""

        def __init__(self, text: AnyStr, flags: int = 0) -> None:
            self._given = text, flags

        def __getattr__(self, name: str) -> Any:
            """A method of the compiled pattern, which from then on is this one's own, and called as fast."""
            found = getattr(re.compile(*self._given), name)
            setattr(self, name, found)
            return found

    pattern = _Pattern

    class _Named(type):
        """Makes tuples of the classes that are derived from :class:`NamedTuple`."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            """Make a class whose `__new__` is compiled for the first of its values."""
            if not bases:
                return super().__new__(cls, name, bases, body)
            types = body.get("__annotations__", {})
            fields = tuple(types)
            defaults = {field: body[field] for field in fields if field in body}

            def whole() -> Callable[..., Any]:
                made = namedtuple(name, fields, defaults=defaults.values()).__new__
                made.__annotations__ = dict(types)
                return made

            def first(cls: Any, *arguments: Any, **named: Any) -> Any:
                made.__new__ = staticmethod(whole())
                return made.__new__(cls, *arguments, **named)

            told = {
                "__slots__": (),
                "__new__": first,
                "__match_args__": fields,
                "_fields": fields,
                "_make": _maker(len(fields)),
                "_field_defaults": defaults,
                "__signature__": _Signature(whole),
                **{field: _tuplegetter(index, "") for index, field in enumerate(fields)},
            }
            made = type(name, (tuple, *bases[1:]), {**_TUPLES, **body, **told})
            return made

    class NamedTuple(metaclass=_Named):
        """The same as :class:`typing.NamedTuple`."""

    def dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Callable[[type], type]:
        """The same as :func:`dataclasses.dataclass`; for frozen ones with slots, without an own `__init__`.

        It differs in that not even an undecorated subclass can have attributes that are set.
        """
        if not (frozen and slots):
            raise TypeError("only for frozen, slotted dataclasses")

        def later(cls: type) -> type:
            body = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
            own = body.get("__annotations__", {})

            def complete() -> type:
                """Let the class have its fields; at the same time in two threads, it is given equal ones twice."""
                _complete(made, {name: body[name] for name in own if name in body}, kw_only)
                return made

            def first(self: Any, *arguments: Any, **named: Any) -> None:
                complete().__init__(self, *arguments, **named)

            def whole() -> Callable[..., None]:
                import dataclasses

                same = type(cls)(cls.__name__, cls.__bases__, dict(body))
                return vars(dataclasses.dataclass(frozen=True, kw_only=kw_only)(same))["__init__"]

            put_off = {
                "__init__": first,
                "__dataclass_fields__": _Fields(complete),
                "__signature__": _Signature(whole),
            }
            kept = {name: value for name, value in body.items() if name not in own}
            slots = {"__slots__": tuple(name for name in own if not _is_slot(cls, name))}
            made = type(cls)(cls.__name__, cls.__bases__, {**_METHODS, **kept, **slots, **put_off})
            made.__qualname__ = cls.__qualname__
            return made

        return later


class _Fields:
    """Stands for ``__dataclass_fields__`` until somebody asks for them."""

    def __init__(self, complete: Callable[[], type]) -> None:
        self._complete = complete

    def __get__(self, value: object, owner: type) -> Any:
        return self._complete().__dict__["__dataclass_fields__"]


class _Signature:
    """What :func:`inspect.signature` finds: that of the method that makes a value, `self` left out."""

    def __init__(self, method: Callable[[], Callable[..., Any]]) -> None:
        self._method = method

    def __get__(self, value: object, owner: type) -> Any:
        from inspect import signature

        found = signature(self._method())
        return found.replace(parameters=[*found.parameters.values()][1:])


def _complete(cls: Any, given: dict[str, Any], kw_only: bool) -> None:
    """Give a class its fields, those above it first, and an `__init__`; `given` has the defaults of its own."""
    import dataclasses

    own = {"__annotations__": cls.__annotations__, "__module__": cls.__module__, "__doc__": "or it would be made"}
    told: Any = type(cls.__name__, (), {**given, **own})
    told = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(told)
    above = [getattr(base, "__dataclass_fields__", {}) for base in reversed(cls.__mro__[1:])]
    fields = {name: field for each in (*above, told.__dataclass_fields__) for name, field in each.items()}
    parameters = told.__dataclass_params__
    parameters.init = parameters.repr = parameters.eq = parameters.frozen = True
    made = {
        "__dataclass_params__": parameters,
        "__match_args__": tuple(name for name, field in fields.items() if not field.kw_only),
        "__init__": _init(cls, fields.values()),
        "__dataclass_fields__": fields,
    }
    for name, value in made.items():
        setattr(cls, name, value)


def _init(cls: type, fields: Iterable["dataclasses.Field[Any]"]) -> Callable[..., None]:
    """Compile `__init__`, which sets a field by the descriptor of its slot: faster than `object.__setattr__`."""
    from dataclasses import MISSING

    names: dict[str, Any] = {"_made": _MADE}
    in_order, by_name = ["self"], list[str]()
    lines = []
    for field in fields:
        name = field.name
        names[f"_set_{name}"] = getattr(cls, name).__set__
        value, default = name, field.default
        if field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            value, default = f"_make_{name}() if {name} is _made else {name}", _MADE
        names[f"_default_{name}"] = default
        parameters = by_name if field.kw_only is True else in_order
        parameters.append(name if default is MISSING else f"{name}=_default_{name}")
        lines.append(f"    _set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    parameters = [*in_order, "*", *by_name] if by_name else in_order
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *(lines or ["    pass"])]), names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    return made


_MADE = object()  # stands for a value that is made for each


def _is_slot(cls: type, name: str) -> bool:
    """Whether a class above has such a slot."""
    return any(isinstance(vars(base).get(name), MemberDescriptorType) for base in cls.__mro__[1:])


@cache
def _compared(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    """What says by which of its fields a value is compared."""
    return _told([field.name for field in _fields(cls) if field.compare])


@cache
def _hashed(cls: Any) -> Callable[[Any], tuple[Any, ...]]:
    fields = _fields(cls)
    return _told([field.name for field in fields if (field.compare if field.hash is None else field.hash)])


def _fields(value: Any) -> "tuple[dataclasses.Field[Any], ...]":
    from dataclasses import fields

    return fields(value)


def _told(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)  # in C, which gives a tuple if there are several
    return lambda value: tuple(getattr(value, name) for name in names)


def _equal(value: Any, other: Any) -> Any:
    compared = _compared(value.__class__)
    return compared(value) == compared(other) if type(other) is type(value) else NotImplemented


def _hash(value: Any) -> int:
    return hash(_hashed(value.__class__)(value))


@recursive_repr()
def _repr(value: Any) -> str:
    told = [f"{field.name}={getattr(value, field.name)!r}" for field in _fields(value) if field.repr]
    return f"{type(value).__qualname__}({', '.join(told)})"


def _set(value: object, name: str, _: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(value: object, name: str) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in _fields(value)]


def _restore(value: Any, state: list[Any]) -> None:
    for field, item in zip(_fields(value), state, strict=True):
        object.__setattr__(value, field.name, item)


def _with(value: Any, /, **changed: Any) -> Any:
    """The same but for some fields, for :func:`copy.replace` of Python 3.13."""
    from dataclasses import replace

    return replace(value, **changed)


def _items(value: Any) -> tuple[Any, ...]:
    return tuple(value)


def _names(value: Any) -> str:
    told = ", ".join(f"{name}={item!r}" for name, item in zip(value._fields, value, strict=True))
    return f"{type(value).__name__}({told})"


def _maker(count: int) -> "classmethod[Any, Any, Any]":
    """The method `_make` of tuples of so many fields: thousands of records are read by it."""

    def _make(cls: type[tuple[Any, ...]], items: Iterable[Any]) -> tuple[Any, ...]:
        """Make a value of what there is of its fields, in their order."""
        made = _new(cls, items)
        if len(made) != count:
            raise TypeError(f"Expected {count} arguments, got {len(made)}")
        return made

    return classmethod(_make)


_new = tuple.__new__


def _replace(value: Any, /, **changed: Any) -> Any:
    """The same but for some fields."""
    made = value._make(map(changed.pop, value._fields, value))
    if changed:
        raise ValueError(f"Got unexpected field names: {list(changed)!r}")
    return made


def _asdict(value: Any) -> dict[str, Any]:
    """The fields by their names."""
    return dict(zip(value._fields, value, strict=True))


_TUPLES = {
    "__repr__": _names,
    "__getnewargs__": _items,
    "__replace__": _replace,
    "_replace": _replace,
    "_asdict": _asdict,
}
_METHODS = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": _repr,
    "__replace__": _with,
    "__setattr__": _set,
    "__delattr__": _delete,
    "__getstate__": _state,
    "__setstate__": _restore,
}


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
