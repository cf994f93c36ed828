"""The view of NetHack 4 logs (format `nhgame`): the map as the hero perceives it.

`view.VIEW` is the view, the other modules are its parts.  Must not import views of other recordings.
"""
