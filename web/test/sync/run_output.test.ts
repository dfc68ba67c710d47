import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followOutput, type PageSight } from '../../src/sync/run_output.ts';

class Sight implements PageSight {
  hidden = false;
  #changed = () => {};
  isHidden = () => this.hidden;
  onChange = (action: () => void) => {
    this.#changed = action;
    return () => (this.#changed = () => {});
  };

  set(hidden: boolean): void {
    this.hidden = hidden;
    this.#changed();
  }
}

// A server of one run: tells which connections are open and since where they read.
class Server {
  open = 0;
  asked: (string | undefined)[] = [];
  #send: (text: string) => void = () => {};

  fetch = (_url: string, { signal }: { signal: AbortSignal }) => {
    this.open += 1;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#send = (text) => controller.enqueue(new TextEncoder().encode(text));
        signal.addEventListener('abort', () => (this.open -= 1));
      },
    });
    return Promise.resolve(new Response(body, { status: 200 }));
  };

  say(id: string, text: string): void {
    this.#send(`id: ${id}\nevent: output\ndata: ${JSON.stringify({ items: [{ at: '', stream: 'text', text }] })}\n\n`);
  }
}

describe('The output of a run', () => {
  let server: Server;
  beforeEach(() => {
    server = new Server();
    vi.stubGlobal('fetch', server.fetch);
  });
  afterEach(() => void vi.unstubAllGlobals());

  function follow(sight: Sight) {
    const lines: string[] = [];
    const stop = followOutput((since) => (server.asked.push(since), '/output'), { items: (items) => lines.push(...items.map((one) => one.text)), end: () => {} }, sight);
    return { lines, stop };
  }

  test('holds no connection while the page is hidden', async () => {
    const sight = new Sight();
    const { stop } = follow(sight);
    await vi.waitUntil(() => server.open === 1);
    sight.set(true);
    expect(server.open).toBe(0);
    stop();
  });

  test('goes on where it stopped when the page is shown again', async () => {
    const sight = new Sight();
    const { lines, stop } = follow(sight);
    await vi.waitUntil(() => server.open === 1);
    server.say('7', 'first');
    await vi.waitUntil(() => lines.length === 1);
    sight.set(true);
    sight.set(false);
    await vi.waitUntil(() => server.open === 1);
    expect(server.asked).toEqual([undefined, '7']);
    stop();
    expect(server.open).toBe(0);
  });

  test('waits for a page that is opened in the background', async () => {
    const sight = new Sight();
    sight.hidden = true;
    const { stop } = follow(sight);
    expect(server.open).toBe(0);
    sight.set(false);
    await vi.waitUntil(() => server.open === 1);
    stop();
  });
});
