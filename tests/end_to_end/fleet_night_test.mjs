// A short night of eight workers on three accounts with moving limits, on a machine under pressure: in the morning everything
// on the board is true.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { installAgent, installProfile, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { processesNaming } from './support/processes.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kAccounts = ['coder@work', 'coder@home', 'writer'];
const kTasks = 40;
const kNight = 300_000; // ms

// An agent of one account: it notes its start, meets the limit of its account while that is closed, and else does its work.
const scriptOf = (place, account) => `cat > /dev/null
echo "$(date +%s%3N) ${account} $ANDON_TASK" >> ${place.path('starts')}
closed=$(cat ${place.path(account)} 2>/dev/null || echo 0)
if [ "$(date +%s%3N)" -lt "$closed" ]; then echo "{\\"type\\":\\"limit\\",\\"until\\":$((closed / 1000 + 1))}"; exit 7; fi
sleep 0.$((ANDON_TASK % 7 + 1))
case $ANDON_TASK in
  *0) andon create "Tidy the imports of the shop" > /dev/null 2>&1; andon create "Tidy the imports in the shop" > /dev/null 2>&1 ;;
  *5) exec "${process.execPath}" -e 'const kept = []; setInterval(() => kept.push(Buffer.alloc(32 << 20, 1)), 10)' ;;
esac
echo '{"type":"result","text":"made it"}'`;

test('eight workers, three accounts and a greedy agent get through a night', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place);
  await server.http.post('/boards', { name: 'shop', limits: { memory: '400MiB' } });
  for (const account of kAccounts) {
    installAgent(server.data, account, scriptOf(place, account));
    installProfile(server.data, account, [`${server.data}/scripts/${account}`], {
      exit: { 0: 'ok', 7: 'limit' },
      output: { kind: 'jsonl', rules: [
        { when: [{ ptr: '/type', eq: 'limit' }], emit: 'limit', set: { resets_at: '/until' } },
        { when: [{ ptr: '/type', eq: 'result' }], emit: 'result', set: { text: '/text', is_error: { const: false } } },
      ] },
    });
  }
  for (let i = 0; i < 8; ++i) {
    const agents = kAccounts.map((_, at) => kAccounts[(at + i) % kAccounts.length]);
    await server.http.post('/workers', { name: `w${i}`, agents, takes_unassigned: true });
  }
  const tasks = [];
  for (let i = 0; i < kTasks; ++i) tasks.push(await newTask(server, `Part ${i} of the night`, { status: 'todo', max_attempts: 2 }));

  // Two accounts at most are closed at a time, for two to five seconds.
  let isOver = false;
  const windows = (async () => {
    for (let turn = 0; !isOver; ++turn) {
      writeFileSync(place.path(kAccounts[turn % 3]), String(Date.now() + 2000 + (turn % 4) * 1000));
      await pause(1800);
    }
  })();
  const settled = await until('every task is settled', async () => {
    const now = await Promise.all(tasks.map((task) => readTask(server, task)));
    return now.every((task) => task.stage === 'done' || task.blocked || task.stage === 'failed') && now;
  }, kNight);
  isOver = true;
  await windows;

  for (const task of settled) {
    const runs = await runsOf(server, task);
    const isGreedy = task.id % 10 === 5;
    assert.equal(task.stage === 'done', !isGreedy, `task ${task.id} is ${task.stage}`);
    assert.equal(runs.filter((run) => run.outcome === 'succeeded').length, isGreedy ? 0 : 1, `runs of task ${task.id}`);
    if (isGreedy) assert.match(task.block_reason ?? '', /more than the 400 MiB that it may/);
    assert.ok(runs.every((run) => run.outcome !== 'rate_limited' || run.attempt <= 2));
  }
  const runs = (await Promise.all(tasks.map((task) => runsOf(server, task)))).flat();
  const rests = (await server.http.events()).filter((event) => event.kind === 'limit.reached');
  assert.ok(rests.length > 0);
  for (const { ts, data } of rests) {
    const early = runs.filter((run) => run.agent === data.account && run.started > ts && run.started < data.until);
    assert.deepEqual(early, [], `${data.account} rested from ${ts} until ${data.until}`);
  }
  const titles = (await server.http.get('/tasks?board=shop&limit=200')).items.map((task) => task.title);
  assert.equal(titles.filter((title) => title.startsWith('Tidy the imports')).length, 1);
  assert.ok(readFileSync(place.path('starts'), 'utf8').trim().split('\n').length >= kTasks);
  await until('nobody is left but the server', () => processesNaming(place.root).every((pid) => pid === server.pid));
});
