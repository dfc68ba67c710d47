import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { installProfile } from './agents.mjs';
import { asWorker } from './repository.mjs';

// One script is every agent of the company: the name of its worker says its role. The planner creates what lies in `plans`, a file for
// each task, or says that nothing is needed; QA reads and only says what it found; the others do what the brief says for this attempt, as in
// `plan: crash work`, whose last word holds for all that follow.
const script = (root) => `#!/bin/sh
${asWorker}
prompt=$(cat)
exec 9>>${root}/locks/$ANDON_TASK
flock -n 9 || echo "double $ANDON_TASK $ANDON_RUN" >> ${root}/ledger
turn=$(cat ${root}/turns/$ANDON_TASK 2>/dev/null || echo 0)
echo $((turn + 1)) > ${root}/turns/$ANDON_TASK
first() { mkdir "${root}/turns/$1" 2>/dev/null; }
set -- $(printf '%s\\n' "$prompt" | sed -n 's/^plan: //p' | head -n 1)
while [ $turn -gt 0 ] && [ $# -gt 1 ]; do shift; turn=$((turn - 1)); done
echo "start $ANDON_TASK $ANDON_RUN $$ $ANDON_WORKER \${1:-none}" >> ${root}/ledger

# The server may be away for a moment; what it refuses is not said again.
tell() {
  for try in $(seq 300); do
    answer=$(andon "$@" --json 2>&1) && return 0
    case $answer in *STALE_CLAIM*|*UNAUTHENTICATED*|*FORBIDDEN*|*ILLEGAL_TRANSITION*|*LIKELY_COPY*) echo "$answer"; return 1 ;; esac
    echo "no answer yet: $answer"
    sleep 0.1
  done
}
change() { echo "$ANDON_RUN" > "work-$ANDON_TASK"; rm -f broken; }
commit() { git add -A; git commit -qm "Work on $ANDON_TASK"; }

plan_work() {
  made=
  for file in $(ls ${root}/plans | head -n 3); do
    { read -r role; read -r title; read -r plan; } < ${root}/plans/$file
    tell create "$title" --status ready --role $role --priority P$((ANDON_RUN % 3)) --max-attempts 9 --body "plan: $plan" &&
      mv ${root}/plans/$file ${root}/planned/ && made="$made $title,"
  done
  case "$made:$((ANDON_RUN % 3))" in
    :0) tell done --no-change "looked at the board: nothing is needed" ;;
    :1) tell done --result "nothing is worth doing" ;;
    :*) echo "I have looked at the board, and nothing is worth doing." ;;
    *:2) echo "I have planned$made that is all." ;;
    *) tell done --result "planned$made" ;;
  esac
}

judge() {
  case $prompt in *'[picky]'*) first rejected-$1 && { tell reject $1 --reason "a line is missing"; return; } ;; esac
  case $((ANDON_RUN % 5)) in
    0) first forgot-$ANDON_TASK && { echo "I have read it, and it is good."; return; } ;;
    1) tell note "Checked: the file. Not checked: the rest." ;;
  esac
  tell accept $1
}

read_work() {
  git log --oneline -n 3 > /dev/null
  [ $((ANDON_RUN % 7)) -eq 0 ] && tell create "Fix: what run $ANDON_RUN saw" --status ready --role coder --body "plan: commit"
  case $((ANDON_RUN % 3)) in
    0) tell done --result "I have read it, and it is good." ;;
    1) tell done --no-change "It is good as it is." ;;
    *) echo "I have read it, and it is good." ;;
  esac
}

task=$(printf '%s\\n' "$prompt" | sed -n 's/.*andon accept \\([0-9][0-9]*\\).*/\\1/p' | head -n 1)
case "$ANDON_WORKER:$1" in
  planner:*) plan_work ;;
  qa:*) if [ -n "$task" ]; then judge $task; else read_work; fi ;;
  *:commit) change; commit; tell done --result "made it" ;;
  *:work) change; tell done --result "made it" ;;
  *:silent) change ;;
  *:broken) change; touch broken; tell done --result "made it" ;;
  *:conflict) change; echo $ANDON_TASK > a.txt; commit; sleep 0.5; tell done --result "made it" ;;
  *:resolve) git rebase -q main > /dev/null 2>&1 || { git checkout -q --theirs a.txt; git add -A; git rebase --continue > /dev/null 2>&1; }; change; tell done --result "joined" ;;
  *:words) tell done --result "here is the answer: 42" ;;
  *:said) echo "here is the answer: 42" ;;
  *:ask) tell block "which of the two?" ;;
  *:fail) tell fail --reason "cannot do it in run $ANDON_RUN" ;;
  *:crash) kill -9 $$ ;;
  *:exit) exit 3 ;;
  *:hang) exec sleep 600 ;;
  *:limit) echo "LIMIT rejected $(($(date +%s) + 2))"; exit 1 ;;
esac
`;

export const kAgent = 'script';

export function hireCompanyAgent(place, data) {
  for (const folder of ['locks', 'turns', 'plans', 'planned', 'drafts']) mkdirSync(place.path(folder));
  writeFileSync(place.path('agent'), script(place.root));
  chmodSync(place.path('agent'), 0o755);
  installProfile(data, kAgent, [place.path('agent')], {
    timeouts: { silence_s: 12, exit_s: 2 },
    output: { kind: 'text', rules: [{ regex: '^LIMIT (?<status>rejected) (?<resets_at>[0-9]+)$', emit: 'limit' }] },
  });
}

export const unplanned = (place) => readdirSync(place.path('plans')).length;

// A task for the planner to create; a planner at work sees it whole or not at all.
export function think(place, number, { role, title, plan }) {
  const file = String(number).padStart(6, '0');
  writeFileSync(place.path('drafts', file), `${role}\n${title}\n${plan}\n`);
  renameSync(place.path('drafts', file), place.path('plans', file));
}

export function readStarts(place) {
  const lines = existsSync(place.path('ledger')) ? readFileSync(place.path('ledger'), 'utf8').split('\n').filter(Boolean) : [];
  const starts = lines.filter((line) => line.startsWith('start ')).map((line) => {
    const [, task, run, pid, worker, word] = line.split(' ');
    return { task: Number(task), run: Number(run), pid: Number(pid), worker, word };
  });
  return { starts, doubles: lines.filter((line) => line.startsWith('double ')) };
}
