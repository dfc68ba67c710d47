import { describe, expect, test } from 'vitest';
import type { StreamHandlers } from '../../src/sync/event_stream.ts';
import type { FromHub } from '../../src/sync/stream_messages.ts';
import { StreamHub, type HubWorld } from '../../src/sync/stream_hub.ts';

// A server and a clock that behave: streams stay open until they are closed, time passes when told.
class World implements HubWorld {
  time = 0;
  streams: { boards: string[]; since: string; secret: string | undefined; handlers: StreamHandlers; open: boolean }[] = [];
  timers: { at: number; action: () => void }[] = [];

  open(boards: string[], since: string, secret: string | undefined, handlers: StreamHandlers): () => void {
    const stream = { boards, since, secret, handlers, open: true };
    this.streams.push(stream);
    return () => (stream.open = false);
  }

  now = () => this.time;
  chance = () => 0.5;

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.time + ms, action };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((other) => other !== timer));
  }

  pass(ms: number): void {
    this.time += ms;
    for (const timer of this.timers.filter((one) => one.at <= this.time)) {
      this.timers = this.timers.filter((other) => other !== timer);
      timer.action();
    }
  }

  get live() {
    return this.streams.filter((stream) => stream.open);
  }

  say(event: string, data: object, lastId = ''): void {
    this.live[0]!.handlers.onMessage({ event, data: JSON.stringify(data), lastId });
  }

  hello(): void {
    this.say('hello', { epoch: 'e1', seq: 10, resume: 'replay', heartbeat: 15, build: 'b1' });
  }

  ops(board: string, from: number, to: number, isLast = true): void {
    this.say('ops', { board, from, to, ops: [{ op: 'line', id: to, text: '' }] }, isLast ? `e1.${to}` : `e1.${from - 1}`);
  }
}

class Page {
  heard: FromHub[] = [];
  send = (message: FromHub) => this.heard.push(message);

  get frames() {
    return this.heard.flatMap((message) => (message.type === 'ops' ? [`${message.frame.board}:${message.frame.to}`] : []));
  }

  get resets() {
    return this.heard.flatMap((message) => (message.type === 'reset' ? [message.reason] : []));
  }

  get link() {
    return this.heard.filter((message) => message.type === 'link').at(-1)?.state;
  }
}

function watching(board = 'shop', seq = 10) {
  const world = new World();
  const hub = new StreamHub(world);
  const page = new Page();
  hub.join(page);
  hub.hear(page, { type: 'watch', board, epoch: 'e1', seq });
  return { world, hub, page };
}

function another(hub: StreamHub, board: string, seq: number): Page {
  const page = new Page();
  hub.join(page);
  hub.hear(page, { type: 'watch', board, epoch: 'e1', seq });
  return page;
}

describe('StreamHub', () => {
  test('asks for what follows the snapshot and hands frames on', () => {
    const { world, page } = watching();
    expect(world.live[0]?.since).toBe('e1.10');
    world.hello();
    world.ops('shop', 11, 12);
    expect(page.link).toBe('live');
    expect(page.frames).toEqual(['shop:12']);
  });

  test('keeps one stream for all boards of all pages', () => {
    const { world, hub } = watching();
    world.hello();
    another(hub, 'blog', 10);
    expect(world.live.map((stream) => stream.boards)).toEqual([['blog', 'shop']]);
  });

  test('takes several frames of one flush before the cursor moves', () => {
    const { world, page } = watching();
    world.hello();
    world.ops('blog', 11, 12, false);
    world.ops('shop', 11, 12, true);
    world.ops('shop', 13, 13);
    expect(page.resets).toEqual([]);
    expect(page.frames).toEqual(['blog:12', 'shop:12', 'shop:13']);
  });

  test('asks for snapshots when something is missing in between', () => {
    const { world, page } = watching();
    world.hello();
    world.ops('shop', 14, 15);
    expect(page.resets).toEqual(['gap']);
    expect(world.live).toEqual([]);
  });

  test('asks for snapshots when the data is of another epoch', () => {
    const { world, page } = watching();
    world.say('hello', { epoch: 'e2', seq: 3 });
    expect(page.resets).toEqual(['epoch']);
  });

  test('gives a page that comes later what it missed, from memory', () => {
    const { world, hub } = watching();
    world.hello();
    world.ops('shop', 11, 12);
    world.ops('shop', 13, 14);
    const late = another(hub, 'shop', 12);
    expect(late.frames).toEqual(['shop:14']);
    expect(world.streams.length).toBe(1);
  });

  test('goes back in the stream for a page whose past it has forgotten', () => {
    const { world, hub } = watching();
    world.hello();
    world.ops('shop', 11, 12);
    another(hub, 'shop', 5);
    expect(world.live[0]?.since).toBe('e1.5');
  });

  test('resumes at once after a stream that ended in good order', () => {
    const { world, page } = watching();
    world.hello();
    world.ops('shop', 11, 12);
    world.live[0]!.handlers.onEnd(0);
    world.pass(100);
    expect(world.live[0]?.since).toBe('e1.12');
    expect(page.resets).toEqual([]);
  });

  test('waits longer after each failure and starts anew after success', () => {
    const { world } = watching();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      world.live[0]!.handlers.onEnd(503);
      waits.push(world.timers.at(-1)!.at - world.time);
      world.pass(waits.at(-1)!);
    }
    expect(waits).toEqual([1500, 3000, 6000, 12000, 24000, 30000, 30000]);
    world.hello();
    world.live[0]!.handlers.onEnd(0);
    world.pass(100);
    world.live[0]!.handlers.onEnd(0);
    expect(world.timers.at(-1)!.at - world.time).toBe(1500);
  });

  test('gives up a connection that shows no sign of life', () => {
    const { world, page } = watching();
    world.hello();
    world.pass(30_000);
    world.live[0]!.handlers.onSign();
    world.pass(30_000);
    expect(page.link).toBe('live');
    world.pass(8000);
    expect(page.link).toBe('waiting');
  });

  test('stops and says so when the session is over', () => {
    const { world, page } = watching();
    world.live[0]!.handlers.onEnd(401);
    expect(page.heard.at(-1)).toEqual({ type: 'signed-out' });
    expect(world.timers).toEqual([]);
  });

  test('asks with the secret that pages hand it, and anew when it is another one', () => {
    const { world, hub, page } = watching();
    expect(world.live[0]!.secret).toBeUndefined();
    hub.hear(page, { type: 'secret', secret: 'one' });
    hub.hear(page, { type: 'secret', secret: 'one' });
    expect(world.streams.map((stream) => stream.secret)).toEqual([undefined, 'one']);
    expect(world.live).toHaveLength(1);
    hub.hear(page, { type: 'secret', secret: undefined });
    expect(world.live[0]!.secret).toBeUndefined();
    world.live[0]!.handlers.onEnd(401);
    expect(page.heard.at(-1)).toEqual({ type: 'signed-out' });
  });

  test('waits for a page to watch before it uses a secret', () => {
    const { world, hub, page } = watching();
    world.live[0]!.handlers.onEnd(401);
    hub.hear(page, { type: 'secret', secret: 'one' });
    expect(world.live).toEqual([]);
    hub.hear(page, { type: 'watch', board: 'shop', epoch: 'e1', seq: 10 });
    expect(world.live.map((stream) => stream.secret)).toEqual(['one']);
  });

  test('closes the stream when the last page leaves', () => {
    const { world, hub, page } = watching();
    hub.hear(page, { type: 'leave' });
    expect(world.live).toEqual([]);
    expect(world.timers).toEqual([]);
  });
});
