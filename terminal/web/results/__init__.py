"""The pages about games that ended: scores, the latest, players, dumps; as HTML without scripts, RSS and JSON.

`asking` asks the process that knows them (`terminal.web.processes.history`), `records` is what is known of a player or
a game, `pages`, `feeds` turn that into text and know no server, `routes` has the addresses.  Must not import a format.
"""
