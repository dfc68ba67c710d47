import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// What an agent does at each of its attempts stands in the brief, as in `plan: crash hang done`; the last word holds for all
// that follow. A ledger tells who ran when; a lock that all processes of an attempt hold tells two attempts at once.
const script = (root) => `#!/bin/sh
prompt=$(cat)
exec 9>>${root}/locks/$ANDON_TASK
flock -n 9 || echo "double $ANDON_TASK $ANDON_RUN" >> ${root}/ledger
turn=$(cat ${root}/turns/$ANDON_TASK 2>/dev/null || echo 0)
echo $((turn + 1)) > ${root}/turns/$ANDON_TASK
set -- $(printf '%s\\n' "$prompt" | sed -n 's/^plan: //p' | head -n 1)
while [ $turn -gt 0 ] && [ $# -gt 1 ]; do shift; turn=$((turn - 1)); done
echo "start $ANDON_TASK $ANDON_RUN $$ $ANDON_WORKER \${1:-none}" >> ${root}/ledger
echo "at work on $ANDON_TASK"

# The server may be away for a moment; a report that arrived is not sent twice.
tell() {
  for try in $(seq 300); do
    answer=$(andon "$@" --json 2>&1) && return 0
    case $answer in *STALE_CLAIM*|*UNAUTHENTICATED*|*FORBIDDEN*|*ILLEGAL_TRANSITION*) echo "$answer"; return 1 ;; esac
    echo "no answer yet: $answer"
    sleep 0.1
  done
}
reviewed() { printf '%s\\n' "$prompt" | sed -n 's/.*andon accept \\([0-9]*\\).*/\\1/p' | head -n 1; }

case "$ANDON_WORKER:$1" in
  critic*)
    task=$(reviewed)
    case $prompt in
      *'[picky]'*) [ -e ${root}/turns/rejected-$task ] || { touch ${root}/turns/rejected-$task; tell reject $task --reason "not good enough yet"; exit 0; } ;;
    esac
    tell accept $task ;;
  planner*)
    head -n 4 ${root}/plans > ${root}/turns/next-plans
    while IFS='|' read -r title plan; do
      tell create "$title" --status ready --role coder --max-attempts 9 --body "plan: $plan" && echo "planned $title"
    done < ${root}/turns/next-plans
    sed -i 1,4d ${root}/plans
    tell done --result "planned" ;;
  *:fail) tell fail --reason "cannot do it in run $ANDON_RUN" ;;
  *:same) tell fail --reason "cannot do it" ;;
  *:block) tell block "needs a person" ;;
  *:crash) kill -9 $$ ;;
  *:exit) exit 3 ;;
  *:hang) exec sleep 600 ;;
  *:endless) while :; do echo "still at it"; sleep 0.3; done ;;
  *:limit) echo "LIMIT rejected $(($(date +%s) + 2))"; exit 1 ;;
  *:empty) exec > /dev/null ;;
  *:quiet) echo "made it without a word to the board" ;;
  *:daemon) setsid sh -c 'trap "" TERM INT HUP; sleep 600' & tell done --result "left somebody behind" ;;
  *) tell done --result "made it" ;;
esac
`;

const kProfile = {
  schema: 1,
  prompt: { via: 'stdin' },
  output: { kind: 'text', rules: [{ regex: '^LIMIT (?<status>rejected) (?<resets_at>[0-9]+)$', emit: 'limit' }] },
  timeouts: { silence_s: 8 }, // a slow start of `andon` on a busy machine is no silence
};

// Installs the agents of the night: two accounts, one script.
export function hireAgents(place, data, accounts) {
  for (const folder of ['locks', 'turns']) mkdirSync(place.path(folder));
  writeFileSync(place.path('plans'), '');
  writeFileSync(place.path('agent'), script(place.root));
  chmodSync(place.path('agent'), 0o755);
  mkdirSync(join(data, 'agents'), { recursive: true });
  for (const id of accounts)
    writeFileSync(join(data, 'agents', `${id}.json`), JSON.stringify({ ...kProfile, id, argv: [place.path('agent')] }));
}

// The lines of the ledger: what began, and what ran twice at once.
export function readLedger(place) {
  const lines = existsSync(place.path('ledger')) ? readFileSync(place.path('ledger'), 'utf8').split('\n').filter(Boolean) : [];
  const starts = lines.filter((line) => line.startsWith('start ')).map((line) => {
    const [, task, run, pid, worker, word] = line.split(' ');
    return { task: Number(task), run: Number(run), pid: Number(pid), worker, word };
  });
  return { starts, doubles: lines.filter((line) => line.startsWith('double ')) };
}
