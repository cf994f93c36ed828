"""The pages of `nhlog webplay`: the lobby of a player, and all that is played from it, in a browser.

What the server does: it runs `nhlog lobby --player NAME` in a pseudo-terminal, which is what sshd runs for a key, and
shows that terminal to the player's page.  So games, quotas, bans, maintenance, `who`, `kick`, mail and the hand-over
of a game between two terminals are the lobby's here as there, and none of them is written twice.

Rejected: a key channel to a game of its own, into the host of a program and into the log of delve.  Each kind of game
would need one, with rules of who writes that the lobby has already, and a page for what comes before and after a game.
Rejected, too: an emulator in the browser (xterm.js), as the terminals of players are emulated here, in processes that
may fall, and pages that watch draw the same pictures.

It is another server than `nhlog serve`, which can write nowhere and shows itself to everybody: this one runs as the
players' account, and answers to nobody who is not logged in.

**Who one is.**  A link has a ticket (`nhlog.players.tickets`) behind its ``#``, which no web server logs and nothing
that only looks at a link sends.  The page shows whose it is, and sends it when the player says so: ``POST /play/login``
exchanges it for a session, a ticket in a cookie (HttpOnly, SameSite=Strict, below ``/play`` alone, Secure where `play`
of the configuration is https).  ``POST /play/logout`` ends the session, ``GET /play/session`` says whose it is.

**What is refused.**  Host names that are not the site's; what changes something, and the WebSocket, without an
``Origin`` of this very host: no other site's page can use the cookie.  Attempts to log in are few for an address,
lobbies that begin for a player.  A page can type and say how large its terminal is, nothing else, in messages of 1 kB.

**The terminal** (``/play/ws?size=100x30``): the messages ``full`` and ``diff`` of `terminal.web`, and::

    {"t":"state","title","told"}     a new title of the terminal, and what is read aloud (`processes.hearing`)
    {"t":"gone"|"error","text"}      the lobby has ended, or the page is closed for another of the same session

From the page: ``{"key":"page-up"}``, ``{"paste":"text"}``, ``{"click":[x, y]}``, ``{"wheel":1}``,
``{"size":"100x30"}``.

**One page.**  A session has one lobby, and a lobby one page: a second one takes it over, as it stands.  A lobby whose
page is gone waits for a moment, as the connection of a phone comes and goes, and is then hung up, as by sshd.

**Talk.**  The pages of `nhlog serve`, at the same host, show what is said beside a game; ``POST /play/talk`` with
``{"recording","text"}`` says something under the name of the session, or as a guest where the configuration lets them.
Who has just come to watch is too early, and gets 503 with ``Retry-After``: the page sends it again.

Modules: `door` (who comes in), `lobbies` (those that run), `talking` (what is said beside games), `routes` (HTTP),
`serving`.  Must not import verbs.
"""
