import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Anything else is laid out or painted in each frame of the animation.
const kCheap = new Set(['opacity', 'transform']);
const source = new URL('../../src/', import.meta.url).pathname;
const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|css|ts)$/.test(name));
const texts = names.map((name) => ({ name, text: readFileSync(source + name, 'utf8') }));

function bodiesOf(text: string, start: RegExp): string[] {
  return [...text.matchAll(start)].map(({ index }) => {
    let depth = 0;
    const open = text.indexOf('{', index);
    let end = open;
    do depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
    while (depth && ++end < text.length);
    return text.slice(open + 1, end);
  });
}

const dear = (body: string) => [...body.matchAll(/([\w-]+)\s*:/g)].map(([, name]) => name!).filter((name) => !kCheap.has(name));

test('keyframes change opacity and transform only', () => {
  const frames = texts.flatMap(({ name, text }) => bodiesOf(text, /@keyframes/g).map((body) => ({ name, dear: dear(body) })));
  expect(frames.length).toBeGreaterThan(4);
  expect(frames.filter((one) => one.dear.length)).toEqual([]);
});

test('scripts animate transforms only', () => {
  const calls = texts.flatMap(({ name, text }) => [...text.matchAll(/\.animate\(\[(.*?)\]/gs)].map(([, frames]) => ({ name, dear: dear(frames!) })));
  expect(calls.map(({ name }) => name)).toEqual(['ui/glide.ts']);
  expect(calls[0]!.dear).toEqual([]);
});

test('nothing of a card has a transition', () => {
  const cards = texts.filter(({ name }) => /Card(Item|Face)\.svelte|WorkerLight/.test(name));
  expect(cards.length).toBe(3);
  expect(cards.filter(({ text }) => /transition\s*:/.test(text))).toEqual([]);
});
