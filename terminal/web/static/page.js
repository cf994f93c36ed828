// What all pages have: elements by their ids, a line that tells what happened, and a dialog that explains the keys.

import { KeyTable, element } from "./keys.js";

const MOST_READ = 10; // texts that are still to be read aloud

export const $ = (id) => document.getElementById(id);

export function say(text) {
  if ($("message").textContent !== text) $("message").textContent = text; // what is said twice is read twice
}

/** Have a screen reader read these texts, behind those before, in the log of this id. */
export function readAloud(id, ...texts) {
  $(id).append(...texts.map((text) => element("p", text)));
  while ($(id).children.length > MOST_READ) $(id).firstChild.remove();
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
