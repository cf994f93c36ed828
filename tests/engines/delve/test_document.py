"""The game's document says what is so."""

import re

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.species import SPECIES
from tests.engines.delve.keys import DOCUMENT, brought_up


def test_it_lists_the_keys_as_they_are() -> None:
    text = DOCUMENT.read_text()
    assert text == brought_up(text)


def test_it_lists_the_roles() -> None:
    text, _, _ = DOCUMENT.read_text().partition("## How hard it is")
    assert re.findall(r"^\| (\w+) \| \w.*\|$", text, re.MULTILINE) == ["role", *ENGINE.roles]


def test_its_extended_commands_exist() -> None:
    named = set(re.findall(r"`#(\w+)`", DOCUMENT.read_text()))
    assert named
    assert named <= set(ENGINE.commands)


def test_it_spoils_no_monster_and_no_magic() -> None:
    text = DOCUMENT.read_text().lower()
    told = [species.name for species in SPECIES[1:] if re.search(rf"\b{species.name.lower()}\b", text)]
    magic = [kind.name for kind in KINDS if " of " in kind.name and kind.name.lower() in text and kind.price < 5000]
    assert (told, magic) == ([], [])
