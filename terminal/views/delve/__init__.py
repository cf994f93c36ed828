"""The view of delve games (engine `delve`), registered as an entry point of the group `nhlog.views`.

`view.VIEW` is the view, the other modules are its parts.  Must not import views of other recordings.
"""
