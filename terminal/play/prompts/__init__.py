"""Answering a game's prompt at the keyboard: takes keys, and returns the log line of the answer.

`inputs.prompt_input` gives the input for a prompt; each kind of prompt has a class.  They know neither the game nor the
screen; must not import the controller or the drawing.
"""
