// The picture: threads with their stacks, devices with their contexts, and what lies in those. Makes elements
// from a state; everything that it shows is text, never markup.
const mostThreads = 64, mostContexts = 64, mostInside = 24;

function element(kind, name, ...children) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.append(...children.map(child => typeof child === "string" ? visible(child) : child));
  return made;
}

function bytes(size) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (size >= 1024 && unit + 1 < units.length) { size /= 1024; ++unit; }
  return (Number.isInteger(size) ? size : size.toFixed(1)) + " " + units[unit];
}

class Picture {
  // process: of which the state is, where the run has several.
  constructor(words, state, changed, process) {
    this.process = process;
    this.words = words;
    this.state = state;
    this.changed = new Set(changed);
    this.contexts = new Map(partsOf(state, "c"));
    this.stacked = new Set(partsOf(state, "t").flatMap(([, thread]) => thread.s));
  }

  marked(box, key) {
    box.dataset.key = key;
    if (this.changed.has(key)) box.classList.add("changed");
    return box;
  }

  // By its name, as in the window.
  coloured(box, index) {
    const name = this.contexts.get(index)?.n ?? "";
    const letters = [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    if (/^P\d+$/.test(name)) box.classList.add("ofP" + Number(name.slice(1)) % 4);
    else if (/^[A-Z]+$/.test(name)) box.classList.add("of" + (letters - 1) % 6);
    return box;
  }

  // The first so many, and how many more there are.
  some(list, most, make) {
    const shown = list.slice(0, most).map(make);
    if (list.length > most) shown.push(element("div", "more", filled(this.words.more, list.length - most)));
    return shown;
  }

  card(index, top) {
    const context = this.contexts.get(index);
    const box = element("div", "card" + (top ? " top" : ""), context ? context.n : "?");
    if (context && (context.primary ? context.idle : context.dead)) box.classList.add("dead");
    if (top) box.append(element("small", "", this.words.current));
    return this.coloured(box, index);
  }

  thread([number, thread]) {
    const own = number === 0 ? this.words.main : filled(this.words.thread, number) + (thread.n ? " · " + thread.n : "");
    const name = own + (this.process === null ? "" : " · " + filled(this.words.in_process, this.process));
    const stack = element("div", "stack");
    thread.s.forEach((index, i) => stack.prepend(this.card(index, i === thread.s.length - 1)));
    if (thread.below) stack.append(element("div", "card none", "⋮ " + thread.below));
    if (thread.s.length === 0) stack.append(element("div", "card none", this.words.empty));
    const box = element("div", "thread" + (thread.ended ? " gone" : ""), element("h3", "", name), stack);
    if (thread.ended) box.append(element("small", "", this.words.ended));
    if (thread.disagree) {
      const says = this.contexts.get(thread.current)?.n ?? "null";
      box.append(element("small", "bad", filled(this.words.driver_says, says)));
    }
    return this.marked(box, "t" + number);
  }

  allocation([number, part]) {
    const chip = element("span", "chip", "#" + number + " " + bytes(part.size));
    chip.title = visible(this.words.memory[part.k] ?? "");
    if (part.k !== 0) chip.append(element("small", "", this.words.memory[part.k] ?? ""));
    return this.marked(chip, "a" + number);
  }

  object([number, part]) {
    const chip = element("span", "chip thing", part.n);
    const of = part.of && !part.n.startsWith(part.of + ".") ? " · " + filled(this.words.copy_of, part.of) : "";
    chip.title = visible((this.words.objects[part.k] ?? "") + (part.label ? " " + part.label : "") + of);
    chip.append(element("small", "", this.words.objects[part.k] ?? ""));
    return this.marked(chip, "o" + number);
  }

  inside(belongs) {
    const own = letter => partsOf(this.state, letter).filter(([, part]) => belongs(part));
    return element("div", "inside", ...this.some(own("a"), mostInside, one => this.allocation(one)),
                   ...this.some(own("o"), mostInside, one => this.object(one)));
  }

  context(index, context) {
    const gone = context.primary ? context.idle : context.dead;
    const notes = [];
    if (context.primary) notes.push(this.words.primary);
    if (gone) notes.push(context.primary ? this.words.not_active : this.words.destroyed);
    else if (!context.primary && !this.stacked.has(index)) notes.push(this.words.floating);
    if (context.retains) notes.push(filled(this.words.retained, context.retains));
    if (context.uses) notes.push(filled(this.words.uses, context.uses));
    const title = element("h4", "", context.n, element("small", "", notes.join(" · ")));
    const box = element("div", "context" + (gone ? " gone" : ""), title);
    if (!gone) box.append(this.inside(part => part.c === index));
    return this.marked(this.coloured(box, index), "c" + index);
  }

  device([ordinal, device]) {
    const title = element("h3", "", filled(this.words.device, ordinal) + (device.n ? " · " + device.n : ""));
    const own = [...this.contexts].filter(([, context]) => context.d === ordinal);
    own.sort((a, b) => (b[1].primary ?? false) - (a[1].primary ?? false) || a[0] - b[0]);
    const box = element("div", "device", title, ...this.some(own, mostContexts, one => this.context(...one)));
    return this.marked(box, "d" + ordinal);
  }

  whole() {
    const threads = element("div", "threads", ...this.some(partsOf(this.state, "t"), mostThreads, one => this.thread(one)));
    const devices = element("div", "devices", ...this.some(partsOf(this.state, "d"), mostThreads, one => this.device(one)));
    if (!devices.firstChild) devices.append(element("p", "quiet", this.words.no_devices));
    const loose = this.inside(part => !this.contexts.has(part.c));
    const parts = [threads, devices];
    if (loose.firstChild) parts.push(element("div", "process", element("h3", "", this.words.of_process), loose));
    return parts;
  }
}
