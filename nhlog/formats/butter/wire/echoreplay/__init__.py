"""The text form, both ways: lines of an .echoreplay file and the JSON of the game's interface in them.

Must not import what does I/O.
"""
