"""What items do, and how the hero handles them: wearing, throwing, drinking, reading, zapping, eating.

Must not import `commands` or `course`.

"""
