import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installAgent, moveTo, readTask } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { andon, cleanEnvironment, told } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Acts of every client in the race; more for the long run.
const kActs = Number(process.env.ANDON_ATTACH_ACTS ?? 10);
const kClients = 4;
// Failures that say: others were faster, try another time.
const kBeaten = new Set(['TASK_CLAIMED', 'NOTHING_TO_PICK', 'BUSY', 'REV_MISMATCH', 'CONFLICT', 'STALE_CLAIM', 'TASK_NOT_FOUND']);

class AttachedBoard {
  static async open(t, titles = ['First', 'Second'], options = {}) {
    const attached = new AttachedBoard();
    attached.place = openPlace(t);
    await told(attached.place, ['init', '--name', 'Shop'], { input: 'n\n' });
    for (const title of titles) await attached.cli('create', title, '--status', 'todo');
    attached.server = await startServer(attached.place, options);
    await attached.server.andon('boards', 'attach', attached.place.root);
    return attached;
  }

  // A command in the directory: a process of its own with an index of its own.
  cli(...args) {
    return told(this.place, args);
  }
  file(name) {
    return this.place.path('kanban', 'tasks', name);
  }
  text(name) {
    return readFileSync(this.file(name), 'utf8');
  }
  edit(name, from, to) {
    const text = this.text(name);
    assert.ok(text.includes(from), text);
    writeFileSync(this.file(name) + '.new', text.replace(from, to));
    renameSync(this.file(name) + '.new', this.file(name));
  }
  async tasks() {
    const tasks = [];
    for (let page = { next: '' }; page.next !== undefined; tasks.push(...page.items))
      page = await this.server.http.get(`/tasks?board=shop&limit=500&cursor=${encodeURIComponent(page.next)}`);
    return tasks;
  }
  task(key) {
    return this.server.http.get(`/tasks/${key}`);
  }
  async becomes(key, holds) {
    return until(`${key} is as it should be`, async () => {
      const { status, body } = await this.server.http.ask('GET', `/tasks/${key}`);
      return status === 200 && holds(body) && body;
    });
  }
  // What both sides say of every task.
  async views() {
    const of = (task, number) => [number, task.title, task.status, task.claimed_by ?? '', task.priority].join(' ');
    const server = (await this.tasks()).map((task) => of(task, Number(task.key.split('-')[1]))).sort();
    const files = (await this.cli('list', '--json')).map((task) => of(task, task.id)).sort();
    return { server, files };
  }
  async agree() {
    await until('both sides agree', async () => {
      const { server, files } = await this.views();
      return JSON.stringify(server) === JSON.stringify(files);
    });
  }
  checkWhole() {
    for (const name of readdirSync(this.place.path('kanban', 'tasks')))
      assert.match(this.text(name), /^---\nid: \d+\ntitle: .+\nstatus: \S+\n[\s\S]*?\n---\n/, `${name} is torn`);
  }
}

test('a directory is a board of the server until it is detached', async (t) => {
  const attached = await AttachedBoard.open(t);
  const boards = (await attached.server.http.get('/boards')).items;
  assert.deepEqual(boards.map((board) => [board.name, board.prefix, board.directory]), [['Shop', 'SHOP', attached.place.path('kanban')]]);
  assert.deepEqual((await attached.tasks()).map((task) => [task.key, task.title, task.status]), [
    ['SHOP-1', 'First', 'todo'],
    ['SHOP-2', 'Second', 'todo'],
  ]);

  await attached.server.http.ask('PATCH', '/tasks/SHOP-1', { priority: 'high' });
  assert.match(attached.text('001-first.md'), /^priority: high$/m);
  assert.equal((await attached.cli('show', '1', '--json')).priority, 'high');
  const made = await attached.server.http.post('/tasks', { board: 'shop', title: 'From the page', depends_on: ['SHOP-2'] });
  assert.equal(made.key, 'SHOP-3');
  assert.deepEqual((await attached.cli('show', '3', '--json')).depends_on, [2]);

  const refused = await andon(attached.place, ['--dir', attached.server.data, 'boards', 'attach', attached.place.root]);
  assert.match(refused.err, /attached already/);
  assert.match(await attached.server.andon('boards', 'detach', 'shop'), /Detached board Shop; its files stay in/);
  assert.deepEqual((await attached.server.http.get('/boards')).items, []);
  await attached.cli('edit', '1', '--priority', 'low');
  assert.match(attached.text('001-first.md'), /^priority: low$/m);
});

test('an edit by hand is an event on the stream', async (t) => {
  const attached = await AttachedBoard.open(t);
  const { seq } = await attached.server.http.get('/boards/shop/snapshot');
  const stream = await fetch(`${attached.server.url}/api/v1/events?since=${seq}`, {
    headers: { Authorization: `Bearer ${attached.server.token}`, Accept: 'text/event-stream' },
  });
  attached.edit('001-first.md', 'title: First', 'title: Written by hand');
  const task = await attached.becomes('SHOP-1', (task) => task.title === 'Written by hand');
  const events = (await attached.server.http.events()).filter((event) => event.seq > seq);
  assert.deepEqual(events.map((event) => [event.kind, event.task, event.data.source]), [['task.edited', task.id, 'file']]);
  let streamed = '';
  for await (const chunk of stream.body) {
    streamed += Buffer.from(chunk).toString();
    if (streamed.includes('Written by hand')) break;
  }

  await attached.cli('move', '2', 'done');
  await attached.becomes('SHOP-2', (task) => task.stage === 'done');
  const moved = (await attached.server.http.events()).at(-1);
  assert.deepEqual([moved.kind, moved.from, moved.to], ['task.moved', 'todo', 'done']);
});

// Every client picks, edits and appends as fast as it can.
async function race(attached, picked, notes) {
  const tell = async (args) => {
    const { code, out, err } = await andon(attached.place, [...args, '--json']);
    if (code === 0) return JSON.parse(out);
    const error = JSON.parse(out || '{}');
    assert.ok(kBeaten.has(error.code), out + err);
    return undefined;
  };
  const ask = async (method, path, body) => {
    const answer = await attached.server.http.ask(method, path, body);
    if (answer.status < 300) return answer.body;
    assert.ok(kBeaten.has(answer.body?.error?.code ?? answer.body?.code), JSON.stringify(answer.body));
    return undefined;
  };
  const inDirectory = async (client) => {
    for (let i = 0; i < kActs; ++i) {
      const task = await tell(['pick', '--claim', `cli-${client}-${i}`]);
      if (task) picked.push(task.id);
      const line = `note cli ${client} ${i}`;
      if (await tell(['edit', '1', '-a', line])) notes.push(line);
      await tell(['edit', '2', '--priority', i % 2 ? 'high' : 'low']);
    }
  };
  const overHttp = async (client) => {
    for (let i = 0; i < kActs; ++i) {
      const task = await ask('POST', '/pick', { boards: ['shop'], by: `http-${client}-${i}` });
      if (task) picked.push(Number(task.key.split('-')[1]));
      const line = `note http ${client} ${i}`;
      if (await ask('PATCH', '/tasks/SHOP-1', { append_body: line })) notes.push(line);
      await ask('PATCH', '/tasks/SHOP-3', { priority: i % 2 ? 'high' : 'low' });
    }
  };
  await Promise.all(Array.from({ length: kClients }, (_, i) => (i % 2 ? inDirectory(i) : overHttp(i))));
}

test('commands in the directory and clients of the server work at once', async (t) => {
  const titles = ['Shared', 'Ours', 'Theirs', ...Array.from({ length: kClients * kActs + 5 }, (_, i) => `Task ${i}`)];
  const attached = await AttachedBoard.open(t, titles);
  for (const id of ['1', '2', '3']) await attached.cli('move', id, 'backlog');
  const picked = [], notes = [];
  await race(attached, picked, notes);
  assert.equal(new Set(picked).size, picked.length, `picked twice: ${picked}`);
  assert.ok(picked.length > kActs, `only ${picked.length} were picked`);
  const shared = attached.text('001-shared.md');
  for (const line of notes) assert.ok(shared.includes(line), `"${line}" is lost`);
  attached.checkWhole();
  await attached.agree();
});

test('a server that is killed has lost nothing that either side wrote', async (t) => {
  const attached = await AttachedBoard.open(t, Array.from({ length: 40 }, (_, i) => `Task ${i}`));
  const kept = [];
  for (let round = 0; round < 3; ++round) {
    let alive = true;
    const writer = (async () => {
      for (let i = 0; alive && i < 60; ++i) {
        const title = `Written ${round} ${i}`;
        const answer = await attached.server.http.ask('POST', '/tasks', { board: 'shop', title }).catch(() => undefined);
        if (answer?.status === 201) kept.push(title);
      }
    })();
    for (let i = 0; i < 3; ++i) await attached.cli('edit', String(i + 1), '-a', `round ${round}`);
    await attached.server.end('SIGKILL');
    alive = false;
    await writer;
    await attached.cli('edit', '4', '-a', `away ${round}`);
    attached.server = await startServer(attached.place);
  }
  attached.checkWhole();
  await attached.agree();
  const titles = (await attached.tasks()).map((task) => task.title);
  for (const title of kept) assert.ok(titles.includes(title), `"${title}" is lost`);
  for (let round = 0; round < 3; ++round) {
    assert.match(attached.text('001-task-0.md'), new RegExp(`round ${round}`));
    assert.match((await attached.task('SHOP-4')).body, new RegExp(`away ${round}`));
  }
});

test('an agent does a task of the files once a person has read it', async (t) => {
  const attached = await AttachedBoard.open(t, ['Fix the cart']);
  installAgent(attached.server.data, 'developer', 'cat > /dev/null\nandon done --result "the cart rolls" > /dev/null');
  await attached.server.http.post('/workers', { name: 'developer', agent: 'developer' });
  await attached.cli('edit', '1', '--assignee', 'developer');
  const task = await attached.becomes('SHOP-1', (task) => task.assignee === 'developer');
  const { hindrances } = await attached.server.http.get(`/tasks/${task.id}/why`);
  assert.ok(hindrances.some((why) => why.code === 'approval'), JSON.stringify(hindrances));
  await attached.server.andon('approve', 'SHOP-1');
  const run = await ended(attached.server, task);
  assert.equal(run.outcome, 'succeeded');
  assert.match(attached.text('001-fix-the-cart.md'), /^result: the cart rolls$/m);
  assert.equal((await attached.cli('show', '1', '--json')).status, (await readTask(attached.server, task)).status);
});

// As if other programs of this user had taken what the kernel has of it.
const without = (limit) => ['unshare', '--user', '--map-root-user', 'sh', '-euc', `echo 0 > /proc/sys/user/${limit}; exec "$@"`, 'sh'];
const noNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status !== 0 && 'there are no user namespaces here';

for (const limit of ['max_inotify_watches', 'max_inotify_instances'])
  test(`a board goes on without ${limit}: it is looked at instead`, { skip: noNamespaces }, async (t) => {
    const attached = await AttachedBoard.open(t, ['First', 'Second'], { under: without(limit) });
    attached.edit('001-first.md', 'title: First', 'title: Written by hand');
    await attached.becomes('SHOP-1', (task) => task.title === 'Written by hand');
    await attached.cli('edit', '2', '--priority', 'high');
    await attached.server.http.told('PATCH', '/tasks/SHOP-2', { append_body: 'read before it was written' });
    assert.match(attached.text('002-second.md'), /^priority: high$[^]*read before it was written/m);
    assert.equal((await attached.server.http.get('/boards/shop')).trouble, undefined);
    await attached.server.end();
    assert.equal(attached.server.log.match(/is looked at every 3 s/g)?.length, 1, attached.server.log);
  });

function repositoryIn(attached) {
  const git = (...args) => execFileSync('git', args, { cwd: attached.place.root, env: cleanEnvironment(attached.place), encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  writeFileSync(attached.place.path('.git', 'info', 'exclude'), '.local/\ndata/\nkanban/.lock\nkanban/activity.jsonl\n');
  git('config', 'user.name', 'ann');
  git('config', 'user.email', 'ann@example.org');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  return git;
}

test('a checkout under a running server is taken over whole', async (t) => {
  const attached = await AttachedBoard.open(t, Array.from({ length: 60 }, (_, i) => `Task ${i}`));
  const git = repositoryIn(attached);
  const before = await attached.tasks();
  git('checkout', '-qb', 'other');
  for (let i = 1; i <= 30; ++i)
    await attached.server.http.told('PATCH', `/tasks/SHOP-${i}`, { title: `Other ${i}`, priority: 'high' });
  await attached.cli('create', 'Only there');
  git('add', '-A');
  git('commit', '-qm', 'Other');
  git('checkout', '-q', 'main');
  await until('the board is that of main', async () => {
    const tasks = await attached.tasks();
    return tasks.length === 60 && tasks.every((task, i) => task.title === before[i].title && task.id === before[i].id);
  });
  await attached.server.http.told('PATCH', '/tasks/SHOP-50', { priority: 'high' });
  git('checkout', '-q', 'other', '--merge');
  await attached.becomes('SHOP-61', (task) => task.title === 'Only there');
  await attached.becomes('SHOP-30', (task) => task.title === 'Other 30');
  assert.match(attached.text('050-task-49.md'), /^priority: high$/m, 'what was not committed is kept');
  await attached.agree();
});

test('a conflict holds up its own file only, and a directory that is gone its own board', async (t) => {
  const attached = await AttachedBoard.open(t);
  const whole = attached.text('001-first.md');
  writeFileSync(attached.file('001-first.md'), whole.replace('title: First', '<<<<<<< HEAD\ntitle: First\n=======\ntitle: Theirs\n>>>>>>> other'));
  const refused = await attached.server.http.ask('PATCH', '/tasks/SHOP-1', { priority: 'high' });
  assert.equal(refused.status, 503);
  assert.match(JSON.stringify(refused.body), /001-first\.md:\d+/);
  await attached.server.http.told('PATCH', '/tasks/SHOP-2', { priority: 'high' });
  writeFileSync(attached.file('001-first.md'), whole);
  await attached.server.http.told('PATCH', '/tasks/SHOP-1', { priority: 'high' });

  renameSync(attached.place.path('kanban'), attached.place.path('away'));
  await until('the board is not reachable', async () => (await attached.server.http.get('/boards/shop')).trouble);
  assert.equal((await attached.server.http.ask('PATCH', '/tasks/SHOP-1', { priority: 'low' })).status, 503);
  assert.equal((await attached.task('SHOP-1')).title, 'First');
  await attached.server.http.post('/boards', { name: 'own' });
  await attached.server.http.post('/tasks', { board: 'own', title: 'Goes on' });
  renameSync(attached.place.path('away'), attached.place.path('kanban'));
  await until('the board is back', async () => !(await attached.server.http.get('/boards/shop')).trouble);
  await attached.server.http.told('PATCH', '/tasks/SHOP-1', { priority: 'low' });
  assert.ok(existsSync(attached.file('001-first.md')));
});
