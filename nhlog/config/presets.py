"""Games that are known: what their tables say where they say nothing else, as a configuration file would have it.

A preset is no more than such a table, so whatever is in one can be written for any other game.  The paths are those of
Debian's packages.  Each was played through sshd (`tests/together/test_presets.py`).
"""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["PRESETS"]

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "nethack3": {
        "title": "NetHack",
        "command": ["/usr/games/nethack", "-u", "{player}"],
        "own_folders": ["/var/games/nethack"],
        "save_files": ["/var/games/nethack/save/*"],
        "rcfile": ".nethackrc",
        "memory": "256M",
        "processes": 16,
        "repair": ["/usr/lib/games/nethack/recover", "-d", "/var/games/nethack", "{file}"],
        "broken_files": ["/var/games/nethack/*.0"],
        "scores": ["/var/games/nethack/xlogfile"],
        "bones": ["/var/games/nethack/bon[A-Z]*"],
        "dumps": ["/var/games/nethack/dumps/*"],
    },
    "crawl": {
        "title": "Dungeon Crawl",
        "command": ["/usr/games/crawl", "-name", "{player}", "-dir", "{home}/crawl", "-rc", "{home}/.crawlrc"],
        "save_files": ["crawl/saves/{player}.cs"],
        "rcfile": ".crawlrc",
        "size": "80x24",
        "on_disconnect": "keep",
        "scores": ["crawl/saves/logfile"],
        "dumps": ["crawl/morgue/morgue-*.txt"],
    },
    "angband": {
        "title": "Angband",
        "command": ["/usr/games/angband", "-u{player}", "-duser={home}/angband", "-mgcu", "--", "-n1"],
        "own_folders": ["/var/games/angband"],
        "save_files": ["/var/games/angband/save/*"],
        "size": "80x24",
        "on_disconnect": "keep",
        "dumps": ["angband/*.txt"],
    },
}
