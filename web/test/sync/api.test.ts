import { afterEach, expect, test, vi } from 'vitest';
import { Api, Unreachable } from '../../src/sync/api.ts';

afterEach(() => vi.unstubAllGlobals());

test('an answer that breaks off is that of a server that cannot be reached', async () => {
  const cut = new ReadableStream({ start: (body) => body.error(new TypeError('network error')) });
  vi.stubGlobal('fetch', async () => new Response(cut));
  await expect(new Api('/api/v1', () => undefined).boards()).rejects.toBeInstanceOf(Unreachable);
});
