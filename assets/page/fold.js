// Data of the page, and the state after any moment as a fold with keyframes. Knows no elements but those that
// hold the data.
"use strict";
const head = JSON.parse(document.getElementById("head").textContent);
const moments = JSON.parse(document.getElementById("moments").textContent);
const sources = new Map(Object.entries(head.sources));
const betweenKeyframes = 128;

// Control characters, and those that turn the direction of writing, are shown and not obeyed.
function visible(text) {
  const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
  return String(text).replace(unseen, c => "\\u{" + c.codePointAt(0).toString(16) + "}");
}

// {0} and {1} of a sentence.
function filled(sentence, ...values) {
  return sentence.replace(/\{(\d)\}/g, (all, number) => number < values.length ? values[number] : all);
}

function change(state, changes) {
  for (const [key, part] of Object.entries(changes)) {
    if (part === null) state.delete(key);
    else state.set(key, part);
  }
}

const keyframes = [new Map()];  // before moment 0, 128, 256, …
for (let at = 0; at + betweenKeyframes <= moments.length; at += betweenKeyframes) {
  const state = new Map(keyframes[keyframes.length - 1]);
  for (let i = at; i < at + betweenKeyframes; ++i) change(state, moments[i].ch);
  keyframes.push(state);
}

// A Map from the keys of the moments' changes to parts of the picture.
function stateAfter(at) {
  const frame = Math.floor((at + 1) / betweenKeyframes);
  const state = new Map(keyframes[frame]);
  for (let i = frame * betweenKeyframes; i <= at; ++i) change(state, moments[i].ch);
  return state;
}

// [number, part] of one letter, in the order of the numbers.
function partsOf(state, letter) {
  const parts = [];
  for (const [key, part] of state) if (key[0] === letter) parts.push([Number(key.slice(1)), part]);
  return parts.sort((a, b) => a[0] - b[0]);
}
