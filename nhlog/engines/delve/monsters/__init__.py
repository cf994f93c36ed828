"""What monsters do: how they move, what they decide, and their part of a turn.

Must not import `hero`, `items`, `commands` or `course`.

"""
