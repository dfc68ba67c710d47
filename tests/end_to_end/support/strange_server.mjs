import { createServer } from 'node:http';

// Servers that are none of Andon: each answers every request with something else. An endless one goes on until it is hung up on.
const json = (value) => (_, response) => response.setHeader('Content-Type', 'application/json').end(typeof value === 'string' ? value : JSON.stringify(value));
const deep = '['.repeat(100_000) + ']'.repeat(100_000);
const strange = [null, true, 7, -1, 1e300, 18446744073709551615n.toString(), '', 'x', [], {}, [null], { items: 3 }];

function endless(response, text) {
  const more = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', more).on('error', () => {});
  more();
}

// A page whose next page is always there. Its items are taken for tasks, events, runs and lines alike.
function page(items, next) {
  return JSON.stringify({
    items, next, more: true, events: 1, runs: 1, credentials: 0, answers: 0, feed_begin: 1, until: '2026-01-01T00:00:00Z',
  });
}

let pages = 0;
export const kShapes = {
  'an empty object': json({}),
  'an empty list': json([]),
  'a null': json('null'),
  'a number': json('7'),
  'a text': json('"hello"'),
  'an object of somebody else': json({ status: 'ok', data: { items: [] } }),
  'items that are a number': json({ items: 7 }),
  'items that are null': json({ items: [null, null] }),
  'items of the wrong kind': json({ items: ['a', 7, [], { id: 'x' }] }),
  'empty items': json({ items: [] }),
  'items without members': json({ items: [{}], next: '' }),
  'members of the wrong kind': json({ id: [], title: {}, name: 3, items: 'x', columns: 1, warnings: 5, board: [], state: 0 }),
  'one member alone': json({ id: 1 }),
  'no JSON': json('{"items":[{"id":1'),
  'bytes that are no text': (_, response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0x7b])),
  'a page of HTML': (_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><p>Welcome'),
  'an empty answer': (_, response) => response.end(),
  'deep nesting': json(deep),
  'no HTTP': (request) => request.socket.end('\u0000\u0001SSH-2.0-strange\r\n'),
  'no answer': (request) => request.socket.destroy(),
  'a status of its own': (_, response) => response.writeHead(299).end('{}'),
  'an error of somebody else': (_, response) => response.writeHead(500).end(JSON.stringify({ error: { message: [] }, code: {}, details: [1] })),
  'a redirect': (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
  'a page that names itself': (_, response) => response.end(page([], 'again')),
  'pages without an end': (_, response) => response.end(page([], `page-${++pages}`)),
  'a body without an end': (_, response) => endless(response, '"'.padEnd(1 << 16, 'x')),
  'a list without an end': (_, response) => {
    response.write('{"items":[0');
    endless(response, ',0'.repeat(1 << 15));
  },
  'a header without an end': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
    endless(request.socket, 'x'.repeat(1 << 16));
  },
};

// Random JSON; the seed decides.
export function randomShape(chance) {
  const names = ['id', 'items', 'next', 'title', 'name', 'status', 'board', 'columns', 'warnings', 'task', 'run', 'edges', 'data', 'at', 'ts', 'seq', 'more', 'text', 'groups', 'workers', 'boards', 'body', 'kind'];
  const value = (depth) => {
    const which = chance.below(depth > 0 ? 3 : 1);
    if (which === 0) return strange[chance.below(strange.length)];
    if (which === 1) return Array.from({ length: chance.below(4) }, () => value(depth - 1));
    return Object.fromEntries(Array.from({ length: chance.below(8) }, () => [names[chance.below(names.length)], value(depth - 1)]));
  };
  return (_, response) => response.end(JSON.stringify(value(4)));
}

// Answers with the shape that was set last.
export async function startStrangeServer(place) {
  const strange = { shape: kShapes['an empty object'] };
  const server = createServer((request, response) => {
    request.on('error', () => {}).resume();
    request.socket.on('error', () => {});
    strange.shape(request, response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  strange.url = `http://127.0.0.1:${server.address().port}`;
  place.atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return strange;
}
