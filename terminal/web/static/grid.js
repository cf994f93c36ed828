// The picture: rows of text whose characters stand in cells, as large as fits; drawn from differences.
//
// It is text, so it can be read aloud, selected and found.  Neighbours of one style share a span.  A character that the
// font does not draw exactly as wide as its cells has a box of its own, so nothing after it moves.

import { element } from "./keys.js";
import { Styles } from "./colors.js";

const TALL = 1.17; // height of a row in font sizes, at most: lines of boxes meet
const SMALLEST = 5; // pixels of a font, below which one has to scroll
const LARGE = 13; // pixels of a font when it is to be large
const WHOLE = 7; // device pixels from which a cell has whole ones: in smaller cells too much room would be lost
const WIDEST = 200; // columns of the largest picture
const FILLS = { "█": "full", "▀": "upper", "▄": "lower", "▌": "left", "▐": "right" }; // fonts leave gaps between these
const BLANK = [" ", -1]; // of no style

const widths = new CSSStyleSheet(); // of characters that have a box
for (let columns = 1; columns <= WIDEST; columns++) widths.insertRule(`.w${columns} { width: calc(${columns} * var(--cell)) }`);
document.adoptedStyleSheets.push(widths);

export class Grid {
  #cells = [];
  #rows = [];
  #dirty = new Set();
  #styles = new Styles();
  #measure = document.createElement("canvas").getContext("2d");
  #probe = element("span", "0".repeat(100));
  #fits = new Map(); // whether a character is as wide as a cell, by the character
  number = 0;
  width = 80;
  height = 24;

  constructor(root) {
    this.root = root;
    this.cursor = element("div");
    this.cursor.className = "cursor";
    this.#measure.font = `100px ${getComputedStyle(root).fontFamily}`;
    this.#measure.fontVariantLigatures = "none";
    this.ratio = this.#measure.measureText("0").width / 100;
    this.#probe.className = "probe";
  }

  /** Show nothing any more. */
  end() {
    this.#styles.end();
  }

  /** Show a whole picture. */
  full({ w, h, n, styles, rows, cursor }) {
    if (w !== this.width || h !== this.height || !this.#rows.length) this.#build(w, h);
    this.#styles.reset(styles);
    this.number = n;
    rows.forEach((runs, y) => {
      this.#cells[y].fill(BLANK);
      this.#dirty.add(y);
      let x = 0;
      for (const [text, style, columns] of runs) x = this.#put(x, y, text, style, columns);
    });
    this.#point(cursor);
    this.#draw();
  }

  /** Show what is different; returns whether it fits what is shown. */
  diff({ n, from, styles, runs, cursor }) {
    if (from !== this.number) return false;
    this.#styles.add(styles ?? []);
    this.number = n;
    for (const [x, y, text, style, columns] of runs) this.#put(x, y, text, style, columns);
    if (cursor !== undefined) this.#point(cursor);
    this.#draw();
    return true;
  }

  /** The rows as text. */
  text() {
    return this.#cells.map((cells) => cells.map(([text]) => text).join("").trimEnd());
  }

  /** Have the picture fill so many pixels; it may be larger than that with `large`, or if its font would be smaller. */
  scale(room, large, smallest = SMALLEST) {
    const pixel = 1 / devicePixelRatio;
    const least = (large ? LARGE : smallest) * this.ratio;
    const wished = Math.max(Math.min(room.width / this.width, (room.height / this.height / TALL) * this.ratio), least);
    const cell = wished < WHOLE * pixel ? wished : Math.floor(wished / pixel) * pixel;
    const size = cell / this.ratio;
    const { style } = this.root;
    style.setProperty("--size", `${size}px`);
    style.setProperty("--cell", `${cell}px`);
    style.setProperty("--gap", "0px");
    this.root.append(this.#probe);
    style.setProperty("--gap", `${cell - this.#probe.getBoundingClientRect().width / 100}px`); // fonts round, too
    this.#probe.remove();
    style.setProperty("--row", `${Math.floor((size * TALL) / pixel) * pixel}px`);
    style.setProperty("--columns", this.width);
    style.setProperty("--rows", this.height);
  }

  /** The pixels of a cell and of a row whose font has about this size. */
  cells(font) {
    const pixel = 1 / devicePixelRatio;
    const cell = Math.floor((font * this.ratio) / pixel) * pixel;
    return { cell, row: Math.floor(((cell / this.ratio) * TALL) / pixel) * pixel };
  }

  /** The font's size if a picture of these cells were to fill so many pixels. */
  sizeFor(columns, rows, room) {
    return Math.min(room.width / columns / this.ratio, room.height / rows / TALL);
  }

  /** The column and row of the cell at a place of the window. */
  cellAt(x, y) {
    const { left, top, width, height } = this.root.getBoundingClientRect();
    return [Math.floor(((x - left) / width) * this.width), Math.floor(((y - top) / height) * this.height)];
  }

  #build(width, height) {
    [this.width, this.height] = [width, height];
    this.#cells = Array.from({ length: height }, () => Array(width).fill(BLANK));
    this.#rows = this.#cells.map(() => element("div"));
    this.root.replaceChildren(...this.#rows, this.cursor);
  }

  /** Put text into cells: a column for each character, or one character of so many columns; returns the column after it. */
  #put(x, y, text, style, columns) {
    const row = this.#cells[y];
    if (!row) return x;
    this.#dirty.add(y);
    for (const glyph of columns === undefined ? text : [text]) {
      if (x < this.width) row[x] = [glyph, style];
      for (const end = x++ + (columns ?? 1); x < end; x++) if (x < this.width) row[x] = ["", style];
    }
    return x;
  }

  #point(cursor) {
    this.cursor.hidden = !cursor;
    if (cursor) {
      this.cursor.style.setProperty("--x", cursor[0]);
      this.cursor.style.setProperty("--y", cursor[1]);
    }
  }

  #draw() {
    for (const y of this.#dirty) this.#rows[y].replaceChildren(...this.#spans(this.#cells[y]));
    this.#dirty.clear();
  }

  /** The spans of a row: text of one style, or one character that needs a box. */
  #spans(cells) {
    const spans = [];
    let open; // the span that takes more text, and its style
    const end = cells.findLastIndex(([text, style]) => text !== " " || this.#styles.shows(style)) + 1; // others are none to copy
    for (let x = 0, columns; x < end; x += columns) {
      const [text, style] = cells[x];
      for (columns = 1; cells[x + columns]?.[0] === ""; columns++);
      if (columns === 1 && this.#fitsCell(text)) {
        const fill = FILLS[text] ?? "";
        if (open?.style !== style || open.fill !== fill) spans.push((open = { style, fill, text: "" }));
        open.text += text || " ";
      } else {
        open = undefined;
        spans.push({ style, text, columns });
      }
    }
    return spans.map(({ style, fill = "", text, columns }) => {
      const span = element("span", text);
      span.className = `${this.#styles.named(style)} w${columns ?? [...text].length} ${fill}`;
      return span;
    });
  }

  #fitsCell(text) {
    if (!this.#fits.has(text)) {
      if (this.#fits.size > 10_000) this.#fits.clear();
      this.#fits.set(text, Math.abs(this.#measure.measureText(text).width - 100 * this.ratio) < 0.5);
    }
    return this.#fits.get(text);
  }
}
