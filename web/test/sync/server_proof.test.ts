import { createHash, createHmac, webcrypto } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Api, Refusal, Unreachable } from '../../src/sync/api.ts';
import { forgetPageSecret, keepPageSecret } from '../../src/sync/page_secret.ts';
import { doubtServer } from '../../src/sync/server_proof.ts';

const kSecret = 'andon_p_of-this-page';

// The program at the port: it answers proofs with what `prove` makes of the nonce. Keeps everything it got.
function program(prove: (nonce: string) => unknown, status = 200) {
  const got: { path: string; text: string; authorization: string | null }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const text = String(init.body ?? '');
    got.push({ path: address, text, authorization: new Headers(init.headers).get('Authorization') });
    if (!address.endsWith('/proof')) return new Response('{"items":[]}');
    return new Response(JSON.stringify({ proof: prove((JSON.parse(text) as { nonce: string }).nonce) }), { status });
  });
  return got;
}

const key = createHash('sha256').update(kSecret).digest();
const right = (nonce: string) => createHmac('sha256', key).update(`andon-proof-1\n${nonce}`).digest('hex');
const boards = () => new Api('/api/v1', () => undefined).boards();

beforeEach(() => {
  vi.stubGlobal('crypto', webcrypto);
  keepPageSecret(kSecret);
});
afterEach(() => {
  forgetPageSecret();
  vi.unstubAllGlobals();
});

test('a program that proves nothing gets no secret after the line broke', async () => {
  for (const [prove, status, kind] of [
    [() => undefined, 200, Refusal], [() => 'f'.repeat(64), 200, Refusal], [() => 7, 200, Refusal], [(nonce: string) => nonce, 200, Refusal], [right, 404, Unreachable],
    [(nonce: string) => right(nonce).toUpperCase(), 200, Refusal],
  ] as const) {
    doubtServer();
    const got = program(prove, status);
    await expect(boards()).rejects.toBeInstanceOf(kind);
    expect(JSON.stringify(got)).not.toContain(kSecret);
    expect(got.every(({ authorization }) => authorization === null)).toBe(true);
  }
});

test('the server proves itself once for all requests that wait', async () => {
  doubtServer();
  const got = program(right);
  await Promise.all([boards(), boards()]);
  await boards();
  expect(got.filter(({ path }) => path.endsWith('/proof'))).toHaveLength(1);
  expect(got.filter(({ authorization }) => authorization === `Bearer ${kSecret}`)).toHaveLength(3);
  expect(got[0]!.text).not.toContain(kSecret);
});

test('a request that nobody answers gives a doubt', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
  await expect(boards()).rejects.toBeInstanceOf(Unreachable);
  const got = program(() => 'f'.repeat(64));
  await expect(boards()).rejects.toBeInstanceOf(Refusal);
  expect(got.map(({ path }) => path)).toEqual(['/api/v1/proof']);
});

test('where a browser cannot compute the proof the page works as without it', async () => {
  doubtServer();
  vi.stubGlobal('crypto', {});
  const got = program(() => undefined);
  await boards();
  expect(got.map(({ path }) => path)).toEqual(['/api/v1/boards']);
});

test('a server that forgot the session lets the browser sign in again', async () => {
  doubtServer();
  const got = program(() => 'f'.repeat(64));
  let signedOut = 0;
  const api = new Api('/api/v1', () => (signedOut += 1));
  await expect(api.boards()).rejects.toMatchObject({ status: 401 });
  expect(signedOut).toBe(1);
  await api.signIn('a-code').catch(() => undefined);
  expect(got.map(({ path }) => path)).toEqual(['/api/v1/proof', '/api/v1/session']);
  expect(got[1]!.authorization).toBeNull();
});
