"""The order of the site's pages, under the headings of its list.

A page is a document in `docs/`, or what `pages` makes of the README, the help and the docstrings.
"""

__all__ = ["NAV"]

NAV = {
    "Begin": ("install", "tour", "delve", "keys", "config", "support"),
    "Commands": ("verbs", "plots", "json"),
    "Recordings": (
        "formats",
        "nhgame",
        "ttyrec",
        "asciicast",
        "recorder",
        "teehistorian",
        "datafile",
        "hollowcube",
        "butter",
    ),
    "Servers": ("server", "games", "web", "scale"),
    "Python": ("library", "api/index", "extending"),
    "How it works": ("how", "locks", "reliability", "benchmarks"),
    "The project": ("contributing", "changelog"),
}
