// A WebSocket that is opened again when it was lost: soon at first, later more seldom, and at once when the network is back.

const FIRST = 250; // milliseconds until the first attempt
const LONGEST = 10_000;
const NOTHING_MORE = 4404; // the server's code for a close after which there is nothing to come again for

export class Connection {
  #socket;
  #timer;
  #wait = FIRST;
  #ended = false;

  /** `path()` is the address of the next attempt, `heard(message)` gets what the server sends, `changed(open)` is told. */
  constructor(path, heard, changed) {
    this.path = path;
    this.heard = heard;
    this.changed = changed;
    addEventListener("online", () => this.#open());
    addEventListener("pageshow", (event) => event.persisted && this.#open()); // the browser closed it meanwhile
    this.#open();
  }

  /** Send a message; what nobody can hear is dropped. */
  send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Begin anew: what came does not fit what we have. */
  renew() {
    this.#socket.close();
  }

  #open() {
    clearTimeout(this.#timer);
    if (this.#ended || this.#socket?.readyState <= WebSocket.OPEN) return;
    const address = new URL(this.path(), location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = (this.#socket = new WebSocket(address));
    socket.addEventListener("open", () => this.changed(true));
    socket.addEventListener("message", (event) => {
      this.#wait = FIRST; // it is there again, and it answers
      this.heard(JSON.parse(event.data));
    });
    socket.addEventListener("close", ({ code }) => {
      this.#ended = code === NOTHING_MORE;
      if (this.#ended) return;
      this.changed(false);
      this.#timer = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2)); // not all viewers at once
      this.#wait = Math.min(this.#wait * 2, LONGEST);
    });
  }
}
