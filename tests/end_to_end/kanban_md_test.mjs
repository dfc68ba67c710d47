import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, kProgram, told } from './support/program.mjs';

async function openBoard(t) {
  const place = openPlace(t);
  await told(place, ['init', '--template', 'flow', '--name', 'My Project']);
  return place;
}

// A link by which the program is called.
function linked(place, name) {
  const link = place.path(name);
  symlinkSync(kProgram, link);
  return link;
}

test('a link named kanban-md is that program', async (t) => {
  const place = openPlace(t);
  const program = linked(place, 'kanban-md');
  assert.match((await andon(place, ['--version'], { program })).out, /^kanban-md version \S+\n$/);
  const help = await andon(place, [], { program });
  assert.equal(help.code, 0);
  assert.match(help.out, /kanban-md COMMAND \[flags\]/);
  const url = { ANDON_URL: 'http://127.0.0.1:1', ANDON_OUTPUT: 'json' };
  const lost = await andon(place, ['list'], { program, env: url });
  assert.equal(lost.code, 1);
  assert.equal(lost.out, '');
  assert.match(lost.err, /no kanban board found/);
});

test('any other name is its name', async (t) => {
  const place = openPlace(t);
  const program = linked(place, 'kb');
  assert.match((await andon(place, ['completion', 'bash'], { program })).out, /complete .* kb\n$/);
});

// Each line sees what those before it left: the line, its exit code, what stands on standard output and error.
const kLines = [
  [['create', 'Fix <the> & cart', '--tags', 'a, b', '--tag=c', '--priority=high'], 0, /^Created task #1: /, /^$/],
  [['add', '--title', 'Second', '--body', 'Brief', '--status', 'todo'], 0, /^Created task #2: Second\n$/, /^$/],
  [['--json', 'show', '1'], 0, /"title": "Fix \\u003cthe\\u003e \\u0026 cart"/, /^$/],
  [['show', '--json', '1'], 0, /"tags": \[\n {4}"a",\n {4}" b",\n {4}"c"\n {2}\]/, /^$/],
  [['ls', '--status=todo', '-rn1', '--oneline'], 0, /^#2 \[todo\/medium\] Second\n$/, /^$/],
  [['list', '--status', 'nowhere'], 0, /^$/, /^No tasks found\.\n$/],
  [['list', '--status', 'nowhere', '--json'], 0, /^\[\]\n$/, /^$/],
  [['pick', '--claim', 'agent-1', '--status', 'todo', '--move', 'in-progress', '--no-body'], 0, /^Picked and moved task #2/, /^$/],
  [['pick', '--claim', 'agent-2', '--status', 'todo'], 1, /^$/, /^Error: no unblocked, unclaimed task to pick/],
  [['edit', '2', '-a', 'Half', '-t', '--claim', 'agent-1'], 0, /^Updated task #2: Second\n$/, /^$/],
  [['show', '2'], 0, /\nBrief\n\n\[\[\d{4}-\d\d-\d\d\]\] \w{3} \d\d:\d\d\nHalf\n$/, /^$/],
  [['move', '2', '--next', '--claim', 'agent-1'], 0, /^Moved task #2 -> review\n$/, /^$/],
  [['move', '2', 'review', '--claim', 'agent-1'], 0, /already at review/, /^$/],
  [['move', '2', 'done', '--claim', 'agent-1', '--json'], 0, /"completed": "[^]*"changed": true\n}\n$/, /^$/],
  [['move', '2', '--next', '--claim', 'agent-1'], 1, /^$/, /already at the last status/],
  [['archive', '2', '--claim', 'agent-1'], 0, /^Archived task #2/, /^$/],
  [['archive', '2'], 0, /already archived/, /^$/],
  [['edit', '1,7', '--add-tag', 'x', '--json'], 1, /^\[\n {2}\{\n {4}"id": 1,\n {4}"ok": true\n {2}\},\n {2}\{\n {4}"id": 7,\n {4}"ok": false,\n {4}"error": "[^]*"code": "TASK_NOT_FOUND"\n {2}\}\n\]\n$/, /^$/],
  [['rm', '1'], 1, /^$/, /not a terminal/],
  [['rm', '-y', '--', '1'], 0, /^Deleted task #1/, /^$/],
  [['board', '--compact'], 0, /^My Project \(0 tasks\)\n {2}backlog: 0\n/, /^$/],
  [['summary'], 0, /\nClasses: 0 expedite \| 0 fixed-date \| 0 standard \| 0 intangible\n$/, /^$/],
  [['metrics', '--json'], 0, /^\{\n {2}"throughput_7d": 1,\n {2}"throughput_30d": 1,\n/, /^$/],
  [['log', '--action', 'delete', '--compact'], 0, / delete #1 Fix <the> & cart\n$/, /^$/],
  [['config', 'get', 'board.name'], 0, /^My Project\n$/, /^$/],
  [['agent-name'], 0, /^[a-z]{4,8}-[a-z]{4,8}\n$/, /^$/],
  [['completion', 'powershell'], 0, /Register-ArgumentCompleter -Native -CommandName 'andon'/, /^$/],
];

test('a session as a script of kanban-md has it', async (t) => {
  const place = await openBoard(t);
  for (const [line, code, out, err] of kLines) {
    const result = await andon(place, line);
    assert.equal(result.code, code, `${line.join(' ')}\n${result.out}${result.err}`);
    assert.match(result.out, out, line.join(' '));
    assert.match(result.err, err, line.join(' '));
  }
});

test('the environment chooses the format, a flag overrules it', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A']);
  const list = async (format, ...flags) => (await andon(place, ['list', ...flags], { env: { KANBAN_OUTPUT: format } })).out;
  assert.match(await list('json'), /^\[/);
  assert.match(await list('oneline'), /^#1 /);
  assert.match(await list('nonsense'), /^ID /);
  assert.match(await list('json', '--table'), /^ID /);
  assert.match(await list('table', '--compact', '--json'), /^\[/);
  assert.equal((await andon(place, ['show', '9'], { env: { KANBAN_OUTPUT: 'json' } })).err, '');
});

test('context is written into a file, skills beside the agents', async (t) => {
  const place = await openBoard(t);
  mkdirSync(place.path('.claude'));
  await told(place, ['create', 'A', '--status', 'todo']);
  await told(place, ['context', '--write-to', 'AGENTS.md']);
  assert.match(readFileSync(place.path('AGENTS.md'), 'utf8'), /### In Progress\n\n- \*\*#1\*\* A \(medium\)/);
  await told(place, ['skill', 'install']);
  assert.match(readFileSync(place.path('.claude/skills/kanban-md/SKILL.md'), 'utf8'), /kanban-md-skill-version/);
  assert.equal((await andon(place, ['skill', 'check'])).code, 0);
});
