// Each program at each scenario: what the board says afterwards is what the program did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveTo, newTask, readTask, runsOf } from '../end_to_end/support/agents.mjs';
import { told } from '../end_to_end/support/program.mjs';
import { until } from '../end_to_end/support/until.mjs';
import { kNotOffline, kOffline } from './offline.mjs';
import { kRunTime, openShop, reasonToSkip, runOf } from './shop.mjs';

// The log is for people: no prompt, no stack, no line of the protocol, no standing warning, nothing thrice.
function checkLog(output) {
  assert.doesNotMatch(output, /^raw\|/m);
  assert.doesNotMatch(output, /cranberry/, 'the prompt is not repeated');
  assert.doesNotMatch(output, /^\w+\|\s+at \S+/m, 'no stack');
  assert.doesNotMatch(output, /YOLO mode|PATH aliases|unrecognized_model|ede_diagnostic/);
  for (const line of new Set(output.split('\n').filter((one) => one.startsWith('tool|'))))
    assert.equal(output.split('\n').filter((one) => one === line).length, 1, `once: ${line}\n${output}`);
}

const isPaused = (how) => ({ run, task, output, paused }) => {
  assert.equal(run.outcome, 'failed', output);
  assert.deepEqual([task.stage, task.attempt], ['ready', 0], `the attempt does not count\n${output}`);
  assert.match(paused, how, output);
  assert.doesNotMatch(paused, /ede_diagnostic|\n|[{}]/);
};

const isLimited = async ({ run, task, output, paused }, { server }) => {
  assert.equal(run.outcome, 'rate_limited', `${run.reason}\n${output}`);
  assert.equal(task.attempt, 0, 'the attempt does not count');
  assert.equal(paused, '');
  const [account] = (await server.http.get('/accounts')).items;
  assert.ok(Date.parse(account.limited_until) > Date.now(), JSON.stringify(account));
};

const kKeys = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_OFFLINE', 'COPILOT_PROVIDER_BASE_URL', 'OPENCODE_CONFIG_CONTENT'];
const kSignIn = { claude: /\/login/, codex: /codex login/, gemini: /GEMINI_API_KEY/, opencode: /opencode auth login/, copilot: /copilot login/ };

// One row a scenario: the model's part, the shop, and what must be true afterwards.
const kScenarios = [
  ['uses a tool and reports through andon', 'report', {}, ({ run, task, output }) => {
    assert.deepEqual([run.outcome, run.result, task.stage], ['succeeded', 'said hello', 'done'], output);
    assert.match(output, /Reported\. End now/);
    assert.doesNotMatch(output, /Warning: Reported/);
    assert.ok(run.session, 'the session is known');
    assert.ok(run.usage.input >= 200 && run.usage.output >= 18, JSON.stringify(run.usage));
  }],
  ['uses a tool and reports through words', 'tool', {}, ({ run, output }) => {
    assert.deepEqual([run.outcome, run.result], ['succeeded', 'All done.'], output);
    assert.match(output, /tool\|.*echo hello from the tool/);
  }],
  ['changes a file of a work tree', 'change', { repo: true }, async ({ run, task, output }, { server }) => {
    assert.deepEqual([run.outcome, run.files_changed], ['succeeded', 1], `${run.reason}\n${output}`);
    await until('the work has landed', async () => (await readTask(server, task)).stage === 'done', 20_000);
  }],
  ['claims work that nobody can see', 'lie', { repo: true }, ({ run, task, output }) => {
    assert.deepEqual([run.outcome, task.flag], ['incomplete', 'no evidence'], output);
    assert.notEqual(task.stage, 'done');
  }],
  ['asks a person', 'ask', {}, ({ run, task, output }) => {
    assert.deepEqual([run.outcome, task.stage, task.question?.text], ['blocked', 'blocked', 'which colour?'], output);
  }],
  ['says that it cannot', 'fail', {}, ({ run, task, output }) => {
    assert.deepEqual([run.outcome, run.reason, task.stage], ['failed', 'there is no shop', 'blocked'], output);
  }],
  ['with a wrong key', 'e401', {}, (end, { name }) => isPaused(kSignIn[name])(end)],
  ['without a sign-in', 'plain', { without: kKeys }, (end, { name }) => isPaused(kSignIn[name])(end)],
  ['at a usage limit', 'e429', {}, isLimited],
  ['before an overloaded model', 'e529', {}, isLimited],
  ['with a request that the model refuses', 'e400', {}, ({ run, task, output, paused }) => {
    assert.deepEqual([run.outcome, task.stage, paused], ['failed', 'blocked', ''], output);
    assert.match(run.reason, /bad request, says the stand-in/);
    assert.doesNotMatch(run.reason, /[{}]|^\s+at /m);
  }],
  ['before a model that hangs', 'hang', { timeouts: { first_event_s: 40, silence_s: 15 } }, ({ run, task, output }) => {
    assert.equal(run.outcome, 'timed_out', `${run.reason}\n${output}`);
    assert.notEqual(task.stage, 'done');
  }],
];

// What an agent may tell the board arrives as it was said.
async function checkReports({ run, task, output }, { server }) {
  assert.deepEqual([run.outcome, task.stage, task.question?.text], ['blocked', 'blocked', 'which colour?'], output);
  const events = await server.http.events();
  assert.ok(events.some(({ kind, data }) => kind === 'task.noted' && JSON.stringify(data).includes('half way')), `a note\n${output}`);
  const { items } = await server.http.get('/tasks?board=shop');
  const made = items.find(({ title }) => title === 'Paint the door');
  assert.ok(made, `a task\n${output}`);
  assert.equal((await server.http.get(`/tasks/${made.id}`)).body.trimEnd(), '## Why\nIt is "blue" & old.', output);
  assert.match(JSON.stringify(await server.http.get('/memory/workers%2Fagent')), /the shop is red/, output);
}

// A level at which nothing can reach the board: the prompt asks for words alone, and they are the result.
function checkWordsAlone({ run, output }, { model }) {
  assert.deepEqual([run.outcome, run.result], ['succeeded', 'All done.'], output);
  const told = JSON.stringify(model.requests.map(({ body }) => body));
  assert.match(told, /You cannot reach the board/);
  assert.doesNotMatch(told, /Call exactly one of these/);
}

// The sandbox of Codex, used where Andon has none, closes the git directory and at `readonly` the network.
const kNoCommits = { codex: ['edit'] };
const kMute = { codex: ['readonly'] };

for (const level of ['readonly', 'edit', 'full'])
  kScenarios.push([`tells the board everything at the level ${level}`, 'reports', { worker: { permissions: level } }, (end, opened) =>
    !opened.isBoxed && kMute[opened.name]?.includes(level) ? checkWordsAlone(end, opened) : checkReports(end, opened)]);

for (const level of ['edit', 'full'])
  kScenarios.push([`commits at the level ${level}`, 'commits', { repo: true, worker: { permissions: level } }, ({ run, output }, { name, isBoxed }) => {
    assert.deepEqual([run.outcome, run.commits?.length ?? 0], ['succeeded', 1], `${run.reason}\n${output}`);
    if (!isBoxed && kNoCommits[name]?.includes(level)) return; // what is left was committed by the server
    assert.match(output, /painted it red/);
  }]);

kScenarios.push(['talks for 20 s after its report', 'closing', {}, ({ run, task, output }) => {
  assert.deepEqual([run.outcome, run.result, task.stage], ['succeeded', 'said hello', 'done'], output);
  assert.ok(run.usage?.input >= 200 && run.usage.output >= 18, JSON.stringify(run));
  assert.equal(run.exit.signal, undefined, `it ended by itself: ${JSON.stringify(run)}`);
}]);
kScenarios.push(['before a model that is slow to begin', 'waits', {}, ({ run, task, output }) => {
  assert.deepEqual([run.outcome, run.result, task.stage], ['succeeded', 'said hello', 'done'], output);
}]);

for (const name of Object.keys(kOffline))
  for (const [title, scenario, shop, check] of kScenarios)
    test(`${name} ${title}`, { skip: reasonToSkip(name) }, async (t) => {
      const opened = await openShop(t, name, scenario, shop);
      const end = await runOf(opened.server);
      checkLog(end.output);
      await check(end, { ...opened, name });
    });

for (const name of Object.keys(kOffline))
  test(`${name} passes agents test`, { skip: reasonToSkip(name) }, async (t) => {
    const { server, place, env } = await openShop(t, name, 'plain');
    const found = await told(place, ['--dir', server.data, 'agents', 'test', 'offline', '--json'], { env: { ...env, OPENCODE_API_KEY: 'dummy' } });
    assert.deepEqual([found.ready, found.problems ?? []], [true, []]);
    assert.match(found.version, /^\d+\.\d+/);
  });

test('claude as root with full rights says what to do', { skip: reasonToSkip('claude') || (process.getuid() !== 0 && 'it is not root') }, async (t) => {
  const { server } = await openShop(t, 'claude', 'plain', { without: ['IS_SANDBOX'] });
  isPaused(/root\/sudo.*level edit/)(await runOf(server));
});

// A review that sends the work back: the same worker goes on where it was.
for (const name of Object.keys(kOffline))
  test(`${name} goes on with its conversation when the review sends it back`, { skip: reasonToSkip(name) }, async (t) => {
    const { server, model } = await openShop(t, name, 'plain', { board: { template: 'queue' } });
    await server.http.told('PATCH', '/boards/shop', { review_by: 'person' });
    await server.http.told('PATCH', '/workers/agent', { conversation: 'task' });
    const task = await newTask(server, 'Count the cranes', { assignee: 'agent', review: 'required' });
    const attempt = async (count) => {
      await until(`attempt ${count} is to be reviewed`, async () => (await readTask(server, task)).stage === 'review' && (await runsOf(server, task)).length === count, kRunTime);
      return (await runsOf(server, task)).at(-1);
    };
    await moveTo(server, task, 'ready');
    const first = await attempt(1);
    assert.ok(first.session, 'the session is known');
    const asked = model.requests.length;
    await server.http.post(`/tasks/${task.id}/reject`, { reason: 'You forgot the grey ones.' });
    const second = await attempt(2);
    assert.equal(second.session, first.session);
    const said = JSON.stringify(model.requests.slice(asked).map(({ body }) => body));
    assert.match(said, /You forgot the grey ones/, 'the verdict is told');
    assert.match(said, /All done\./, 'what it answered before is part of the conversation');
    assert.ok(second.usage.input < 2 * first.usage.input + 1, `${JSON.stringify(second.usage)} is of the second run alone`);
  });

for (const [name, reason] of Object.entries(kNotOffline)) test(`${name} offline`, { skip: reason }, () => {});
