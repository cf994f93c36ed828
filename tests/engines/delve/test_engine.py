"""What is known of the game before one is played."""

import subprocess
import sys

PROBE = """
import sys
from nhlog.engines import engine_named
engine = engine_named("delve")
engine.name, engine.version, engine.roles, engine.commands, engine.bindings
print(*sys.modules)
"""


def test_keys_and_roles_are_known_without_what_plays_the_game() -> None:
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert {module.removeprefix("nhlog.engines.delve.") for module in modules if ".delve." in module} == {
        *("bindings", "engine"),
        *("world", "world.roles"),
    }
    assert modules & {"tcod", "numpy"} == set()
