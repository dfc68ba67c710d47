// The scenes of bench/copies: one creation at a time on a kept connection, of tasks that are like none, and of near copies.
import { Agent, request } from 'node:http';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';

const kSizes = (process.env.SIZES ?? '1000 100000').split(' ').map(Number);
const kRounds = 300;
const kVerbs = ['Fix', 'Add', 'Remove', 'Measure', 'Document', 'Rename', 'Split', 'Cache', 'Check', 'Move'];
const kThings = ['cart', 'invoice', 'search', 'login', 'import', 'export', 'report', 'filter', 'price', 'stock', 'mail', 'queue', 'theme', 'upload', 'session', 'menu', 'index', 'token', 'chart', 'address'];
const kPlaces = ['page', 'server', 'worker', 'script', 'test', 'store', 'board', 'guide', 'column', 'phone'];

let seed = 1;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
const pick = (list) => list[random(list.length)];
const words = (n) => Array.from({ length: n }, () => `${pick(kThings)}${random(500)}`).join(' ');
const task = () => ({ board: 'shop', title: `${pick(kVerbs)} the ${pick(kThings)} ${words(2)} of the ${pick(kPlaces)}`, body: `In src/${pick(kThings)}${random(5000)}.cpp: ${words(30)}.` });

const ends = [];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
for (const size of kSizes) {
  const place = openPlace({ after: (end) => ends.push(end) });
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop' });
  for (let made = 0; made < size; made += 1000) await server.http.post('/tasks', Array.from({ length: Math.min(1000, size - made) }, task));
  const create = (body) => new Promise((resolve, reject) => {
    const asked = request(`${server.url}/api/v1/tasks`, { method: 'POST', agent, headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' } }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part)).on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject).end(JSON.stringify(body));
  });
  for (const [name, body] of [['like none', task], ['near copies', (() => { const one = task(); return () => ({ ...one, title: `${one.title} again`, body: `${one.body} ${words(1)}` }); })()]]) {
    const times = [];
    let warned = 0;
    for (let round = 0; round < kRounds; ++round) {
      const given = body();
      const begun = performance.now();
      warned += (await create(given)).warnings?.length ? 1 : 0;
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    console.log(`${size} tasks, ${name}: p50 ${times[kRounds / 2].toFixed(2)} ms, p99 ${times[Math.floor(kRounds * 0.99)].toFixed(2)} ms, warned ${warned} of ${kRounds}`);
  }
}
agent.destroy();
for (const end of ends.reverse()) await end();
