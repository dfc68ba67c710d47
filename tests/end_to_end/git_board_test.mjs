import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openPlace } from './support/place.mjs';
import { andon, cleanEnvironment, told } from './support/program.mjs';

// A repository with a board of files in it, one task in todo, everything committed.
class Repository {
  constructor(place) {
    this.place = place;
  }

  static async open(t) {
    const repository = new Repository(openPlace(t));
    await told(repository.place, ['init', '--name', 'Shop'], { input: 'n\n' });
    await told(repository.place, ['create', 'Fix the cart', '--status', 'todo', '--body', 'one\n\ntwo\n\nthree', '--tags', 'api']);
    repository.git('init', '-q', '-b', 'main');
    writeFileSync(repository.place.path('.git', 'info', 'exclude'), '.local/\n'); // the home of this test
    repository.git('config', 'user.name', 'ann');
    repository.git('config', 'user.email', 'ann@example.org');
    repository.commit('Begin');
    return repository;
  }

  run(...args) {
    const done = spawnSync('git', args, { cwd: this.place.root, env: cleanEnvironment(this.place), encoding: 'utf8' });
    return { code: done.status, out: done.stdout + done.stderr };
  }
  git(...args) {
    return execFileSync('git', args, { cwd: this.place.root, env: cleanEnvironment(this.place), encoding: 'utf8' });
  }
  commit(message) {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
  }
  // Both sides of a fork, each committed; ends on main.
  async fork(ours, theirs) {
    this.git('checkout', '-qb', 'other');
    await theirs();
    this.commit('Theirs');
    this.git('checkout', '-q', 'main');
    await ours();
    this.commit('Ours');
  }
  andon(...args) {
    return told(this.place, args);
  }
  file(name) {
    return this.place.path('kanban', 'tasks', name);
  }
  text(name) {
    return readFileSync(this.file(name), 'utf8');
  }
  tasks() {
    return readdirSync(this.place.path('kanban', 'tasks')).sort();
  }
}

const kCart = '001-fix-the-cart.md';

test('git keeps nothing of .andon', async (t) => {
  const repository = await Repository.open(t);
  await repository.andon('list');
  // The secret of this user may have been kept elsewhere before.
  assert.match(repository.git('status', '--porcelain', '--ignored'), /^(!! \.local\/\n)?!! kanban\/\.andon\/\n$/);
  assert.doesNotMatch(repository.git('ls-files'), /\.andon/);
});

test('a checkout changes the board for the next command', async (t) => {
  const repository = await Repository.open(t);
  await repository.fork(
    () => repository.andon('edit', '1', '--priority', 'high'),
    async () => {
      await repository.andon('move', '1', 'done');
      await repository.andon('create', 'Only there');
    },
  );
  assert.equal((await repository.andon('show', '1', '--json')).priority, 'high');
  repository.git('checkout', '-q', 'other');
  assert.deepEqual((await repository.andon('list', '--json')).map((task) => [task.id, task.status, task.priority]), [
    [1, 'done', 'medium'],
    [2, 'backlog', 'medium'],
  ]);
  repository.git('checkout', '-q', 'main');
  assert.deepEqual((await repository.andon('list', '--json')).map((task) => [task.id, task.status]), [[1, 'todo']]);
});

test('a command in a linked work tree says that it works on a copy of the board', async (t) => {
  const repository = await Repository.open(t);
  repository.run('worktree', 'add', '-q', 'tree');
  const { place } = repository;
  const inTree = (...args) => andon({ ...place, root: place.path('tree') }, args);
  const copied = await inTree('edit', '1', '--priority', 'high', '--json');
  assert.equal(JSON.parse(copied.out).priority, 'high');
  assert.ok(copied.err.includes(`a copy of the board that others do not see; theirs is --dir ${place.path('kanban')}\n`), copied.err);
  assert.equal((await repository.andon('show', '1', '--json')).priority, 'medium');
  assert.equal((await inTree('edit', '1', '--priority', 'low', '--dir', place.root)).err, '');
  assert.equal((await repository.andon('show', '1', '--json')).priority, 'low');
});

test('a board that git ignores gets no merge driver', async (t) => {
  const repository = await Repository.open(t);
  writeFileSync(repository.place.path('.gitignore'), 'kanban/\n');
  repository.run('rm', '-q', '-r', '--cached', 'kanban');
  const refused = await andon(repository.place, ['board', 'merge-driver', 'install']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /git ignores this board; take its line out of \.gitignore/);
});

test('the merge driver joins what both sides changed', async (t) => {
  const repository = await Repository.open(t);
  assert.match(await repository.andon('board', 'merge-driver', 'install'), /every clone runs this command once/);
  repository.commit('Merge by values');
  await repository.fork(
    async () => {
      await repository.andon('edit', '1', '--priority', 'high', '--add-tag', 'cart');
      await repository.andon('edit', '1', '--body', 'ONE\n\ntwo\n\nthree');
      await repository.andon('create', 'From us');
    },
    async () => {
      await repository.andon('pick', '--claim', 'agent-2', '--status', 'todo', '--move', 'in-progress');
      await repository.andon('edit', '1', '--claim', 'agent-2', '--add-tag', 'qa', '--body', 'one\n\ntwo\n\nTHREE');
      await repository.andon('create', 'From them');
      await repository.andon('create', 'From them too');
    },
  );
  const merged = repository.run('merge', '-q', 'other');
  assert.equal(merged.code, 0, merged.out);
  const task = await repository.andon('show', '1', '--json');
  assert.equal(task.priority, 'high');
  assert.equal(task.status, 'in-progress');
  assert.equal(task.claimed_by, 'agent-2');
  assert.deepEqual(task.tags, ['api', 'cart', 'qa']);
  assert.equal(task.body.trim(), 'ONE\n\ntwo\n\nTHREE');
  // Both sides gave number 2: one of them gets another, and nothing is lost.
  const tasks = await repository.andon('list', '--json');
  assert.deepEqual(tasks.map((one) => one.title).sort(), ['Fix the cart', 'From them', 'From them too', 'From us']);
  assert.equal(new Set(tasks.map((one) => one.id)).size, 4);
  assert.equal(await repository.andon('config', 'get', 'next_id'), '5\n');
});

test('changes of the same lines are left to people, for their file alone', async (t) => {
  const repository = await Repository.open(t);
  await repository.andon('create', 'Another', '--status', 'todo');
  await repository.andon('board', 'merge-driver', 'install');
  repository.commit('Two tasks');
  await repository.fork(
    () => repository.andon('edit', '1', '--body', 'ours', '--priority', 'high'),
    () => repository.andon('edit', '1', '--body', 'theirs', '--add-tag', 'qa'),
  );
  const merged = repository.run('merge', '-q', 'other');
  assert.notEqual(merged.code, 0);
  const text = repository.text(kCart);
  assert.match(text, /<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n/);
  assert.match(text, /priority: high\n/);
  assert.match(text, /- qa\n/);
  const refused = await andon(repository.place, ['edit', '1', '--priority', 'low']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /001-fix-the-cart\.md:\d+:1: git's marks of a conflict/);
  assert.equal((await repository.andon('pick', '--claim', 'agent-1', '--json')).id, 2);
  const doctor = await andon(repository.place, ['doctor', '--json']);
  assert.equal(doctor.code, 1);
  assert.equal(JSON.parse(doctor.out).ok, false);
  assert.match(doctor.out, /001-fix-the-cart\.md:\d+:1/);
  writeFileSync(repository.file(kCart), text.replace(/<<<<<<< ours\n(ours\n)=======\n(theirs\n)>>>>>>> theirs\n/, '$1$2'));
  assert.equal((await repository.andon('show', '1', '--json')).body.trim(), 'ours\ntheirs');
  assert.match(await repository.andon('doctor'), /Nothing is wrong/);
});

test('a rebase keeps the edits of both', async (t) => {
  const repository = await Repository.open(t);
  await repository.andon('board', 'merge-driver', 'install');
  repository.commit('Merge by values');
  await repository.fork(
    () => repository.andon('edit', '1', '--estimate', '4h'),
    () => repository.andon('edit', '1', '--assignee', 'bob', '--add-tag', 'qa'),
  );
  const rebased = repository.run('rebase', '-q', 'other');
  assert.equal(rebased.code, 0, rebased.out);
  const task = await repository.andon('show', '1', '--json');
  assert.deepEqual([task.estimate, task.assignee, task.tags], ['4h', 'bob', ['api', 'qa']]);
});

test('what cannot be read is left to people with everything in it', async (t) => {
  const repository = await Repository.open(t);
  await repository.andon('board', 'merge-driver', 'install');
  repository.commit('Merge by values');
  await repository.fork(
    () => repository.andon('edit', '1', '--priority', 'high'),
    () => writeFileSync(repository.file(kCart), repository.text(kCart).replace('priority: medium', 'priority: &x low')),
  );
  assert.notEqual(repository.run('merge', '-q', 'other').code, 0);
  assert.match(repository.text(kCart), /<<<<<<< ours\npriority: high\n/);
  assert.match(repository.text(kCart), /priority: &x low\n/);
});

test('a lock that git left behind stops no command', async (t) => {
  const repository = await Repository.open(t);
  writeFileSync(repository.place.path('.git', 'index.lock'), '');
  await repository.andon('move', '1', 'in-progress', '--claim', 'agent-1');
  assert.equal((await repository.andon('show', '1', '--json')).status, 'in-progress');
});

test('files that are renamed and removed while commands run lose nothing else', async (t) => {
  const repository = await Repository.open(t);
  for (const title of ['Second', 'Third', 'Fourth']) await repository.andon('create', title);
  const notes = Array.from({ length: 12 }, (_, n) => repository.andon('edit', '1', '-a', `note ${n}`));
  renameSync(repository.file('002-second.md'), repository.file('002-renamed.md'));
  rmSync(repository.file('003-third.md'));
  await Promise.all(notes);
  const body = (await repository.andon('show', '1', '--json')).body;
  for (let n = 0; n < 12; n++) assert.match(body, new RegExp(`^note ${n}$`, 'm'));
  assert.deepEqual((await repository.andon('list', '--json')).map((task) => task.id), [1, 2, 4]);
  assert.ok(existsSync(repository.file('002-renamed.md')));
  assert.equal(repository.tasks().length, 3);
});

test('an index that came with the repository is not believed', async (t) => {
  const repository = await Repository.open(t);
  repository.git('add', '-fA', 'kanban/.andon');
  repository.git('commit', '-qm', 'With the index');
  repository.git('clone', '-q', repository.place.root, 'copy');
  writeFileSync(repository.place.path('copy', 'kanban', 'tasks', kCart), repository.text(kCart).replace('Fix the cart', 'Changed'));
  const shown = await andon(repository.place, ['show', '1', '--json', '--dir', 'copy/kanban']);
  assert.equal(JSON.parse(shown.out).title, 'Changed', shown.err);
  assert.match((await andon(repository.place, ['doctor', '--dir', 'copy/kanban'])).out, /index: is whole/);
});
