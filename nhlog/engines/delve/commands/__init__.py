"""Every command by name: its arguments, what does it, and what goes on for several turns.

Must not import `course`: a command knows neither the turn it takes nor the level it leads to.

"""
