"""All commands by name: their arguments, their actions, and those that take several turns.

Must not import `course`: a command knows neither the turn it takes nor the level it leads to.
"""
