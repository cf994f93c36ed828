"""Sessions of people who are no players yet, or say who they are by a password: questions in a terminal, line by line.

They end by becoming the player's lobby.  Plain lines, as the terminal may be anything and nobody has chosen settings.
Must not import the lobby or a verb.
"""
