// The page of a player: the terminal in which their lobby runs, and the keys that are typed there.

import { Connection } from "./connection.js";
import { Grid } from "./grid.js";
import { element, keyName } from "./keys.js";
import { drawKeypad } from "./keypad.js";
import { $, readAloud, say } from "./page.js";

const COMFORTABLE = 16; // pixels of a font, by which the columns and rows of the terminal are chosen
const READABLE = 9; // pixels of a font below which the picture is better larger than its room
const LEAST = [80, 24]; // columns and rows: what programs take for granted
const MOST = [200, 60];
const PIECE = 200; // characters of what is pasted that are sent at a time
const MOST_PASTED = 2000;
const WHEEL = 50; // pixels that are one notch of a wheel
const TITLE = 10_000; // milliseconds for which a new title of the terminal is shown
const MOMENT = 200; // milliseconds that what had the focus stays: if it goes first, a screen reader does not say where the focus is

const grid = new Grid($("screen"));
let connection;
let size;

// Who one is

const fromHost = (path, body) =>
  fetch(`/play/${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });

async function begin() {
  const ticket = location.hash.slice(1);
  if (ticket) return offer(ticket);
  const { player } = await (await fromHost("session")).json();
  if (player) return play(player);
  say("");
  show("You play here once you have opened the link that your lobby shows: press L there.");
}

/** Ask whether to log in, by a link: who only followed it from elsewhere sees whose it is. */
function offer(ticket) {
  say("");
  show(`This link logs ${ticket.includes(".") ? ticket.split(".")[0] : "you"} in.`, "Log in", () => logIn(ticket));
}

async function logIn(ticket) {
  history.replaceState(null, "", location.pathname); // it is good once, and no bookmark
  const answer = await fromHost("login", { ticket });
  if (answer.ok) location.reload();
  else show(`You are not logged in: ${(await answer.text()).trim()}.`);
}

/** Show a text in place of the terminal, with a button that does something. */
function show(text, label, act) {
  $("entry").hidden = false;
  $("screen").hidden = true;
  $("who").textContent = text;
  $("enter").hidden = !label;
  $("enter").textContent = label ?? "";
  $("enter").onclick = act;
  $(label ? "enter" : "who").focus(); // what has the focus is read aloud
  setTimeout(() => ($("keyboard").hidden = true), MOMENT);
}

$("logout").addEventListener("click", async () => {
  await fromHost("logout", {});
  location.reload();
});

addEventListener("hashchange", begin);

// The terminal

function play(player) {
  $("entry").hidden = true;
  $("screen").hidden = $("keyboard").hidden = false;
  $("logout").hidden = false;
  $("title").textContent = player;
  document.title = `${player} – nhlog`;
  setLarge(grid.sizeFor(...LEAST, room()) < READABLE);
  setKeypad(matchMedia("(pointer: coarse)").matches);
  size = wishedSize();
  connection = new Connection(() => `/play/ws?size=${size.join("x")}`, (message) => heard[message.t]?.(message), changed);
  $("keyboard").focus();
}

async function changed(open) {
  document.body.classList.toggle("lost", !open);
  say(open ? "" : "The connection is lost. Trying again…");
  if (open) return;
  const { player } = await (await fromHost("session")).json().catch(() => ({ player: true }));
  if (!player) location.reload(); // the session has ended
}

let titled;

const heard = {
  full(message) {
    grid.full(message);
    fit();
  },
  diff(message) {
    if (!grid.diff(message)) return connection.renew();
    if (isLarge()) follow();
  },
  state({ title, told }) {
    if (told) readAloud("told", told);
    if (title === undefined) return;
    $("note").textContent = title;
    clearTimeout(titled);
    titled = setTimeout(() => ($("note").textContent = ""), TITLE);
  },
  error: (message) => say(message.text),
  gone(message) {
    say("");
    show(message.text, "Play", () => location.reload());
  },
};

// The room for the picture

function room() {
  const { clientWidth: width, clientHeight: height } = $("room");
  return { width, height };
}

const isLarge = () => document.body.classList.contains("large");

function wishedSize() {
  const { width, height } = room();
  const { cell, row } = grid.cells(COMFORTABLE);
  const fitting = [Math.floor(width / cell), Math.floor(height / row)];
  return fitting.map((count, at) => Math.min(Math.max(count, LEAST[at]), MOST[at]));
}

function fit() {
  grid.scale(room(), isLarge());
  if (isLarge()) follow();
}

/** Scroll to where one types, if the picture is larger than its room. */
function follow() {
  if (grid.cursor.hidden) return;
  const [cursor, view] = [grid.cursor.getBoundingClientRect(), $("room").getBoundingClientRect()];
  const near = (low, high, first, last) => low < first + (last - first) / 8 || high > last - (last - first) / 8;
  if (near(cursor.left, cursor.right, view.left, view.right) || near(cursor.top, cursor.bottom, view.top, view.bottom))
    grid.cursor.scrollIntoView({ block: "center", inline: "center" });
}

new ResizeObserver(() => {
  if (!connection) return;
  fit();
  const wished = wishedSize();
  if (wished.join() === size.join()) return;
  size = wished;
  connection.send({ size: size.join("x") });
}).observe($("room"));

function setLarge(large) {
  document.body.classList.toggle("large", large);
  $("large").ariaPressed = String(large);
  fit();
}

$("large").addEventListener("click", () => setLarge(!isLarge()));

// What the player types

const press = (key) => connection?.send({ key });

addEventListener("keydown", (event) => {
  if (!connection || event.target.closest("button")) return;
  if (event.key === "Tab" && event.shiftKey) event.preventDefault(), $("keypad").focus();
  const key = keyName(event);
  if (!key) return;
  if (event.ctrlKey && event.key === "c" && !getSelection().isCollapsed) return; // copies what is selected
  if (event.ctrlKey && event.key === "v") return; // pastes
  if (/^f\d/.test(key) && !/^f[12]$/.test(key)) return; // the browser's own
  event.preventDefault();
  if (key === "f2") read();
  else press(key);
});

addEventListener("paste", (event) => {
  if (!connection) return;
  event.preventDefault();
  const text = event.clipboardData.getData("text");
  const letters = [...text].slice(0, MOST_PASTED);
  for (let at = 0; at < letters.length; at += PIECE) connection.send({ paste: letters.slice(at, at + PIECE).join("") });
  if ([...text].length > MOST_PASTED) say(`Only the first ${MOST_PASTED} characters were pasted.`);
});

let turned = 0;

$("room").addEventListener("wheel", ({ deltaY, ctrlKey }) => {
  if (ctrlKey || isLarge()) return; // the browser zooms, or the picture scrolls
  turned += deltaY;
  if (Math.abs(turned) < WHEEL) return;
  connection?.send({ wheel: Math.sign(turned) });
  turned = 0;
});

$("screen").addEventListener("click", (event) => {
  if (getSelection().isCollapsed) connection?.send({ click: grid.cellAt(event.clientX, event.clientY) });
});

// What a screen reader reads: the picture itself is hidden from it, as one key changes much of it, and each change takes time

/** Read the picture in a copy, row by row with the arrows: at first the row with the most numbers, which is a game's status. */
function read() {
  const rows = grid.text().filter((text) => text.trim()).map((text) => element("p", text));
  const numbers = (row) => row.textContent.match(/\d+/g)?.length ?? 0;
  for (const row of rows) row.tabIndex = -1;
  $("reading").replaceChildren(...rows);
  rows.reduce((best, row) => (numbers(row) >= numbers(best) ? row : best), rows[0])?.focus();
}

const READING = {
  ArrowUp: (row) => row.previousElementSibling ?? row,
  ArrowDown: (row) => row.nextElementSibling ?? row,
  Home: (row) => row.parentElement.firstElementChild,
  End: (row) => row.parentElement.lastElementChild,
  Tab: () => $("keyboard"),
  Escape: () => $("keyboard"),
};

$("reading").addEventListener("keydown", (event) => {
  event.stopPropagation(); // it is none of the game's
  const next = READING[event.key]?.(event.target);
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// The keypad of a phone, and its own keyboard

const typed = $("typed");

/** What the keyboard of a phone types, which names no keys: text, and what was erased. */
typed.addEventListener("beforeinput", (event) => {
  event.preventDefault();
  if (event.inputType === "insertText" || event.inputType === "insertCompositionText") [...(event.data ?? "")].forEach(press);
  else if (event.inputType === "insertLineBreak") press("enter");
  else if (event.inputType === "deleteContentBackward") press("backspace");
});
typed.addEventListener("input", () => (typed.value = ""));

drawKeypad($("keys"), press, () => (document.activeElement === typed ? typed.blur() : typed.focus()));

function setKeypad(shown) {
  $("keys").hidden = !shown;
  $("keypad").ariaPressed = String(shown);
}

$("keypad").addEventListener("click", () => setKeypad($("keys").hidden));

begin();
