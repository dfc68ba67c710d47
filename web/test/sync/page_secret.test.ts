import { afterEach, describe, expect, test, vi } from 'vitest';
import { Api } from '../../src/sync/api.ts';
import { credentialOf, forgetPageSecret, keepPageSecret, pageSecret } from '../../src/sync/page_secret.ts';

afterEach(() => {
  forgetPageSecret();
  vi.unstubAllGlobals();
});

function storage() {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  return kept;
}

// A server that answers all requests with this, and what it was asked with.
function server(body: object) {
  const asked: { address: string; headers: Headers; credentials?: string }[] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push({ address, headers: new Headers(init.headers), credentials: init.credentials });
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
  return asked;
}

describe('The secret of the page', () => {
  test('is kept in the storage of the origin under one name', () => {
    const kept = storage();
    expect(pageSecret()).toBeUndefined();
    keepPageSecret('one');
    expect([...kept]).toEqual([['andon.secret', 'one']]);
    kept.set('andon.secret', 'two'); // by another page
    expect(pageSecret()).toBe('two');
    forgetPageSecret();
    expect(kept.size).toBe(0);
    expect(pageSecret()).toBeUndefined();
  });

  test('lasts as long as the page where nothing can be stored', () => {
    const fail = () => {
      throw new Error('refused');
    };
    vi.stubGlobal('localStorage', { getItem: fail, setItem: fail, removeItem: fail });
    keepPageSecret('one');
    expect(pageSecret()).toBe('one');
    forgetPageSecret();
    expect(pageSecret()).toBeUndefined();
  });

  test('of a new session comes before one that could not be replaced', () => {
    const kept = storage();
    keepPageSecret('one');
    vi.stubGlobal('localStorage', {
      ...localStorage,
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: () => {
        throw new Error('full');
      },
    });
    keepPageSecret('two');
    expect(pageSecret()).toBe('two');
    storage();
    keepPageSecret('three');
    expect(pageSecret()).toBe('three');
  });

  test('is a header, and no header without it', () => {
    expect(credentialOf('one')).toEqual({ Authorization: 'Bearer one' });
    expect(credentialOf(undefined)).toEqual({});
  });

  test('comes with signing in, goes with every request in a header, and is forgotten when signing out', async () => {
    storage();
    const asked = server({ secret: 'one', expires_at: '2099-01-01T00:00:00Z', items: [] });
    const api = new Api('/api/v1', () => undefined);
    await api.signIn('code');
    await api.boards();
    await api.log(7);
    await api.attachment(3, 'shot.png');
    await api.attach(3, 'shot.png', new Blob(['x']));
    await api.signOut();
    await api.boards();
    expect(asked.map(({ headers }) => headers.get('Authorization'))).toEqual([null, ...Array(5).fill('Bearer one'), null]);
    expect(asked.filter(({ address }) => address.includes('one'))).toEqual([]);
  });

  test('stays when the server refuses to end the session', async () => {
    storage();
    keepPageSecret('one');
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 503 })));
    await expect(new Api('/api/v1', () => undefined).signOut()).rejects.toThrow();
    expect(pageSecret()).toBe('one');
  });
});
