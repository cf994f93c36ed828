"""Hollow Cube recordings: the design text's layout and the shipped game's, whole files and folders of segments.

- `operations`: what can be done with a recording, by its path.
- `writing`: `Recorder`, `Ring` and what else makes recordings.
- `replay`, `race`, `state`: a recording at a position, its ghost, and what is there.
- `wire`: bytes and values, without I/O; `reading`: files, folders and addresses, by byte ranges.

Imports run from `operations` and the modules beside it to `writing`, `reading`, `state` and `words`, `wire`.  Must not
import `session` or `terminal`.
"""
