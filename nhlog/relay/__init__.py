"""Live copies of logs and recordings on NATS JetStream; the file is what holds, and every copy can be made again.

`wire` is what is sent, `course` how far one has come in a file and whether a message joins on there; both without I/O.
`following` reads a growing file in messages, `publishing` sends them, `receiving` makes a file of them again.  From
one of the `snapshots` on, whoever comes `late` sees a game at once.
`connection` is the one module that knows the server.  Must not import `session` or `terminal`.
"""
