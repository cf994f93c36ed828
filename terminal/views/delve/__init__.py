"""The view of delve games (engine `delve`), registered as an entry point of the group `nhlog.views`.

`view.VIEW` is the view, `glyphs` has the cells of its map.  Must not import views of other recordings.
"""
