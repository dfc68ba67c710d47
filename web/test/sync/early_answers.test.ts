import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { Api } from '../../src/sync/api.ts';
import { EarlyAnswers, type Asked } from '../../src/sync/early_answers.ts';

afterEach(() => vi.unstubAllGlobals());

const answer = (body: object, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));
const kBoards = '/api/v1/boards';

// Runs boot.js at an address and returns what it asked for.
function booted(pathname: string, { hash = '', kept = {} }: { hash?: string; kept?: Record<string, string> } = {}): Asked {
  const window = { matchMedia: () => ({ matches: false }) } as unknown as Window;
  runInNewContext(readFileSync(new URL('../../src/boot.js', import.meta.url), 'utf8'), {
    window, location: { pathname, hash }, document: { documentElement: { dataset: {} } },
    localStorage: { getItem: (name: string) => kept[name] ?? null },
    fetch: (_: string, { headers }: { headers: object }) => (sent.push(JSON.stringify(headers)), answer({ items: [] })),
  });
  return window.andonAsked!;
}

// The headers that boot.js asked with.
const sent: string[] = [];

async function askedBy(use: (api: Api) => Promise<unknown>, early = new EarlyAnswers()): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => (asked.push(address), answer({ items: [] })));
  await use(new Api('/api/v1', () => undefined, early));
  return asked;
}

test('the page asks early for exactly what it asks for', async () => {
  const early = Object.keys(booted('/b/web%20shop/settings'));
  expect(early).toEqual(await askedBy(async (api) => [await api.boards(), await api.snapshot('web shop')]));
});

test('the board is the one of the address, else the last one, and of a task it is not known', () => {
  const kept = { 'andon.board': 'last' };
  const boards = (path: string) => Object.keys(booted(path, { kept })).map((address) => /boards\/(.+)\/snapshot/.exec(address)?.[1]);
  expect(boards('/b/shop')).toEqual([undefined, 'shop']);
  expect(boards('/')).toEqual([undefined, 'last']);
  expect(boards('/t/5')).toEqual([undefined]);
  expect(Object.keys(booted('/'))).toEqual([kBoards]);
});

test('nothing is asked for before a sign-in link is redeemed, nor for an unreadable address', () => {
  expect(booted('/', { hash: '#code=abc' })).toEqual({});
  expect(booted('/b/%E0%A4%A')).toHaveProperty([kBoards]);
});

test('the page asks early with the secret it holds', () => {
  sent.length = 0;
  booted('/b/shop', { kept: { 'andon.secret': 'one' } });
  booted('/b/shop');
  const plain = JSON.stringify({ Accept: 'application/json' });
  const signed = JSON.stringify({ Accept: 'application/json', Authorization: 'Bearer one' });
  expect(sent).toEqual([signed, signed, plain, plain]);
});

test('an early answer is used once', async () => {
  const early = new EarlyAnswers({ [kBoards]: answer({ items: [] }) });
  expect(await askedBy((api) => api.boards(), early)).toEqual([]);
  expect(await askedBy((api) => api.boards(), early)).toEqual([kBoards]);
});

test('after a refusal or a lost connection the page asks itself', async () => {
  expect(await askedBy((api) => api.boards(), new EarlyAnswers({ [kBoards]: answer({}, 401) }))).toEqual([kBoards]);
  expect(await askedBy((api) => api.boards(), new EarlyAnswers({ [kBoards]: Promise.reject(new Error('lost')) }))).toEqual([kBoards]);
});

test('what was not used by the first view is forgotten', async () => {
  const early = new EarlyAnswers({ [kBoards]: answer({ items: [] }) });
  expect(await askedBy((api) => (api.forgetEarly(), api.boards()), early)).toEqual([kBoards]);
});
