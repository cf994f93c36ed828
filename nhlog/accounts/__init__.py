"""The accounts of a server: whose key or password it is, who may register, and what proves it to a browser.

**Who may do what.**  All players' sessions run as one Unix account, and so do games without a sandbox.  What decides
who somebody is belongs to another account, the *keeper*: it owns the store (`store`), whose file nobody else can read.

- sshd asks for the line of a key by a program that it runs as the keeper (`offered`).  A key that is known runs the
  lobby of its player, one that is not runs a session that registers its owner, where that is allowed.
- A session that registers somebody runs as the players' account: it asks a service of the keeper (`broker`, `serving`)
  through a socket, a line of JSON for a request and one for the answer (`nhlog.players.asking`).  The service believes
  the players' account and root when they say for whom they ask, and nobody else: the account can write all files of all
  players anyway.  Games in a sandbox do not see the socket.
- Root acts on the store with the keeper's rights alone (`nhlog.files.owners`).

Rejected: a file of keys for sshd that is made from the store, which would cost no process for each login: it would be
a second truth, and sshd heeds no file that belongs to others than root and the user who logs in.  PAM: a module runs
with root's rights, and one that asks a program gives the name of a Unix account, which is the same for all players.

This module imports nothing, as `offered` begins for each key that sshd is offered.  Must not import `terminal`.
"""
