"""nhlog: a shared, crash-proof log file is the game.

The library: prints nothing and knows no terminal; it must not import `terminal`.
"""
