"""The hero's body: movement, traps, hunger and healing; and the player's input.

Must not import `items`, `commands` or `course`.
"""
