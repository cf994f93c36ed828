"""The behaviour of monsters: movement, decisions, and their part of a turn.

Must not import `hero`, `items`, `commands` or `course`.
"""
