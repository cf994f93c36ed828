"""The view of Echo VR sessions (format `butter`).

`view.VIEW` is the view, the other modules are its parts.  Must not import views of other recordings.
"""
