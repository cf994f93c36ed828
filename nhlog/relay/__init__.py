"""Live copies of logs and recordings on NATS JetStream; the file is the original, and every copy can be made again.

`wire` is what is sent, `course` how far a file was sent and whether a message continues it; both without I/O.
`following` reads a growing file as messages, `publishing` sends them, `receiving` makes a file of them again.  With
`snapshots`, a viewer who joins `late` sees a game at once.  `said` is what is said of it, and beside it.
`connection` is the one module that knows the server.  Must not import `session` or `terminal`.
"""
