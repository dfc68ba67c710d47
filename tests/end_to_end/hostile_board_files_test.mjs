import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Front matter that ended a server, or could: a key behind `?` and a tab, and what is near it.
const kHostile = {
  '010-key.md': '?\t-\n',
  '011-key.md': 'a:\n  ?\t[\n',
  '012-deep.md': `a: ${'['.repeat(100_000)}\n`,
  '013-second.md': 'id: 13\n...\nid: 14\n',
  '014-tab.md': 'a:\n\t?\t- b\n',
};

// FNV-1a with 64 bits: the digest in `.andon/reading`.
function digestOf(text) {
  let hash = 14695981039346656037n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 1099511628211n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}

class ServedBoard {
  static async open(t) {
    const served = new ServedBoard();
    served.place = openPlace(t);
    await told(served.place, ['init', '--name', 'Shop'], { input: 'n\n' });
    await told(served.place, ['create', 'First', '--status', 'todo']);
    await told(served.place, ['create', 'Second', '--status', 'todo']);
    served.server = await startServer(served.place);
    await served.server.andon('boards', 'attach', served.place.root);
    return served;
  }
  file(...names) {
    return this.place.path('kanban', ...names);
  }
  async start() {
    this.server = await startServer(this.place);
  }
  async keysBecome(...keys) {
    await until(`the board has ${keys}`, async () => {
      const tasks = (await this.server.http.get('/tasks?board=shop&limit=500')).items;
      return JSON.stringify(tasks.map((task) => task.key).sort()) === JSON.stringify(keys);
    });
  }
}

test('hostile files of a board end no server, now or at the next start', async (t) => {
  const served = await ServedBoard.open(t);
  for (const [name, front] of Object.entries(kHostile)) writeFileSync(served.file('tasks', name), `---\n${front}---\n`);
  await told(served.place, ['create', 'Third', '--status', 'todo']);
  const keys = (await served.server.http.get('/tasks?board=shop&limit=500')).items.map((task) => task.key);
  assert.ok(keys.includes('SHOP-1') && keys.includes('SHOP-2'));
  await served.server.end();
  await served.start();
  await until('the third task is served', async () => (await served.server.http.get('/tasks?board=shop&limit=500')).items.length === 3);
});

test('a file on which the server died twice is left out until it changes', async (t) => {
  const served = await ServedBoard.open(t);
  await served.keysBecome('SHOP-1', 'SHOP-2');
  await served.server.end('SIGKILL');
  // As the dead process leaves it: the file that it read, new since the last start.
  const name = '003-third.md';
  const text = '---\nid: 3\ntitle: Third\nstatus: todo\npriority: high\n---\n';
  writeFileSync(served.file('tasks', name), text);
  const record = `${digestOf(text)} ${name}\n`;
  writeFileSync(served.file('.andon', 'left-out'), record);
  writeFileSync(served.file('.andon', 'reading'), record);
  for (let start = 0; start < 2; ++start) {
    await served.start();
    await served.keysBecome('SHOP-1', 'SHOP-2');
    assert.match(readFileSync(served.file('.andon', 'left-out'), 'utf8'), /^([0-9a-f]{16} 003-third\.md\n){2}$/);
    await served.server.end();
  }
  await served.start();
  writeFileSync(served.file('tasks', name), text.replace('Third', 'Mended'));
  await served.keysBecome('SHOP-1', 'SHOP-2', 'SHOP-3');
});

test('a server that was killed while it read a file reads it again', async (t) => {
  const served = await ServedBoard.open(t);
  await served.keysBecome('SHOP-1', 'SHOP-2');
  await served.server.end('SIGKILL');
  const text = '---\nid: 3\ntitle: Third\nstatus: todo\npriority: high\n---\n';
  writeFileSync(served.file('tasks', '003-third.md'), text);
  writeFileSync(served.file('.andon', 'reading'), `${digestOf(text)} 003-third.md\n`);
  await served.start();
  await served.keysBecome('SHOP-1', 'SHOP-2', 'SHOP-3');
  assert.equal(readFileSync(served.file('.andon', 'left-out'), 'utf8'), '');
});
