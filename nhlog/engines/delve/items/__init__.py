"""The effects and uses of items: wearing, throwing, drinking, reading, zapping, eating.

Must not import `commands` or `course`.
"""
