// The viewer: a list of calls, the picture, the source, and what the call answered; keys, slider, search.
const rowHeight = 24;
const errors = [], words = head.words;
moments.forEach((moment, at) => { if (moment.bad && !moment.end) errors.push(at); });
let now = 0, language = head.language, found = [], w = words[language];

function button(name, sign, act) {
  const made = element("button", name, sign);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
const buttons = {
  first: button("first", "⏮", () => show(0)), back: button("back", "◀", () => show(now - 1)),
  forward: button("forward", "▶", () => show(now + 1)), last: button("last", "⏭", () => show(moments.length - 1)),
  next_error: button("next_error", "✗", nextError), theme: button("theme", "◐", turnTheme),
  language: button("language", "", turnLanguage),
};
const title = element("h1"), about = element("small", "about"), matches = element("output", "matches");
const slider = element("input", "scrub"), field = element("input", "search");
slider.type = "range";
slider.min = 0;
slider.max = Math.max(0, moments.length - 1);
field.type = "search";
const list = element("div", "list"), space = element("div", "space"), picture = element("section", "picture");
const source = element("section", "source"), detail = element("section", "detail"), output = element("pre", "output");
const ticks = element("div", "ticks"), keys = element("footer", "keys");
list.append(space);
list.tabIndex = 0;
list.setAttribute("role", "listbox");
detail.setAttribute("aria-live", "polite");
document.body.append(
  element("header", "", title, about, buttons.first, buttons.back, buttons.forward, buttons.last,
          element("div", "slide", slider, ticks), buttons.next_error, field, matches, buttons.theme, buttons.language),
  element("main", "", element("div", "left", list, output), element("div", "middle", detail, picture), source), keys);

function time(ns) {
  if (ns < 1e3) return ns + " ns";
  if (ns < 1e6) return (ns / 1e3).toFixed(1) + " µs";
  return ns < 1e9 ? (ns / 1e6).toFixed(1) + " ms" : (ns / 1e9).toFixed(2) + " s";
}

function line(moment) {
  return moment.end ? moment.end[language === "zh" ? 1 : 0] : "  ".repeat(moment.depth ?? 0) + moment.t;
}

function row(at) {
  const moment = moments[at], made = element("div", "row");
  made.append(element("span", "number", moment.end ? "■" : String(moment.i)), element("span", "call", line(moment)));
  if (moment.bad) made.classList.add(moment.meant ? "meant" : "bad");
  if (at === now) made.classList.add("now");
  if (found.includes(at)) made.classList.add("found");
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", at === now);
  made.style.top = at * rowHeight + "px";
  made.dataset.at = at;
  made.addEventListener("click", () => show(at));
  return made;
}

// Only rows in sight exist: a run may have fifty thousand.
function drawList() {
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 5);
  const last = Math.min(moments.length, first + Math.ceil((list.clientHeight || 600) / rowHeight) + 10);
  space.style.height = moments.length * rowHeight + "px";
  space.replaceChildren();
  for (let at = first; at < last; ++at) space.append(row(at));
}

function bringIntoSight() {
  const top = now * rowHeight, height = list.clientHeight || 600;
  if (top < list.scrollTop + rowHeight) list.scrollTop = Math.max(0, top - height / 3);
  if (top > list.scrollTop + height - 2 * rowHeight) list.scrollTop = top - 2 * height / 3;
}

let stackOpen = false;  // as the reader left it
function drawDetail(moment) {
  detail.replaceChildren(element("h2", "", line(moment).trim()));
  if (moment.end) return;
  const answer = moment.r === undefined ? w.never_returned : moment.r + (moment.words ? " · " + moment.words : "");
  detail.append(element("p", moment.meant ? "result meant" : moment.bad ? "result bad" : "result",
                        moment.meant ? "✓ " + answer + " · " + w.as_expected : answer));
  const facts = [moment.th === 0 ? w.main : filled(w.thread, moment.th)];
  if (head.processes) facts.push(filled(w.in_process, moment.p ?? 0));
  if (moment.f) facts.push(moment.f + ":" + moment.l);
  if (moment.inside) facts.push(filled(w.inside, moment.inside));
  facts.push(filled(w.took, time(moment.at), time(moment.took)));
  detail.append(element("p", "facts", facts.join(" · ")));
  if (moment.frames) {
    const frames = moment.frames.map(([name, file, line]) =>
      element("li", "", (name || "?") + (file ? " · " + file + (line ? ":" + line : "") : "")));
    const stack = element("details", "stack-of-call", element("summary", "", w.stack), element("ol", "", ...frames));
    stack.open = stackOpen;
    stack.addEventListener("toggle", () => { stackOpen = stack.open; });
    detail.append(stack);
  }
  if (moment.why) detail.append(element("p", "why", "↳ " + moment.why[language === "zh" ? 1 : 0]));
}

let shownFile = null;
function drawSource(moment) {
  const place = moment.f ? moment : moments.slice(Math.max(0, now - 200), now).reverse().find(one => one.f);
  const text = place && sources.get(place.f);
  if (text === undefined) {
    shownFile = null;
    const why = place ? filled(w.no_source, place.f + ":" + place.l) : w.no_place;
    source.replaceChildren(element("h3", "", w.source), element("p", "quiet", why));
    return;
  }
  if (shownFile !== place.f) {
    shownFile = place.f;
    const lines = element("ol", "code", ...text.split("\n").map(one => element("li", "", one || " ")));
    source.replaceChildren(element("h3", "", place.f), lines);
  }
  source.querySelectorAll("li.now").forEach(one => one.classList.remove("now"));
  const current = source.querySelector("ol").children[place.l - 1];
  if (!current) return;
  current.classList.add("now");
  source.scrollTop = current.offsetTop - source.clientHeight / 2;
}

function drawOutput() {
  output.replaceChildren();
  for (let at = 0; at <= now; ++at)
    for (const [stream, text, zeros] of moments[at].out ?? [])
      output.append(element("span", stream === 2 ? "bad" : "", zeros ? filled(w.zeros, zeros) + "\n" : text));
  output.title = w.output;
  output.hidden = !output.firstChild;
  output.scrollTop = output.scrollHeight;
}

function show(at) {
  if (moments.length === 0) return;
  now = Math.max(0, Math.min(moments.length - 1, at));
  const moment = moments[now];
  slider.value = now;
  slider.setAttribute("aria-valuetext", visible(line(moment)));
  drawOutput();  // takes room from the list
  bringIntoSight();
  drawList();
  drawDetail(moment);
  picture.replaceChildren(...new Picture(w, stateAfter(now), Object.keys(moment.ch), head.processes ? moment.p ?? 0 : null).whole());
  drawSource(moment);
  drawMatches();
  document.body.dataset.now = now;
}

function nextError() {
  const next = errors.find(at => at > now) ?? errors[0];
  if (next !== undefined) show(next);
}

function search() {
  const wanted = field.value.trim().toLowerCase();
  found = [];
  const fits = moment => moment.end ? false
    : [moment.t, moment.r ?? "", (moment.f ?? "") + ":" + (moment.l ?? "")].some(text => text.toLowerCase().includes(wanted));
  if (wanted) moments.forEach((moment, at) => { if (fits(moment)) found.push(at); });
  show(found.find(at => at >= now) ?? found[0] ?? now);
}

function nextMatch(by) {
  if (found.length === 0) return;
  const next = by > 0 ? found.find(at => at > now) ?? found[0] : [...found].reverse().find(at => at < now) ?? found[found.length - 1];
  show(next);
}

function drawMatches() {
  const at = found.indexOf(now);
  matches.textContent = !field.value.trim() ? "" : found.length === 0 ? w.found_none
    : filled(w.found, at < 0 ? "–" : at + 1, found.length);
}

function turnTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function turnLanguage() {
  speak(language === "zh" ? "en" : "zh");
}

function speak(wanted) {
  language = wanted;
  w = words[language];
  document.documentElement.lang = language;
  const name = visible(head.title[language === "zh" ? 1 : 0]);
  document.title = title.textContent = name;
  about.textContent = visible(head.driver);
  if (head.to - head.from + 1 < head.calls) about.textContent += " · " + filled(w.part, head.from, head.to, head.calls);
  for (const [name, one] of Object.entries(buttons)) {
    if (name === "language") one.textContent = w.language;
    else { one.title = w[name]; one.setAttribute("aria-label", w[name]); }
  }
  slider.setAttribute("aria-label", w.scrub);
  field.placeholder = w.search;
  list.setAttribute("aria-label", w.calls);
  keys.textContent = w.keys;
  shownFile = null;
  show(now);
}

const actions = {
  ArrowRight: () => show(now + 1), ArrowDown: () => show(now + 1), ArrowLeft: () => show(now - 1), ArrowUp: () => show(now - 1),
  PageDown: () => show(now + 10), PageUp: () => show(now - 10), Home: () => show(0), End: () => show(moments.length - 1),
  "/": () => field.focus(), n: () => nextMatch(1), N: () => nextMatch(-1), e: nextError, l: turnLanguage, t: turnTheme,
};
addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target === field) {
    if (event.key === "Enter") nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape" || event.key === "Enter") field.blur();
    return;
  }
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
});
slider.addEventListener("input", () => show(Number(slider.value)));
field.addEventListener("input", search);
list.addEventListener("scroll", drawList);
addEventListener("resize", drawList);
const most = 400;  // marks on the slider; more would be one red line
errors.filter((_, i) => i % Math.ceil(errors.length / most) === 0).forEach(at => {
  const tick = element("i", moments[at].meant ? "asked" : "");
  tick.style.left = 100 * at / Math.max(1, moments.length - 1) + "%";
  ticks.append(tick);
});
if (head.theme) document.documentElement.dataset.theme = head.theme;
speak(language);
