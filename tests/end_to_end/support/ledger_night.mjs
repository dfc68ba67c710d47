import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asWorker } from './repository.mjs';

// What an agent may do at an attempt: what it leaves in its work tree before it reports, and what the board must make of it.
// `end` is where its task is in the morning when this is its last word.
export const kDeeds = {
  work: { change: 'own', report: 'done --result made', outcome: 'succeeded', end: 'done' },
  silent: { change: 'own', outcome: 'succeeded', end: 'done' },
  unchanged: { report: 'done --no-change already', outcome: 'succeeded', end: 'done' },
  lie: { report: 'done --result made', outcome: 'incomplete', end: 'blocked' },
  words: { says: 'made it, says nobody', outcome: 'incomplete', end: 'blocked' },
  empty: { outcome: 'incomplete', end: 'blocked' },
  broken: { change: 'broken', report: 'done --result made', outcome: 'failed' },
  conflict: { change: 'shared', report: 'done --result made', outcome: 'succeeded' },
  resolve: { change: 'resolved', report: 'done --result joined', outcome: 'succeeded', end: 'done' },
  ask: { report: 'block which?', outcome: 'blocked', end: 'blocked' },
  fail: { report: 'fail --reason cannot', outcome: 'failed', end: 'blocked' },
  crash: { last: 'kill -9 $$', outcome: 'failed' },
  exit: { last: 'exit 3', outcome: 'failed' },
  hang: { last: 'exec sleep 600', outcome: 'timed_out' },
  limit: { last: 'echo "LIMIT rejected $(($(date +%s) + 1))"; exit 1', outcome: 'rate_limited' },
  late: { change: 'own', report: 'done --result made', last: 'exec sleep 600', outcome: 'succeeded', end: 'done' },
  daemon: { change: 'own', report: 'done --result made', last: `setsid sh -c 'trap "" TERM INT HUP; sleep 600' & :`, outcome: 'succeeded', end: 'done' },
};

const kChanges = {
  own: 'echo "$ANDON_RUN" > "work-$ANDON_TASK"; rm -f broken',
  broken: 'echo "$ANDON_RUN" > "work-$ANDON_TASK"; touch broken',
  shared: 'rm -f broken; echo "$ANDON_TASK" > a.txt; echo "$ANDON_RUN" > "work-$ANDON_TASK"; git add -A; git commit -qm shared; sleep 0.5',
  resolved: 'git rebase -q main >/dev/null 2>&1 || { git checkout -q --theirs a.txt; git add -A; git rebase --continue >/dev/null 2>&1; }; rm -f broken; echo "$ANDON_RUN" > "work-$ANDON_TASK"',
};

// A step that changes or reports is in the ledger only when it has happened.
const steps = ({ change, report, says, last }) => [
  change && `${kChanges[change]}; note changed`,
  says && `echo "${says}"`,
  report && `tell ${report} && note told`,
  last,
].filter(Boolean).join('; ') || ':';

const script = (root) => `#!/bin/sh
${asWorker}
prompt=$(cat)
note() { echo "$1 $ANDON_TASK $ANDON_RUN \${2:-}" >> ${root}/ledger; }
turn=$(cat ${root}/turns/$ANDON_TASK 2>/dev/null || echo 0)
echo $((turn + 1)) > ${root}/turns/$ANDON_TASK
set -- $(printf '%s\\n' "$prompt" | sed -n 's/^plan: //p' | head -n 1)
while [ $turn -gt 0 ] && [ $# -gt 1 ]; do shift; turn=$((turn - 1)); done
note start "$1"
tell() {
  for try in $(seq 300); do
    answer=$(andon "$@" --json 2>&1) && return 0
    case $answer in *STALE_CLAIM*|*UNAUTHENTICATED*|*FORBIDDEN*|*ILLEGAL_TRANSITION*) echo "$answer"; return 1 ;; esac
    echo "no answer yet: $answer"
    sleep 0.1
  done
}
case "$1" in
${Object.entries(kDeeds).map(([word, deed]) => `  ${word}) ${steps(deed)} ;;`).join('\n')}
esac
`;

export function hireLedgerAgents(place, data, accounts) {
  mkdirSync(place.path('turns'));
  writeFileSync(place.path('agent'), script(place.root));
  chmodSync(place.path('agent'), 0o755);
  mkdirSync(join(data, 'agents'), { recursive: true });
  const profile = {
    schema: 1, argv: [place.path('agent')], prompt: { via: 'stdin' }, timeouts: { silence_s: 8, exit_s: 2 },
    output: { kind: 'text', rules: [{ regex: '^LIMIT (?<status>rejected) (?<resets_at>[0-9]+)$', emit: 'limit' }] },
  };
  for (const id of accounts) writeFileSync(join(data, 'agents', `${id}.json`), JSON.stringify({ ...profile, id }));
}

// Run → what its agent really did.
export function readDeeds(place) {
  const runs = new Map();
  const text = existsSync(place.path('ledger')) ? readFileSync(place.path('ledger'), 'utf8') : '';
  for (const line of text.split('\n').filter(Boolean)) {
    const [step, task, run, word] = line.split(' ');
    const entry = runs.get(Number(run)) ?? { task: Number(task), starts: 0, changed: false, told: false };
    if (step === 'start') Object.assign(entry, { word, starts: entry.starts + 1 });
    else entry[step] = true;
    runs.set(Number(run), entry);
  }
  return runs;
}
