"""Tables of keys, by which keys are dispatched and from which help and hints are made; and what keys are called.

A table is as its module has it, or as the user has chosen the keys of its actions in `config.toml`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.config import Choice

__all__ = [
    "SCROLLS",
    "WHEEL",
    "Bound",
    "Key",
    "KeyTable",
    "about",
    "as_they_are",
    "begins_number",
    "edited",
    "key_code",
    "key_label",
    "key_named",
    "strokes",
]

C = TypeVar("C")

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_NOT_SENT: Final = "chijmqsvz"  # Ctrl with these is another key, or the system's
_PLAIN: Final = {
    "enter": "Enter",
    "escape": "Esc",
    "tab": "Tab",
    "backspace": "Backspace",
    "insert": "Ins",
    "delete": "Del",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "page-up": "PgUp",
    "page-down": "PgDn",
    "home": "Home",
    "end": "End",
}
_LABELS: Final = {
    " ": "Space",
    **_PLAIN,
    "shift-tab": "Shift-Tab",
    **{f"shift-{arrow}": f"Shift-{_PLAIN[arrow]}" for arrow in ("up", "down", "left", "right")},
    **{f"ctrl-{arrow}": f"Ctrl-{_PLAIN[arrow]}" for arrow in ("up", "down", "left", "right")},
    **{f"ctrl-{letter}": f"Ctrl-{letter.upper()}" for letter in _LETTERS if letter not in _NOT_SENT},
    "ctrl-]": "Ctrl-]",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
    "wheel-up": "Wheel-Up",
    "wheel-down": "Wheel-Down",
}
"""What people call the keys that are no characters, by their names (`terminal.screen.tty.keyboard`)."""
WHEEL: Final = ("wheel-up", "wheel-down")
"""The wheel's keys: nobody has them where no mouse is."""
SCROLLS: Final = {
    "down": 1,
    "up": -1,
    "wheel-down": 3,
    "wheel-up": -3,
    **dict.fromkeys((">", "page-down"), 10),
    **dict.fromkeys(("<", "page-up"), -10),
}
"""The keys that scroll a page, and by how many rows."""
_ALT: Final = "alt-"  # a character with Alt: keys of games only, as other tables of keys have Escape
_CODES: Final = {"backspace": 8, "tab": 9, "enter": 13, "escape": 27}
_NAMES: Final = {label.casefold(): name for name, label in _LABELS.items()}


def key_label(name: str) -> str:
    """What a key of this name is called: ``Ctrl-X``, ``PgDn``, ``Space``; a character is itself."""
    first, _, then = name.partition(" ")
    if first and then:
        return f"{key_label(first)} {key_label(then)}"
    return f"Alt-{name.removeprefix(_ALT)}" if name.startswith(_ALT) else _LABELS.get(name, name)


def strokes(prefix: str, key: str) -> str:
    """The name of a key that is pressed after another one."""
    return f"{prefix} {key}"


def key_code(name: str) -> int | None:
    """The code that a terminal sends for a key; None for a key that has none, such as an arrow."""
    if len(name) == 1:
        return ord(name)
    base, _, letter = name.partition("-")
    return ord(letter) & 31 if base == "ctrl" and len(letter) == 1 else _CODES.get(name)


def key_named(label: str) -> str | None:
    """The name of the key that is called so; None if there is none."""
    return label if len(label) == 1 and label.isprintable() else _NAMES.get(label.casefold())


def about(target: str, word: str) -> str:
    """What a click with this word is about (`terminal.screen.tty.mouse`); empty for any other click or key."""
    found, _, what = target.partition(" ")
    return what if found == word else ""


def edited(text: str, key: str) -> str | None:
    """A text that is being typed, after this key; None where that drops it: Esc, or Backspace where nothing is left."""
    if key == "escape" or (key == "backspace" and not text):
        return None
    if key == "backspace":
        return text[:-1]
    return text + key if len(key) == 1 else text


def begins_number(key: str) -> str:
    """Why no action can have this key where one types numbers; empty if one can."""
    return "begins a number here" if key.isdecimal() else ""


def _always(owner: object) -> bool:
    return True


def _nothing(key: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Key(Generic[C]):
    """An action and its keys.

    `group` is its heading in the help, `keys` are names of keys (`terminal.screen.tty.keyboard`), `action` is what the
    configuration calls it, `words` is what the help says, in which ``{key}`` is its first key, and `act` does it to the
    object that owns the table.  `fits` is whether it has a meaning there: the help leaves out what has none.
    """

    group: str
    keys: tuple[str, ...]
    action: str
    words: str
    act: Callable[[C], None]
    fits: Callable[[C], bool] = _always

    @property
    def label(self) -> str:
        """What its keys are called."""
        return " ".join(map(key_label, self.keys))

    @property
    def does(self) -> str:
        """What the help says of it."""
        return self.words.replace("{key}", key_label(self.keys[0]) if self.keys else "")


class KeyTable(Generic[C]):
    """The actions of one part of the client and their keys; `name` is what the configuration calls it.

    `against` is what there is against giving a key to an action there, if there is anything; every one of the actions
    `needed` has a key.
    """

    def __init__(
        self,
        name: str,
        rows: Sequence[Key[C]],
        against: Callable[[str], str] = _nothing,
        needed: tuple[str, ...] = ("help", "quit"),
    ) -> None:
        self.name = name
        self.rows = tuple(rows)
        self._against = against
        self._needed = needed
        self._by_key = {key: row for row in rows for key in row.keys}
        self._by_action = {row.action: row for row in rows}

    def __iter__(self) -> Iterator[Key[C]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def of(self, key: str) -> Key[C] | None:
        """The row of the key with this name; None for a key that does nothing."""
        return self._by_key.get(key)

    def action(self, key: str) -> str:
        """The action of the key with this name; empty for a key that does nothing."""
        row = self._by_key.get(key)
        return row.action if row else ""

    def key(self, action: str) -> str:
        """The name of the first key of an action; empty if it has none."""
        return next(iter(self._by_action[action].keys), "")

    def fits(self, action: str, owner: C) -> bool:
        """Whether an action has a meaning for `owner`."""
        return self._by_action[action].fits(owner)

    def label(self, action: str) -> str:
        """What the first key of an action is called; empty if it has none."""
        return key_label(self.key(action))

    def chosen(self, choices: "Sequence[Choice]") -> "KeyTable[C]":
        """This table with the keys that the user chose; raises :class:`~nhlog.errors.Usage` for what cannot be."""
        from nhlog.config import together

        keys = together(*(partial(self._keys, choice) for choice in choices))
        table = self._with(dict(zip((choice.name for choice in choices), keys, strict=True)))
        together(*(partial(table._check, choice) for choice in choices))
        return table

    def without(self, keys: Sequence[str]) -> "KeyTable[C]":
        """This table without these keys, which nobody can press."""
        return self._with({row.action: tuple(key for key in row.keys if key not in keys) for row in self.rows})

    def after(self, prefix: str, claimed: Collection[str], action: str) -> "KeyTable[C]":
        """This table where others have the keys `claimed`: these are pressed after the prefix, the key of `action`."""
        taken = {prefix, *claimed}
        keys = {row.action: tuple(strokes(prefix, key) if key in taken else key for key in row.keys) for row in self}
        return self._with({**keys, action: (prefix,)})

    def _with(self, keys: Mapping[str, tuple[str, ...]]) -> "KeyTable[C]":
        """This table with other keys for these actions."""
        rows = [replace(row, keys=keys.get(row.action, row.keys)) for row in self.rows]
        return KeyTable(self.name, rows, self._against, self._needed)

    def _keys(self, choice: "Choice") -> tuple[str, ...]:
        """The names of the keys that were chosen for an action."""
        if choice.name not in self._by_action:
            raise choice.refused(f"no such action: {choice.name}", expected=" or ".join(self._by_action))
        names = []
        for label in choice.value:
            name = key_named(label)
            if name is None:
                raise choice.refused(f"no such key: {label}", expected="a character or a name like Space, PgDn, Ctrl-P")
            if against := self._against(name):
                raise choice.refused(f"{label} {against}", expected="another key")
            names.append(name)
        if not names and choice.name in self._needed:
            raise choice.refused(f"{choice.name} needs a key")
        return tuple(dict.fromkeys(names))

    def _check(self, choice: "Choice") -> None:
        """Refuse a key that was chosen for an action and is another's, too."""
        for row in self.rows:
            for key in self._by_action[choice.name].keys:
                if row.action != choice.name and key in row.keys:
                    what = f"{key_label(key)} is given to {choice.name} and to {row.action}"
                    raise choice.refused(what, expected=f"other keys for one of them; {row.action} = [] is none")


class Bound(Protocol):
    """A function from a table to the same with the keys that the user chose."""

    def __call__(self, table: KeyTable[C], /) -> KeyTable[C]:
        """The table with the user's keys."""
        ...


def as_they_are(table: KeyTable[C], /) -> KeyTable[C]:
    """The table itself: nobody chose other keys."""
    return table
