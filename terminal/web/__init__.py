"""The pages of `nhlog serve`: recordings, and the list of them, in a browser.

What the server, its page and its processes agree on:

**Addresses.**  ``GET /`` is the lobby's page, ``GET /r/ID`` that of a recording, ``GET /static/NAME`` what they need (a
fixed table of names); ``/ws/lobby`` and ``/ws/view/ID?at=POSITION&size=120x40`` are WebSockets of JSON texts.  An ID is
a digest of the recording's place, looked up in the list of recordings: no path ever comes from outside.  All else is
404, all methods but GET and HEAD are 405.

**Processes.**  The server opens no recording.  A *lister* process looks at the folders and tells what there is; a *view
process* opens one recording, has one `Controls` and `Player`, and draws.  Who stands where a recording stands by itself
(at the live end; at the start of a finished one) shares one view process; who presses a key that does something
else, or comes with ``at``, has one of their own, of which there is a limited number.  None of them writes anything.

**To the page, of a recording** (`/ws/view/ID`)::

    {"t":"hello","title","people","format","unit","fits":"80x24","keys":[{"key","action","label","does","section"},
     ...]}
    {"t":"state","step","last","at","place","times":[now, total],"speed","motion","direction","live","message","note",
     "told","typing","over","own","markers":[[step, name], ...]}
    {"t":"full","n","w","h","styles":[[fg, bg, attributes, role], ...],"rows":[[[text, style], ...], ...],"cursor"}
    {"t":"diff","n","from","runs":[[x, y, text, style], ...],"styles":[new ones],"cursor"}
    {"t":"gone"|"busy"|"error","text"}

- ``hello`` comes first, and again where another process draws from now on.  `key` is what the page sends, `label` what
  people call it.  `fits` is the smallest size that has room for what was recorded.
- ``state`` says only what changed, at first all: `at` is a position for a link to this very step, `place` what one is
  told of it, `times` are microseconds, `motion` is ``playing``, ``paused`` or ``following``, `direction` 1 or -1,
  `message` the message line, `note` a remark on the recording, `told` what the game tells its player, `typing` whether
  keys mean something else than the table says, `over` whether something is open that Esc closes, `own` whether the
  viewer has a process of their own.
- ``full`` is a whole picture: the view, without the title, transport line and message that a terminal has around it.
  `styles` is a table: a run's `style` is an index into it; the styles of a ``diff`` are appended to the table of the
  ``full`` before.  `fg` and `bg` are null, a number of the palette (0 to 15) or ``#rrggbb``, `attributes` words (``bold
  dim italic underline blink reverse invisible strikethrough overline``), `role` is the word of the client's theme, or
  empty.  A run that takes other columns than it has characters is one glyph, and has its columns as a last item:
  ``[text, style, 2]``, ``[x, y, text, style, 2]``.  Blank ends of rows are left out.  `cursor` is ``[x, y]`` or null.
- ``diff`` turns picture `from` into picture `n`.  Numbers rise by one; who misses one is sent a ``full``.
- ``gone``: the recording is not there any more; ``busy``: there is no process to look back with, the viewer stays where
  they were; ``error``: it cannot be read.  After ``gone`` and ``error`` the connection is closed.

**From the page**: ``{"key":"page-up"}`` (names of keys as in the terminal, or one character), ``{"seek":"turn:120"}``,
``{"step":n}``, ``{"search":"text","back":false}``, ``{"click":[x, y]}`` (a cell), ``{"size":"80x24"}``.  Sizes are
``80x24``, ``120x40`` and ``200x60``.  Larger messages than 1 kB end the connection, too many a second and unknown ones
are ignored.

**Live streams** (``/ws/live/ID?size=80x24``, subprotocol ``v1.alis``): ALiS 1, for asciinema's player on any page; the
same binary messages for all who watch, but that who comes, or was slow, is sent a screen first.  `size` is for what is
no terminal's recording.

**Casts** (``GET /recordings/ID.cast?size=80x24``): all of a recording as it is now, as asciicast 2, sent as it is made;
any page may have it.  There are a few at a time: 503 says to ask again.

**Games that ended** (``/scores``, ``/recent``, ``/player/NAME``, ``/dumps/NAME``, ``/api/...``): see `results`.

**The lobby** (`/ws/lobby`): ``{"t":"hello","keys"}``, then ``{"t":"rows","rows":[row, ...],"ready"}``, then
``{"t":"changes","put":[row, ...],"gone":[id, ...],"ready"}``; `ready` is whether all that there is has been listed;
``{"t":"picture","id","picture"}``: a game as it is now, as the ``full`` of a recording, or null where it has none;
``{"t":"trouble","text"}`` says that the list cannot be made just now, or with an empty text that it can again.  A row:
`id`, `player`, `title`, `game`, `size` (``120x40``, or empty), `turn`, `place`, `started` and `changed` (milliseconds
since 1970, or null), `watchers` (in pages, too), `playing`, `status` (``live finished "needs recovery" damaged
unreadable``), `state` (what became of it, or why it cannot be listed), `kind` (``game`` or ``recording``).

Modules: `connection` (a WebSocket), `site` (who looks at what), `viewers` (who looks), `audience` (all of one process),
`streams` (who watches a live stream), `casts`, `recordings` (what there is), `front` (the first page), `log` (what is
said of it), `processes` (what reads recordings), `results` (games that ended), `routes` and `serving` (HTTP),
`admission` (what is accepted), `addresses` (from where), `places` (where recordings are).  Must not import verbs.
"""
