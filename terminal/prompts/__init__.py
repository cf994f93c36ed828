"""The prompts of a game at the keyboard and on the screen.

`inputs.prompt_input` gives the input for a prompt, which takes keys and returns the log line of the answer; each kind
of prompt has a class.  `drawing` draws one.  They do not know the game; must not import the play client or the replay
client.
"""
