// The page of a recording: what the server shows of it, and what the viewer does with it.

import { Connection } from "./connection.js";
import { Grid } from "./grid.js";
import { KeyTable, element, isTaken, keyName } from "./keys.js";
import { $, explainedKeys, say } from "./page.js";
import { live, talk } from "./talk.js";

const SIZES = [[200, 60], [120, 40], [80, 24]]; // columns and rows, the largest first
const READABLE = 11; // pixels of a font: a size of which less would be left has no room
const ADDRESS = 1000; // milliseconds between two addresses: browsers refuse more than a few
const DRAG = 100; // milliseconds between two places while the bar is dragged
const WHEEL = 50; // pixels that are one notch of a wheel
const SWIPE = 40; // pixels from which a finger has swiped
const MOST_MARKERS = 100; // on the bar; nearer ones share a mark
const FOLLOWING = "following";

const grid = new Grid($("screen"));
const state = {};
let keys = new KeyTable([]);
let fits = SIZES.at(-1); // the size that shows what was recorded, and nothing beside it
let size = wishedSize();
let resume; // where a connection that was lost left off
let back = false; // whether the next search goes back

const page = location.pathname.split("/").pop();
const connection = new Connection(address, hear, connected);

/** Where to connect: to the place the address names, or the one that was left. */
function address() {
  const query = new URLSearchParams({ size: size.join("x") });
  const at = resume?.at ?? new URLSearchParams(location.search).get("at");
  if (at) query.set("at", at);
  return `/ws/view/${page}?${query}`;
}

function connected(open) {
  if (open) return; // what it tells first shows that it is there again
  document.body.classList.add("lost");
  if (state.step === undefined) return;
  resume ??= { ...state, at: state.motion === FOLLOWING ? undefined : state.at };
  say("The connection is lost. Trying again…");
}

/** Send a message; until we are where we were before the connection was lost, none is meant for what is shown. */
function send(message) {
  if (!resume) connection.send(message);
}

// What the server says

const heard = {
  hello(message) {
    keys = explainedKeys(message.keys, press);
    const who = message.people.join(", ");
    document.title = $("title").textContent = message.title.startsWith(who) ? message.title : `${who}: ${message.title}`;
    fits = message.fits.split("x").map(Number);
    resize();
  },
  full(message) {
    grid.full(message);
    fit();
  },
  diff(message) {
    if (!grid.diff(message)) connection.renew();
  },
  state({ t, ...changed }) {
    Object.assign(state, changed);
    document.body.classList.remove("lost");
    if (resume) goOn();
    show(changed);
  },
  talk,
  busy: (message) => say(message.text),
  error: (message) => say(message.text),
  gone: (message) => say(message.text),
};

function hear(message) {
  heard[message.t]?.(message);
}

/** Be again as before the connection was lost: at the same place, as fast, and moving. */
function goOn() {
  const before = resume;
  resume = undefined;
  if (before.motion === FOLLOWING) return;
  if (before.step !== state.step) send({ step: before.step });
  for (let speed = state.speed; speed && speed < before.speed; speed *= 2) act("faster");
  for (let speed = state.speed; speed && speed > before.speed; speed /= 2) act("slower");
  if (before.motion !== state.motion) act("pause");
}

// What is shown around the picture

function show(changed) {
  if ("message" in changed) say(state.message);
  if (state.motion !== "playing") $("told").textContent = state.told; // a film is too fast to be read aloud
  if ("last" in changed || "markers" in changed) drawMarkers();
  if ("last" in changed || "step" in changed) {
    $("bar").max = state.last;
    if (!dragging) $("bar").value = state.step;
  }
  $("place").textContent = `${state.place}  ${state.times.map(clock).join(" / ")}`;
  $("bar").ariaValueText = $("place").textContent;
  $("speed").textContent = `${state.speed}×`;
  $("note").textContent = state.note || (state.live ? "live" : "");
  document.body.classList.toggle("playing", state.motion === "playing");
  document.body.classList.toggle("live", state.live);
  live();
  document.body.classList.toggle("following", state.motion === FOLLOWING);
  button("pause").ariaLabel = state.motion === "paused" ? "Play" : "Pause";
  button("follow").ariaPressed = String(state.motion === FOLLOWING);
  keepAddress();
}

/** Microseconds as hours, minutes and seconds. */
function clock(time) {
  const seconds = Math.floor(time / 1e6);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, at) => String(part).padStart(at ? 2 : 1, "0")).join(":");
}

const button = (action) => document.querySelector(`[data-action="${action}"]`);

function drawMarkers() {
  const places = new Map();
  for (const [step, name] of state.markers ?? []) {
    const place = Math.round((step / Math.max(state.last, 1)) * MOST_MARKERS);
    places.set(place, [...(places.get(place) ?? []), { step, name }]);
  }
  $("markers").replaceChildren(
    ...[...places.values()].map((near) => {
      const mark = element("button", near.length > 1 ? "◈" : "◆");
      mark.type = "button";
      mark.tabIndex = -1; // the keys and buttons for the next marker go there, too
      mark.title = mark.ariaLabel = near.map(({ name }) => name).join(", ");
      mark.style.setProperty("--part", near[0].step / Math.max(state.last, 1));
      mark.addEventListener("click", () => send({ step: near[0].step }));
      return mark;
    }),
  );
}

let keeping;

/** Keep the address that of what is shown, so that reloading the page and bookmarks come back to it. */
function keepAddress() {
  keeping ??= setTimeout(() => {
    keeping = undefined;
    const here = state.own && state.motion !== FOLLOWING ? link() : location.pathname;
    if (!resume) history.replaceState(null, "", here);
  }, ADDRESS);
}

const link = () => `${location.pathname}?at=${state.at}`;

// The room for the picture

function room() {
  const { clientWidth: width, clientHeight: height } = $("room");
  return { width, height };
}

/** The largest size that can be read, and of what needs no more room than it fits, unless details are to stand beside it. */
function wishedSize() {
  const most = document.body.classList.contains("detailed") ? Infinity : fits[0];
  const sizes = SIZES.filter(([columns]) => columns <= most);
  return sizes.find(([columns, rows]) => grid.sizeFor(columns, rows, room()) >= READABLE) ?? SIZES.at(-1);
}

/** Whether the picture may be larger than its room, in which it is scrolled then. */
const isLarge = () => document.body.classList.contains("large");

function fit() {
  grid.scale(room(), isLarge());
}

function resize() {
  fit();
  const wished = wishedSize();
  if (wished === size) return;
  size = wished;
  connection.send({ size: size.join("x") });
}

new ResizeObserver(resize).observe($("room"));

// What the viewer does

const OURS = {
  help: () => $("help").showModal(),
  search: () => find(false),
  "search-back": () => find(true),
  quit: () => location.assign("/"),
};

function press(key) {
  const isTheirs = state.typing || (key === "escape" && state.over); // it closes what is open there
  const ours = isTheirs ? undefined : OURS[keys.action(key)];
  if (ours) ours();
  else send({ key });
}

function act(action) {
  const key = keys.key(action);
  if (key) press(key);
}

function find(backwards) {
  back = backwards;
  $("text").select();
}

addEventListener("keydown", (event) => {
  const key = keyName(event);
  if (!key || document.querySelector("dialog[open]") || isTaken(key, event.target)) return;
  if (/^(f\d|ctrl-)/.test(key) && !keys.action(key)) return; // the browser's own
  if (key === "tab" && !state.typing) return; // it leads to what else there is on the page
  event.preventDefault();
  press(key);
});

$("text").addEventListener("keydown", (event) => event.key === "Escape" && $("text").blur());

$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ search: $("text").value, back });
  $("text").blur(); // keys are the recording's again
});

addEventListener("click", ({ target }) => {
  const action = target.closest("[data-action]")?.dataset.action;
  if (action) act(action);
});

let dragging;

/** Go along with the bar while it is dragged, and no more often than the server likes. */
$("bar").addEventListener("input", () => {
  dragging ??= setTimeout(() => {
    dragging = undefined;
    send({ step: Number($("bar").value) });
  }, DRAG);
});

$("link").addEventListener("click", async () => {
  const there = new URL(link(), location.href).href;
  try {
    await navigator.clipboard.writeText(there);
    say(`Copied: ${there}`);
  } catch {
    say(`The link to this moment: ${there}`); // no clipboard without https
  }
});

$("details").addEventListener("click", () => {
  $("details").ariaPressed = String(document.body.classList.toggle("detailed"));
  resize();
});

/** Code for any page that has asciinema's player: the live stream, or the whole recording. */
function embedding() {
  const { protocol, host } = location;
  const source = state.live
    ? `{driver: "websocket", url: "${protocol.replace("http", "ws")}//${host}/ws/live/${page}"}`
    : `"${location.origin}/recordings/${page}.cast"`;
  const options = state.live ? "{autoPlay: true}" : "{}";
  return `<link rel="stylesheet" href="asciinema-player.css">
<div id="game"></div>
<script src="asciinema-player.min.js"></script>
<script>
  AsciinemaPlayer.create(${source},
    document.getElementById("game"), ${options});
</script>`;
}

$("share").addEventListener("click", () => {
  $("shared-moment").value = new URL(link(), location.href).href;
  $("shared-page").value = location.origin + location.pathname;
  $("shared-code").value = embedding();
  $("shared").showModal();
});

$("shared").addEventListener("focusin", ({ target }) => target.select?.());

$("large").addEventListener("click", () => {
  $("large").ariaPressed = String(document.body.classList.toggle("large"));
  fit();
});

let turned = 0;

/** The wheel is two keys; the page itself has nowhere to scroll. */
$("room").addEventListener("wheel", ({ deltaY, ctrlKey }) => {
  if (ctrlKey || isLarge()) return; // the browser zooms, or the picture scrolls
  turned += deltaY;
  if (Math.abs(turned) < WHEEL) return;
  act(turned < 0 ? "roll-up" : "roll-down");
  turned = 0;
});

let touched;

$("room").addEventListener("pointerdown", ({ pointerType, clientX, clientY, isPrimary }) => {
  touched = pointerType === "touch" && isPrimary && !isLarge() ? [clientX, clientY] : undefined;
});

$("room").addEventListener("pointerup", ({ clientX, clientY }) => {
  const [across, down] = touched ? [clientX - touched[0], clientY - touched[1]] : [0, 0];
  touched = undefined;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) act(across < 0 ? "step-on" : "step-back");
});

$("screen").addEventListener("click", (event) => {
  if (state.own && getSelection().isCollapsed) send({ click: grid.cellAt(event.clientX, event.clientY) });
});
