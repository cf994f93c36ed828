"""What is read of recordings for the lobby, in a process of its own.

`jobs` are what that process does, `reader` is who has it do them.  Must not import the other modules of the lobby.
"""
