"""Our dataclasses are those of `dataclasses`, only that their methods are compiled with the first of their values."""

import copy
import dataclasses
import pickle
import re
import threading
import typing
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from inspect import signature
from typing import Any

import pytest

from nhlog.values import NamedTuple, dataclass, pattern


def compiled(cls: type) -> bool:
    return isinstance(vars(cls)["__dataclass_fields__"], dict)


@dataclass(frozen=True, slots=True)
class Place:
    """A place."""

    x: int
    y: int = 7
    note: str = field(default="", compare=False, repr=False)
    names: list[str] = field(default_factory=list, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Larger(Named):
    size: int
    depth: int


def fresh() -> type:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        number: int
        word: str = "none"

    return Fresh


def test_the_signature_is_that_of_the_values() -> None:
    """`inspect` was told that any arguments do."""

    def body() -> dict[str, Any]:
        return {
            "__annotations__": {"x": int, "y": int, "names": list[str]},
            "y": 7,
            "names": field(default_factory=list),
        }

    for only in (False, True):
        ours, theirs = (type("Same", (), body()) for _ in range(2))
        made = dataclass(frozen=True, slots=True, kw_only=only)(ours)
        assert signature(made) == signature(dataclasses.dataclass(frozen=True, slots=True, kw_only=only)(theirs))
        assert signature(made) == signature(made)
    assert list(signature(Larger).parameters) == ["name", "size", "depth"]


def test_nothing_is_compiled_until_a_value_is_made() -> None:
    cls = fresh()
    assert not compiled(cls)
    assert cls(1).word == "none"
    assert compiled(cls)


@pytest.mark.parametrize(
    "ask", [fields, is_dataclass, lambda cls: dataclasses.make_dataclass("Sub", [], bases=(cls,), frozen=True)]
)
def test_who_asks_for_the_fields_of_a_class_gets_them(ask: Callable[[type], Any]) -> None:
    cls = fresh()
    assert ask(cls)
    assert [field.name for field in fields(cls)] == ["number", "word"]


def test_values_are_compared_hashed_told_and_replaced_as_by_dataclasses() -> None:
    place = Place(1, note="here")
    assert place == Place(1, 7) != Place(1, 8)
    assert hash(place) == hash(Place(1))
    assert repr(place) == "Place(x=1, y=7, names=[])"
    assert replace(place, y=2) == Place(1, 2)
    assert place.__replace__(y=2) == Place(1, 2)  # type: ignore[attr-defined]
    assert place.names is not Place(1).names
    assert Named(name="a") != Larger(name="a", size=1, depth=2)
    match place:
        case Place(x, y):
            assert (x, y) == (1, 7)


def test_a_subclass_has_the_fields_of_both_and_may_need_what_had_a_default() -> None:
    assert [field.name for field in fields(Larger)] == ["name", "size", "depth"]
    assert Larger(name="a", size=1, depth=2).size == 1
    with pytest.raises(TypeError, match="size"):
        Larger(name="a", depth=2)  # type: ignore[call-arg]


def test_the_dataclass_of_a_plugin_may_be_a_subclass() -> None:
    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Theirs(Named):
        more: int

    theirs = Theirs(name="a", more=3)
    assert (theirs.name, theirs.size, theirs.more) == ("a", None, 3)
    assert repr(theirs).endswith("Theirs(name='a', size=None, more=3)")
    with pytest.raises(FrozenInstanceError):
        theirs.name = "b"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["x", "other"])
def test_no_attribute_can_be_set_or_deleted(name: str) -> None:
    place = Place(1)
    with pytest.raises(FrozenInstanceError):
        setattr(place, name, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(place, name)
    assert not hasattr(place, "__dict__")


def test_values_can_be_copied_and_pickled() -> None:
    place = Place(1, note="here", names=["a"])
    for other in (copy.copy(place), copy.deepcopy(place), pickle.loads(pickle.dumps(place))):
        assert other == place
        assert other.note == "here"


def test_what_is_not_frozen_is_refused() -> None:
    with pytest.raises(TypeError):
        dataclass(frozen=False, slots=True)


def test_threads_that_make_the_first_value_at_once_all_get_one() -> None:
    for _ in range(20):
        cls, made, start = fresh(), [], threading.Barrier(4)

        def make(cls: type = cls, made: list[Any] = made, start: threading.Barrier = start) -> None:
            start.wait()
            made.append(cls(5))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [cls(5)] * 4


class Pair(NamedTuple):
    """Two of something."""

    left: int
    right: str = "none"

    @property
    def both(self) -> str:
        return f"{self.left}{self.right}"


def plain() -> type:
    class Plain(NamedTuple):
        left: int
        right: str = "none"

    return Plain


def test_a_tuple_is_that_of_typing_with_all_that_it_has() -> None:
    class Pair(typing.NamedTuple):
        """Two of something."""

        left: int
        right: str = "none"

    theirs, ours = Pair, globals()["Pair"]
    for made in (lambda cls: cls(1), lambda cls: cls(right="a", left=2), lambda cls: cls._make([1, "b"])):
        pair = made(ours)
        assert pair == made(theirs)
        assert repr(pair) == repr(made(theirs))
        assert (pair._asdict(), pair._replace(left=7)) == (made(theirs)._asdict(), made(theirs)._replace(left=7))
        assert copy.deepcopy(pair) == pickle.loads(pickle.dumps(pair)) == pair
        assert type(pickle.loads(pickle.dumps(pair))) is type(pair._replace(left=7)) is ours
    for name in ("_fields", "_field_defaults", "__match_args__", "__annotations__", "__doc__"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert signature(ours) == signature(theirs)
    assert ours(3).both == "3none"
    match ours(1, "b"):
        case ours(left, right):
            assert (left, right) == (1, "b")


@pytest.mark.parametrize("wrong", [lambda: Pair(), lambda: Pair(1, "a", 2), lambda: Pair._make([1])])  # type: ignore[call-arg]
def test_a_tuple_of_more_or_fewer_items_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        wrong()
    with pytest.raises(ValueError, match="up"):
        Pair(1)._replace(up=2)  # type: ignore[call-arg]


def test_nothing_of_a_tuple_is_compiled_until_one_is_made_of_other_than_its_items() -> None:
    cls: Any = plain()
    put_off = cls.__new__
    assert cls._make([1, "a"]) == (1, "a")
    assert cls.__new__ is put_off
    assert cls(1) == (1, "none")
    assert cls.__new__ is not put_off


def test_a_subclass_of_a_tuple_makes_its_own_values() -> None:
    base: Any = plain()
    inner: Any = type("Inner", (base,), {"__slots__": ()})
    assert type(inner(1)) is type(inner._make([1, "a"])) is type(inner(2)._replace(left=3)) is inner
    assert type(base(1)) is base


def test_a_pattern_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or re._compiler.compile(*given))  # type: ignore[attr-defined,func-returns-value]
    number = pattern(r"x(\d+)", re.IGNORECASE)
    assert compiled == []
    found = number.fullmatch("X12")
    assert found
    assert found[1] == "12"
    assert number.fullmatch("X12")
    assert compiled == [(r"x(\d+)", re.IGNORECASE)]
    assert [number.sub("-", "x1x2"), number.pattern] == ["--", r"x(\d+)"]
