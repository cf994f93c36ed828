"""Answering a prompt of the game at the keyboard: keys in, the answer's log line out.

`inputs.prompt_input` gives the input for a prompt, and each kind of prompt has a class.  They know neither the game
nor the screen; must not import the controller or the drawing.
"""
