"""The files of settings, the system's and a user's: what cannot be meant is refused, with the file and the line.

They are read as whoever wrote them had the right to: a case names users and folders, and nothing is run.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

from nhlog.config import Mistakes, read_config, read_system_config
from nhlog.errors import Usage
from scripts.fuzzing.mutants.change import TEXTS, bend_bytes, bend_often, rarely
from scripts.fuzzing.rules import Begin, check_error
from terminal.client import chosen_keys, chosen_theme

__all__ = ["DEPTHS", "act", "bend_toml", "mutant"]

_LINES: Final = (
    'durability = "none"',
    'notify = "poll"',
    'games = "/var/games"',
    'finished = "~/finished"',
    'recordings = ["/srv"]',
    "maps = []",
    "idle_minutes = 2.5",
    "mouse = true",
    "mail = false",
    'administrators = ["root"]',
    'players = "/srv/p"',
    'authorized_keys = "/srv/keys"',
    "quota_games = 5",
    'quota_bytes = "512M"',
    "[keys.replay]",
    'pause = ["Space", "p"]',
    "[keys.lobby]",
    'quit = "Ctrl-Q"',
    "[theme]",
    'title = "bold yellow on #202040"',
    'here = "plain"',
    "[games.nethack]",
    'command = ["/usr/games/nethack", "-u", "{player}"]',
    'title = "NetHack"',
    'record = "ttyrec"',
    'size = "80x24"',
    'env = { TERM = "xterm" }',
    'cwd = "~"',
    'rcfile = ".nethackrc"',
    "idle_limit = 60",
    "max_players = 3",
    'save_files = ["save/*"]',
    'on_disconnect = "keep"',
    'sandbox = "bwrap"',
    "network = false",
    'memory = "1G"',
    "processes = 9",
    "cpu_minutes = 1",
    'readable = ["/usr/share"]',
    'own_folders = ["/var/games/nethack"]',
    "[games]",
    'folder = "/var/games"',
    "[web]",
    "viewers = 100",
    'proxies = ["127.0.0.1", "10.0.0.0/8"]',
    'names = ["a.example"]',
    'play = "https://a.example/play"',
    "[accounts]",
    'store = "/srv/accounts.db"',
    'registration = "invited"',
    'reserved_names = ["root"]',
    "most_a_day = 9",
    "[relay]",
    'url = "nats://localhost:4222"',
    "[[games.more]]",
)
_VALUES: Final = (
    "0",
    "-1",
    "1e999",
    "nan",
    "-inf",
    "0x7fffffffffffffffffff",
    "99999999999999999999999",
    "true",
    '""',
    "[]",
    "{}",
    "[[]]",
    "1979-05-27T07:32:00Z",
    "12:00:00",
    '"~nobody-at-all/x"',
    '"\\u0000"',
    '"\\u001b[2J"',
    '"a\\nb"',
    '"\\u202e"',
    '"9999x9999"',
    '["", ""]',
    '"::/0"',
    '"300.1.1.1/99"',
    "{ a = { b = { c = 1 } } }",
    '"""\nmore\nlines"""',
    '"\\ud800"',
)
DEPTHS: Final = (5, 90, 3000, 50_000)


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Two files, as lines whose values are others, in another order, and bent."""
    return {f"case/{name}.toml": bend_toml(chance, _LINES) for name in ("own", "system")}


def bend_toml(chance: Random, lines: tuple[str, ...]) -> bytes:
    """These lines of TOML, or some of them, with hostile values."""
    some = [line for line in lines if not rarely(chance, 3)] if rarely(chance, 2) else list(lines)
    if rarely(chance, 3):
        chance.shuffle(some)
    some = bend_often(chance, (0, 1, 1, 2, 5), some, _bend_line)
    data = "".join(f"{line}\n" for line in some).encode("utf-8", "surrogatepass")
    return bend_bytes(chance, data) if rarely(chance, 6) else data


def _bend_line(chance: Random, line: str) -> str:
    name, equals, _ = line.partition(" = ")
    if not equals:
        return chance.choice(
            (line.replace("]", ".more]"), f"[{line}]", "[]", f"[{'a.' * chance.choice(DEPTHS)}a]", line * 2)
        )
    depth = chance.choice(DEPTHS)
    nested = ("[" * depth + "]" * depth, "{a=" * depth + "1" + "}" * depth, "[" * depth)
    match chance.randrange(8):
        case 0:
            return f"{name} = {chance.choice(nested)}"
        case 1:
            return f"{name}{'.a' * depth} = 1"
        case 2:
            return f"{chance.choice(TEXTS)!r} = 1"
        case 3:
            return f'{name} = "{chance.choice(TEXTS)}"'
    return f"{name} = {chance.choice(_VALUES)}"


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Read both, one over the other, and each alone; what is chosen for the client is asked for, too."""
    own, system, nowhere = case / "own.toml", case / "system.toml", case / "none.toml"
    for path, shared in ((own, system), (own, nowhere), (nowhere, system), (system, system)):
        begin(f"config: {path.name} {shared.name}")
        with _usage():
            config = read_config(path, shared)
            hash(config.folders)
            with _usage():
                chosen_keys(config.keys)
            chosen_theme(config.theme)
            for program in config.programs:
                program.for_player("ann", case)
    begin("config: system's alone")
    with _usage():
        read_system_config(system)


@contextmanager
def _usage() -> Iterator[None]:
    """A scope that may end with the error for what cannot be meant, a line for each mistake, and no other."""
    try:
        yield
    except Mistakes as mistakes:
        for error in mistakes.every:
            check_error(error)
    except Usage as error:
        check_error(error)
