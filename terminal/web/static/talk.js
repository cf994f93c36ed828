// The talk beside a recording: what those who watch say, and what the viewer says to them.

import { element } from "./keys.js";
import { $, readAloud, say } from "./page.js";

const MOST = 200; // lines that are kept
const MOST_TRIES = 8; // of a line, a second apart: who plays has noticed by then that somebody watches
const SECOND = 1000; // milliseconds
const NEAR = 40; // pixels from the end within which one reads along

let asked = false; // whether the viewer has shown or hidden it: then it stays so
let open = false; // whether one can talk here

/** Show lines of [name, text, milliseconds since 1970]: behind those that are there, or in place of them. */
export function talk({ more, lines }) {
  const list = $("said");
  const along = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  const rows = lines.map(([name, text, time]) => {
    const row = element("li", ` ${text}`);
    row.prepend(element("b", name));
    row.title = new Date(time).toLocaleString();
    return row;
  });
  if (more) list.append(...rows);
  else list.replaceChildren(...rows);
  if (rows.length) $("talks").hidden = false;
  while (list.children.length > MOST) list.firstChild.remove();
  if (!asked && list.children.length) show(true);
  if (along) list.scrollTop = list.scrollHeight;
  if (more && !$("talk").hidden) readAloud("heard", ...lines.map(([name, text]) => `${name}: ${text}`)); // not the list's name
}

function show(shown) {
  $("talk").hidden = !shown;
  $("talks").ariaPressed = String(shown);
  $("said").scrollTop = $("said").scrollHeight;
}

$("talks").addEventListener("click", () => {
  asked = true;
  show($("talk").hidden);
});

/** Who one is here: the server of players says so, if it has the same host as this page. */
async function begin() {
  const link = $("log-in");
  if (!link.href || new URL(link.href).origin !== location.origin) return;
  try {
    const answer = await fetch("/play/session");
    const { player, talk, talks } = await answer.json();
    open = talks;
    link.hidden = Boolean(player) || !talk;
    $("talks").hidden = !talk && !$("said").children.length; // what was said before can be read
    $("line").placeholder = player ? `Say something as ${player}` : "Say something as a guest";
    live();
  } catch {
    link.hidden = true; // it is not there just now
  }
}

/** Let the viewer talk while the game goes on. */
export function live() {
  $("say").hidden = !open || !document.body.classList.contains("live");
}

/** Send a line, again as long as it is too early; returns why it was not taken, or nothing. */
async function sent(text) {
  const body = JSON.stringify({ recording: location.pathname.split("/").pop(), text });
  for (let tries = 1; ; tries++) {
    const answer = await fetch("/play/talk", { method: "POST", body });
    if (answer.ok) return "";
    const again = answer.headers.get("Retry-After");
    if (answer.status !== 503 || !again || tries === MOST_TRIES) return (await answer.text()).trim();
    say("Sending…");
    await new Promise((resolve) => setTimeout(resolve, again * SECOND));
  }
}

$("say").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = $("line").value.trim();
  if (!text || $("line").readOnly) return;
  $("line").readOnly = true; // while it is being sent
  say(""); // what is refused for the same reason is read aloud again
  try {
    const refused = await sent(text);
    if (!refused) $("line").value = "";
    if (refused || $("message").textContent === "Sending…") say(refused);
  } catch {
    say("Nothing was said: the connection is lost.");
  }
  $("line").readOnly = false;
});

$("line").addEventListener("keydown", (event) => event.key === "Escape" && $("line").blur());

begin();
