"""The view of Hollow Cube recordings (format `hollowcube`).

`view.VIEW` is the view, the other modules are its parts.  Must not import views of other recordings.
"""
