"""Games that are known: what their tables say where they say nothing else, as a configuration file would have it.

A preset is no more than such a table, so whatever is in one can be written for any other game.  The paths are those of
Debian's packages; for NetHack 3.7 and 4, which Debian has not, those at which docs/games.md builds them.  Each was
played through sshd (`tests/together/test_presets.py`).
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
    "nethack37": {
        "title": "NetHack 3.7",
        "command": ["/opt/nethack37/lib/nethack", "-u", "{player}"],
        "own_folders": ["/var/games/nethack37"],
        "save_files": ["/var/games/nethack37/save/*"],
        "rcfile": ".nethackrc",
        "memory": "256M",
        "processes": 16,
        "scores": ["/var/games/nethack37/xlogfile"],
        "bones": ["/var/games/nethack37/bon[A-Z]*"],
        "dumps": ["/var/games/nethack37/dumps/*"],
    },
    "nethack4": {
        "title": "NetHack 4",
        "command": ["/opt/nethack4/bin/nethack4", "-Z", "-u", "{player}", "-U", "/var/games/nethack4"],
        "own_folders": ["/var/games/nethack4", "/var/opt/nethack4"],
        "logs": "/var/games/nethack4/save",
        "save_files": ["/var/games/nethack4/save/*.nhgame"],
        "memory": "512M",
        "processes": 16,
    },
    "crawl": {
        "title": "Dungeon Crawl",
        "command": ["/usr/games/crawl", "-name", "{player}", "-dir", "{home}/crawl", "-rc", "{home}/.crawlrc"],
        "save_files": ["crawl/saves/{player}.cs"],
        "rcfile": ".crawlrc",
        "size": "80x24",
        "on_disconnect": "keep",
        "scores": ["crawl/saves/logfile", "crawl/saves/logfile-seeded"],
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
