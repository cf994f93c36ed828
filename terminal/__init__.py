"""The terminal client: the command line, playing, watching and the lobby.

Packages import downwards only, in this order: cli, commands, lobby, play, replay, views, text, screen.  Nothing in
`nhlog` may import this package.
"""
