// What all pages have: elements by their ids, a line that tells what happened, and a dialog that explains the keys.

import { KeyTable } from "./keys.js";

export const $ = (id) => document.getElementById(id);

export function say(text) {
  if ($("message").textContent !== text) $("message").textContent = text; // what is said twice is read twice
}

/** The keys that the server tells of: on the buttons, and in the dialog, where a click presses them. */
export function explainedKeys(told, press) {
  const keys = new KeyTable(told);
  keys.label(document);
  keys.explain(document.querySelector("#help .keys"), (key) => {
    $("help").close();
    press(key);
  });
  return keys;
}
