import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ended, installAgent, installProfile, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { isAlive } from './support/processes.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

// Agents that misbehave in one way each. Those that stay say so; the others end by themselves.
const kZoo = {
  ignores_term: { script: `trap '' TERM INT HUP; here; while :; do sleep 600 & wait; done`, stays: true },
  double_forks: { script: `(setsid sh -c 'trap "" TERM; echo $$ >> PIDS; sleep 600' &); while [ ! -s PIDS ] || ! grep -q . PIDS; do sleep 0.05; done; here; echo "left a daemon"` },
  setsid_grandchild: { script: `setsid sh -c 'trap "" TERM; echo $$ >> PIDS; setsid sleep 600 & wait' & here; wait`, stays: true },
  holds_pipe: { script: `sleep 600 & echo $! >> PIDS; here; echo "gone"; exit 3` },
  stops_itself: { script: `here; kill -STOP $$; sleep 600`, stays: true },
  storms: { script: `here; i=0; while [ $i -lt 40 ]; do setsid sh -c 'sleep 600' & i=$((i + 1)); done; wait`, stays: true },
  closes_pipes: { script: `here; exec 0<&- 1>&- 2>&-; sleep 600; exit 0`, stays: true },
  floods: { script: `here; exec yes "a line of a flood"`, stays: true },
  prints_binary: { script: `head -c 300000 /dev/urandom; printf '\\033[2J last words'` },
  hangs: { script: `here; exec sleep 600`, stays: true },
  exits_at_once: { script: `exit 0` },
  dies_by_signal: { script: `kill -SEGV $$` },
  changes_title: { script: `here; exec perl -e '$0 = "innocent"; sleep 600'`, stays: true },
  moves_away: { script: `mkdir gone; cd gone; rmdir ../gone; here; sleep 600; exit 0`, stays: true },
};

const kNames = Object.keys(kZoo);
const kStaying = kNames.filter((name) => kZoo[name].stays);
// Those that stay and the grandchild; a parent with its child twice.
const kSayingSo = kStaying.length + 1 + 2 * 2;

class Zoo {
  static async open(t, { total } = {}) {
    const zoo = Object.assign(new Zoo(), { total });
    zoo.place = openPlace(t);
    zoo.pids = zoo.place.path('pids');
    zoo.server = await startServer(zoo.place);
    await zoo.server.http.post('/boards', { name: 'shop' });
    for (const name of kNames) {
      const script = `cat > /dev/null\nhere() { echo $$ >> ${zoo.pids}; }\n${kZoo[name].script.replaceAll('PIDS', zoo.pids)}`;
      installAgent(zoo.server.data, name, script);
      if (total) installProfile(zoo.server.data, name, [`${zoo.server.data}/scripts/${name}`], { timeouts: { total_s: total }, stop: [['TERM', 1]] });
      await zoo.server.http.post('/workers', { name, agent: name });
    }
    zoo.bystander = spawn('sleep', ['600'], { cwd: zoo.place.root, detached: true, stdio: 'ignore' });
    zoo.place.atEnd(() => zoo.bystander.kill('SIGKILL'));
    return zoo;
  }

  // A task of every animal; those that stay are at work, the others have come to their end.
  async feed() {
    this.tasks = {};
    for (const name of kNames) this.tasks[name] = await newTask(this.server, `Feed ${name}`, { assignee: name, status: 'todo' });
    for (const name of kNames) if (!kZoo[name].stays) await ended(this.server, this.tasks[name]);
    if (this.total) return; // who is ended by the clock may not come to say anything
    await until('those that stay are at work', async () => (await this.server.http.get('/dispatch')).running === kStaying.length);
    await until('they said so', () => this.seen().length >= kSayingSo);
  }

  seen() {
    return existsSync(this.pids) ? readFileSync(this.pids, 'utf8').split('\n').filter(Boolean).map(Number) : [];
  }

  async kill() {
    for (const name of kStaying) assert.equal((await this.server.http.ask('POST', `/tasks/${this.tasks[name].id}/kill`, {})).status, 202);
  }

  async ends(outcome, check) {
    for (const name of kStaying) {
      const run = await ended(this.server, this.tasks[name]);
      assert.equal(run.outcome, outcome, `${name}: ${JSON.stringify(run)}`);
      check(await readTask(this.server, this.tasks[name]), name);
      assert.equal((await runsOf(this.server, this.tasks[name])).length, 1, name);
    }
    assert.deepEqual(this.seen().filter(isAlive), [], 'nobody survives');
    assert.ok(isAlive(this.bystander.pid), 'nobody else is hit');
  }
}

const isBack = (task, name) => assert.deepEqual([task.stage, task.claimed_by], ['backlog', undefined], name);

test('nothing survives a kill from the board', async (t) => {
  const zoo = await Zoo.open(t);
  await zoo.feed();
  await zoo.kill();
  await zoo.ends('killed', isBack);
});

test('nothing survives a time limit', async (t) => {
  const zoo = await Zoo.open(t, { total: 4 });
  await zoo.feed();
  await zoo.ends('timed_out', (task, name) => assert.deepEqual([task.stage, task.claimed_by], ['blocked', undefined], name));
});

for (const signal of ['SIGKILL', 'SIGTERM'])
  test(`agents of every kind outlive a ${signal} of the server and can be killed by the next`, async (t) => {
    const zoo = await Zoo.open(t);
    await zoo.feed();
    const before = zoo.seen().filter(isAlive);
    await zoo.server.end(signal);
    assert.deepEqual(zoo.seen().filter(isAlive), before);
    zoo.server = await startServer(zoo.place);
    await until('they are adopted', async () => {
      const adopted = (await zoo.server.http.events()).filter((event) => event.kind === 'run.adopted');
      return adopted.length >= kStaying.length;
    });
    await zoo.kill();
    await zoo.ends('killed', isBack);
  });
