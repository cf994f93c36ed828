"use strict";

const socket = (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

function lobby(list) {
  const rows = new Map();
  socket("/ws/lobby").onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (told.t === "rows") rows.clear();
    for (const row of told.rows || told.put) rows.set(row.id, row);
    for (const id of told.gone || []) rows.delete(id);
    list.replaceChildren(...[...rows.values()].map((row) => {
      const link = document.createElement("a");
      link.href = `/r/${row.id}`;
      link.textContent = `${row.player || row.title} ${row.game} ${row.status}`;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
  };
}

const NAMES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", PageUp: "page-up",
  PageDown: "page-down", Home: "home", End: "end", Escape: "escape", Enter: "enter", Backspace: "backspace", Tab: "tab" };

function recording(screen) {
  const query = new URLSearchParams(location.search);
  query.set("size", "80x24");
  const live = socket(`/ws/view/${location.pathname.split("/").pop()}?${query}`);
  let rows = [];
  live.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (told.t === "full") rows = told.rows.map((row) => Array.from(row.map((run) => run[0]).join("").padEnd(told.w)));
    if (told.t === "diff") for (const [x, y, text] of told.runs) rows[y].splice(x, Array.from(text).length, ...text);
    if (told.t === "state" && told.message !== undefined) document.getElementById("message").textContent = told.message;
    if (told.text) document.getElementById("message").textContent = told.text;
    screen.textContent = rows.map((row) => row.join("")).join("\n");
  };
  document.addEventListener("keydown", (event) => {
    const key = NAMES[event.key] || (event.key.length === 1 && !event.ctrlKey ? event.key : "");
    if (key) { live.send(JSON.stringify({ key })); event.preventDefault(); }
  });
}

const list = document.getElementById("rows");
if (list) lobby(list); else recording(document.getElementById("screen"));
