// A keypad for fingers: directions as roguelikes have them, and the keys that games use most.

import { element } from "./keys.js";

const REPEAT = [400, 120]; // milliseconds until a key that is held repeats, and then between two

/** Rows of keys: a label, the key that it sends, and with Shift and with Ctrl. */
const DIRECTIONS = [
  [["↖", "y"], ["↑", "k"], ["↗", "u"]],
  [["←", "h"], ["·", "."], ["→", "l"]],
  [["↙", "b"], ["↓", "j"], ["↘", "n"]],
];
const OTHERS = [
  ["Esc", "escape"], ["Tab", "tab"], ["␣", " "], ["⏎", "enter"], ["⌫", "backspace"],
  [",", ","], [">", ">"], ["<", "<"], ["s", "s"], ["i", "i"],
  ["o", "o"], ["d", "d"], ["e", "e"], ["w", "w"], ["q", "q"],
  ["r", "r"], ["t", "t"], ["z", "z"], ["?", "?"], ["F1", "f1"],
];
const WORDS = { "↖": "up left", "↑": "up", "↗": "up right", "←": "left", "·": "wait", "→": "right", "↙": "down left", "↓": "down", "↘": "down right", "⌫": "erase", "␣": "space", "⏎": "enter" };

/** Fill an element with keys; `press(key)` sends one, `type()` shows or hides the device's own keyboard. */
export function drawKeypad(root, press, type) {
  const held = new Set();
  const holding = ["Shift", "Ctrl"].map((name) => holder(name, held));
  const send = (key) => {
    if (/^[a-z]$/.test(key) && held.has("Ctrl")) press(`ctrl-${key}`);
    else if (/^[a-z]$/.test(key) && held.has("Shift")) press(key.toUpperCase());
    else press(key);
    for (const button of holding) button.release();
  };
  const pad = element("div");
  pad.className = "pad";
  pad.append(...DIRECTIONS.flat().map(([label, key]) => repeating(label, () => send(key))));
  const rest = element("div");
  rest.className = "rest";
  const own = element("button", "abc");
  own.type = "button";
  own.ariaLabel = "Keyboard";
  own.addEventListener("pointerdown", (event) => event.preventDefault());
  own.addEventListener("click", type);
  rest.append(...OTHERS.map(([label, key]) => repeating(label, () => send(key))), ...holding.map(({ button }) => button), own);
  root.replaceChildren(pad, rest);
}

/** A key that is sent when it is touched, and again and again while it is held. */
function repeating(label, send) {
  const button = element("button", label);
  button.type = "button";
  button.ariaLabel = WORDS[label] ?? label;
  let timer;
  const again = (wait) => (timer = setTimeout(() => (send(), again(REPEAT[1])), wait));
  const stop = () => clearTimeout(timer);
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // the focus stays where it is
    send();
    again(REPEAT[0]);
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(kind, stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => event.detail === 0 && send()); // by a keyboard or a screen reader
  return button;
}

/** A key that holds for the next one. */
function holder(name, held) {
  const button = element("button", name);
  button.type = "button";
  button.ariaPressed = "false";
  const set = (on) => {
    if (on) held.add(name);
    else held.delete(name);
    button.ariaPressed = String(on);
  };
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => set(!held.has(name)));
  return { button, release: () => set(false) };
}
