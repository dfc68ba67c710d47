// A night on a Node repository and on a Python repository: set-up from lock files, three workers each, changes that nobody wants.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { installAgent, moveTo, newTask, readTask, runsOf } from './support/agents.mjs';
import { openPlace } from './support/place.mjs';
import { asWorker, makeRepository } from './support/repository.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const kNight = 400_000; // ms
const kFiles = 40;

// Packages of its own that `npm ci` installs from the lock file without a network; its tests need them.
function makeNodeRepository(place) {
  const repository = makeRepository(place, 'node-shop');
  repository.sh(`mkdir -p packages/pad src test
echo '{"name":"pad","version":"1.0.0","main":"index.js"}' > packages/pad/package.json
echo 'module.exports = (text) => text.padStart(8);' > packages/pad/index.js
echo '{"name":"shop","version":"1.0.0","private":true,"scripts":{"test":"node --test test/"},"dependencies":{"pad":"file:packages/pad"}}' > package.json
printf '.env\\nnode_modules\\n' > .gitignore
for i in $(seq ${kFiles}); do echo "exports.price$i = () => require('pad')('$i');" > src/price$i.js; done
printf "const test = require('node:test');\\nconst assert = require('node:assert');\\nfor (const name of require('node:fs').readdirSync('src')) test(name, () => { for (const act of Object.values(require('../src/' + name))) assert.equal(act().length, 8); });\\ntest('the key is there', () => assert.match(require('node:fs').readFileSync('.env', 'utf8'), /KEY=/));\\n" > test/price.test.js`);
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: repository.directory, stdio: 'ignore' });
  repository.sh('git add -A; git commit -qm shop');
  writeFileSync(`${repository.directory}/.env`, 'KEY=node-night-secret\n');
  return { repository, file: (name) => `src/${name}.js`, change: (name) => `echo "exports.${name} = () => require('pad')('${name.length}');" > src/${name}.js`, board: {
    setup: [['npm', 'ci', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--install-links']], setup_cache: { key: ['package-lock.json'], keep: ['node_modules'] }, checks: { test: ['npm', 'test', '--silent'] },
  } };
}

// Its lock file names a package beside it, which the set-up puts into a directory of packages.
function makePythonRepository(place) {
  const repository = makeRepository(place, 'python-shop');
  repository.sh(`mkdir -p packages/pad src tests
echo 'def pad(text): return text.rjust(8)' > packages/pad/pad.py
echo 'pad==1.0 packages/pad/pad.py' > requirements.lock
printf '.env\\n.packages\\n__pycache__\\n' > .gitignore
for i in $(seq ${kFiles}); do printf 'from pad import pad\\ndef price(): return pad("%s")\\n' $i > src/price$i.py; done
printf 'import glob, os, runpy, unittest\\nclass Prices(unittest.TestCase):\\n    def test_prices(self):\\n        for name in glob.glob("src/*.py"): self.assertEqual(len(runpy.run_path(name)["price"]()), 8)\\n    def test_key(self): self.assertIn("KEY=", open(".env").read())\\n' > tests/test_prices.py
printf 'import os, shutil\\nos.makedirs(".packages", exist_ok=True)\\nfor line in open("requirements.lock"): shutil.copy(line.split()[1], ".packages")\\n' > install.py
git add -A; git commit -qm shop`);
  writeFileSync(`${repository.directory}/.env`, 'KEY=python-night-secret\n');
  return { repository, file: (name) => `src/${name}.py`, change: (name) => `printf 'from pad import pad\\ndef price(): return pad("${name.length}")\\n' > src/${name}.py`, board: {
    setup: [['python3', 'install.py']], setup_cache: { key: ['requirements.lock'], keep: ['.packages'] }, checks: { test: ['env', 'PYTHONPATH=.packages', 'python3', '-m', 'unittest', 'discover', '-s', 'tests'] },
  } };
}

const kWorkers = {
  // Does what is asked.
  good: (kind, name) => `${kind.change(name)}; git add -A; git commit -qm "Add ${name}"; andon done --result "added"`,
  // Deletes most of the repository beside its change.
  wrecker: (kind, name) => `git rm -q $(git ls-files src | head -30); ${kind.change(name)}; git add -A; git commit -qm "Tidy the docs"; andon done --result "tidied"`,
  // Commits the secret that was copied into its tree; goes on without it when it comes back.
  leaker: (kind, name) => `${kind.change(name)}; git add -A; if grep -q "never land" $ANDON_RUN_DIR/own/prompt; then git rm -q --cached .env; git commit -q --amend -m "Add ${name}"; else git add -f .env; git commit -qm "Add ${name}"; fi; andon done --result "added"`,
};

async function openYard(server, board, kind) {
  await server.http.post('/boards', { name: board, template: 'classic', repo: kind.repository.directory, worktree: true, copy: ['.env'], ports: 1, ...kind.board });
  for (const [worker, script] of Object.entries(kWorkers)) {
    const name = `${board}-${worker}`;
    installAgent(server.data, name, `${asWorker}\ncat > $ANDON_RUN_DIR/own/prompt\nname=$(sed -n 's/^.*NAME=\\([a-z]*\\).*$/\\1/p' $ANDON_RUN_DIR/own/prompt | head -1)\n${script(kind, '$name').replaceAll("'$name'", "'\"$name\"'")}`);
    await server.http.post('/workers', { name, agent: name, capacity: 1 });
  }
}

const landingOf = async (server, task) => (await runsOf(server, task)).at(-1)?.landing?.state;

for (const [board, make] of [['node', makeNodeRepository], ['python', makePythonRepository]]) {
  test(`after a night on a ${board} repository the board is true and only wanted changes have landed`, async (t) => {
    const place = openPlace(t);
    const kind = make(place);
    const server = await startServer(place);
    await openYard(server, board, kind);
    const before = kind.repository.sh('git ls-files src | wc -l');
    const tasks = [];
    for (const [index, worker] of ['good', 'wrecker', 'leaker', 'good', 'good'].entries()) {
      const name = `new${'abcde'[index]}`;
      const task = await newTask(server, `Add ${name}`, { board, body: `NAME=${name}`, assignee: `${board}-${worker}` });
      tasks.push({ ...task, worker, name });
      await moveTo(server, task, 'todo');
    }
    const wanted = tasks.filter(({ worker }) => worker !== 'wrecker');
    for (const task of wanted) await until(`task ${task.id} has landed`, async () => (await landingOf(server, task)) === 'landed', kNight);
    const wreck = tasks.find(({ worker }) => worker === 'wrecker');
    await until('the deletion waits for a person', async () => (await landingOf(server, wreck)) === 'asked', kNight);

    assert.equal(kind.repository.sh('git ls-files src | wc -l'), String(Number(before) + wanted.length));
    for (const { name } of wanted) kind.repository.sh(`test -f ${kind.file(name)}`);
    assert.equal(kind.repository.sh('git log --format= --name-only main | grep -c "^.env$" || true'), '0');
    assert.equal(kind.repository.sh('git status --porcelain'), '');
    const findings = (await runsOf(server, wreck)).at(-1).landing.findings;
    assert.ok(findings.some(({ limit, count }) => limit === 'deleted_files' && count === 30), JSON.stringify(findings));
    for (const task of wanted) assert.equal((await readTask(server, task)).stage, 'done');

    await server.http.post(`/tasks/${wreck.id}/landing`, { verdict: 'reject', reason: 'delete nothing' });
    await until('it came back', async () => (await landingOf(server, wreck)) === 'returned' || (await runsOf(server, wreck)).length > 1, kNight);
    await server.http.post(`/tasks/${wanted[0].id}/revert`, { then: 'close', reason: 'not wanted' });
    await until('it is taken back', async () => (await runsOf(server, wanted[0])).some((run) => run.revert?.state === 'reverted'), kNight);
    kind.repository.sh(`test ! -e ${kind.file(wanted[0].name)}`);
    assert.equal(kind.repository.sh('git ls-files src | wc -l'), String(Number(before) + wanted.length - 1));
  });
}
