"""One module per verb, each with its click command named `command`; `cli` imports the one that is called.

A verb reads its arguments, calls the library and prints; it must not import another verb.
"""
