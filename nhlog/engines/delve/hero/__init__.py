"""What the hero's body does: it moves, meets traps, hungers and heals; and what the player tells it to do.

Must not import `items`, `commands` or `course`.

"""
