import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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
  [['add', '--title', 'Second', '--body', 'Brief', '--status', 'todo'], 0, /^Created task #2: Second\n {2}File: \/[^\n]*\/002-second\.md\n {2}Status: todo \| Priority: medium\n$/, /^$/],
  [['--json', 'show', '1'], 0, /"title": "Fix \\u003cthe\\u003e \\u0026 cart"/, /^$/],
  [['show', '--json', '1'], 0, /"tags": \[\n {4}"a",\n {4}" b",\n {4}"c"\n {2}\]/, /^$/],
  [['ls', '--status=todo', '-rn1', '--oneline'], 0, /^#2 \[todo\/medium\] Second\n$/, /^$/],
  [['list', '--status', 'nowhere'], 0, /^$/, /^No tasks found\.\n$/],
  [['list', '--status', 'nowhere', '--json'], 0, /^\[\]\n$/, /^$/],
  [['pick', '--claim', 'agent-1', '--status', 'todo', '--move', 'in-progress', '--no-body'], 0, /^Picked and moved task #2: Second \(todo -> in-progress, claimed by agent-1\)\n$/, /^$/],
  [['pick', '--claim', 'agent-2', '--status', 'todo'], 1, /^$/, /^Error: no unblocked, unclaimed task to pick/],
  [['edit', '2', '-a', 'Half', '-t', '--claim', 'agent-1'], 0, /^Updated task #2: Second\n$/, /^$/],
  [['show', '2'], 0, /\nBrief\n\n\[\[\d{4}-\d\d-\d\d\]\] \w{3} \d\d:\d\d\nHalf\n$/, /^$/],
  [['move', '2', '--next', '--claim', 'agent-1'], 0, /^Moved task #2: in-progress -> review\n$/, /^$/],
  [['move', '2', 'review', '--claim', 'agent-1'], 0, /already at review/, /^$/],
  [['move', '2', 'done', '--claim', 'agent-1', '--json'], 0, /"completed": "[^]*"changed": true\n}\n$/, /^$/],
  [['archive', '2', '--claim', 'agent-1'], 0, /^Archived task #2/, /^$/],
  [['move', '2', '--next'], 1, /^$/, /already at the last status/],
  [['archive', '2'], 0, /already archived/, /^$/],
  [['list', '--archived', '--oneline'], 0, /^#2 \[archived[^\n]*\n$/, /^$/],
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

async function holds(place, lines) {
  for (const [line, code, out, err] of lines) {
    const result = await andon(place, line);
    assert.equal(result.code, code, `${line.join(' ')}\n${result.out}${result.err}`);
    assert.match(result.out, out, line.join(' '));
    assert.match(result.err, err, line.join(' '));
  }
}

test('a session as a script of kanban-md has it', async (t) => {
  await holds(await openBoard(t), kLines);
});

const kSmallPrint = [
  [['create', 'C task', '--priority', 'low', '--body', 'Brief'], 0, /^Created task #1: /, /^$/],
  [['board', '--compact'], 0, /^My Project \(1 tasks\)\n/, /^$/],
  [['create', 'Self', '--depends-on', '2', '--json'], 1, /"code": "SELF_REFERENCE",\n {2}"details": \{\n {4}"id": 2\n/, /^$/],
  [['create', 'A task', '--priority', 'high', '--depends-on', '1'], 0, /^Created task #2: /, /^$/],
  [['create', 'B task', '--priority', 'critical', '--parent', '1'], 0, /^Created task #3: /, /^$/],
  [['list', '--sort', 'priority', '--oneline'], 0, /^#1 [^]*\n#2 [^]*\n#3 /, /^$/],
  [['list', '--sort', 'priority', '-r', '--oneline'], 0, /^#3 [^]*\n#2 [^]*\n#1 /, /^$/],
  [['edit', '1', '--body', 'Longer brief', '--json'], 0, /"body": "Longer brief"/, /^$/],
  [['show', '1', '--json'], 0, /"body": "Longer brief\\n"/, /^$/],
  [['list', '--status', 'backlog', '-n', '1', '--json'], 0, /"body": "Longer brief\\n"/, /^$/],
  [['edit', '1', '--body', 'Two blank lines\n\n\n'], 0, /^Updated task #1/, /^$/],
  [['show', '1', '--json'], 0, /"body": "Two blank lines\\n\\n\\n"/, /^$/],
  [['help', 'rm'], 0, /^Delete a task[^]*\nUsage:\n {2}andon delete ID[^]*\nAliases: rm\n/, /^$/],
  [['help', 'pick'], 0, /^(?![^]*Aliases)/, /^$/],
  [['move', '1', 'done'], 0, /^Moved task #1/, /^$/],
  [['metrics', '--since', '2099-01-01', '--json'], 0, /^\{\n {2}"throughput_7d": 0,\n {2}"throughput_30d": 0,\n/, /^$/],
  [['move', '1', '--next'], 0, /^Moved task #1: done -> archived\n$/, /^$/],
  [['move', '1', '--next', '--json'], 1, /"code": "BOUNDARY_ERROR"/, /^$/],
  [['delete', '1', '--yes'], 0, /^Deleted task #1/, /#2 depends on this task/],
];

test('the small print that scripts of kanban-md rely on', async (t) => {
  await holds(await openBoard(t), kSmallPrint);
});

test('init makes what kanban-md makes', async (t) => {
  const place = openPlace(t);
  for (const flags of [['--statuses', 'one'], ['--wip-limit', 'todo'], ['--wip-limit', 'todo:x'], ['--wip-limit', 'nowhere:3']]) {
    const refused = await andon(place, ['init', '--json', ...flags]);
    assert.equal(refused.code, 2, flags.join(' '));
    assert.match(refused.out, /"error": "invalid config: [^]*"code": "INTERNAL_ERROR"/);
    assert.equal(existsSync(place.path('kanban/config.yml')), false);
  }
  await told(place, ['init'], { input: 'YES\n' });
  assert.equal(statSync(place.path('kanban')).mode & 0o777, 0o750);
  assert.equal(readFileSync(place.path('.gitignore'), 'utf8'), 'kanban/\n');
  assert.doesNotMatch(readFileSync(place.path('kanban/config.yml'), 'utf8'), /share/);
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

test('the log tells what kanban-md tells, in its words', async (t) => {
  const place = await openBoard(t);
  for (const line of [
    ['create', 'Parent', '--claim', 'agent-0'],
    ['edit', '1', '--release'],
    ['create', 'Child', '--parent', '1', '--status', 'todo'],
    ['create', 'Waits', '--depends-on', '2'],
    ['pick', '--claim', 'agent-1', '--status', 'todo', '--move', 'in-progress', '--no-body'],
    ['edit', '2', '--title', 'Grown', '--claim', 'agent-1'],
    ['edit', '2', '--block', 'no access', '--claim', 'agent-1'],
    ['edit', '2', '--unblock', '--claim', 'agent-1'],
    ['handoff', '2', '--claim', 'agent-1', '--note', 'look', '--block', 'waiting', '--release'],
    ['edit', '2', '--unblock', '--status', 'todo', '--claim', 'agent-2', '--force'],
    ['move', '2', 'done', '--claim', 'agent-2'],
    ['edit', '3', '--priority', 'high'],
    ['archive', '2', '--claim', 'agent-2'],
    ['delete', '3', '--yes'],
  ])
    await told(place, line);
  const entries = await told(place, ['log', '--json']);
  assert.deepEqual(Object.keys(entries[0]), ['timestamp', 'action', 'task_id', 'detail']);
  assert.deepEqual(
    entries.map((entry) => `${entry.action} ${entry.task_id} ${entry.detail}`),
    [
      'create 1 Parent',
      'edit 1 Parent',
      'release 1 agent-0',
      'create 2 Child',
      'create 3 Waits',
      'claim 2 agent-1',
      'move 2 todo -> in-progress',
      'edit 2 Grown',
      'edit 2 Grown',
      'block 2 no access',
      'edit 2 Grown',
      'unblock 2 Grown',
      'handoff 2 Grown',
      'block 2 waiting',
      'move 2 in-progress -> review',
      'release 2 Grown',
      'edit 2 Grown',
      'move 2 review -> todo',
      'unblock 2 Grown',
      'claim 2 agent-2',
      'move 2 todo -> done',
      'edit 3 Waits',
      'move 2 done -> archived',
      'delete 3 Waits',
    ],
  );
  assert.deepEqual((await told(place, ['log', '--json', '--task', '2', '--action', 'move', '--limit', '1'])).map((e) => e.detail), ['done -> archived']);
  assert.match(await told(place, ['log']), /^TIMESTAMP +ACTION +TASK +DETAIL\n/);
  const file = readFileSync(place.path('kanban', 'activity.jsonl'), 'utf8').trim().split('\n');
  assert.deepEqual(file.map((line) => JSON.parse(line)), entries);
});

test('lists have the bodies and files, and settings those of the file', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'First', '--body', 'Brief']);
  const [listed] = await told(place, ['list', '--json']);
  assert.equal(listed.body, 'Brief\n');
  assert.equal(listed.file, place.path('kanban', 'tasks', '001-first.md'));
  const settings = place.path('kanban', 'config.yml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('next_id: 2', 'next_id: 41').replace('tasks_dir: tasks', 'tasks_dir: work'));
  renameSync(place.path('kanban', 'tasks'), place.path('kanban', 'work'));
  assert.equal(await told(place, ['config', 'get', 'next_id']), '41\n');
  assert.equal(await told(place, ['config', 'get', 'tasks_dir', '--json']), 'work');
  assert.match(await told(place, ['create', 'Next']), /^Created task #41/);
});

function rewrite(place, change) {
  const config = place.path('kanban/config.yml');
  writeFileSync(config, change(readFileSync(config, 'utf8')));
}

test('settings that cannot be read are told, and nothing else happens', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A']);
  const whole = readFileSync(place.path('kanban/config.yml'), 'utf8');
  for (const [text, words] of [
    ['version: [\n', /invalid config: config\.yml:/],
    [`<<<<<<< HEAD\n${whole}=======\n${whole}>>>>>>> other\n`, /config\.yml:1:1: git's marks of a conflict stand here/],
  ]) {
    rewrite(place, () => text);
    for (const line of [['list'], ['show', '1'], ['board', '--json'], ['create', 'B']]) {
      const refused = await andon(place, line);
      assert.ok(refused.code === 1 || refused.code === 2, `${line}: ${refused.code} ${refused.signal}`);
      assert.match(refused.out + refused.err, words);
    }
  }
  rewrite(place, () => whole);
  assert.match(await told(place, ['list']), / A /);
});

test('a board without classes takes tasks and settings', async (t) => {
  const place = await openBoard(t);
  rewrite(place, (text) => text.replace(/^classes:\n( .*\n)*/m, ''));
  await told(place, ['create', 'A']);
  await told(place, ['config', 'set', 'board.description', 'no classes']);
  assert.equal(await told(place, ['config', 'get', 'defaults.class']), 'standard\n');
  assert.match(await told(place, ['board']), /Total: 1 tasks/);
  const refused = await andon(place, ['create', 'B', '--class', 'expedite', '--json']);
  assert.match(refused.out, /INVALID_CLASS/);
});

test('a task that waits for itself holds up nobody', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A']);
  const file = place.path('kanban/tasks/001-a.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('class:', 'depends_on: [1]\nclass:'));
  assert.match(await told(place, ['list', '--compact']), /^#1 /);
  await told(place, ['pick', '--claim', 'bob']);
  assert.match(readFileSync(file, 'utf8'), /\ndepends_on: \[1\]\n/);
});

test('a pick on a board of files passes over no task because of its assignee', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A', '--status', 'todo', '--assignee', 'zoe']);
  assert.equal((await told(place, ['pick', '--claim', 'bob', '--json'])).assignee, 'zoe');
});

test('a claim that is over is shown as the file has it', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A', '--status', 'todo', '--claim', 'bob']);
  const file = place.path('kanban/tasks/001-a.md');
  const text = readFileSync(file, 'utf8').replace(/^claimed_at: .*$/m, 'claimed_at: 2026-01-01T00:00:00Z');
  renameSync(file, `${file}.old`);
  writeFileSync(file, text);
  assert.match(await told(place, ['list']), / @bob /);
  assert.match(await told(place, ['show', '1']), /Claimed by: +bob[^]*\(expired\)/);
  assert.equal((await told(place, ['show', '1', '--json'])).claimed_by, 'bob');
  assert.equal((await told(place, ['list', '--unclaimed', '--json'])).length, 1);
  assert.equal((await told(place, ['pick', '--claim', 'eve', '--json'])).claimed_by, 'eve');
});

test('a full class lets nothing of it be started, and what was started goes on', async (t) => {
  const place = await openBoard(t);
  const program = linked(place, 'kanban-md');
  await told(place, ['create', 'First', '--class', 'expedite']);
  writeFileSync(
    place.path('kanban/tasks/002-second.md'),
    '---\nid: 2\ntitle: Second\nstatus: backlog\npriority: medium\nclass: expedite\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n',
  );
  const refused = await andon(place, ['move', '2', 'todo', '--json'], { program });
  assert.match(refused.out, /"code": "CLASS_WIP_EXCEEDED"/);
  assert.match(refused.err, /auto-repaired/);
  assert.equal((await andon(place, ['edit', '2', '--priority', 'high'])).code, 0);
  await told(place, ['edit', '2', '--class', 'standard']);
  await told(place, ['move', '2', 'in-progress', '--claim', 'bob']);
  await told(place, ['move', '2', 'review', '--claim', 'bob']);
});

test('a board does not take its own tasks', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A']);
  await told(place, ['init', '--sqlite', '--name', 'Own']);
  const refused = await andon(place, ['import', 'kanban']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /is the board that would take the tasks[^]*--dir \.andon/);
  assert.match(await told(place, ['--dir', '.andon', 'import', 'kanban']), /^Imported 1 task to /);
  assert.equal((await told(place, ['list', '--json'])).length, 1);
});

test('an answer that cannot be written is a failure', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A']);
  const full = await andon(place, ['-c', `'${kProgram}' list > /dev/full`], { program: '/bin/sh' });
  assert.equal(full.code, 1);
  assert.match(full.err, /could not be written/);
  const read = await andon(place, ['-c', `'${kProgram}' --help | head -c 1 > /dev/null`], { program: '/bin/sh' });
  assert.deepEqual([read.code, read.err], [0, '']);
});

test('completion in bash knows aliases, shells and flags before the command', async (t) => {
  const place = openPlace(t);
  writeFileSync(place.path('script'), await told(place, ['completion', 'bash']));
  const completed = async (...words) => {
    const given = words.map((word) => `'${word}'`).join(' ');
    const line = `. ./script; COMP_WORDS=(andon ${given}); COMP_CWORD=${words.length}; _andon; echo "\${COMPREPLY[*]}"`;
    return (await andon(place, ['-c', line], { program: '/bin/bash' })).out.trim();
  };
  assert.equal(await completed('handof'), 'handoff');
  assert.equal(await completed('--json', '--dir', 'x', 'handof'), 'handoff');
  assert.equal(await completed('rm', '--ye'), '--yes');
  assert.equal(await completed('--compact', 'ls', '--stat'), '--status');
  assert.equal(await completed('config', 's'), 'set');
  assert.equal(await completed('--json', 'skill', 'inst'), 'install');
  assert.equal(await completed('completion', 'z'), 'zsh');
  assert.equal(await completed('help', 'handof'), 'handoff');
  assert.equal(await completed('--dir', ''), '');
});

test('tags that only a file can have stay as long as nobody changes them', async (t) => {
  const place = await openBoard(t);
  await told(place, ['create', 'A']);
  const file = place.path('kanban/tasks/001-a.md');
  const tags = `tags: [b, b, "", ${Array.from({ length: 60 }, (_, n) => `t${n}`).join(', ')}]`;
  writeFileSync(file, readFileSync(file, 'utf8').replace('class:', `${tags}\nclass:`));
  await told(place, ['edit', '1', '--priority', 'high', '-a', 'a note']);
  assert.ok(readFileSync(file, 'utf8').includes(`\n${tags}\n`));
  assert.equal((await andon(place, ['edit', '1', '--add-tag', 'more'])).code, 1);
});
