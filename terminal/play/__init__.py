"""The play client: keys become commands and answers in a game's log, and the screen shows the state of the log.

`start.play_file` plays the game of a file on a display.  Must not import verbs or the lobby.
"""
