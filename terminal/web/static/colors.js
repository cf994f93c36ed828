// The styles of cells as rules of a style sheet: the policy of the page allows no style attributes.
//
// Each rule has colours for day and night.  A colour that could not be read on its background is moved towards black or
// white until it can.

const PAPER = { light: [255, 255, 255], dark: [16, 18, 22] }; // --paper in style.css
const INK = { light: [28, 30, 34], dark: [214, 218, 224] }; // --ink
const BLACK = 0; // as a background it is meant as that of the terminal, which here is the page's
const READABLE = 4.5; // contrast of WCAG 2, level AA
const DIM = 0.35; // as far as dim text is moved towards its background

// xterm's colours 0 to 15 are hard to read on a screen of today: these are the ones that terminals have now
const PALETTE = [
  ...["#000000", "#cd3131", "#0dbc49", "#c8a415", "#3b78d8", "#bc3fbc", "#11a8cd", "#d5d5d5"],
  ...["#7f7f7f", "#f14c4c", "#23d18b", "#f5f543", "#6ca6ff", "#d670d6", "#29b8db", "#ffffff"],
];
const ATTRIBUTES = { bold: "font-weight: bold", italic: "font-style: italic", blink: "animation: var(--blink)" };
const LINES = { underline: "underline", strikethrough: "line-through", overline: "overline" };
const SHOWN = ["reverse", ...Object.keys(LINES)]; // attributes that a blank has, too

const written = (rgb) => `rgb(${rgb.map(Math.round).join(" ")})`;
const mixed = (one, other, share) => one.map((part, at) => part + (other[at] - part) * share);

/** Red, green and blue of a colour as the server tells it. */
function parsed(color) {
  const hex = PALETTE[color] ?? color;
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) || 0);
}

/** How bright a colour is, from 0 to 1, as WCAG 2 has it. */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** The colour, or the nearest one that can be read on this background. */
function readable(rgb, paper) {
  const far = luminance(paper) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mixed(rgb, far, share);
    if (contrast(moved, paper) >= READABLE) return moved;
  }
  return far;
}

/** The declarations of a style: its colours, null for those of the page, and its attributes. */
function declarations(fg, ground, has) {
  const bg = ground === BLACK ? null : ground;
  const behind = (scheme) => (bg === null ? PAPER[scheme] : parsed(bg));
  const plain = (scheme) => readable(fg === null ? INK[scheme] : parsed(fg), behind(scheme));
  const front = (scheme) => (has.has("dim") ? mixed(plain(scheme), behind(scheme), DIM) : plain(scheme));
  const [ink, paper] = has.has("reverse") ? [behind, front] : [front, behind];
  const colored = (color) => `light-dark(${written(color("light"))}, ${written(color("dark"))})`;
  const found = [`color: ${has.has("invisible") ? "transparent" : colored(ink)}`];
  if (bg !== null || has.has("reverse")) found.push(`background-color: ${colored(paper)}`);
  for (const [word, declared] of Object.entries(ATTRIBUTES)) if (has.has(word)) found.push(declared);
  const lines = Object.keys(LINES).filter((word) => has.has(word));
  if (lines.length) found.push(`text-decoration: ${lines.map((word) => LINES[word]).join(" ")}`);
  return found.join("; ");
}

let pictures = 0;

/** The styles of a picture by their numbers: style 7 of the first picture of a page is that of the class p1s7. */
export class Styles {
  #sheet = new CSSStyleSheet();
  #seen = []; // whether a blank of the style is to be seen
  #prefix = `p${++pictures}s`;

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  /** Forget all: the picture is not shown any more. */
  end() {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }

  /** The class of a style. */
  named(number) {
    return `${this.#prefix}${number}`;
  }

  /** Have these styles alone. */
  reset(styles) {
    this.#sheet.replaceSync("");
    this.#seen = [];
    this.add(styles);
  }

  /** Have these, too. */
  add(styles) {
    for (const [fg, bg, attributes] of styles) {
      const has = new Set(attributes.split(" "));
      const number = this.#seen.push((bg !== null && bg !== BLACK) || SHOWN.some((word) => has.has(word))) - 1;
      this.#sheet.insertRule(`.${this.named(number)} { ${declarations(fg, bg, has)} }`, number);
    }
  }

  /** Whether one sees a blank of this style. */
  shows(number) {
    return this.#seen[number] ?? false;
  }
}
