"""The replay client: opening a recording, the player and its keys, and the loop that shows it on a display.

`open.open_viewed` opens a recording, `loop.watch` shows it.  Must not import verbs, the lobby or playing.
"""
