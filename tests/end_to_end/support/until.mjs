import { setTimeout as pause } from 'node:timers/promises';

const kBetweenLooks = 25; // ms
const kLongest = 60_000; // ms; a wait ends as soon as its condition holds, and a busy machine may take long

// Looks until `probe` answers something true and gives that; after `within` milliseconds it fails and tells the last answer.
export async function until(what, probe, within = kLongest) {
  const deadline = Date.now() + within;
  let last;
  for (;;) {
    last = await probe();
    if (last) return last;
    if (Date.now() > deadline) throw new Error(`Waited ${within} ms in vain until ${what}; the last answer: ${shortly(last)}`);
    await pause(kBetweenLooks);
  }
}

function shortly(answer) {
  const text = JSON.stringify(answer) ?? String(answer);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
