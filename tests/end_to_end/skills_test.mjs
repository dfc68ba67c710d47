// The skills as other programs read them: by the specification of Agent Skills. And as an agent reads them: each command they
// name is run. The same for the block of AGENTS.md.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { cleanEnvironment, kProgram, told } from './support/program.mjs';
import { makeRepository } from './support/repository.mjs';

const kNames = ['kanban-based-development', 'kanban-md'];
const kMostWords = 1_000; // of one text: every session that uses the skill pays for it
const kMostLines = 500;

// The front matter: `key: value`, `key: >-` with indented lines, `key:` with a map of texts below. Anything else is a mistake.
function readFrontMatter(text) {
  const lines = text.split('\n');
  assert.equal(lines[0], '---');
  const end = lines.indexOf('---', 1);
  assert.ok(end > 1, 'the front matter has an end');
  const fields = {};
  for (let i = 1; i < end; i++) {
    const found = /^([a-z-]+):(?: (.*))?$/.exec(lines[i]);
    assert.ok(found, lines[i]);
    const [, key, value] = found;
    assert.ok(!(key in fields), `${key} stands twice`);
    const below = [];
    while (i + 1 < end && /^ {2}\S/.test(lines[i + 1])) below.push(lines[++i].trim());
    if (value === '>-') fields[key] = below.join(' ');
    else if (value === undefined) fields[key] = Object.fromEntries(below.map((line) => readPair(line)));
    else {
      assert.deepEqual(below, [], key);
      fields[key] = readScalar(value);
    }
  }
  return { fields, body: lines.slice(end + 1).join('\n') };
}

// A text that YAML takes as it stands.
function readScalar(text) {
  assert.doesNotMatch(text, /^[\s"'[\]{}>|*&!%#`@,?-]|: | #|:$|\s$/, text);
  assert.doesNotMatch(text, /^(true|false|null|yes|no|on|off|~|[\d.+-]+)$/i, text);
  return text;
}

function readPair(line) {
  const found = /^([A-Za-z0-9_.-]+): (.+)$/.exec(line);
  assert.ok(found, line);
  return [found[1], readScalar(found[2])];
}

// agentskills.io/specification
function checkSkill(folder) {
  const text = readFileSync(join(folder, 'SKILL.md'), 'utf8');
  const { fields, body } = readFrontMatter(text);
  const { name, description, license, compatibility, metadata, 'allowed-tools': tools, ...more } = fields;
  assert.deepEqual(more, {}, 'no other keys');
  assert.equal(name, basename(folder));
  assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  assert.ok(name.length <= 64);
  assert.ok(description.length >= 1 && description.length <= 1024, `${description.length} characters`);
  assert.match(description, /\b[Uu]se it when/, 'it says when');
  if (license !== undefined) assert.ok(license.length > 0);
  if (compatibility !== undefined) assert.ok(compatibility.length >= 1 && compatibility.length <= 500);
  if (metadata !== undefined) for (const value of Object.values(metadata)) assert.equal(typeof value, 'string');
  if (tools !== undefined) assert.match(tools, /^\S+( \S+)*$/);
  assert.ok(text.split('\n').length <= kMostLines);
  assert.ok(body.split(/\s+/).length <= kMostWords, `${body.split(/\s+/).length} words`);
  for (const [, file] of body.matchAll(/`(references\/[^`]+)`/g)) assert.ok(existsSync(join(folder, file)), file);
  return body;
}

const kFolders = {
  claude: ['.claude/skills', '.claude/skills'],
  codex: ['.agents/skills', '.codex/skills'],
  cursor: ['.cursor/skills', '.cursor/skills'],
  openclaw: [undefined, '.openclaw/skills'],
  agents: ['.agents/skills', '.agents/skills'],
};

// A project in a home directory of its own.
function openProject(t) {
  const place = openPlace(t);
  mkdirSync(place.path('shop/.git'), { recursive: true });
  return { place, project: { ...place, root: place.path('shop') }, env: { HOME: place.root } };
}

test('the skills keep to the specification wherever they are installed', async (t) => {
  for (const [agent, [inProject, inHome]] of Object.entries(kFolders)) {
    const { place, project, env } = openProject(t);
    await told(project, ['skill', 'install', '--agent', agent], { env });
    const first = inProject ? place.path('shop', inProject) : place.path(inHome);
    await told(project, ['skill', 'install', '--agent', agent, '--global'], { env });
    for (const folder of [first, place.path(inHome)]) {
      assert.deepEqual(readdirSync(folder).sort(), kNames, agent);
      for (const name of kNames) checkSkill(join(folder, name));
    }
  }
  const { place, project, env } = openProject(t);
  await told(project, ['skill', 'install', '--path', 'any where'], { env });
  for (const name of kNames) checkSkill(place.path('shop/any where', name));
});

test('a folder that two agents read gets the skills once', async (t) => {
  const { project, env } = openProject(t);
  mkdirSync(join(project.root, '.agents'));
  assert.match(await told(project, ['skill', 'install'], { env }), /^( {2}\.agents\/skills\/[^\n]* \(\S+\)\n){2}Installed 2 skill\(s\)\.\n$/);
  assert.equal((await told(project, ['skill', 'check'], { env })).split('\n').length, kNames.length + 2);
});

// The commands of `andon` in a text: lines of its code blocks, and code in a sentence or table that begins with the program.
function commandsIn(body) {
  const blocks = body.split('\n').filter((line) => line.startsWith('    ')).map((line) => line.trim());
  const inline = [...body.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
  const flags = inline.filter((code) => code.startsWith('… ')).map((code) => code.replace('…', 'andon create "TITLE"'));
  return [...blocks, ...inline, ...flags].filter((line) => /^(NAME=\$\()?(andon|kanban-md) /.test(line));
}

// What an agent writes for the words in capitals.
const kPlaceholders = [
  ['ID,ID', '2,3'], ['--title …', '--title Better'], ['--priority …', '--priority high'], ['--add-tag …', '--add-tag api'], ['COMMAND', 'edit'],
  [/\$NAME\b|\bNAME\b(?!=)/g, 'calm-otter'], ['NEWNAME', 'bold-lynx'],
];
// Task 1 is the agent's own; others are what it may change without a claim.
const filled = (command) => [...kPlaceholders, [/\bID\b/g, command.includes('--claim') ? '1' : '3']].reduce((text, [from, to]) => text.replace(from, to), command);
// A claim is taken up under a new name only when the old one is over.
const kRefused = { 'andon edit 1 --claim bold-lynx': /is claimed by "calm-otter"/ };

// A board whose task 1 is in work for calm-otter; 2 is ready, 3 to 6 wait in the backlog.
async function openBoard(t) {
  const place = openPlace(t);
  mkdirSync(place.path('bin'));
  for (const name of ['andon', 'kanban-md']) symlinkSync(kProgram, place.path('bin', name));
  await told(place, ['init', '--name', 'Shop']);
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await told(place, ['create', title]);
  await told(place, ['move', '1,2', 'todo']);
  await told(place, ['move', '1', 'in-progress', '--claim', 'calm-otter']);
  return place;
}

// One line as a shell runs it: {code, out}.
function runLine(place, line, directory = place.root, variables = {}) {
  const env = { ...cleanEnvironment(place, variables), PATH: `${place.path('bin')}:${process.env.PATH}` };
  try {
    return { code: 0, out: execFileSync('/bin/bash', ['-c', `set -e; ${line}`], { cwd: directory, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) };
  } catch (error) {
    return { code: error.status, out: `${error.stdout}${error.stderr}` };
  }
}

for (const name of kNames) {
  test(`each command of the skill ${name} does what it says`, async (t) => {
    const commands = commandsIn(await told(openPlace(t), ['skill', 'show', '--skill', name])).filter((line) => !line.startsWith('andon mcp'));
    assert.ok(commands.length >= 8, `${commands.length} commands`);
    for (const command of commands) {
      const line = filled(command);
      assert.doesNotMatch(line.replace(/"[^"]*"/g, '').replace(/#.*$/, ''), /\b[A-Z]{2,}\b(?!=)|…/, `a placeholder is left in ${line}`);
      const place = await openBoard(t);
      const { code, out } = runLine(place, line);
      const refusal = kRefused[line];
      assert.equal(code, refusal ? 1 : 0, `${line}\n${out}`);
      if (refusal) assert.match(out, refusal);
    }
  });
}

test('the round of kanban-based-development goes round', async (t) => {
  const body = await told(openPlace(t), ['skill', 'show', '--skill', 'kanban-based-development']);
  const block = (step) => new RegExp(`\\*\\*${step}\\.[^]*?\\n\\n((?: {4}[^\\n]*\\n)+)`).exec(body)[1].replaceAll(/\bID\b/g, '2');
  const place = await openBoard(t);
  const repository = makeRepository(place, 'main');
  const commit = 'git config user.email a@example.org; git config user.name a; echo two > a.txt; git commit -qam "Two"';
  const shell = (line, directory) => {
    const { code, out } = runLine(place, `NAME=bold-lynx; ${line}`, directory, { ANDON_DIR: place.path('kanban') });
    assert.equal(code, 0, `${line}\n${out}`);
  };
  const tree = place.path('task-2');
  shell(block(1), repository.directory);
  shell(block(2), repository.directory);
  shell(commit, tree);
  shell(block(3), tree);
  shell(block(5), tree);
  shell(block(6).replaceAll('MAIN-CHECKOUT', repository.directory), tree);
  shell(block(7), repository.directory);
  assert.equal(readFileSync(join(repository.directory, 'a.txt'), 'utf8'), 'two\n');
  assert.ok(!existsSync(tree));
  const task = await told(place, ['show', '2', '--json']);
  assert.deepEqual([task.status, task.body.includes('the writer is next')], ['done', true]);
});

test('the block of AGENTS.md is replaced between its marks, and every other byte stays', async (t) => {
  const place = await openBoard(t);
  const file = place.path('AGENTS.md');
  const begin = '<!-- BEGIN kanban-md context -->', end = '<!-- END kanban-md context -->\n';
  const write = () => told(place, ['context', '--write-to', 'AGENTS.md']);
  const block = await told(place, ['context']);
  assert.ok(block.startsWith(`${begin}\n`) && block.endsWith(end));
  assert.deepEqual(commandsIn(block), []);
  await write();
  assert.equal(readFileSync(file, 'utf8'), block);
  const before = Buffer.from([...Buffer.from('# Rules\r\n\r\n\tUse `make`.  \r\n\r\n'), 0xe9, 0xff, 0x0a]);
  for (const after of [Buffer.from(''), Buffer.from('\nMore.\r\nNo line end'), Buffer.from('\n\n\n'), Buffer.from([0x0a, 0xc3, 0x28])]) {
    const stale = Buffer.from(`${begin}\nold\n${end}`);
    writeFileSync(file, Buffer.concat([before, stale, after]));
    for (let i = 0; i < 2; i++) {
      await write();
      assert.deepEqual(readFileSync(file), Buffer.concat([before, Buffer.from(block), after]));
    }
  }
  writeFileSync(file, before);
  await write();
  await told(place, ['create', 'Seven']);
  await write();
  const text = readFileSync(file);
  assert.deepEqual(text.subarray(0, before.length), before);
  assert.equal(text.toString('latin1').split(begin).length, 2);
  assert.match(text.toString('utf8'), /\*\*7 tasks\*\*/);
});
