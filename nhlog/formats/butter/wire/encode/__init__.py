"""Encoding of frames as .butter version 3 (spec 3); start at `frames.Encoder`.  Must not import what does I/O."""
