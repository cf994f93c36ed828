// What the terminal calls the key of a browser's event; buttons and help made from the table of keys.

const NAMES = {
  Enter: "enter", Escape: "escape", Tab: "tab", Backspace: "backspace", Insert: "insert", Delete: "delete",
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  PageUp: "page-up", PageDown: "page-down", Home: "home", End: "end",
};
/** The terminal's name of the key; empty for one that a terminal does not send, or that is the browser's. */
export function keyName(event) {
  const { key, ctrlKey, altKey, shiftKey, metaKey } = event;
  if (event.isComposing || metaKey) return "";
  const held = (shiftKey ? "shift-" : "") + (ctrlKey ? "ctrl-" : "");
  if (key.startsWith("Arrow")) return altKey ? "" : held + NAMES[key];
  if (key in NAMES) return altKey || held ? "" : NAMES[key];
  if (/^F\d{1,2}$/.test(key)) return altKey || held ? "" : key.toLowerCase();
  if ([...key].length !== 1) return "";
  if (event.getModifierState("AltGraph") || (altKey && !ctrlKey && !/^[a-z0-9]$/i.test(key))) return key; // Alt typed it
  if (altKey) return "";
  return ctrlKey ? (/^[a-z\]]$/i.test(key) ? `ctrl-${key.toLowerCase()}` : "") : key;
}

/** Whether the key of this name is for what has the focus: a text field, a slider, a button. */
export function isTaken(name, element) {
  if (element.closest("input[type=search], input[type=text], select, textarea")) return true;
  if (element.closest("input[type=range]")) return /^(left|right|up|down|home|end|page-up|page-down)$/.test(name);
  return Boolean(element.closest("button, a[href], summary")) && (name === " " || name === "enter");
}

/** The keys of a page, as the server tells them: rows of {key, action, label, does, section}. */
export class KeyTable {
  constructor(rows) {
    this.rows = rows;
    this.actions = new Map();
    for (const row of rows) {
      if (!this.actions.has(row.action)) this.actions.set(row.action, { ...row, labels: [] });
      if (!row.key.endsWith("tab")) this.actions.get(row.action).labels.push(row.label); // that key is the browser's
    }
  }

  /** The action of a key; undefined for a key that does nothing. */
  action(key) {
    return this.rows.find((row) => row.key === key)?.action;
  }

  /** The first key of an action; undefined where it has none. */
  key(action) {
    return this.actions.get(action)?.key;
  }

  /** Let each button with an action tell its key, and hide those whose action has none here. */
  label(root) {
    for (const button of root.querySelectorAll("[data-action]")) {
      const entry = this.actions.get(button.dataset.action);
      button.hidden = !entry;
      if (entry) {
        button.title = [entry.does, ...entry.labels].join("  ");
      }
    }
  }

  /** Fill an element with all keys under their headings; a click on one presses it. */
  explain(list, press) {
    list.replaceChildren();
    let section;
    for (const entry of this.actions.values()) {
      if (entry.section !== section) {
        section = entry.section;
        list.append(element("h3", section));
      }
      const button = element("button");
      button.type = "button";
      const keys = element("span");
      for (const label of entry.labels) keys.append(element("kbd", label), " ");
      button.append(keys, element("span", entry.does));
      button.addEventListener("click", () => press(entry.key));
      list.append(button);
    }
  }
}

/** A new element; its text is never read as markup. */
export function element(name, text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
