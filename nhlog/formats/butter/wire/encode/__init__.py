"""Frames to the bytes of .butter version 3 (spec 3); begins with `frames.Encoder`.  Must not import what does I/O."""
