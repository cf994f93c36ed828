"""Reading and writing of the text files: lines of an .echoreplay file, and the JSON of the game's HTTP API in them.

Must not import anything that does I/O.
"""
