// The page of the lobby: the games and recordings as the server tells of them, filtered and sorted here.

import { Connection } from "./connection.js";
import { Grid } from "./grid.js";
import { KeyTable, element, isTaken, keyName } from "./keys.js";
import { $, explainedKeys, say } from "./page.js";

const MOST = 500; // rows that are shown: the filter finds the others
const IDLE = 60_000; // milliseconds from which one is told that nothing happens
const LEFT_ALONE = 24 * 3600_000; // and from which that says nothing any more
const TICK = 5000; // milliseconds between two looks at the clock
const PAGE = 10; // rows
const CARDS = 12; // of games that are played
const SMALL = 2; // pixels of a font in a small picture

const games = new Map();
const shown = new Map(); // the rows of the table by the ids of the games
const cards = new Map(); // cards with pictures likewise
const pictures = new Map(); // as the server sent them
let keys = new KeyTable([]);
let sort = "changed";
let turned = false;

/** The columns: a name, what one reads there, and what it is sorted by, the least first. */
const COLUMNS = {
  player: { name: "Player", text: (game) => game.player || game.title, by: (game) => (game.player || game.title).toLowerCase() },
  game: { name: "Game", text: (game) => game.game, by: (game) => game.game.toLowerCase() },
  size: { name: "Size", text: (game) => game.size, by: (game) => -Number(game.size.split("x")[0]), wide: true },
  turn: { name: "Turn", text: (game) => game.turn ?? "", by: (game) => -(game.turn ?? -1), number: true },
  place: { name: "Place", text: (game) => game.place ?? "", by: (game) => (game.place ?? "").toLowerCase(), wide: true },
  state: { name: "Now", text: now, by: (game) => [!game.playing, now(game)].join() },
  watchers: { name: "Watching", text: (game) => game.watchers || "", by: (game) => -game.watchers, number: true },
  started: { name: "Started", text: (game) => date(game.started), by: (game) => -game.started },
  changed: { name: "Last played", text: (game) => date(game.changed), by: (game) => -game.changed },
};

function now(game) {
  const idle = Date.now() - game.changed;
  if (!game.playing) return game.state || game.status;
  return idle < IDLE || idle > LEFT_ALONE ? "playing" : `playing, idle ${Math.floor(idle / 60_000)} min`;
}

/** A date as the viewer's country writes it. */
function date(time) {
  return time ? DATES.format(time) : "";
}

const DATES = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

// What the server says

const heard = {
  hello(message) {
    keys = explainedKeys(message.keys, press);
  },
  rows(message) {
    games.clear();
    put(message);
  },
  changes: put,
  picture({ id, picture }) {
    if (picture) pictures.set(id, picture);
    else pictures.delete(id);
    drawPicture(id);
  },
  error: (message) => say(message.text),
  trouble: (message) => say(message.text),
};

function put({ rows, put, gone }) {
  for (const game of rows ?? put ?? []) games.set(game.id, game);
  for (const id of gone ?? []) games.delete(id);
  draw();
}

new Connection(
  () => "/ws/lobby",
  (message) => heard[message.t]?.(message),
  (open) => say(open ? "" : "The connection is lost. Trying again…"),
);

// The games that are played

/** Draw the cards of the games that were played last; what stays keeps its card, and the focus. */
function drawCards(found) {
  const played = found.filter((game) => game.playing).sort((one, other) => other.changed - one.changed || (one.id < other.id ? -1 : 1));
  const kept = played.slice(0, CARDS);
  for (const [id, card] of cards) {
    if (kept.some((game) => game.id === id)) continue;
    card.grid?.end();
    card.root.remove();
    cards.delete(id);
  }
  const list = document.querySelector(".cards-of-now");
  kept.forEach((game, at) => {
    const { root, cells } = cardOf(game);
    if (list.children[at] !== root) list.insertBefore(root, list.children[at]);
    const watching = game.watchers ? `${game.watchers} watching` : "";
    const turn = game.turn === null ? "" : `turn ${game.turn}`;
    [game.player || game.title, game.game, game.place ?? "", turn, now(game), watching].forEach((told, column) => {
      if (cells[column].textContent !== told) cells[column].textContent = told;
    });
    drawPicture(game.id);
  });
  $("now").hidden = !kept.length;
}

function cardOf(game) {
  if (!cards.has(game.id)) {
    const [root, link, picture, about] = ["li", "a", "div", "div"].map((name) => element(name));
    const cells = ["strong", "span", "span", "span", "span", "span"].map((name) => element(name));
    cells[4].className = "state";
    [link.href, picture.className, about.className] = [`/r/${encodeURIComponent(game.id)}`, "picture", "about"];
    picture.ariaHidden = "true"; // what it shows is told beside it, and by the page of the game
    about.append(...cells);
    link.append(picture, about);
    root.append(link);
    cards.set(game.id, { root, picture, cells });
  }
  return cards.get(game.id);
}

function drawPicture(id) {
  const card = cards.get(id);
  const picture = pictures.get(id);
  if (!card || !picture || card.drawn === picture) return;
  if (!card.grid) {
    const root = element("div");
    root.className = "glance";
    card.picture.append(root);
    card.grid = new Grid(root);
  }
  card.drawn = picture;
  card.grid.full({ ...picture, cursor: null });
  scale(card);
}

function scale({ grid, picture: { clientWidth: width, clientHeight: height } }) {
  grid?.scale({ width, height }, false, SMALL);
}

addEventListener("resize", () => cards.forEach(scale));

// The table

document.querySelector("#games thead tr").append(
  ...Object.entries(COLUMNS).map(([id, column]) => {
    const head = element("th");
    const button = element("button", column.name);
    head.scope = "col";
    head.dataset.column = id;
    dress(head, id);
    button.type = "button";
    button.addEventListener("click", () => sortBy(id, sort === id && !turned));
    head.append(button);
    return head;
  }),
);

function dress(cell, column) {
  const { number, wide } = COLUMNS[column];
  cell.className = [column, number && "number", wide && "wide"].filter(Boolean).join(" ");
}

function sortBy(column, other) {
  [sort, turned] = [column, other];
  draw();
  say(`Sorted by ${COLUMNS[sort].name.toLowerCase()}${turned ? ", reversed" : ""}.`);
}

/** The games that have the text of the filter in them, in order. */
function chosen() {
  const text = $("text").value.trim().toLowerCase();
  const { by } = COLUMNS[sort];
  const found = [...games.values()].filter((game) =>
    `${game.player} ${game.title} ${game.game} ${game.place} ${game.state}`.toLowerCase().includes(text),
  );
  const places = new Map(found.map((game) => [game, by(game)]));
  const order = (one, other) => (places.get(one) < places.get(other) ? -1 : places.get(one) > places.get(other) ? 1 : 0);
  found.sort((one, other) => order(one, other) * (turned ? -1 : 1) || (one.id < other.id ? -1 : 1));
  return found;
}

let drawing;

/** Draw the table before the next frame, once however much has changed; what stays keeps its row, and the focus. */
function draw() {
  drawing ??= requestAnimationFrame(() => {
    drawing = undefined;
    const found = chosen();
    const focused = document.activeElement;
    const body = document.querySelector("#games tbody");
    drawCards(found);
    const rows = found.slice(0, MOST).map(rowOf);
    const kept = new Set(rows);
    for (const [id, row] of shown) if (!kept.has(row)) shown.delete(id), row.remove();
    rows.forEach((row, at) => body.children[at] !== row && body.insertBefore(row, body.children[at]));
    focused.focus({ preventScroll: true }); // a row that was moved has lost it
    for (const head of document.querySelectorAll("#games thead th")) {
      if (head.dataset.column === sort) head.ariaSort = turned ? "descending" : "ascending";
      else head.removeAttribute("aria-sort");
    }
    $("count").textContent = counted(found.length);
  });
}

function counted(found) {
  const all = `${games.size} ${games.size === 1 ? "game or recording" : "games and recordings"}`;
  const told = found === games.size ? all : `${found} of ${all}`;
  return found > MOST ? `${told}: the first ${MOST}` : told;
}

function rowOf(game) {
  if (!shown.has(game.id)) shown.set(game.id, newRow(game));
  const row = shown.get(game.id);
  row.classList.toggle("busy", Boolean(game.playing));
  row.title = game.title;
  Object.values(COLUMNS).forEach(({ text }, at) => {
    const cell = row.cells[at].firstElementChild ?? row.cells[at];
    const told = String(text(game));
    if (cell.textContent !== told) cell.textContent = told;
  });
  return row;
}

function newRow(game) {
  const row = element("tr");
  for (const id of Object.keys(COLUMNS)) {
    const cell = element(id === "player" ? "th" : "td");
    dress(cell, id);
    row.append(cell);
  }
  const link = element("a");
  link.href = `/r/${encodeURIComponent(game.id)}`;
  row.cells[0].scope = "row";
  row.cells[0].append(link);
  return row;
}

setInterval(draw, TICK);

// Keys

const links = () => [...document.querySelectorAll("#games tbody a")];

/** Move the focus by so many rows. */
function move(count) {
  const all = links();
  const here = all.indexOf(document.activeElement);
  all[Math.max(Math.min(here < 0 && count > 0 ? count - 1 : here + count, all.length - 1), 0)]?.focus();
}

/** Go to the first row, of those that are there once the table is drawn. */
const toRows = () => requestAnimationFrame(() => links()[0]?.focus());

function open(query) {
  const link = document.activeElement.closest("#games a") ?? links()[0];
  if (link) location.assign(link.href + query);
}

/** Open a game that somebody plays just now, any of them. */
function watchAny() {
  const played = [...games.values()].filter((game) => game.playing);
  if (played.length) location.assign(`/r/${played[Math.floor(Math.random() * played.length)].id}`);
  else say("Nobody is playing right now.");
}

const order = () => Object.keys(COLUMNS);
const ACTIONS = {
  open: () => open(""),
  watch: () => open(""),
  replay: () => open("?at=start"),
  "watch-any": watchAny,
  next: () => move(1),
  previous: () => move(-1),
  "ten-on": () => move(PAGE),
  "ten-back": () => move(-PAGE),
  first: () => links()[0]?.focus(),
  last: () => links().at(-1)?.focus(),
  filter: () => $("text").select(),
  sort: () => sortBy(order()[(order().indexOf(sort) + 1) % order().length], false),
  reverse: () => sortBy(sort, !turned),
  help: () => $("help").showModal(),
  back: showAll,
};

function showAll() {
  $("text").value = "";
  draw();
}

const press = (key) => ACTIONS[keys.action(key)]?.();

addEventListener("keydown", (event) => {
  const key = keyName(event);
  if ($("help").open || isTaken(key, event.target) || !(keys.action(key) in ACTIONS)) return;
  event.preventDefault();
  press(key);
});

addEventListener("click", ({ target }) => ACTIONS[target.closest("[data-action]")?.dataset.action]?.());

$("text").addEventListener("input", draw);
$("text").addEventListener("keydown", (event) => event.key === "Escape" && (showAll(), toRows()));
$("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  toRows();
});
