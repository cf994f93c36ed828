/* Buttons that copy a block, names of columns for tables that are stacked on a phone, long pages folded there. */
"use strict";

const PHONE = matchMedia("(max-width: 40em)");
const LONG = 15000; // pixels of a page that nobody scrolls through

/* What one types: of a block with prompts only what stands behind them. */
function typed(block) {
  const lines = block.querySelector("pre").innerText.split("\n");
  const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return (commands.length ? commands : lines).join("\n").trimEnd() + "\n";
}

function addCopying(block) {
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    let told = "copied";
    try {
      await navigator.clipboard.writeText(typed(block));
    } catch {
      told = "not permitted";
    }
    button.textContent = told;
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  block.append(button);
}

function nameCells(table) {
  const names = [...table.querySelectorAll("thead th")].map((head) => head.innerText.trim());
  for (const row of table.querySelectorAll("tbody tr"))
    [...row.children].forEach((cell, number) => names[number] && (cell.dataset.name = names[number]));
}

/* The sections of a long page as headings that open: together they are its contents. */
function fold() {
  if (!PHONE.matches || document.body.scrollHeight < LONG) return;
  for (const section of document.querySelectorAll("article section section")) {
    const heading = section.querySelector(":scope > h2");
    if (!heading) continue;
    section.classList.add("folded");
    heading.addEventListener("click", (event) => event.target.closest("a") || section.classList.toggle("folded"));
  }
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const section = target && target.closest(".folded");
    if (section) section.classList.remove("folded");
    if (section) target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();
}

addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("article div.highlight").forEach(addCopying);
  document.querySelectorAll("article table").forEach(nameCells);
  fold();
});
