/* What the search shows first: what one does and sets, before what a program calls and what once changed. */
const LATER = { "api/": -20, changelog: -20, contributing: -10 };
const EARLIER = { config: 10, "verbs/": 5 };

var Scorer = {
  score: ([page, , , , score]) => {
    const parts = Object.entries({ ...LATER, ...EARLIER });
    return score + parts.reduce((sum, [begin, more]) => sum + (page.startsWith(begin) ? more : 0), 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 5, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
