"""The views of Teeworlds: recorded servers (format `teehistorian`) and maps (format `datafile`).

`teehistorian.VIEW` and `datafile.VIEW` are the views; both draw tile layers (`tiles`, `glyphs`).  Must not import views
of other recordings.
"""
