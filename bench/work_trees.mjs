// What a repository of its own costs each run. One repository has many files, the other one
// many commits. Prints a line for each: from ready to the agent's first step in the first and in later runs, from the agent's end
// to the landing, and the disk that the first run and a later one take.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { ended, installAgent, newTask, readTask, runsOf } from '../tests/end_to_end/support/agents.mjs';
import { openPlace } from '../tests/end_to_end/support/place.mjs';
import { startServer } from '../tests/end_to_end/support/server.mjs';
import { until } from '../tests/end_to_end/support/until.mjs';

const kRounds = Number(process.env.ROUNDS ?? 10);
const kLong = 300_000; // ms
const kShapes = { files: { files: 20_000, commits: 2 }, commits: { files: 100, commits: 100_000 } };

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const kibUsed = (directory) => Number(execFileSync('du', ['-sk', directory], { encoding: 'utf8' }).split('\t')[0]);

async function makeRepository(directory, { files, commits }) {
  mkdirSync(directory);
  const git = (...words) => execFileSync('git', words, { cwd: directory });
  git('init', '-q', '-b', 'main');
  const importer = spawn('git', ['fast-import', '--quiet'], { cwd: directory, stdio: ['pipe', 'inherit', 'inherit'] });
  const author = 'committer ann <ann@example.org> 1700000000 +0000\n';
  const write = async (text) => importer.stdin.write(text) || once(importer.stdin, 'drain');
  for (let n = 0; n < commits; n++) {
    await write(`commit refs/heads/main\n${author}data 4\nstep\n`);
    for (let file = 0; n === 0 && file < files; file++)
      await write(`M 100644 inline d${file % 100}/f${file}.txt\ndata 2000\n${`${file} `.repeat(1000).slice(0, 2000)}\n`);
    await write(`M 100644 inline counter\ndata 7\n${String(n).padStart(6, '0')}\n\n`);
  }
  importer.stdin.end('done\n');
  await once(importer, 'close');
  git('reset', '-q', '--hard', 'main');
}

async function measure(name, shape) {
  const endings = [];
  const place = openPlace({ after: (end) => endings.push(end) });
  try {
    const repo = place.path('repo');
    await makeRepository(repo, shape);
    const server = await startServer(place);
    installAgent(server.data, 'quick', `date +%s%3N > ${place.path('stamp')}; cat > /dev/null; echo $ANDON_TASK > work-$ANDON_TASK.txt
export GIT_AUTHOR_NAME=w GIT_AUTHOR_EMAIL=w@example.org GIT_COMMITTER_NAME=w GIT_COMMITTER_EMAIL=w@example.org
git add work-$ANDON_TASK.txt; git commit -qm work; andon done --result made`);
    await server.http.post('/boards', { name: 'shop', template: 'classic', repo, worktree: true });
    await server.http.post('/workers', { name: 'quick', agent: 'quick' });
    const starts = [];
    const landings = [];
    const used = [kibUsed(place.path('.'))];
    for (let round = 0; round <= kRounds; round++) {
      const isLast = round === kRounds;
      if (isLast) await server.http.told('PATCH', '/boards/shop', { review_by: 'person', add_columns: [{ name: 'review', stage: 'review' }] });
      if (isLast) used.push(kibUsed(place.path('.')));
      const task = await newTask(server, `Quick ${round}`, { assignee: 'quick' });
      const begun = Date.now();
      await server.http.post(`/tasks/${task.id}/move`, { status: 'todo' });
      const run = await ended(server, task);
      starts.push(Number(readFileSync(place.path('stamp'), 'utf8')) - begun);
      if (isLast) await until('it is in review', async () => (await readTask(server, task)).stage === 'review', kLong);
      else {
        const done = Date.parse(run.ended ?? run.finished ?? new Date().toISOString());
        await until('it has landed', async () => (await runsOf(server, task))[0].landing?.state === 'landed', kLong);
        landings.push(Date.now() - done);
      }
      await until('the worker is free', async () => (await server.http.get('/workers/quick')).state === 'idle');
    }
    used.push(kibUsed(place.path('.')));
    const facts = {
      first_start_ms: starts[0], start_p50_ms: middle(starts.slice(1)), landing_p50_ms: middle(landings),
      all_before_kib: used[0], after_landings_kib: used[1], tree_kib: used[2] - used[1], n: kRounds, load: loadavg()[0].toFixed(1),
    };
    console.log(`work_tree_${name} ${Object.entries(facts).map(([key, value]) => `${key}=${value}`).join(' ')}`);
  } finally {
    for (const end of endings) await end();
  }
}

for (const [name, shape] of Object.entries(kShapes)) await measure(name, shape);
