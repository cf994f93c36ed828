"""The order of the site's pages, under the headings of its list: what one does first, then what one looks up.

A page is a document in `docs/`, or what `pages` makes of the README, the help and the docstrings.
"""

__all__ = ["NAV"]

NAV = {
    "Begin": ("install", "tour", "nethack", "delve", "support"),
    "Run a server": ("server", "from-dgamelaunch", "games", "recorder", "web", "scale"),
    "Program": ("library", "extending"),
    "Reference": ("config", "keys", "verbs", "plots", "json", "web-api", "server-rules", "api/index"),
    "Recordings": ("formats", "nhgame", "ttyrec", "asciicast", "teehistorian", "datafile", "hollowcube", "butter"),
    "How it works": ("how", "locks", "server-behaviour", "reliability", "benchmarks"),
    "The project": ("contributing", "changelog"),
}
