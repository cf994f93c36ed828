"""Playing a game in its log: keys become commands and answers, and the screen shows what the log says.

`start.play_file` plays the game of a file on a display.  Must not import verbs or the lobby.
"""
